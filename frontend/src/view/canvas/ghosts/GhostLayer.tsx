/**
 * What is proposed, drawn over the diagram as something that is not there yet. Nothing of it can be touched, and nothing
 * of it is known to gestures, keyboard or clipboard. Not here: what it comes to and where it stands (`model/drawing/ghosts.ts`,
 * `model/drawing/ghostDrawing.ts`).
 */
import '../../styles/ghosts.css';
import { useStore, ViewportPortal } from '@xyflow/react';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import type { Drawing } from '../../../model/drawing/drawing';
import { ghostDrawing } from '../../../model/drawing/ghostDrawing';
import { areNoGhosts, type DiagramGhosts, ghostsOf } from '../../../model/drawing/ghosts';
import type { Diagram } from '../../../protocol/types';
import { useUiState } from '../../context/EditorContext';
import type { Ghosts } from '../../context/uiState';
import { textWidth } from '../../drawing/textWidth';
import { useCanvas } from '../canvasState';
import type { ViewportControls } from '../useFitView';
import { GhostEdges, GhostHeads, GhostLabels } from './GhostEdges';
import { Counts, FarSigns, Grown, Notes } from './GhostMarks';
import { GhostNodes } from './GhostNodes';
import { GhostWords } from './GhostWords';
import { useShowGhosts } from './useGhostsInSight';

interface Props {
  ghosts: Ghosts;
  diagram: Diagram;
  /** What is there, as it is drawn now. */
  drawing: Drawing;
  viewport: ViewportControls;
}

export function GhostLayer({ ghosts, diagram, drawing, viewport }: Props) {
  const { store, isFar } = useCanvas();
  const collapsed = useUiState((state) => state.collapsed);
  const found = useMemo(() => ghostsOf(diagram, ghosts.steps), [diagram, ghosts.steps]);
  const drawn = useMemo(
    () => ghostDrawing(found, drawing, collapsed, textWidth),
    [found, drawing, collapsed],
  );
  useMarks(store, found);
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
            <GhostEdges edges={drawn.edges} isFar={isFar} />
          </svg>
          <GhostNodes nodes={drawn.nodes} isFar={isFar} />
          {isFar ? (
            <FarSigns marked={drawn.marked} />
          ) : (
            <>
              <GhostLabels edges={drawn.edges} />
              <Notes notes={drawn.notes} />
            </>
          )}
          <Counts counts={drawn.counts} isFar={isFar} />
        </Unzoomed>
      </ViewportPortal>
    </>
  );
}

/** What is in it may undo the zoom for its own size, by `--unzoom`. */
function Unzoomed({ children }: { children: ReactNode }) {
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <div className="ghosts" style={{ '--unzoom': 1 / zoom } as CSSProperties} aria-hidden="true">
      {children}
    </div>
  );
}

/** What is there is marked by those who draw it. */
function useMarks(store: ReturnType<typeof useCanvas>['store'], { marks, nodes }: DiagramGhosts): void {
  useLayoutEffect(() => {
    store.setState({ proposed: { marks, hasNodes: nodes.length > 0 } });
  }, [store, marks, nodes]);
  useEffect(() => () => store.setState({ proposed: null }), [store]);
}
