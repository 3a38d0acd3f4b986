/** Whether something of a drawing lies under the legend at the top right of the canvas, or under something else. Pure. */
import { type Box, boxesOverlap } from './boxes';
import type { Drawing } from './drawing';
import { onScreen, solidOf, type Viewport } from './viewport';

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

export function isUnder(drawing: Drawing, view: Viewport, { width, height, room }: Legend): boolean {
  if (room < NARROW) return true;
  const wide = MARGIN + BUTTON + width;
  return hasUnder(drawing, view, {
    x: room - wide,
    y: 0,
    width: wide,
    height: MARGIN + Math.max(height, BUTTON),
  });
}

/** Whether a card, the title of a group or a line lies under something over the canvas. */
export const hasUnder = (drawing: Drawing, view: Viewport, cover: Box): boolean =>
  solidOf(drawing).some((box) => boxesOverlap(onScreen(box, view), cover));

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
