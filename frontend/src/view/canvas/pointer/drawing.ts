/** The marquee, drawing an edge, and resizing a group. */
import { boxAround, boxBetween, boxesOverlap } from '../../../model/drawing/boxes';
import { isFrame } from '../../../model/drawing/drawing';
import { type Handle, pulled, resized, SMALLEST_SHEET } from '../../../model/gestures/move';
import { onGrid } from '../../../model/gestures/snap';
import { isAnnotation, type Point } from '../../../protocol/types';
import { IDLE } from '../canvasState';
import type { Drag } from './dragging';
import { connectableAt, type PointerContext, showMoved } from './pointerContext';

/** Selects what it touches, and groups that it contains; adds to `before` if given. */
export function marqueeOf(pointer: PointerContext, from: Point, before: ReadonlySet<string>): Drag {
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
export function connectionOf(pointer: PointerContext, source: string): Drag {
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
export function pullOf(pointer: PointerContext, id: string, handle: Handle, from: Point): Drag | null {
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
