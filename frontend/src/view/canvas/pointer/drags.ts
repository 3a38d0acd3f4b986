/** What is dragged on the canvas: nodes, a marquee, an edge to be drawn, the border of a group or note. Not here: what starts it. */
import { boxAround, boxBetween, boxesOverlap } from '../../../model/drawing/boxes';
import { type DrawnNode, isFrame } from '../../../model/drawing/drawing';
import { groupAt } from '../../../model/gestures/drop';
import type { previewLandings } from '../../../model/gestures/landing';
import {
  carriedBy,
  cornersOf,
  dropped,
  type Handle,
  moved,
  pulled,
  resized,
  SMALLEST_SHEET,
  shifted,
} from '../../../model/gestures/move';
import { onGrid, type Snapped, snapped } from '../../../model/gestures/snap';
import { counted } from '../../../model/words/kinds';
import { isAnnotation, type Point } from '../../../protocol/types';
import { sceneOf } from '../../gestures/actions';
import { arranging } from '../../gestures/arrangingPart';
import { IDLE } from '../canvasState';
import type { Moved } from './follow';
import { connectableAt, type PointerContext, showMoved, visibleBox } from './pointerContext';

/** The snapping distance, in pixels of the screen. */
const SNAP_REACH = 6;
/** Presence contains this many dragged nodes at most. */
const MAX_SHOWN = 100;

export interface Drag {
  move: (moved: Moved) => void;
  end: () => void;
  cancel: () => void;
}

/**
 * Moves nodes: their positions during the drag, alignment, and the drop.
 *
 * @param grabbed the pressed node; the group that it leaves or enters decides for all
 *
 * @param from where it was pressed, in the diagram
 *
 * @returns null where none of them may be moved
 */
export function nodeDrag(
  pointer: PointerContext,
  ids: Iterable<string>,
  grabbed: string,
  from: Point,
): Drag | null {
  const { context, store } = pointer;
  const { view } = context.client;
  const { roots, all } = carriedBy(view, ids);
  const drawing = pointer.drawing();
  const drawn = drawing.nodes.filter(({ node }) => all.has(node.id));
  const around = boxAround(drawn.filter(({ node }) => roots.includes(node.id)).map(({ box }) => box));
  if (!around) return null;
  const corners = cornersOf(view, roots);
  const neighbours = neighboursOf(pointer, all);
  const home = view.nodes.get(grabbed)?.parent ?? null;
  let group = home;
  const scene = sceneOf(context);
  let previewOf: ReturnType<typeof previewLandings> = () => null;
  arranging.load().then(
    ({ previewLandings }) => {
      previewOf = previewLandings(scene, roots);
    },
    () => undefined, // The drop says so.
  );
  let end: Snapped = { by: { x: 0, y: 0 }, guides: [] };

  return {
    move({ at, isAlt }) {
      const point = pointer.toDiagram(at);
      const by = { x: point.x - from.x, y: point.y - from.y };
      end = snapped(around, by, neighbours, { reach: SNAP_REACH / pointer.zoom(), isFree: isAlt });
      group = groupAt(drawing, point, all);
      const moves = placesOf(drawn, end.by);
      const dropInto = group === home ? null : group;
      const landing = dropInto ? previewOf(dropInto, end.by) : null;
      showMoved(pointer, moves, { guides: end.guides, dropInto, landing });
      context.present({ drag: Object.fromEntries([...moves].slice(0, MAX_SHOWN)) });
    },
    end() {
      const settle = (isMoved?: boolean) => {
        store.setState(IDLE);
        context.present({ drag: null });
        if (isMoved) pointer.say(dropWords(pointer, roots, group === home ? undefined : group));
      };
      if (group !== null && group !== home) {
        void pointer.gestures.moveInto(roots, end.by, group).then(settle);
        return;
      }
      const places = shifted(corners, end.by);
      const { view: now } = context.client;
      const operations = group === home ? moved(now, places) : dropped(now, places, null);
      void context.edit(operations);
      settle(operations.length > 0);
    },
    cancel() {
      store.setState(IDLE);
      context.present({ drag: null });
      pointer.say('Nothing was moved');
    },
  };
}

