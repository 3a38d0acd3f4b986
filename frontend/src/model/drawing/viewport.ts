/**
 * Computes the viewport that shows given boxes with no control over them. Pure: screen and controls are boxes in pixels
 * of the canvas.
 */
import type { Size } from '../../protocol/types';
import { type Box, boxAround, boxBetween, boxesOverlap, GROUP_TITLE, inflated } from './boxes';
import { type Drawing, type DrawnNode, isFrame, titleOf } from './drawing';
import { segmentsOf } from './polyline';

/** Pixels of the canvas = pixels of the diagram × zoom + (x, y). */
export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export interface CanvasArea {
  width: number;
  height: number;
  /** Controls over the canvas. */
  controls: readonly Box[];
}

export interface ZoomLimits {
  minZoom: number;
  maxZoom: number;
}

/** Around everything that is shown, in pixels of the screen. */
export const MARGIN = 24;
const NEAR = 8;

export const onScreen = (box: Box, { x, y, zoom }: Viewport): Box => ({
  x: box.x * zoom + x,
  y: box.y * zoom + y,
  width: box.width * zoom,
  height: box.height * zoom,
});

/**
 * Fits all boxes as large as possible with no control over any of them.
 *
 * Candidates are the areas left when controls at the top, bottom, left or right are cut off; the largest zoom wins.
 * Where a control covers something in each of them, the area without any control is taken.
 *
 * @param solid what must not be covered
 */
export function viewportFor(
  boxes: readonly Box[],
  solid: readonly Box[],
  frame: CanvasArea,
  limits: ZoomLimits,
): Viewport {
  const around = boxAround(boxes) ?? { x: 0, y: 0, width: 0, height: 0 };
  let best: Viewport | null = null;
  let fallback: Viewport | null = null;
  for (const room of roomsOf(frame)) {
    const view = fitted(around, room, limits);
    fallback = view;
    if (best && view.zoom <= best.zoom) continue;
    const isFree = solid.every((box) => {
      const there = inflated(onScreen(box, view), NEAR);
      return frame.controls.every((control) => !boxesOverlap(there, control));
    });
    if (isFree) best = view;
  }
  return best ?? (fallback as Viewport);
}

const solids = new WeakMap<Drawing, Box[]>();

/** What a drawing shows at most places: cards, titles of groups, and, where they are not too many, lines. */
export function solidOf(drawing: Drawing): readonly Box[] {
  const known = solids.get(drawing);
  if (known) return known;
  const { nodes, edges, routing } = drawing;
  const solid = nodes.map((drawn) => (isFrame(drawn) ? titleAt(drawn) : drawn.box));
  if (routing === 'full')
    for (const { points } of edges)
      for (const { from, to } of segmentsOf(points)) solid.push(boxBetween(from, to));
  solids.set(drawing, solid);
  return solid;
}

/** Of a title in its frame or, where that is too small, on it. */
function titleAt({ box, node }: DrawnNode): Box {
  const title = titleOf(box, node.label);
  return { ...title, y: title.y - GROUP_TITLE, height: title.height + GROUP_TITLE };
}

/** Whether a box is fully visible, with no control over it. */
export function isInView(box: Box, view: Viewport, frame: CanvasArea): boolean {
  const there = onScreen(box, view);
  return (
    there.x >= 0 &&
    there.y >= 0 &&
    there.x + there.width <= frame.width &&
    there.y + there.height <= frame.height &&
    frame.controls.every((control) => !boxesOverlap(there, control))
  );
}

/** A view of a canvas of this size. */
export interface Sight extends Viewport, Size {}

/**
 * The view of the same centre on a canvas of another size; as large as before, or smaller where what is looked at
 * would not be seen as a whole.
 *
 * @param boxes of what is drawn; of these, `wanted` ones are looked at, or all if none of those is in sight
 */
export function keptView(before: Sight, now: Size, boxes: readonly Box[], wanted: readonly Box[]): Viewport {
  const x = (before.width / 2 - before.x) / before.zoom;
  const y = (before.height / 2 - before.y) / before.zoom;
  const frame = { ...before, controls: [] };
  const seen = [wanted, boxes].map((some) => some.filter((box) => isInView(box, before, frame)));
  const watched = seen.find((some) => some.length > 0) ?? [];
  const across = watched.map((box) => Math.max(x - box.x, box.x + box.width - x));
  const down = watched.map((box) => Math.max(y - box.y, box.y + box.height - y));
  const zoom = Math.min(
    before.zoom,
    (now.width / 2 - NEAR) / Math.max(...across, 1),
    (now.height / 2 - NEAR) / Math.max(...down, 1),
  );
  return { x: now.width / 2 - x * zoom, y: now.height / 2 - y * zoom, zoom };
}

/** Areas of the canvas without some of the controls, the smallest, without any, last. */
function roomsOf({ width, height, controls }: CanvasArea): Box[] {
  const tops = [
    0,
    ...controls.filter((one) => one.y + one.height / 2 < height / 2).map((one) => one.y + one.height),
  ];
  const bottoms = [
    height,
    ...controls.filter((one) => one.y + one.height / 2 >= height / 2).map((one) => one.y),
  ];
  const rights = [
    width,
    ...controls.filter((one) => one.x > width / 2 && one.width < width / 2.5).map((one) => one.x),
  ];
  const rooms: Box[] = [];
  for (const top of sorted(tops))
    for (const bottom of sorted(bottoms).reverse())
      for (const right of sorted(rights).reverse())
        rooms.push({
          x: MARGIN,
          y: top + MARGIN,
          width: right - 2 * MARGIN,
          height: bottom - top - 2 * MARGIN,
        });
  // Without any: between the lowest of the upper and the highest of the lower controls, at full width.
  const [top, bottom] = [Math.max(...tops), Math.min(...bottoms)];
  rooms.push({ x: MARGIN, y: top + MARGIN, width: width - 2 * MARGIN, height: bottom - top - 2 * MARGIN });
  return rooms;
}

const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

function fitted(around: Box, room: Box, { minZoom, maxZoom }: ZoomLimits): Viewport {
  const wanted = Math.min(
    Math.max(room.width, 40) / Math.max(around.width, 1),
    Math.max(room.height, 40) / Math.max(around.height, 1),
  );
  const zoom = Math.min(Math.max(wanted, minZoom), maxZoom);
  return {
    zoom,
    x: room.x + indent(room.width, around.width * zoom) - around.x * zoom,
    y: room.y + indent(room.height, around.height * zoom) - around.y * zoom,
  };
}

/** Centred; what is longer than its area starts where the area does. */
const indent = (room: number, length: number): number => Math.max((room - length) / 2, 0);
