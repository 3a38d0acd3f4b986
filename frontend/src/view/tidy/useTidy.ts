/** Tidies the diagram or the selection, with progress and a message about the outcome. */
import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { drawnAnew } from '../../model/gestures/bend';
import { bentByHand } from '../../model/layout/moves';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import type { Outcome, UnderWay, Wish } from './tidying';

/** The padding of the fitted diagram. */
const FIT_MARGIN = { width: 64, height: 136 };

export type Extent = Pick<Wish, 'mode' | 'of'> & Partial<Pick<Wish, 'redraws'>>;

export function useTidy() {
  const { live, ui, edit, commands } = useEditorContext();
  const toasts = useToasts();
  const flow = useStoreApi();
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);

  async function tidy(extent: Extent): Promise<void> {
    const { width, height } = flow.getState();
    const room = { width: width - FIT_MARGIN.width, height: height - FIT_MARGIN.height };
    const wish: Wish = { redraws: false, ...extent, selected: ui.get().selection.nodes, room };
    setUnderWay({ nodes: 0, tried: 0, of: 0 });
    try {
      const { cancelTidy, tidied } = await import('./tidying');
      end.current = cancelTidy;
      await apply(await tidied(wish, () => live.state.getState().diagram, setUnderWay), extent);
    } catch (error) {
      if (error instanceof Error && error.name === 'LayoutCancelled') return;
      toasts.show({
        text: 'The diagram could not be tidied',
        detail: `${error instanceof Error ? error.message : String(error)} Nothing was changed. Try again.`,
        tone: 'bad',
      });
    } finally {
      setUnderWay(null);
    }
  }

  async function apply(outcome: Outcome, extent: Extent): Promise<void> {
    if ('operations' in outcome) {
      const done = edit(outcome.operations);
      requestAnimationFrame(() => commands.run(extent.of === 'whole' ? 'view.fit' : 'view.zoom-selection'));
      await done;
      sayKept();
      return;
    }
    const { text, detail, isOutdated } = outcome;
    const again = { label: 'Tidy again', run: () => void tidy(extent) };
    toasts.show({ text, ...(detail && { detail }), ...(isOutdated && { action: again }) });
  }

  /** Says that lines by hand were left as they are, and offers to draw them anew. */
  function sayKept(): void {
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
