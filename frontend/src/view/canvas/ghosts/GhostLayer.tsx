/**
 * Proposed changes, drawn over the diagram. They take no pointer events and are invisible to gestures, keyboard and
 * clipboard. Not here: how
 * new nodes and edges look (`GhostNodes.tsx`, `GhostEdges.tsx`), which ghosts there are and where (`model/drawing/ghosts.ts`, `model/drawing/ghostDrawing.ts`).
 */
import '../../styles/ghosts.css';
import { useReactFlow, useStore, useStoreApi, ViewportPortal } from '@xyflow/react';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Box, boxAround, inflated } from '../../../model/drawing/boxes';
import { countMarks } from '../../../model/drawing/compare';
import type { Drawing } from '../../../model/drawing/drawing';
import {
  type GhostCount,
  type GhostDrawing,
  type GhostNote,
  ghostBoxes,
  ghostDrawing,
} from '../../../model/drawing/ghostDrawing';
import { areNoGhosts, type DiagramGhosts, ghostsOf } from '../../../model/drawing/ghosts';
import { MARK_SIGNS } from '../../../model/drawing/marks';
import { isInView, viewportFor } from '../../../model/drawing/viewport';
import type { Diagram } from '../../../protocol/types';
import { useEditorContext, useUiState } from '../../context/EditorContext';
import type { Ghosts, UiStore } from '../../context/uiState';
import { textWidth } from '../../drawing/textWidth';
import { prefersReducedMotion } from '../../ui/reducedMotion';
import { useCanvas, useCanvasState } from '../canvasState';
import { canvasAreaOf, type ViewportControls } from '../useFitView';
import { GhostEdges, GhostHeads, GhostLabels } from './GhostEdges';
import { GhostNodes } from './GhostNodes';

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
  useProposedMarks(store, found, drawn);
  useShowGhosts({ ghosts, drawn, isAlone: diagram.nodes.length === 0, viewport });
  if (areNoGhosts(found)) return null;
  return (
    <>
      <GhostAnnouncement title={ghosts.title} found={found} />
      <ViewportPortal>
        <Unzoomed>
          <GrownFrames boxes={drawn.grown} />
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
              <ChangeNotes notes={drawn.notes} />
            </>
          )}
          <GroupCounts counts={drawn.counts} isFar={isFar} />
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

/** Puts marks of existing things into the store, which they are drawn with. */
function useProposedMarks(
  store: ReturnType<typeof useCanvas>['store'],
  { marks }: DiagramGhosts,
  { nodes }: GhostDrawing,
): void {
  useLayoutEffect(() => {
    store.setState({ proposed: { marks, nodes } });
  }, [store, marks, nodes]);
  useEffect(() => () => store.setState({ proposed: null }), [store]);
}

/** So long the ghosts have to stay as they are before they are announced. */
const REST_MS = 800;

/** Announces the ghosts to screen readers, as one sentence. */
function GhostAnnouncement({ title, found }: { title: string; found: DiagramGhosts }) {
  const sentence = sentenceOf(title, found);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(sentence), REST_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <div className="visually-hidden ghost-words" role="status" aria-live="polite">
      {announcement}
    </div>
  );
}

function sentenceOf(title: string, { nodes, edges, marks }: DiagramGhosts): string {
  const { changed, removed } = countMarks(marks);
  const added = nodes.length + edges.length;
  const parts = [
    added > 0 && `${added} to be added`,
    changed > 0 && `${changed} to be changed`,
    removed > 0 && `${removed} to be removed`,
  ];
  return `${title}, on the diagram: ${parts.filter(Boolean).join(', ')}`;
}

/** The last request that was carried out, also by an earlier canvas. */
const lastRequest = new WeakMap<UiStore, number>();
/** A shown node should be readable. */
const LEGIBLE = 0.85;
/** Below this zoom ghosts do not count as visible. */
const READABLE = 0.4;
/** Signs extend a little beyond their boxes. */
const SIGN_ROOM = 16;

