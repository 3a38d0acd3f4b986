/**
 * Handles of the one selected connection: segments, bends, both ends, and its label. Dragging one is one batch; arrow keys move
 * the focused one. Loaded when a connection is selected first. Not here: the geometry (`model/gestures/bend.ts`).
 */
import '../../styles/handles.css';
import { useStore, useStoreApi, ViewportPortal } from '@xyflow/react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
} from 'react';
import { isByHand } from '../../../model/core/handRoutes';
import { boxesOf, type Drawing, type DrawnEdge } from '../../../model/drawing/drawing';
import { startKeptRoutes } from '../../../model/drawing/keptRoutes';
import { pointAt } from '../../../model/drawing/labels';
import { lengthOf } from '../../../model/drawing/polyline';
import { cornersOf, startLineShapes } from '../../../model/drawing/shapes/lineShapes';
import {
  bent,
  drawnAnew,
  type EndBoxes,
  endGrips,
  FINGER_SIDE,
  GRIP_SIDE,
  type Grip,
  gripBox,
  lineWith,
  placedGrips,
  shareNear,
} from '../../../model/gestures/bend';
import { edgeRefusal } from '../../../model/gestures/connect';
import type { Operation } from '../../../protocol/live';
import type { Point } from '../../../protocol/types';
import { useEditorContext, useUiState } from '../../context/EditorContext';
import { sceneOf } from '../../gestures/actions';
import { overlayOf } from '../../gestures/overlay';
import { useToasts } from '../../ui/overlay/Toasts';
import { IDLE, useCanvas, useCanvasState } from '../canvasState';
import { follow } from '../pointer/follow';
import { connectableAt } from '../pointer/pointerContext';

startKeptRoutes();
startLineShapes();

/** Pixels of a press of an arrow key, as for nodes. */
const NEAR = 8;
const FAR = 40;
const LABEL_STEP = 0.05;
/** As small as what is pressed may be, in pixels of the screen; as `styles/handles.css` has it. */
const leastSide = (): number => (matchMedia('(pointer: coarse)').matches ? FINGER_SIDE : GRIP_SIDE);

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** What a handle does: what is shown while it is dragged to a point, and what is sent at the end. */
interface Way {
  show: (to: Point) => void;
  done: (to: Point) => void;
}

export function EdgeHandles({ drawing }: { drawing: Drawing }) {
  const selection = useUiState((state) => state.selection);
  const isRenaming = useUiState(({ renaming }) => renaming?.kind === 'edge');
  const { client, access } = useEditorContext();
  useOfferToDrawAnew();
  const [id] = selection.edges;
  const drawn = drawing.edges.find(({ edge }) => edge.id === id);
  const edge = id === undefined ? undefined : client.view.edges.get(id);
  const isAlone = selection.edges.size === 1 && selection.nodes.size === 0;
  if (!drawn || !edge || !isAlone || isRenaming || !access.isWritable) return null;
  // The line of a collapsed group stands for others; at what is locked nothing is changed.
  const isItself = drawn.edge.source === edge.source && drawn.edge.target === edge.target;
  const isLocked = [edge.source, edge.target].some((end) => client.view.lockOn(end) !== null);
  return isItself && !isLocked ? <Handles drawing={drawing} drawn={drawn} /> : null;
}

/** Offers to draw lines anew that were bent by hand and no longer fit, when a change says so. */
function useOfferToDrawAnew(): void {
  const { ui, edit } = useEditorContext();
  const toasts = useToasts();
  useEffect(() => {
    ui.warned = (warnings) => {
      const strained = warnings.filter(({ code }) => code === 'route_strained');
      const ids = strained.flatMap(({ candidates }) => candidates as string[]);
      if (ids.length === 0) return;
      toasts.show({
        text: ids.length === 1 ? 'A line bent by hand no longer fits' : 'Lines bent by hand no longer fit',
        detail: 'It leads through a node or a title now.',
        action: { label: 'Draw anew', run: () => void edit(drawnAnew(ids)) },
      });
    };
    return () => {
      ui.warned = null;
    };
  }, [ui, edit, toasts]);
}

