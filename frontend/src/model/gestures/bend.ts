/**
 * Bending a line by hand: its grips, and the bends after one of them was dragged. Pure.
 *
 * The points of a line include both ends, which lie on the borders of its nodes; a stored route has the bends between them.
 * Not here: how a route follows when an end moves (`model/drawing/keptRoutes.ts`).
 */
import type { Operation } from '../../protocol/live';
import type { Point } from '../../protocol/types';
import { alongRoute } from '../drawing/borders';
import { type Box, boxesOverlap } from '../drawing/boxes';
import { lengthOf, segmentsOf, simplified } from '../drawing/polyline';

export type Axis = 'x' | 'y';

/** What a line can be dragged by. */
export interface Grip {
  /** A whole segment, or a place where a bend is added. */
  kind: 'segment' | 'bend';
  /** The segment, counted from the source. */
  segment: number;
  at: Point;
  /** The axis along which it is dragged: across its segment. Null for a slanted one, which only gets a bend, anywhere. */
  axis: Axis | null;
}

export type EndBoxes = readonly [Box, Box];

/** How far a line leads straight out of a node before a bend that a drag has added. */
const STUB = 20;
/** How far off the corners of a node a dragged segment ends. */
const OFF_CORNER = 6;
/** A shorter segment has no grip for a bend beside that for the whole, in pixels of the screen. */
const LEAST_FOR_BEND = 72;
const LEAST = 14;

/** The grips of a line; `zoom`: grips are as large as a finger on the screen, so short segments have none. */
export function gripsOf(points: readonly Point[], zoom = 1): Grip[] {
  return segmentsOf(points).flatMap(({ from, to }, segment): Grip[] => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) * zoom;
    if (length < LEAST) return [];
    const axis = axisOf(from, to);
    const middle = between(from, to, 0.5);
    if (axis === null) return [{ kind: 'bend', segment, at: middle, axis }];
    const whole: Grip = { kind: 'segment', segment, at: middle, axis };
    if (length < LEAST_FOR_BEND) return [whole];
    return [whole, { kind: 'bend', segment, at: between(from, to, 0.25), axis }];
  });
}

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** The side of a grip, in pixels of the screen. */
const GRIP_SIDE = 26;
/** Grips of ends lie so far off their nodes, whose borders begin new lines. */
const OFF_NODE = GRIP_SIDE / 2 + 4;
/** Where else along its segment a grip may lie. */
const SHARES = [0.5, 0.25, 0.75, 0.15, 0.85];

export const gripBox = ({ x, y }: Point, zoom: number): Box => {
  const side = GRIP_SIDE / zoom;
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
};

/** Where the grips of both ends lie: on the line, beside their nodes; one alone where there is no room for both. */
export function endGrips(points: readonly Point[], zoom: number): { end: 'source' | 'target'; at: Point }[] {
  const beside = (from: Point, to: Point): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    return between(from, to, Math.min(0.5, OFF_NODE / zoom / Math.max(1, length)));
  };
  const [first, second] = points as [Point, Point];
  const [last, before] = [points.at(-1) as Point, points.at(-2) as Point];
  const [source, target] = [beside(first, second), beside(last, before)];
  const areApart = !boxesOverlap(gripBox(source, zoom), gripBox(target, zoom));
  return [...(areApart ? [{ end: 'source' as const, at: source }] : []), { end: 'target', at: target }];
}

/** The grips that have room, each where it lies on no other and on nothing that is taken; segments come before bends. */
export function placedGrips(points: readonly Point[], taken: readonly Box[], zoom: number): Grip[] {
  const segments = segmentsOf(points);
  const used = [...taken];
  const grips = gripsOf(points, zoom);
  const inTurn = [
    ...grips.filter(({ kind }) => kind === 'segment'),
    ...grips.filter(({ kind }) => kind === 'bend'),
  ];
  const placed = inTurn.flatMap((grip): Grip[] => {
    const { from, to } = segments[grip.segment] as { from: Point; to: Point };
    const places = [grip.at, ...SHARES.map((share) => between(from, to, share))];
    const at = places.find((place) => !used.some((box) => boxesOverlap(box, gripBox(place, zoom))));
    if (!at) return [];
    used.push(gripBox(at, zoom));
    return [{ ...grip, at }];
  });
  return placed.sort((one, other) => one.segment - other.segment);
}

function axisOf(from: Point, to: Point): Axis | null {
  if (Math.abs(from.y - to.y) < 0.5) return 'y';
  return Math.abs(from.x - to.x) < 0.5 ? 'x' : null;
}

/** The bends after a grip was dragged to a point; right angles stay. Never empty: a straight line keeps a bend on it. */
export function bent(points: readonly Point[], grip: Grip, to: Point, ends: EndBoxes): Point[] {
  const { axis, segment, at, kind } = grip;
  const whole = (value: Point): Point => ({ x: Math.round(value.x), y: Math.round(value.y) });
  if (axis === null)
    return cleaned([...points.slice(0, segment + 1), whole(to), ...points.slice(segment + 1)]);
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

/** The points of a line with these bends, as it is drawn. */
export const lineWith = (bends: readonly Point[], [source, target]: EndBoxes): Point[] =>
  simplified(alongRoute(bends, source, target));

/** The share of a line at which it is nearest to a point, to two decimals. */
export function shareNear(points: readonly Point[], to: Point): number {
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
  return Math.round(Math.min(1, Math.max(0, best)) * 100) / 100;
}

/** Gives lines back to automatic routing. */
export const drawnAnew = (ids: readonly string[]): Operation[] =>
  ids.map((id) => ({ op: 'update_edge', id, route: null }));
