/** The commands that tidy the diagram, with their progress. Inside the canvas. */
import '../styles/tidy.css';
import { Panel } from '@xyflow/react';
import { LayoutDashboard, LoaderCircle, RouteOff, Sparkle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { bentByHand } from '../../model/layout/moves';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import type { UnderWay } from './tidying';
import { useTidy } from './useTidy';

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
