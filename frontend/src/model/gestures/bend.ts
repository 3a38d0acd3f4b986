/**
 * Bending a line by hand: its grips, and the bends after one of them was dragged. Pure.
 *
 * The points of a line include both ends, which lie on the borders of its nodes; a stored route has the bends between them.
 * Not here: how a route follows when an end moves (`model/drawing/keptRoutes.ts`).
 */
import type { Operation } from '../../protocol/live';
import type { DiagramEdge, LineShape, Point } from '../../protocol/types';
import { isByHand } from '../core/handRoutes';
import { alongRoute } from '../drawing/borders';
import { type Box, boxesOverlap, centreOf } from '../drawing/boxes';
import type { DrawnEdge } from '../drawing/drawing';
import { lengthOf, segmentsOf, simplified } from '../drawing/polyline';
import { cornersOf, shaped } from '../drawing/shapes/lineShapes';

export type Axis = 'x' | 'y';

/** What a line can be dragged by. */
export interface Grip {
  /** A whole segment, a place where a bend is added, or a bend of a straight line. */
  kind: 'segment' | 'bend' | 'corner';
  /** The segment, counted from the source; of a corner that which begins there. */
  segment: number;
  at: Point;
  /** The axis along which it is dragged: across its segment. Null for a slanted one, which only gets a bend, anywhere. */
  axis: Axis | null;
}

/** An edge, and the points of its line. */
export type DrawnLine = Pick<DrawnEdge, 'edge' | 'points'>;

export type EndBoxes = readonly [Box, Box];

/** How far a line leads straight out of a node before a bend that a drag has added. */
const STUB = 20;
/** How far off the corners of a node a dragged segment ends. */
const OFF_CORNER = 6;
/** A shorter segment has no grip for a bend beside that for the whole, in pixels of the screen. */
const LEAST_FOR_BEND = 72;
const LEAST = 14;

/** The grips of a line; `zoom`: grips are as large as a finger on the screen, so short segments have none. */
export function gripsOf(points: readonly Point[], zoom = 1, shape: string = ''): Grip[] {
  const isStraight = shape === 'straight';
  return segmentsOf(points).flatMap(({ from, to }, segment): Grip[] => {
    const corner: Grip[] =
      isStraight && segment > 0 ? [{ kind: 'corner', segment, at: from, axis: null }] : [];
    const length = Math.hypot(to.x - from.x, to.y - from.y) * zoom;
    if (length < LEAST) return corner;
    const axis = isStraight ? null : axisOf(from, to);
    const middle = between(from, to, 0.5);
    if (axis === null) return [...corner, { kind: 'bend', segment, at: middle, axis }];
    const whole: Grip = { kind: 'segment', segment, at: middle, axis };
    if (length < LEAST_FOR_BEND) return [whole];
    return [whole, { kind: 'bend', segment, at: between(from, to, 0.25), axis }];
  });
}

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** The side of a grip, in pixels of the screen: for a mouse, and for fingers. */
export const GRIP_SIDE = 26;
export const FINGER_SIDE = 44;
/** Between the grip of an end and its node, whose border begins new lines. */
const OFF_NODE = 4;
/** Where else along its segment a grip may lie. */
const SHARES = [0.5, 0.25, 0.75, 0.15, 0.85];

export const gripBox = ({ x, y }: Point, zoom: number, size: number = GRIP_SIDE): Box => {
  const side = size / zoom;
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
};

/** Where the grips of both ends lie: on the line, beside their nodes; one alone where there is no room for both. */
export function endGrips(
  points: readonly Point[],
  zoom: number,
  size: number = GRIP_SIDE,
): { end: 'source' | 'target'; at: Point }[] {
  const beside = (from: Point, to: Point): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    return between(from, to, Math.min(0.5, (size / 2 + OFF_NODE) / zoom / Math.max(1, length)));
  };
  const [first, second] = points as [Point, Point];
  const [last, before] = [points.at(-1) as Point, points.at(-2) as Point];
  const [source, target] = [beside(first, second), beside(last, before)];
  const areApart = !boxesOverlap(gripBox(source, zoom, size), gripBox(target, zoom, size));
  return [...(areApart ? [{ end: 'source' as const, at: source }] : []), { end: 'target', at: target }];
}

/**
 * The grips that have room, each on the line where it lies on no other and on nothing that is taken; those that add a bend come
 * last.
 */
export function placedGrips(
  line: DrawnLine,
  taken: readonly Box[],
  zoom: number,
  size: number = GRIP_SIDE,
): Grip[] {
  const corners = cornersOf(line.edge, line.points);
  const segments = segmentsOf(corners);
  const used = [...taken];
  const grips = gripsOf(corners, zoom, line.edge.shape);
  const inTurn = [
    ...grips.filter(({ kind }) => kind !== 'bend'),
    ...grips.filter(({ kind }) => kind === 'bend'),
  ];
  // A curve leaves the segments along which it leads.
  const isOnLine = (place: Point) =>
    line.edge.shape !== 'curved' || nearest(line.points, place).off * zoom < 2;
  const placed = inTurn.flatMap((grip): Grip[] => {
    const { from, to } = segments[grip.segment] as { from: Point; to: Point };
    const elsewhere = grip.kind === 'corner' ? [] : SHARES.map((share) => between(from, to, share));
    const places = [grip.at, ...elsewhere].filter(isOnLine);
    const at = places.find((place) => !used.some((box) => boxesOverlap(box, gripBox(place, zoom, size))));
    if (!at) return [];
    used.push(gripBox(at, zoom, size));
    return [{ ...grip, at }];
  });
  return placed.sort((one, other) => one.segment - other.segment);
}

