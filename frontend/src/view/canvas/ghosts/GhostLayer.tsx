/**
 * Proposed changes, drawn over the diagram. They take no pointer events and are invisible to gestures, keyboard and
 * clipboard. Not here: which ghosts there are and where (`model/drawing/ghosts.ts`, `model/drawing/ghostDrawing.ts`).
 */
import '../../styles/ghosts.css';
import { useStore, ViewportPortal } from '@xyflow/react';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import type { Drawing } from '../../../model/drawing/drawing';
import { type GhostDrawing, ghostDrawing } from '../../../model/drawing/ghostDrawing';
import { areNoGhosts, type DiagramGhosts, ghostsOf } from '../../../model/drawing/ghosts';
import type { Diagram } from '../../../protocol/types';
import { useUiState } from '../../context/EditorContext';
import type { Ghosts } from '../../context/uiState';
import { textWidth } from '../../drawing/textWidth';
import { useCanvas, useCanvasState } from '../canvasState';
import type { ViewportControls } from '../useFitView';
import { GhostEdges, GhostHeads, GhostLabels } from './GhostEdges';
import { Counts, FarSigns, Grown, Notes } from './GhostMarks';
import { GhostNodes } from './GhostNodes';
import { GhostWords } from './GhostWords';
import { useShowGhosts } from './useGhostsInSight';

/** Below, marks of what is there are signs alone. */
const FAR_BELOW = 0.33;

interface Props {
  ghosts: Ghosts;
  diagram: Diagram;
  /** The current drawing. */
  drawing: Drawing;
  viewport: ViewportControls;
}

export function GhostLayer({ ghosts, diagram, drawing, viewport }: Props) {
  const { store, isFar: arePlain } = useCanvas();
  const isFar = useCanvasState(({ step }) => step < FAR_BELOW);
  const collapsed = useUiState((state) => state.collapsed);
  const found = useMemo(() => ghostsOf(diagram, ghosts.steps), [diagram, ghosts.steps]);
  const drawn = useMemo(
    () => ghostDrawing(found, drawing, collapsed, textWidth),
    [found, drawing, collapsed],
  );
  useMarks(store, found, drawn);
  useShowGhosts({ ghosts, drawn, isAlone: diagram.nodes.length === 0, viewport });
  if (areNoGhosts(found)) return null;
  return (
    <>
      <GhostWords title={ghosts.title} found={found} />
      <ViewportPortal>
        <Unzoomed>
          <Grown boxes={drawn.grown} />
          <svg className="ghost-lines" aria-hidden="true" focusable="false">
            <GhostHeads />
            <GhostEdges edges={drawn.edges} isFar={arePlain} />
          </svg>
          <GhostNodes nodes={drawn.nodes} />
          {isFar ? (
            <FarSigns marked={drawn.marked} />
          ) : (
            <>
              <GhostLabels drawn={drawn} drawing={drawing} />
              <Notes notes={drawn.notes} />
            </>
          )}
          <Counts counts={drawn.counts} isFar={isFar} />
        </Unzoomed>
      </ViewportPortal>
    </>
  );
}

/** Children can undo the zoom for their own size, by `--unzoom`. */
function Unzoomed({ children }: { children: ReactNode }) {
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <div className="ghosts" style={{ '--unzoom': 1 / zoom } as CSSProperties} aria-hidden="true">
      {children}
    </div>
  );
}

/** Marks of existing things are drawn with these. */
function useMarks(
  store: ReturnType<typeof useCanvas>['store'],
  { marks }: DiagramGhosts,
  { nodes }: GhostDrawing,
): void {
  useLayoutEffect(() => {
    store.setState({ proposed: { marks, nodes } });
  }, [store, marks, nodes]);
  useEffect(() => () => store.setState({ proposed: null }), [store]);
}
