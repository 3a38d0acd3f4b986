/** Geometry of right-angled lines between two boxes. Pure. */
import type { Point } from '../../protocol/types';
import type { Box } from './boxes';

export type Side = 'left' | 'right' | 'top' | 'bottom';
export const SIDES: readonly Side[] = ['left', 'right', 'top', 'bottom'];

/** Where a line leaves or enters a box. */
export interface Port extends Point {
  side: Side;
}

const STUB = 20;

export const isHorizontal = (side: Side): boolean => side === 'left' || side === 'right';
const outward = (side: Side): 1 | -1 => (side === 'right' || side === 'bottom' ? 1 : -1);

/** The point on a side, `at` pixels from its middle. */
export function portOn(box: Box, side: Side, at = 0): Port {
  if (isHorizontal(side)) {
    return { side, x: side === 'left' ? box.x : box.x + box.width, y: box.y + box.height / 2 + at };
  }
  return { side, x: box.x + box.width / 2 + at, y: side === 'top' ? box.y : box.y + box.height };
}

/** Whether two ports face each other with space between, so that a Z joins them. */
export function areFacing(a: Port, b: Port): boolean {
  if (isHorizontal(a.side) !== isHorizontal(b.side) || a.side === b.side) return false;
  const gap = isHorizontal(a.side) ? b.x - a.x : b.y - a.y;
  return gap * outward(a.side) > 0;
}

/**
 * Joins two ports by horizontal and vertical segments.
 *
 * @param ratio position of the middle segment of a Z between the two, 0 to 1
 *
 * @param reach how far a line goes before it may turn back, in pixels
 */
export function elbow(a: Port, b: Port, ratio = 0.5, reach = STUB): Point[] {
  if (isHorizontal(a.side)) return simplified(elbowFromHorizontal(a, b, ratio, reach));
  const turned = elbowFromHorizontal(transposed(a), transposed(b), ratio, reach);
  return simplified(turned.map(({ x, y }) => ({ x: y, y: x })));
}

const TRANSPOSED: Record<Side, Side> = { left: 'top', right: 'bottom', top: 'left', bottom: 'right' };
const transposed = (port: Port): Port => ({ side: TRANSPOSED[port.side], x: port.y, y: port.x });

function elbowFromHorizontal(a: Port, b: Port, ratio: number, reach: number): Point[] {
  const out = a.x + outward(a.side) * reach;
  if (!isHorizontal(b.side)) {
    const towards = (b.x - a.x) * outward(a.side) > 0 && (a.y - b.y) * outward(b.side) > 0;
    if (towards) return [a, { x: b.x, y: a.y }, b];
    const above = b.y + outward(b.side) * reach;
    return [a, { x: out, y: a.y }, { x: out, y: above }, { x: b.x, y: above }, b];
  }
  if (areFacing(a, b)) {
    const middle = a.x + (b.x - a.x) * ratio;
    return [a, { x: middle, y: a.y }, { x: middle, y: b.y }, b];
  }
  const beside = b.x + outward(b.side) * reach;
  if (a.side === b.side) {
    const far = outward(a.side) > 0 ? Math.max(out, beside) : Math.min(out, beside);
    return [a, { x: far, y: a.y }, { x: far, y: b.y }, b];
  }
  const between = a.y + (b.y - a.y) * ratio;
  return [a, { x: out, y: a.y }, { x: out, y: between }, { x: beside, y: between }, { x: beside, y: b.y }, b];
}

/** Removes points that repeat the previous one or are on a straight segment. */
export function simplified(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const { x, y } of points) {
    const last = kept.at(-1);
    const before = kept.at(-2);
    if (last && Math.abs(last.x - x) < 0.5 && Math.abs(last.y - y) < 0.5) continue;
    if (last && before && ((before.x === last.x && last.x === x) || (before.y === last.y && last.y === y))) {
      kept.pop();
    }
    kept.push({ x, y });
  }
  return kept;
}

export interface Segment {
  from: Point;
  to: Point;
}

export const segmentsOf = (points: readonly Point[]): Segment[] =>
  points.slice(1).map((to, index) => ({ from: points[index] as Point, to }));

export const lengthOf = (points: readonly Point[]): number =>
  segmentsOf(points).reduce((sum, { from, to }) => sum + Math.hypot(to.x - from.x, to.y - from.y), 0);

/** Whether a segment crosses a box; for a slanted one its bounding box counts. */
export function crossesBox({ from, to }: Segment, box: Box): boolean {
  return (
    Math.min(from.x, to.x) < box.x + box.width &&
    Math.max(from.x, to.x) > box.x &&
    Math.min(from.y, to.y) < box.y + box.height &&
    Math.max(from.y, to.y) > box.y
  );
}

/** An SVG path along the points, its corners rounded by at most `radius` pixels. */
export function roundedPath(points: readonly Point[], radius = 8): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let path = `M${first.x},${first.y}`;
  rest.forEach((corner, index) => {
    const before = index === 0 ? first : (rest[index - 1] as Point);
    const after = rest[index + 1];
    if (!after) {
      path += `L${corner.x},${corner.y}`;
      return;
    }
    const start = towards(corner, before, radius);
    const end = towards(corner, after, radius);
    path += `L${start.x},${start.y}Q${corner.x},${corner.y} ${end.x},${end.y}`;
  });
  return path;
}

/** The point `distance` from `from` in the direction of `to`, at most half-way. */
export function towards(from: Point, to: Point, distance = Infinity): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
