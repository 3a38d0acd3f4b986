/**
 * Small faults of one line, and the same line without them: jogs of a few pixels, ends at the corner of a node, ends so
 * short that only the arrow head is seen. Pure. Not here: whether that makes anything else worse (`straighten.ts`).
 */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import { simplified } from '../../drawing/polyline';

/** Shorter pieces between two that go the same way look like a mistake, in pixels. */
const JOG = 12;
const FROM_CORNER = 12;
const END = 16;

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
  const margin = Math.min(FROM_CORNER, extent / 3);
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
  if (Math.abs(now - start) >= END || sign === 0) return [...points];
  const wanted = start + sign * longestFor(points, axis, start, sign);
  if (points.length === 3 && !isOnSide(to, axis, wanted)) return [...points];
  return (wanted - now) * sign > 0 ? shiftedPiece(points, 1, axis, wanted) : [...points];
}

/** Where the third piece ends at the other box, the two share what there is. */
function longestFor(points: readonly Point[], axis: Axis, start: number, sign: number): number {
  if (points.length < 4) return END;
  const left = (placeOf(points, 3, axis) - start) * sign;
  if (left <= 0) return END;
  return Math.min(END, points.length === 4 ? Math.floor(left / 2) : left - JOG);
}
