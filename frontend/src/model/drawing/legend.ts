/** Whether something of a drawing lies under the legend at the top right of the canvas. Pure. */
import { type Drawing, isFrame, titleOf } from './drawing';

/** Of the legend and its button, in CSS pixels of the screen. */
const MARGIN = 15;
const BUTTON = 40;

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
  { x, y, zoom }: { x: number; y: number; zoom: number },
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
