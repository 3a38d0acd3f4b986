/** The commands that tidy the diagram, with their progress. Inside the canvas. */
import '../styles/tidy.css';
import { Panel, useStoreApi } from '@xyflow/react';
import { LayoutDashboard, LoaderCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type LayoutScope, selectionScope, wholeScope } from '../../model/layout/scope';
import type { Diagram } from '../../protocol/types';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { useToasts } from '../ui/Toasts';
import { LayoutCancelled, LayoutWorker } from './layoutWorker';

/** A shorter layout shows no progress. */
const QUIET_MS = 300;

export function TidyLayer() {
  const { access } = useEditorContext();
  const selected = useUiState(({ selection }) => selection.nodes.size);
  const { underWay, tidy, cancel } = useTidy();
  const canStart = access.isWritable && underWay === null;
  useCommands([
    {
      id: 'arrange.tidy',
      title: 'Tidy the diagram',
      group: 'Arrange',
      icon: LayoutDashboard,
      keys: ['Shift+L'],
      words: 'layout arrange align order clean up',
      isEnabled: () => canStart,
      run: () => void tidy('whole'),
    },
    {
      id: 'arrange.tidy-selection',
      title: 'Tidy the selection',
      group: 'Arrange',
      icon: LayoutDashboard,
      words: 'layout arrange align order clean up',
      isEnabled: () => canStart && selected > 0,
      run: () => void tidy('selection'),
    },
  ]);
  return <Progress nodes={underWay} onCancel={cancel} />;
}

function Progress({ nodes, onCancel }: { nodes: number | null; onCancel: () => void }) {
  const isSlow = useIsSlow(nodes !== null);
  return (
    <Panel position="bottom-center" className="tidy-progress-place" role="status">
      {nodes !== null && isSlow && (
        <div className="tidy-progress">
          <LoaderCircle className="tidy-spinner" size={16} strokeWidth={2} aria-hidden="true" />
          <span>
            Tidying… {nodes.toLocaleString('en')} {nodes === 1 ? 'node' : 'nodes'}
          </span>
          <button type="button" className="button small" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </Panel>
  );
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
const FIT_MARGIN = { width: 64, height: 136 };

type Extent = 'whole' | 'selection';

function useTidy() {
  const { live, ui, edit, commands } = useEditorContext();
  const toasts = useToasts();
  const flow = useStoreApi();
  const [underWay, setUnderWay] = useState<number | null>(null);
  const worker = useRef<LayoutWorker | null>(null);
  useEffect(() => () => worker.current?.cancel(), []);

  async function tidy(extent: Extent): Promise<void> {
    const before = live.state.getState().diagram;
    const { selection } = ui.get();
    const scope = extent === 'whole' ? wholeScope(before) : selectionScope(before, selection.nodes);
    if (scope.reason !== undefined) {
      toasts.show({ text: 'Nothing was moved', detail: scope.reason });
      return;
    }
    setUnderWay(scope.count);
    try {
      worker.current ??= new LayoutWorker();
      const { width, height } = flow.getState();
      const room = { width: width - FIT_MARGIN.width, height: height - FIT_MARGIN.height };
      await apply(before, scope, room, extent, worker.current);
    } catch (error) {
      if (error instanceof LayoutCancelled) return;
      toasts.show({
        text: 'The diagram could not be tidied',
        detail: `${error instanceof Error ? error.message : String(error)} Nothing was changed. Try again.`,
        tone: 'bad',
      });
    } finally {
      setUnderWay(null);
    }
  }

  async function apply(
    before: Diagram,
    scope: LayoutScope & { reason?: undefined },
    room: { width: number; height: number },
    extent: Extent,
    by: LayoutWorker,
  ): Promise<void> {
    // Loaded on first use: most visits do not need it.
    const [{ laidOut }, { layoutOperation }] = await Promise.all([
      import('./tidyDiagram'),
      import('../../model/layout/result'),
    ]);
    const parts = await laidOut(before, scope.parts, room, by);
    if (live.state.getState().diagram !== before) {
      toasts.show({
        text: 'Nothing was moved',
        detail: 'The diagram has changed meanwhile.',
        action: { label: 'Tidy again', run: () => void tidy(extent) },
      });
      return;
    }
    const operation = layoutOperation(before, parts);
    if (!operation) {
      toasts.show({
        text: extent === 'whole' ? 'The diagram is tidy already' : 'The selection is tidy already',
      });
      return;
    }
    const outcome = edit([operation]);
    requestAnimationFrame(() => commands.run(extent === 'whole' ? 'view.fit' : 'view.zoom-selection'));
    await outcome;
  }

  return { underWay, tidy, cancel: () => worker.current?.cancel() };
}
