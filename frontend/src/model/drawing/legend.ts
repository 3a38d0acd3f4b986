/** Whether something of a drawing lies under the legend at the top right of the canvas, or under the minimap. Pure. */
import { type Box, boxesOverlap } from './boxes';
import { type Drawing, isFrame, titleOf } from './drawing';
import { onScreen, type Viewport } from './viewport';

/** Of the legend and its button, in CSS pixels of the screen. */
export const MARGIN = 15;
export const BUTTON = 40;

export interface Legend {
  width: number;
  height: number;
  /** The width of the canvas. */
  room: number;
}

/** In a narrower canvas it opens only by hand. */
const NARROW = 700;

export function isUnder(
  { nodes }: Drawing,
  { x, y, zoom }: Viewport,
  { width, height, room }: Legend,
): boolean {
  if (room < NARROW) return true;
  const left = room - MARGIN - BUTTON - width;
  const bottom = MARGIN + Math.max(height, BUTTON);
  return nodes.some((drawn) => {
    const box = isFrame(drawn) ? titleOf(drawn.box, drawn.node.label) : drawn.box;
    const [from, to] = [box.x * zoom + x, (box.x + box.width) * zoom + x];
    const [top, end] = [box.y * zoom + y, (box.y + box.height) * zoom + y];
    return to > left && from < room && end > 0 && top < bottom;
  });
}

/** Of the place in which a corner is taken hold of, in CSS pixels; as `.pull` in `styles/canvas-later.css`. */
const GRIP = 24;

/** Whether a corner of a group, by which that is resized, lies under something over the canvas. */
export function isCornerUnder(group: Box, view: Viewport, cover: Box): boolean {
  const { x, y, width, height } = onScreen(group, view);
  return [x, x + width].some((left) =>
    [y, y + height].some((top) =>
      boxesOverlap({ x: left - GRIP / 2, y: top - GRIP / 2, width: GRIP, height: GRIP }, cover),
    ),
  );
}