function axisOf(from: Point, to: Point): Axis | null {
  if (Math.abs(from.y - to.y) < 0.5) return 'y';
  return Math.abs(from.x - to.x) < 0.5 ? 'x' : null;
}

/** A bend of a straight line that is dropped so near to the way without it is gone. */
const FLAT = 6;

/**
 * The bends after a grip was dragged to a point; right angles stay. Never empty, but for a line of straight shape: another one
 * keeps a bend on it.
 */
export function bent(
  points: readonly Point[],
  grip: Grip,
  to: Point,
  ends: EndBoxes,
  shape: string = '',
): Point[] {
  const { axis, segment, at, kind } = grip;
  if (axis === null) {
    const before = points.slice(0, kind === 'corner' ? segment : segment + 1);
    const after = points.slice(segment + 1);
    const there = { x: Math.round(to.x), y: Math.round(to.y) };
    if (shape !== 'straight') return cleaned([...before, there, ...after]);
    const others = [...before, ...after].slice(1, -1);
    const without = others.length > 0 ? alongRoute(others, ...ends) : ends.map(centreOf);
    if (nearest(without, there).off < FLAT) return others;
    return [...before, there, ...after].slice(1, -1);
  }
  const value = Math.round(to[axis]);
  const isSplit = kind === 'bend';
  const along = axis === 'x' ? 'y' : 'x';
  const corner = { ...at, [along]: Math.round(at[along]) };
  const parts = isSplit
    ? [...points.slice(0, segment + 1), corner, corner, ...points.slice(segment + 1)]
    : points;
  return cleaned(shifted(parts, isSplit ? segment + 2 : segment, axis, value, ends));
}

/** The points with one segment elsewhere; its neighbours become longer or shorter, and ends stay on their borders. */
function shifted(
  points: readonly Point[],
  segment: number,
  axis: Axis,
  value: number,
  [source, target]: EndBoxes,
): Point[] {
  const before = points.slice(0, segment + 1);
  const after = points.slice(segment + 1);
  const [from, to] = [before.pop() as Point, after.shift() as Point];
  const onto = (point: Point): Point => ({ ...point, [axis]: value });
  const start = before.length === 0 && !isOnSide(source, axis, value) ? [from, stub(from, to, axis)] : [];
  const end = after.length === 0 && !isOnSide(target, axis, value) ? [stub(to, from, axis), to] : [];
  const [first, last] = [start.at(-1) ?? from, end[0] ?? to];
  return [...before, ...start, onto(first), onto(last), ...end, ...after];
}

/** Whether a line may lead out of a side there. */
function isOnSide(box: Box, axis: Axis, value: number): boolean {
  const extent = axis === 'x' ? box.width : box.height;
  return value >= box[axis] + OFF_CORNER && value <= box[axis] + extent - OFF_CORNER;
}

/** The point a little way from an end in the direction of the other one. */
function stub(end: Point, other: Point, axis: Axis): Point {
  const along = axis === 'x' ? 'y' : 'x';
  const room = other[along] - end[along];
  const by = Math.sign(room) * Math.min(STUB, Math.abs(room) / 3);
  return { ...end, [along]: Math.round(end[along] + by) };
}

/** The bends of a line between its ends, without those that bend nothing. */
function cleaned(points: readonly Point[]): Point[] {
  const bends = simplified(points).slice(1, -1);
  if (bends.length > 0) return bends;
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  return [{ x: Math.round((first.x + last.x) / 2), y: Math.round((first.y + last.y) / 2) }];
}

/** The line of an edge with other bends, as it is drawn. */
export function lineWith(
  { edge, points }: DrawnLine,
  bends: readonly Point[],
  [source, target]: EndBoxes,
): Point[] {
  if (bends.length === 0) return [points[0] as Point, points.at(-1) as Point];
  return shaped(edge, simplified(alongRoute(bends, source, target)));
}

/** The share of a line at which it is nearest to a point, to two decimals. */
export const shareNear = (points: readonly Point[], to: Point): number =>
  Math.round(Math.min(1, Math.max(0, nearest(points, to).share)) * 100) / 100;

/** Where a line is nearest to a point, as a share of it, and how far off that is. */
function nearest(points: readonly Point[], to: Point): { share: number; off: number } {
  const total = lengthOf(points);
  let [best, least, done] = [0.5, Number.POSITIVE_INFINITY, 0];
  for (const { from, to: end } of segmentsOf(points)) {
    const length = Math.hypot(end.x - from.x, end.y - from.y);
    const along = ((to.x - from.x) * (end.x - from.x) + (to.y - from.y) * (end.y - from.y)) / (length || 1);
    const at = Math.min(length, Math.max(0, along));
    const [x, y] = [end.x - from.x, end.y - from.y].map((part) => (part * at) / (length || 1)) as [
      number,
      number,
    ];
    const off = Math.hypot(from.x + x - to.x, from.y + y - to.y);
    if (off < least) [best, least] = [(done + at) / (total || 1), off];
    done += length;
  }
  return { share: best, off: least };
}

/** Gives lines back to automatic routing. */
export const drawnAnew = (ids: readonly string[]): Operation[] =>
  ids.map((id) => ({ op: 'update_edge', id, route: null }));

/**
 * Gives a line a shape. One that becomes straight loses the bends that were made by hand, and so does a straight one that gets right
 * angles: its bends have none.
 */
export const inShape = (edge: DiagramEdge, shape: LineShape): Operation => ({
  op: 'update_edge',
  id: edge.id,
  shape: shape || null,
  ...(isByHand(edge) && shape === (edge.shape === 'straight' ? '' : 'straight') && { route: null }),
});
