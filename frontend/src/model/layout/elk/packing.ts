/** Packs boxes in rows of about the shape of a room, in the order in which they are given. Pure. */
import type { Point, Size } from '../../../protocol/types';

/** Between what belongs to different parts of a diagram, in pixels. */
export const PACKING_GAP = 48;
/** More widths than this are not tried. */
const WIDTHS = 60;

export interface Packed extends Size {
  /** Of the top left corner of each box, in the order of the boxes. */
  corners: Point[];
}

/** @param shape width by height of the room */
export function packed(boxes: readonly Size[], shape: number): Packed {
  let best: Packed | null = null;
  for (const width of widthsFor(boxes)) {
    const next = inRows(boxes, width);
    if (!best || extentOf(next, shape) < extentOf(best, shape)) best = next;
  }
  return best ?? { width: 0, height: 0, corners: [] };
}

/** The side of the smallest room of this shape that holds it. */
export const extentOf = ({ width, height }: Size, shape: number): number => Math.max(width / shape, height);

/** From the widest box alone to all of them in one row. */
function widthsFor(boxes: readonly Size[]): number[] {
  const least = boxes.reduce((most, { width }) => Math.max(most, width), 0);
  const all = boxes.reduce((sum, { width }) => sum + width + PACKING_GAP, -PACKING_GAP);
  const steps = Math.max(1, Math.min(WIDTHS, boxes.length * boxes.length));
  return Array.from({ length: steps + 1 }, (_, step) => least * (all / least) ** (step / steps));
}

function inRows(boxes: readonly Size[], most: number): Packed {
  const corners: Point[] = [];
  let [x, y, width, height, row] = [0, 0, 0, 0, 0];
  for (const box of boxes) {
    // What is given as a width has passed through a power.
    if (x > 0 && x + box.width > most + 1) [x, y, row] = [0, y + row + PACKING_GAP, 0];
    corners.push({ x, y });
    width = Math.max(width, x + box.width);
    height = Math.max(height, y + box.height);
    row = Math.max(row, box.height);
    x += box.width + PACKING_GAP;
  }
  return { width, height, corners };
}