interface ShowGhostsInput {
  ghosts: Ghosts;
  drawn: GhostDrawing;
  /** Whether there is nothing but ghosts. */
  isAlone: boolean;
  viewport: ViewportControls;
}

/** Brings ghosts into view on request, and as they appear on an empty canvas. */
function useShowGhosts({ ghosts, drawn, isAlone, viewport }: ShowGhostsInput): void {
  const { ui } = useEditorContext();
  const flow = useReactFlow();
  const store = useStoreApi();
  const hasRoom = useStore(({ width }) => width > 0);
  const touch = useRef(viewport.touch);
  touch.current = viewport.touch;
  const framedOf = useRef('');
  useEffect(() => {
    const { domNode, width, height } = store.getState();
    const isAsked = ghosts.at > (lastRequest.get(ui) ?? 0);
    if (!hasRoom || !domNode || !(isAsked || isAlone)) return;
    const boxes = ghostBoxes(drawn).map((box) => inflated(box, SIGN_ROOM));
    const around = boxAround(boxes);
    if (!around) return;
    lastRequest.set(ui, ghosts.at);
    const sight = canvasAreaOf(domNode, width, height);
    const isFirst = isAlone && framedOf.current !== ghosts.of;
    framedOf.current = ghosts.of;
    if (!isFirst && flow.getZoom() >= READABLE && isInView(around, flow.getViewport(), sight)) return;
    if (!isAlone) touch.current();
    const maxZoom = Math.min(Math.max(flow.getZoom(), LEGIBLE), 1.1);
    const view = viewportFor(boxes, boxes, sight, { minZoom: 0.1, maxZoom });
    void flow.setViewport(view, { duration: prefersReducedMotion() ? 0 : 250 });
  }, [ghosts.at, ghosts.of, drawn, isAlone, hasRoom, ui, flow, store]);
}

const translation = ({ x, y }: { x: number; y: number }) => `translate(${x}px, ${y}px)`;
const filling = (box: Box) => ({ transform: translation(box), width: box.width, height: box.height });

/** The frames of groups that would grow. */
const GrownFrames = memo(function GrownFrames({ boxes }: { boxes: GhostDrawing['grown'] }) {
  return boxes.map(({ id, box }) => (
    <div key={id} className="ghost-grown" data-id={id} style={filling(box)} />
  ));
});

/** Beside existing things: what would change. */
const ChangeNotes = memo(function ChangeNotes({ notes }: { notes: readonly GhostNote[] }) {
  return notes.map(({ id, of, at: place, width, text }) => (
    <div
      key={`${of} ${id}`}
      className={`ghost-note of-${of}`}
      data-of={id}
      style={{
        transform: `${translation(place)}${of === 'edge' ? ' translateX(-50%)' : ''}`,
        maxWidth: width,
      }}
    >
      {text}
    </div>
  ));
});

/** “+2 Δ1” at a group that is drawn as one card. */
const GroupCounts = memo(function GroupCounts({
  counts,
  isFar,
}: {
  counts: readonly GhostCount[];
  isFar: boolean;
}) {
  return counts.map(({ id, box, counts: { added, changed, removed } }) => (
    <div
      key={id}
      className={`ghost-count${isFar ? ' far' : ''}`}
      data-of={id}
      style={{ transform: translation({ x: box.x + box.width, y: box.y }) }}
    >
      {added > 0 && <span className="added">+{added}</span>}
      {changed > 0 && <span className="changed">Δ{changed}</span>}
      {removed > 0 && <span className="removed">−{removed}</span>}
    </div>
  ));
});

/** When zoomed out so far that a node is a plain shape, only signs are shown. */
const FarSigns = memo(function FarSigns({ marked }: { marked: GhostDrawing['marked'] }) {
  return marked.map(({ id, box, mark, isFrame }) => (
    <div key={id} className={`ghost-far ${mark}${isFrame ? ' frame' : ''}`} style={filling(box)}>
      <span className="ghost-sign">{MARK_SIGNS[mark]}</span>
    </div>
  ));
});
