/**
 * Removes small faults of lines where no score of the drawing (`score/judge.ts`) gets worse: jogs of a few pixels, ends at
 * the corner of a node, ends so short that only the arrow head is seen. Pure.
 */
import type { Diagram, Point } from '../../../protocol/types';
import { type Box, boxesOverlap, inflated } from '../../drawing/boxes';
import { boxesOf, type Drawing, drawingOf, obstaclesOf } from '../../drawing/drawing';
import type { MeasureText } from '../../drawing/labels';
import { type Segment, segmentsOf, simplified } from '../../drawing/polyline';
import { type Score, scoreOf } from '../score/judge';
import { isWithin } from '../score/judgeBoxes';
import { worseOn } from '../score/scores';
import { withRoutes } from './reroute';

/** The judge is asked at most so often; where it takes long, once. */
const MAX_TRIES = 12;
const MAX_PAIRS = 30_000;
/** Nearer to other lines or nodes than this nothing is moved, in pixels. */
const CLEARANCE = 7;

/**
 * @param routable the edges that may have another route
 *
 * @param score of the diagram as it is
 */
export function straightened(
  diagram: Diagram,
  routable: ReadonlySet<string>,
  score: Score,
  measure?: MeasureText,
): Diagram {
  const drawing = drawingOf(diagram, { measure });
  let tries = diagram.nodes.length * diagram.edges.length > MAX_PAIRS ? 1 : MAX_TRIES;
  let best = diagram;
  const take = (routes: readonly (readonly [string, Point[]])[]): void => {
    if (routes.length === 0 || tries === 0) return;
    tries -= 1;
    const next = withRoutes(best, new Map(routes));
    if (worseOn(scoreOf(next, null, measure), score).length === 0) {
      best = next;
      return;
    }
    if (routes.length === 1) return;
    const half = routes.length >> 1;
    take(routes.slice(0, half));
    take(routes.slice(half));
  };
  take(neatRoutes(drawing, routable));
  return best;
}

/** What neat lines there is room for, each beside the others as they will be. */
function neatRoutes(drawing: Drawing, routable: ReadonlySet<string>): [string, Point[]][] {
  const boxes = boxesOf(drawing.nodes);
  const parents = new Map(drawing.nodes.map(({ node }) => [node.id, node.parent]));
  const cards = obstaclesOf(drawing.nodes).nodes;
  const segments = new Map(drawing.edges.map(({ edge, points }) => [edge.id, segmentsOf(points)]));
  const routes: [string, Point[]][] = [];
  for (const { edge, points } of drawing.edges) {
    const { id, source, target, route } = edge;
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (!route?.length || !routable.has(id) || !from || !to || source === target) continue;
    if (isWithin(parents, source, target) || isWithin(parents, target, source)) continue;
    const neat = neatLine(points, from, to);
    const moved = newSegments(points, neat);
    if (moved.length === 0) continue;
    const others = [...segments].flatMap(([other, otherSegments]) => (other === id ? [] : otherSegments));
    const near = [...cards].flatMap(([node, box]) => (node === source || node === target ? [] : [box]));
    if (!moved.every((piece) => isFree(piece, others, near))) continue;
    segments.set(id, segmentsOf(neat));
    routes.push([id, bendsOf(neat)]);
  }
  return routes;
}

/** Those that were not there before. */
function newSegments(before: readonly Point[], after: readonly Point[]): Segment[] {
  const known = new Set(segmentsOf(before).map(keyOf));
  return segmentsOf(after).filter((segment) => !known.has(keyOf(segment)));
}

const keyOf = ({ from, to }: Segment): string => [from.x, from.y, to.x, to.y].join(' ');

/** Not beside another line that goes the same way, nor on a node. */
function isFree(piece: Segment, others: readonly Segment[], cards: readonly Box[]): boolean {
  const around = inflated(boxOf(piece), CLEARANCE);
  if (cards.some((card) => boxesOverlap(card, around))) return false;
  return !others.some((other) => isLevel(other) === isLevel(piece) && boxesOverlap(boxOf(other), around));
}

const isLevel = ({ from, to }: Segment): boolean => from.y === to.y;

/** A line without extent in one direction covers something all the same. */
const boxOf = ({ from, to }: Segment): Box => ({
  x: Math.min(from.x, to.x) - 0.1,
  y: Math.min(from.y, to.y) - 0.1,
  width: Math.abs(from.x - to.x) + 0.2,
  height: Math.abs(from.y - to.y) + 0.2,
});

/** What is stored: the bends; a straight line is kept in place by its middle. */
function bendsOf(points: readonly Point[]): Point[] {
  if (points.length > 2) return points.slice(1, -1);
  const [first, last] = points as [Point, Point];
  return [{ x: Math.round((first.x + last.x) / 2), y: Math.round((first.y + last.y) / 2) }];
}

/** Shorter pieces between two that go the same way look like a mistake, in pixels. */
const JOG = 12;
const CORNER_MARGIN = 12;
const MIN_END = 16;

type Axis = 'x' | 'y';

