/**
 * Lines in other shapes than right angles (ADR 0082): straight from border to border, and curves. Pure.
 *
 * A curve is drawn along the bends of a right-angled line: it touches each segment in its middle, and stays between a corner and
 * the chord across it. Its points are those of the curve, so that labels, titles and whatever else looks at lines need not know of
 * it. Not here: who draws which line (`routing.ts`, `quickRouting.ts`).
 */
import type { DiagramEdge, Point } from '../../../protocol/types';
import { isByHand } from '../../core/handRoutes';
import { type Box, boxesOverlap, centreOf } from '../boxes';
import { roundedPath, towards } from '../polyline';
import { otherShapes } from './otherShapes';

/** Between lines that join the same two nodes. */
const GAP = 16;
const OFF_CORNER = 6;
/** Pieces of a curve at each corner. */
const PIECES = 8;

/** Lines that lead straight from one node to the other, those between the same two beside one another. */
export function straightLines(
  edges: readonly DiagramEdge[],
  boxes: ReadonlyMap<string, Box>,
): Map<string, Point[]> {
  const lines = new Map<string, Point[]>();
  const pairs = new Map<string, DiagramEdge[]>();
  for (const edge of edges) {
    // Bends that somebody has made are kept; a route that was found for right angles says nothing here.
    if (edge.shape !== 'straight' || isByHand(edge)) continue;
    const pair = [edge.source, edge.target].sort().join(' ');
    pairs.set(pair, [...(pairs.get(pair) ?? []), edge]);
  }
  for (const sharers of pairs.values())
    sharers.forEach(({ id, source, target }, at) => {
      const [from, to] = [boxes.get(source), boxes.get(target)];
      // Between a group and what stands in it there is no straight way from border to border.
      if (!from || !to || boxesOverlap(from, to)) return;
      const room = Math.min(from.width, from.height, to.width, to.height) - 2 * OFF_CORNER;
      const off = (at - (sharers.length - 1) / 2) * Math.min(GAP, room / sharers.length);
      lines.set(id, between(from, to, source < target ? off : -off));
    });
  return lines;
}

/** From middle to middle, as far as it lies between both boxes; `off`: how far beside it. */
function between(from: Box, to: Box, off: number): Point[] {
  const [a, b] = [centreOf(from), centreOf(to)];
  const by = off / Math.hypot(b.x - a.x, b.y - a.y);
  const beside = ({ x, y }: Point): Point => ({ x: x - (b.y - a.y) * by, y: y + (b.x - a.x) * by });
  const [start, end] = [beside(a), beside(b)];
  return [exitFrom(from, start, end), exitFrom(to, end, start)];
}

/** Where the way from a point in a box to one outside leaves it. */
function exitFrom({ x, y, width, height }: Box, from: Point, to: Point): Point {
  const share = (at: number, run: number, low: number, high: number) =>
    run === 0 ? 1 : ((run > 0 ? high : low) - at) / run;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const least = Math.min(share(from.x, dx, x, x + width), share(from.y, dy, y, y + height));
  return { x: from.x + dx * least, y: from.y + dy * least };
}

/** The points of a line as its edge is drawn: of a curve those along it. */
export function shaped({ shape }: DiagramEdge, points: Point[]): Point[] {
  if (shape !== 'curved') return points;
  return points.flatMap((corner, at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    if (!before || !after) return corner;
    const [start, end] = [towards(corner, before), towards(corner, after)];
    return Array.from({ length: PIECES + 1 }, (_, piece) => {
      const share = piece / PIECES;
      const along = (axis: 'x' | 'y') =>
        (1 - share) ** 2 * start[axis] + 2 * share * (1 - share) * corner[axis] + share ** 2 * end[axis];
      return { x: along('x'), y: along('y') };
    });
  });
}

/** Lines by edge, each in the shape of its edge. */
export function inTheirShapes(
  edges: readonly DiagramEdge[],
  lines: Map<string, Point[]>,
): Map<string, Point[]> {
  for (const edge of edges) {
    const points = lines.get(edge.id);
    if (points) lines.set(edge.id, shaped(edge, points));
  }
  return lines;
}

/** The line from which a curve was made, from the points of the curve; any other line is its own. */
export function cornersOf({ shape }: DiagramEdge, points: readonly Point[]): readonly Point[] {
  // A curve may have been drawn in right angles, until this part was there.
  if (shape !== 'curved' || (points.length - 2) % (PIECES + 1) !== 0) return points;
  return points.flatMap((point, at) => {
    if (at === 0 || at === points.length - 1) return point;
    if (at % (PIECES + 1) !== 1) return [];
    const [end, middle] = [points[at + PIECES], points[at + PIECES / 2]] as [Point, Point];
    const across = (axis: 'x' | 'y') => 2 * middle[axis] - (point[axis] + end[axis]) / 2;
    return { x: across('x'), y: across('y') };
  });
}

/** The SVG path of a line. */
export const pathAlong = (edge: DiagramEdge, points: readonly Point[]): string =>
  roundedPath(cornersOf(edge, points), edge.shape === 'curved' ? Infinity : 8);
/** Has lines drawn in these shapes from now on. */
export function startLineShapes(): void {
  otherShapes.part = { straightLines, inTheirShapes, pathAlong };
}
