/** The diagram pane: the shown diagram on a canvas. */
import '@xyflow/react/dist/base.css';
import '../styles/canvas.css';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo } from 'react';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { Canvas } from './Canvas';
import { createCanvasStore } from './canvasState';
import { useRememberedFolds } from './useRememberedFolds';

export function CanvasPane() {
  const { diagram, marks } = useWorkspaceView();
  const isKnown = useLive((live) => live.isKnown);
  const store = useMemo(createCanvasStore, []);
  useRememberedFolds();
  usePresence();
  return (
    <section className="diagram-pane" id="diagram" aria-label="Diagram" tabIndex={-1}>
      <ReactFlowProvider>
        <Canvas diagram={diagram} marks={marks} store={store} isKnown={isKnown} />
      </ReactFlowProvider>
    </section>
  );
}

/** Sends the selection as presence. */
function usePresence(): void {
  const { present } = useEditorContext();
  const selection = useUiState((state) => state.selection);
  const view = useUiState((state) => state.mode);
  useEffect(() => {
    present({ selection: [...selection.nodes, ...selection.edges], view });
  }, [present, selection, view]);
}