/** The line with longer ends, off corners and without jogs, as far as its two boxes let it; its points in whole pixels. */
export function neatLine(points: readonly Point[], from: Box, to: Box): Point[] {
  if (!points.every(({ x, y }, at) => at === 0 || x === points[at - 1]?.x || y === points[at - 1]?.y))
    return [...points];
  const straight = withoutJogs(points, from, to);
  if (straight.length === 2) return offBothCorners(straight, from, to);
  const started = longEnd(offCorner(straight, from), to);
  return longEnd(offCorner(started.reverse(), to), from).reverse();
}

/** The axis along which a piece can be shifted. */
const axisOf = (points: readonly Point[], piece: number): Axis =>
  points[piece]?.x === points[piece + 1]?.x ? 'x' : 'y';

const placeOf = (points: readonly Point[], at: number, axis: Axis): number => (points[at] as Point)[axis];

const shiftedPiece = (points: readonly Point[], piece: number, axis: Axis, to: number): Point[] =>
  points.map((point, at) => (at === piece || at === piece + 1 ? { ...point, [axis]: to } : point));

function withoutJogs(points: readonly Point[], from: Box, to: Box): Point[] {
  let line = [...points];
  for (let piece = 1; piece + 2 < line.length; piece += 1) {
    const axis = axisOf(line, piece) === 'x' ? 'y' : 'x';
    const [one, other] = [placeOf(line, piece, axis), placeOf(line, piece + 1, axis)];
    if (Math.abs(one - other) >= JOG || !goesOn(line, piece)) continue;
    const next = [
      { piece: piece - 1, to: other },
      { piece: piece + 1, to: one },
    ]
      // A piece between two bends can be shifted without moving an end.
      .sort((a, b) => Number(isEnd(line, a.piece)) - Number(isEnd(line, b.piece)))
      .find((shift) => mayShift(line, shift.piece, axis, shift.to, from, to));
    if (!next) continue;
    line = simplified(shiftedPiece(line, next.piece, axis, next.to));
    piece = 0;
  }
  return line;
}

/** Whether the pieces before and after one go in the same direction. */
function goesOn(points: readonly Point[], piece: number): boolean {
  const [a, b, c, d] = points.slice(piece - 1, piece + 3) as [Point, Point, Point, Point];
  return (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y) > 0;
}

const isEnd = (points: readonly Point[], piece: number): boolean =>
  piece === 0 || piece + 2 === points.length;

function mayShift(
  points: readonly Point[],
  piece: number,
  axis: Axis,
  to: number,
  from: Box,
  goal: Box,
): boolean {
  if (piece === 0 && !isOnSide(from, axis, to)) return false;
  return piece + 2 !== points.length || isOnSide(goal, axis, to);
}

const isOnSide = (box: Box, axis: Axis, at: number): boolean => clampedTo(sideOf(box, axis), at) === at;

interface Range {
  low: number;
  high: number;
}

/** Where on a side of a box a line may end. */
function sideOf(box: Box, axis: Axis): Range {
  const extent = axis === 'x' ? box.width : box.height;
  const margin = Math.min(CORNER_MARGIN, extent / 3);
  return { low: Math.ceil(box[axis] + margin), high: Math.floor(box[axis] + extent - margin) };
}

const clampedTo = ({ low, high }: Range, at: number): number => Math.max(low, Math.min(high, at));

function offBothCorners(points: readonly Point[], from: Box, to: Box): Point[] {
  const axis = axisOf(points, 0);
  const [one, other] = [sideOf(from, axis), sideOf(to, axis)];
  const both = { low: Math.max(one.low, other.low), high: Math.min(one.high, other.high) };
  return both.low > both.high
    ? [...points]
    : shiftedPiece(points, 0, axis, clampedTo(both, placeOf(points, 0, axis)));
}

function offCorner(points: readonly Point[], from: Box): Point[] {
  const axis = axisOf(points, 0);
  return shiftedPiece(points, 0, axis, clampedTo(sideOf(from, axis), placeOf(points, 0, axis)));
}

/** Shifts the second piece away from the box at which the first one starts. */
function longEnd(points: readonly Point[], to: Box): Point[] {
  if (points.length < 3) return [...points];
  const axis = axisOf(points, 1);
  const [start, now] = [placeOf(points, 0, axis), placeOf(points, 1, axis)];
  const sign = Math.sign(now - start);
  if (Math.abs(now - start) >= MIN_END || sign === 0) return [...points];
  const wanted = start + sign * longestFor(points, axis, start, sign);
  if (points.length === 3 && !isOnSide(to, axis, wanted)) return [...points];
  return (wanted - now) * sign > 0 ? shiftedPiece(points, 1, axis, wanted) : [...points];
}

/** Where the third piece ends at the other box, the two share what there is. */
function longestFor(points: readonly Point[], axis: Axis, start: number, sign: number): number {
  if (points.length < 4) return MIN_END;
  const left = (placeOf(points, 3, axis) - start) * sign;
  if (left <= 0) return MIN_END;
  return Math.min(MIN_END, points.length === 4 ? Math.floor(left / 2) : left - JOG);
}
