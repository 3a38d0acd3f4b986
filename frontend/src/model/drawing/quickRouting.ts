/**
 * Quick routing: each line depends on its two boxes and on other ends on the same sides only.
 *
 * For diagrams too large for full routing (`routing.ts`), and during drags. Some lines can be drawn anew without the
 * others. Pure.
 */
import type { DiagramEdge, Point } from '../../protocol/types';
import { alongRoute } from './borders';
import { type Box, centreOf } from './boxes';
import { areFacing, elbow, isHorizontal, type Port, portOn, type Side } from './polyline';
import { simpleSides } from './routing';
import { otherShapes } from './shapes/otherShapes';

const PORT_GAP = 26;

interface End {
  edge: DiagramEdge;
  end: 0 | 1;
  side: Side;
  /** The centre of the node at the other end. */
  other: Point;
}

/**
 * The points of the lines of edges.
 *
 * @param edges all edges of the diagram: those that share a side are spread over it
 *
 * @param only the ids of those to draw; all by default
 */
export function quickRoutes(
  edges: readonly DiagramEdge[],
  boxes: ReadonlyMap<string, Box>,
  only?: ReadonlySet<string>,
): Map<string, Point[]> {
  const lines = new Map<string, Point[]>();
  const wanted = only ? edges.filter(({ id }) => only.has(id)) : edges;
  const near = only ? beside(edges, wanted) : edges;
  const straight = otherShapes.part?.straightLines(near, boxes);
  const ends = endsBySide(near, boxes, straight);
  for (const edge of wanted) {
    const from = boxes.get(edge.source);
    const to = boxes.get(edge.target);
    if (!from || !to) continue;
    const points =
      straight?.get(edge.id) ??
      (edge.route?.length ? alongRoute(edge.route, from, to) : lineBetween(edge, from, to, ends));
    lines.set(edge.id, points);
  }
  return otherShapes.part?.inTheirShapes(wanted, lines) ?? lines;
}

/** Edges that share an end with some others: only these can share a side with them. */
function beside(edges: readonly DiagramEdge[], some: readonly DiagramEdge[]): DiagramEdge[] {
  const ends = new Set(some.flatMap(({ source, target }) => [source, target]));
  return edges.filter(({ source, target }) => ends.has(source) || ends.has(target));
}

const sideKey = (id: string, side: Side): string => `${id} ${side}`;

function endsBySide(
  edges: readonly DiagramEdge[],
  boxes: ReadonlyMap<string, Box>,
  straight: ReadonlyMap<string, unknown> | undefined,
): Map<string, End[]> {
  const bySide = new Map<string, End[]>();
  const put = (id: string, one: End) => {
    const key = sideKey(id, one.side);
    const sharers = bySide.get(key);
    if (sharers) sharers.push(one);
    else bySide.set(key, [one]);
  };
  for (const edge of edges) {
    const from = boxes.get(edge.source);
    const to = boxes.get(edge.target);
    if (!from || !to || edge.route?.length || straight?.has(edge.id)) continue;
    const [start, end] = simpleSides(from, to);
    put(edge.source, { edge, end: 0, side: start, other: centreOf(to) });
    put(edge.target, { edge, end: 1, side: end, other: centreOf(from) });
  }
  return bySide;
}

function lineBetween(
  edge: DiagramEdge,
  from: Box,
  to: Box,
  ends: ReadonlyMap<string, readonly End[]>,
): Point[] {
  const [start, end] = simpleSides(from, to);
  const atStart = ends.get(sideKey(edge.source, start)) ?? [];
  const atEnd = ends.get(sideKey(edge.target, end)) ?? [];
  const a = portAmong(atStart, edge, 0, from, start);
  const b = portAmong(atEnd, edge, 1, to, end);
  const isAlone = atStart.length === 1 && atEnd.length === 1;
  return elbow(...(isAlone ? straightened(a, b, from, to) : ([a, b] as const)));
}

/** The position of an edge on a side that it may share, in the order of the other ends. */
function portAmong(sharers: readonly End[], edge: DiagramEdge, end: 0 | 1, box: Box, side: Side): Port {
  if (sharers.length < 2) return portOn(box, side);
  const axis = isHorizontal(side) ? 'y' : 'x';
  const mine = sharers.find((one) => one.edge === edge && one.end === end) as End;
  let before = 0;
  let isPast = false;
  for (const one of sharers) {
    if (one === mine) isPast = true;
    else if (one.other[axis] < mine.other[axis] || (one.other[axis] === mine.other[axis] && !isPast))
      before += 1;
  }
  const room = isHorizontal(side) ? box.height : box.width;
  const gap = Math.min(PORT_GAP, (room - 16) / sharers.length);
  return portOn(box, side, (before - (sharers.length - 1) / 2) * gap);
}

/** Both ports opposite one another, where the boxes overlap enough. */
function straightened(a: Port, b: Port, from: Box, to: Box): [Port, Port] {
  if (!areFacing(a, b)) return [a, b];
  const axis = isHorizontal(a.side) ? 'y' : 'x';
  const extent = isHorizontal(a.side) ? 'height' : 'width';
  const low = Math.max(from[axis], to[axis]);
  const high = Math.min(from[axis] + from[extent], to[axis] + to[extent]);
  if (high - low < 24) return [a, b];
  const middle = (low + high) / 2;
  return [
    { ...a, [axis]: middle },
    { ...b, [axis]: middle },
  ];
}
