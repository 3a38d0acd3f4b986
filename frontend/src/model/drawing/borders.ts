/** Where a line with bends meets the borders of its two boxes. Pure. */
import type { Point } from '../../protocol/types';
import { type Box, centreOf, holds } from './boxes';

/** The point on a box's border that faces a point: straight across where possible, else towards the centre. */
export function borderTowards(box: Box, point: Point): Point {
  const isBeside = point.y > box.y && point.y < box.y + box.height;
  const isAbove = point.x > box.x && point.x < box.x + box.width;
  if (isBeside && !isAbove) return { x: point.x < box.x ? box.x : box.x + box.width, y: point.y };
  if (isAbove && !isBeside) return { x: point.x, y: point.y < box.y ? box.y : box.y + box.height };
  const centre = centreOf(box);
  const [dx, dy] = [point.x - centre.x, point.y - centre.y];
  const share = 1 / Math.max(Math.abs(dx) / (box.width / 2), Math.abs(dy) / (box.height / 2), 1e-9);
  return { x: centre.x + dx * Math.min(share, 1), y: centre.y + dy * Math.min(share, 1) };
}

/** A stored route, joined to the borders of the two boxes, without bends that lie under the box at their end. */
export function alongRoute(route: readonly Point[], from: Box, to: Box): Point[] {
  const isClearOf = (box: Box, other: Box) => (bend: Point) =>
    !holds(box, bend) || holds(box, centreOf(other));
  const first = route.findIndex(isClearOf(from, to));
  const last = route.findLastIndex(isClearOf(to, from));
  // Between two bends of which each lies under a box, the line leads from one to the other.
  const start = route[first] && borderTowards(from, route[first]);
  const end = borderTowards(to, route[last] ?? start ?? (route[0] as Point));
  return [start ?? borderTowards(from, end), ...(start ? route.slice(first, last + 1) : []), end];
}
