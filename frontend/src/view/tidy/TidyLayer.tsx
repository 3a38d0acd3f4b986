/** The commands that tidy the diagram or the selection, their progress and their outcome. Inside the canvas. */
import '../styles/tidy.css';
import { Panel, useStoreApi } from '@xyflow/react';
import { LayoutDashboard, LoaderCircle, RouteOff, Sparkle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { drawnAnew } from '../../model/gestures/bend';
import { bentByHand } from '../../model/layout/moves';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import type { Outcome, UnderWay, Wish } from './tidying';

/** A shorter layout shows no progress. */
const QUIET_MS = 300;

const WORDS = 'layout arrange align order clean up';

export function TidyLayer() {
  const { access, live } = useEditorContext();
  const selected = useUiState(({ selection }) => selection.nodes.size);
  const { underWay, tidy, cancel } = useTidy();
  const canStart = access.isWritable && underWay === null;
  useCommands([
    {
      id: 'arrange.tidy',
      title: 'Tidy from scratch',
      group: 'Arrange',
      icon: LayoutDashboard,
      keys: ['Shift+L'],
      words: `${WORDS} the diagram`,
      isEnabled: () => canStart,
      run: () => void tidy({ mode: 'scratch', of: 'whole' }),
    },
    {
      id: 'arrange.tidy-gently',
      title: 'Tidy gently',
      group: 'Arrange',
      icon: Sparkle,
      keys: ['Shift+Alt+L'],
      words: `${WORDS} straighten improve the diagram`,
      isEnabled: () => canStart,
      run: () => void tidy({ mode: 'gentle', of: 'whole' }),
    },
    {
      id: 'arrange.tidy-redraw',
      title: 'Tidy and redraw lines bent by hand',
      group: 'Arrange',
      icon: RouteOff,
      words: `${WORDS} routes connections the diagram`,
      isEnabled: () => canStart && bentByHand(live.state.getState().diagram).length > 0,
      run: () => void tidy({ mode: 'scratch', of: 'whole', redraws: true }),
    },
    {
      id: 'arrange.tidy-selection',
      title: 'Tidy the selection',
      group: 'Arrange',
      icon: LayoutDashboard,
      words: WORDS,
      isEnabled: () => canStart && selected > 0,
      run: () => void tidy({ mode: 'scratch', of: 'selection' }),
    },
  ]);
  return <Progress underWay={underWay} onCancel={cancel} />;
}

function Progress({ underWay, onCancel }: { underWay: UnderWay | null; onCancel: () => void }) {
  const isSlow = useIsSlow(underWay !== null);
  return (
    <Panel position="bottom-center" className="tidy-progress-place" role="status">
      {underWay !== null && isSlow && (
        <div className="tidy-progress">
          <LoaderCircle className="tidy-spinner" size={16} strokeWidth={2} aria-hidden="true" />
          <span>{wordsFor(underWay)}</span>
          <button type="button" className="button small" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </Panel>
  );
}

function wordsFor({ nodes, tried, of }: UnderWay): string {
  const what = `Tidying… ${nodes.toLocaleString('en')} ${nodes === 1 ? 'node' : 'nodes'}`;
  return of > 1 ? `${what}, ${tried} of ${of} tried` : what;
}

function useIsSlow(isUnderWay: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    setIsSlow(false);
    if (!isUnderWay) return;
    const timer = setTimeout(() => setIsSlow(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isUnderWay]);
  return isSlow;
}

/** The padding of the fitted diagram. */
const FIT_PADDING = { width: 64, height: 136 };

type Extent = Pick<Wish, 'mode' | 'of'> & Partial<Pick<Wish, 'redraws'>>;

/** Starts and ends a tidy, and shows a message about its outcome. */
function useTidy() {
  const { live, ui, edit, commands } = useEditorContext();
  const toasts = useToasts();
  const flow = useStoreApi();
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);

  async function tidy(extent: Extent): Promise<void> {
    const { width, height } = flow.getState();
    const room = { width: width - FIT_PADDING.width, height: height - FIT_PADDING.height };
    const wish: Wish = { redraws: false, ...extent, selected: ui.get().selection.nodes, room };
    try {
      await apply(await found(wish), extent);
    } catch (error) {
      if (error instanceof Error && error.name === 'LayoutCancelled') return;
      toasts.show({
        text: 'The diagram could not be tidied',
        detail: `${error instanceof Error ? error.message : String(error)} Nothing was changed. Try again.`,
        tone: 'bad',
      });
    }
  }

  async function found(wish: Wish): Promise<Outcome> {
    setUnderWay({ nodes: 0, tried: 0, of: 0 });
    try {
      const { cancelTidy, tidied } = await import('./tidying');
      end.current = cancelTidy;
      return await tidied(wish, () => live.state.getState().diagram, setUnderWay);
    } finally {
      // Before it is applied: what waits for the server cannot be cancelled any more.
      setUnderWay(null);
    }
  }

  async function apply(outcome: Outcome, extent: Extent): Promise<void> {
    if ('operations' in outcome) {
      const done = edit(outcome.operations);
      requestAnimationFrame(() => commands.run(extent.of === 'whole' ? 'view.fit' : 'view.zoom-selection'));
      await done;
      offerRedraw();
      return;
    }
    const { text, detail, isOutdated } = outcome;
    const again = { label: 'Tidy again', run: () => void tidy(extent) };
    toasts.show({ text, ...(detail && { detail }), ...(isOutdated && { action: again }) });
  }

  /** Says that lines by hand were left as they are, and offers to draw them anew. */
  function offerRedraw(): void {
    const kept = bentByHand(live.state.getState().diagram);
    if (kept.length === 0) return;
    toasts.show({
      text:
        kept.length === 1 ? 'A line bent by hand was kept' : `${kept.length} lines bent by hand were kept`,
      action: { label: 'Draw anew', run: () => void edit(drawnAnew(kept)) },
    });
  }

  return { underWay, tidy, cancel: () => end.current() };
}
