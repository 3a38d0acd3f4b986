/** Where a drag on a card draws a line, and where it moves the card. Pure. */
import type { Point } from '../../protocol/types';
import type { Box } from '../drawing/boxes';

/** As wide on the screen, in CSS pixels, and at most this share of the card; as `.connect-rim` in `styles/canvas.css`. */
const RIM = 8;
const MOST = 0.2;

/** Whether a point of a card is so near its border that a drag from there draws a line, at any zoom. */
export function isAtBorder({ x, y, width, height }: Box, point: Point, zoom: number): boolean {
  const [across, down] = [Math.min(RIM / zoom, width * MOST), Math.min(RIM / zoom, height * MOST)];
  return (
    point.x < x + across || point.x > x + width - across || point.y < y + down || point.y > y + height - down
  );
}