function Handles({ drawing, drawn }: { drawing: Drawing; drawn: DrawnEdge }) {
  const context = useEditorContext();
  const toasts = useToasts();
  const { store } = useCanvas();
  const { id } = drawn.edge;
  const isDragged = useCanvasState((state) => state.movingLines !== null || state.pull !== null);
  const placed = useCanvasState((state) => state.labels?.get(id));
  const step = useCanvasState((state) => state.step);
  const zoom = useStore(({ transform }) => transform[2]);
  const toDiagram = useToDiagram();
  const boxes = boxesOf(drawing.nodes);
  const ends = [boxes.get(drawn.edge.source), boxes.get(drawn.edge.target)] as unknown as EndBoxes;
  const scene = sceneOf(context);
  const name = `${scene.labelOf(drawn.edge.source)} → ${scene.labelOf(drawn.edge.target)}`;
  const show = (line: DrawnEdge) => store.setState({ movingLines: new Map([[id, line]]) });
  const send = (operation: Operation) => {
    store.setState(IDLE);
    void context.edit([operation]);
  };
  useEffect(
    () => () => {
      if (store.getState().movingLines?.has(id)) store.setState(IDLE);
    },
    [store, id],
  );

  const corners = cornersOf(drawn.edge, drawn.points);
  const bend = (grip: Grip): Way => {
    const { label, edge } = drawn;
    return {
      show: (to) => {
        const line = lineWith(drawn, bent(corners, grip, to, ends, edge.shape), ends);
        show({ edge, points: line, label: label && { ...label, ...labelPoint(line, edge.label_at) } });
      },
      done: (to) => {
        const route = bent(corners, grip, to, ends, edge.shape);
        // Nothing is bent: a route that was found for right angles stays.
        if (route.length === 0 && !isByHand(edge)) return store.setState(IDLE);
        send({
          op: 'update_edge',
          id,
          ...(route.length > 0 ? { route, route_by: 'hand' } : { route: null }),
        });
      },
    };
  };
  const slide: Way = {
    show: (to) => {
      const { points, label } = drawn;
      show({ ...drawn, label: label && { ...label, ...labelPoint(points, shareNear(points, to)) } });
    },
    done: (to) => send({ op: 'update_edge', id, label_at: shareNear(drawn.points, to) }),
  };
  const rewire = (end: 'source' | 'target'): Way => {
    const other = drawn.edge[end === 'source' ? 'target' : 'source'];
    const nodeAt = (to: Point) => {
      const found = connectableAt(drawing, to);
      return found === other ? null : found;
    };
    return {
      show: (to) => store.setState({ pull: { source: other, to, target: nodeAt(to) } }),
      done: (to) => {
        const found = nodeAt(to);
        store.setState(IDLE);
        if (found === null || found === drawn.edge[end]) return;
        const refusal = edgeRefusal(scene, id, { [end]: found });
        if (refusal) toasts.show({ text: refusal.refusal, detail: refusal.advice });
        else
          send({
            op: 'rewire_edge',
            id,
            ...(end === 'source' ? { new_source: found } : { new_target: found }),
          });
      },
    };
  };
  const press = (way: Way) => (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.stopPropagation();
    follow(event.nativeEvent, {
      onMove: ({ at }) => way.show(toDiagram(at)),
      onEnd: ({ at }) => way.done(toDiagram(at)),
      onCancel: () => store.setState(IDLE),
    });
  };
  const stepOf = (from: Point, way: Way, axis: Grip['axis']) => (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (!by || (axis !== null && by[axis] === 0) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? FAR : NEAR;
    way.done({ x: from.x + by.x * size, y: from.y + by.y * size });
  };

  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    const screen = { x: event.clientX, y: event.clientY };
    overlayOf(context.ui).open.setState({
      open: { kind: 'menu', target: { kind: 'edge', id }, at: toDiagram(screen), screen },
    });
  };
  const { points } = drawn;
  const side = leastSide();
  const label = placed ?? drawn.label;
  const ofEnds = endGrips(points, zoom, side);
  const taken = ofEnds.map(({ at }) => gripBox(at, zoom, side));
  if (label && drawn.edge.label) {
    const [width, height] = [label.shape.width, label.shape.height].map(
      (extent) => Math.max(extent, side) / step,
    ) as [number, number];
    taken.push({ x: label.x - width / 2, y: label.y - height / 2, width, height });
  }
  const share = drawn.edge.label_at ?? (label ? shareNear(points, label) : 0.5);
  const slideBy = (by: number) => {
    const at = Math.min(1, Math.max(0, Math.round((share + by) * 100) / 100));
    send({ op: 'update_edge', id, label_at: at });
  };
  return (
    <ViewportPortal>
      {/* What is pressed stays while it is dragged: a finger would lose it. */}
      <div
        className={`edge-handles${isDragged ? ' dragged' : ''}`}
        style={{ '--unzoom': 1 / zoom } as CSSProperties}
        role="group"
        aria-label={`Handles of ${name}`}
        onContextMenu={openMenu}
      >
        {placedGrips(drawn, taken, zoom, side).map((grip) => (
          <button
            key={`${grip.kind} ${grip.segment}`}
            type="button"
            className={`edge-grip is-${grip.kind} along-${grip.axis ?? 'both'}`}
            style={placeAt(grip.at)}
            aria-label={wordsOf(grip, name)}
            onPointerDown={press(bend(grip))}
            onKeyDown={stepOf(grip.at, bend(grip), grip.axis)}
          />
        ))}
        {ofEnds.map(({ end, at }) => (
          <button
            key={end}
            type="button"
            className="edge-grip is-end"
            // Properties change ends by keyboard.
            tabIndex={-1}
            style={placeAt(at)}
            aria-label={`${end === 'source' ? 'Beginning' : 'End'} of ${name}: drag it to another node`}
            onPointerDown={press(rewire(end))}
          />
        ))}
        {label && drawn.edge.label && (
          <button
            type="button"
            className="edge-grip is-label"
            style={{
              ...placeAt(label),
              transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px) scale(var(--enlarged))`,
              width: Math.max(label.shape.width, side),
              height: Math.max(label.shape.height, side),
            }}
            aria-label={`Label of ${name}: arrow keys slide it along its line`}
            onPointerDown={press(slide)}
            onDoubleClick={() => context.ui.set({ renaming: { kind: 'edge', id } })}
            onKeyDown={(event) => {
              const by = ARROWS[event.key];
              if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              event.stopPropagation();
              slideBy((by.x || by.y) * LABEL_STEP);
            }}
          />
        )}
      </div>
    </ViewportPortal>
  );
}

const labelPoint = (points: readonly Point[], at: number | null): Point =>
  pointAt(points, lengthOf(points) * (at ?? 0.5));

const placeAt = ({ x, y }: Point): CSSProperties => ({
  transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(var(--unzoom))`,
});

function wordsOf({ kind, segment, axis }: Grip, name: string): string {
  if (kind === 'corner') return `Bend ${segment} of ${name}: arrow keys move it`;
  const keys = axis === 'y' ? 'up and down' : axis === 'x' ? 'left and right' : 'arrow keys';
  return kind === 'segment'
    ? `Segment ${segment + 1} of ${name}: ${keys} moves it`
    : `Add a bend to segment ${segment + 1} of ${name}: ${keys}`;
}

/** From pixels of the window to the diagram, inside the canvas. */
function useToDiagram(): (screen: Point) => Point {
  const library = useStoreApi();
  return useCallback(
    ({ x, y }) => {
      const { domNode, transform } = library.getState();
      const { left, top } = (domNode as HTMLElement).getBoundingClientRect();
      const [dx, dy, zoom] = transform;
      return { x: (x - left - dx) / zoom, y: (y - top - dy) / zoom };
    },
    [library],
  );
}