function placesOf(drawn: readonly DrawnNode[], { x, y }: Point): Map<string, Point> {
  return new Map(drawn.map(({ node, box }) => [node.id, { x: box.x + x, y: box.y + y }]));
}

/** The visible boxes that do not move; ancestors are not alignment targets. */
function neighboursOf(pointer: PointerContext, carried: ReadonlySet<string>) {
  const { view } = pointer.context.client;
  const around = new Set([...carried].flatMap((id) => (view.nodes.has(id) ? view.ancestors(id) : [])));
  const sight = visibleBox(pointer);
  return pointer
    .drawing()
    .nodes.filter(
      ({ node, box }) => !carried.has(node.id) && !around.has(node.id) && boxesOverlap(box, sight),
    )
    .map(({ box }) => box);
}

function dropWords(
  { context }: PointerContext,
  ids: readonly string[],
  group: string | null | undefined,
): string {
  const label = (id: string) => context.client.view.nodes.get(id)?.label ?? '';
  const what = ids.length === 1 ? label(ids[0] as string) : counted(ids.length, 'node');
  if (group === undefined) return `${what} moved`;
  return group === null ? `${what} moved out of its group` : `${what} moved into ${label(group)}`;
}

/** Selects what it touches, and groups that it contains; adds to `before` if given. */
export function marqueeDrag(pointer: PointerContext, from: Point, before: ReadonlySet<string>): Drag {
  const { context, store } = pointer;
  const selected = context.ui.get().selection;
  return {
    move({ at }) {
      const marquee = boxBetween(from, pointer.toDiagram(at));
      store.setState({ marquee });
      const touched = pointer.drawing().nodes.filter((drawn) => {
        if (!isFrame(drawn)) return boxesOverlap(drawn.box, marquee);
        const whole = boxAround([drawn.box, marquee]);
        return whole?.width === marquee.width && whole.height === marquee.height;
      });
      context.ui.select([...before, ...touched.map(({ node }) => node.id)]);
    },
    end() {
      store.setState(IDLE);
    },
    cancel() {
      store.setState(IDLE);
      context.ui.select(selected.nodes, selected.edges);
    },
  };
}

/** Connects to the node at its end, or offers to add one where there is none. */
export function connectionDrag(pointer: PointerContext, source: string): Drag {
  const { store, gestures } = pointer;
  let last: { at: Point; point: Point; target: string | null } | null = null;
  return {
    move({ at }) {
      const point = pointer.toDiagram(at);
      const target = connectableAt(pointer.drawing(), point);
      last = { at, point, target };
      store.setState({ pull: { source, to: point, target: target === source ? null : target } });
    },
    end() {
      store.setState(IDLE);
      if (!last || last.target === source) return;
      if (last.target) gestures.connect(source, last.target);
      else gestures.connectToEmpty(source, last.point, last.at);
    },
    cancel() {
      store.setState(IDLE);
    },
  };
}

/** Resizes a group, never smaller than its contents, a note or a text. */
export function resizeDrag(pointer: PointerContext, id: string, handle: Handle, from: Point): Drag | null {
  const { context, store } = pointer;
  const { nodes } = pointer.drawing();
  const group = nodes.find(({ node }) => node.id === id);
  if (!group) return null;
  const children = nodes.filter(({ node }) => node.parent === id).map(({ box }) => box);
  const least = isAnnotation(group.node.type) ? SMALLEST_SHEET : undefined;
  let box = group.box;
  return {
    move({ at, isAlt }) {
      const point = pointer.toDiagram(at);
      const round = isAlt ? Math.round : onGrid;
      const by = { x: round(point.x - from.x), y: round(point.y - from.y) };
      box = pulled(group.box, handle, by, children, least);
      showMoved(pointer, new Map([[id, box]]));
    },
    end() {
      void context.edit(resized(context.client.view, id, box));
      store.setState(IDLE);
    },
    cancel() {
      store.setState(IDLE);
    },
  };
}
