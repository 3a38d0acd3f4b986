/**
 * Full routing of edges: a stored route where there is one, else right-angled lines that avoid nodes.
 *
 * Three passes. Sides: for each edge alone, the pair of sides whose line crosses the fewest nodes and is short. Ports:
 * edges that share a side are spread over it in the order of their other ends. Lines: middle segments are moved so that
 * lines neither cover nor cross one another where possible. Pure. Not here: positions of labels (`labels.ts`), curves
 * and arrow heads (`view/`).
 */
import type { DiagramEdge, Point } from '../../protocol/types';
import { alongRoute } from './borders';
import { type Box, centreOf, inflated } from './boxes';
import type { Draft, Sharer, StayingLines } from './moved/stayingLines';
import {
  areFacing,
  crossesBox,
  elbow,
  isHorizontal,
  lengthOf,
  type Port,
  portOn,
  type Segment,
  SIDES,
  type Side,
  segmentsOf,
  simplified,
} from './polyline';
import { boxOfSegment, type Line, Lines, type Nearby, nearby, type Obstacles } from './routeObstacles';
import { otherShapes } from './shapes/otherShapes';

/** With more nodes times edges only one candidate is tried for each edge. */
const MAX_PAIRS = 120_000;
const PORT_GAP = 26;
export const RATIOS = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
const HALFWAY = [0.5];
const REACHES = [20, 30, 40, 52];
export const NODE_CROSSED = 2_000;
const TITLE_CROSSED = 90;
/** By how much other sides have to be better than those that are shown. */
const STEADY = 24;
const ROUNDS = 3;

/**
 * The points of the line of each edge, ends included.
 *
 * @param boxes the boxes of all nodes; an edge with a missing end is left out
 *
 * @param kept lines that stay as they are, as long as their ends do and nothing new is in their way
 */
export function routeEdges(
  edges: readonly DiagramEdge[],
  boxes: ReadonlyMap<string, Box>,
  around: Obstacles,
  kept?: StayingLines,
): Map<string, Point[]> {
  const isFullRouting = edges.length * around.nodes.size <= MAX_PAIRS;
  const near = isFullRouting ? nearby(around) : null;
  const lines = new Lines();
  const drafts: Draft[] = [];
  const straight = otherShapes.part?.straightLines(edges, boxes);
  for (const edge of edges) {
    const from = boxes.get(edge.source);
    const to = boxes.get(edge.target);
    if (!from || !to) continue;
    const stays = kept?.draftAlong(edge, from, to);
    const stored =
      straight?.get(edge.id) ??
      (edge.route?.length ? simplified(alongRoute(edge.route, from, to)) : stays?.points);
    // Whoever bends a line by hand, or has it lead straight, may have it run through a node.
    if (
      stored &&
      (edge.route_by || straight?.has(edge.id) || !near || !runsThroughNode(stored, edge, near))
    ) {
      lines.set(edge.id, lineOf(stored));
      if (stays && stored === stays.points) drafts.push(stays);
    } else drafts.push(draftOf(edge, from, to, near));
  }
  const free = spreadPorts(drafts, kept);
  if (near) chooseLines(free, (draft) => candidatesOf(draft, near), lines);
  else for (const { edge, ports } of free) lines.set(edge.id, lineOf(elbow(...ports)));
  const points = lines.points();
  return otherShapes.part?.inTheirShapes(edges, points) ?? points;
}

/** Whether something new is in the way of a route. */
function runsThroughNode(points: readonly Point[], { source, target }: DiagramEdge, near: Nearby): boolean {
  return segmentsOf(points).some((segment) => {
    for (const id of near.cards.over(boxOfSegment(segment)))
      if (id !== source && id !== target && crossesBox(segment, inflated(near.nodes.get(id) as Box, -1)))
        return true;
    return false;
  });
}

export const lineOf = (points: Point[]): Line => ({ points, segments: segmentsOf(points) });

const distance = ([a, b]: [Port, Port]): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);

/** Horizontal where there is space between the boxes, else vertical. */
export function simpleSides(from: Box, to: Box): [Side, Side] {
  const gapX = Math.max(to.x - (from.x + from.width), from.x - (to.x + to.width));
  const gapY = Math.max(to.y - (from.y + from.height), from.y - (to.y + to.height));
  const [a, b] = [centreOf(from), centreOf(to)];
  if (gapX > gapY) return b.x > a.x ? ['right', 'left'] : ['left', 'right'];
  return b.y > a.y ? ['bottom', 'top'] : ['top', 'bottom'];
}

/**
 * Where the line of an edge may lead from one box to the other; `near` is null where everything in its way is crossed.
 *
 * @param shown the sides of the line as it is shown: others have to be better by more than a hand trembles
 */
export function draftOf(
  edge: DiagramEdge,
  from: Box,
  to: Box,
  near: Nearby | null,
  shown?: readonly [Side, Side],
): Draft {
  const sides = near ? bestSides(edge, from, to, near, shown) : simpleSides(from, to);
  return { edge, from, to, sides, ports: [portOn(from, sides[0]), portOn(to, sides[1])] };
}

function bestSides(
  edge: DiagramEdge,
  from: Box,
  to: Box,
  near: Nearby,
  shown?: readonly [Side, Side],
): [Side, Side] {
  const plain = simpleSides(from, to);
  let best: [Side, Side] = plain;
  let least = Number.POSITIVE_INFINITY;
  for (const start of SIDES) {
    for (const end of SIDES) {
      const isPlain = start === plain[0] && end === plain[1];
      // Moving the middle segment of the best line may avoid a node that is in its way.
      for (const ratio of isPlain ? RATIOS : HALFWAY) {
        const points = elbow(portOn(from, start), portOn(to, end), ratio);
        const isShown = start === shown?.[0] && end === shown[1];
        const bonus = (isPlain ? 60 : 0) + (isShown ? STEADY : 0);
        // What it crosses only makes it dearer: what is too long already need not be looked at.
        if (costOfShape(points) - bonus >= least) continue;
        const cost = costAlone(points, edge, near) - bonus;
        if (cost < least) [least, best] = [cost, [start, end]];
      }
    }
  }
  return best;
}

/** The length, plus 30 pixels for each bend. */
const costOfShape = (points: readonly Point[]): number => lengthOf(points) + 30 * (points.length - 2);

/** That of its shape, more for each title crossed and far more for each node. */
export function costAlone(points: readonly Point[], { source, target }: DiagramEdge, near: Nearby): number {
  const crossed = new Set<string>();
  const titles = new Set<Box>();
  for (const segment of segmentsOf(points)) {
    const span = boxOfSegment(segment);
    for (const id of near.cards.over(span)) {
      const isEnd = id === source || id === target;
      if (!isEnd || crossesBox(segment, inflated(near.nodes.get(id) as Box, -1))) crossed.add(id);
    }
    for (const title of near.titles.over(span)) titles.add(title);
  }
  return costOfShape(points) + NODE_CROSSED * crossed.size + TITLE_CROSSED * titles.size;
}

/**
 * Spreads edges that share a side of a box, beside lines that stay, then straightens those with space to do so.
 *
 * @returns those that do not stay
 */
export function spreadPorts(drafts: readonly Draft[], kept?: StayingLines): Draft[] {
  const bySide = new Map<string, Sharer[]>();
  for (const draft of drafts) {
    for (const end of [0, 1] as const) {
      const key = sideKey(draft, end);
      const sharers = bySide.get(key);
      if (sharers) sharers.push({ draft, end });
      else bySide.set(key, [{ draft, end }]);
    }
  }
  for (const sharers of bySide.values()) {
    const along = (port: Point, side: Side): number => (isHorizontal(side) ? port.y : port.x);
    sharers.sort((a, b) => {
      const side = a.draft.sides[a.end];
      const [there, other] = [a, b].map(({ draft, end }) => centreOf(end === 0 ? draft.to : draft.from));
      return along(there as Point, side) - along(other as Point, side);
    });
    sharers.forEach(({ draft, end }, index) => {
      if (draft.points) return;
      const box = end === 0 ? draft.from : draft.to;
      const side = draft.sides[end];
      const room = isHorizontal(side) ? box.height : box.width;
      const gap = Math.min(PORT_GAP, (room - 16) / sharers.length);
      draft.ports[end] = portOn(box, side, (index - (sharers.length - 1) / 2) * gap);
    });
    kept?.keepApart(sharers);
  }
  const free = drafts.filter(({ points }) => !points);
  for (const draft of free) {
    const isAlone = ([0, 1] as const).map((end) => bySide.get(sideKey(draft, end))?.length === 1);
    straighten(draft, isAlone[0] ?? false, isAlone[1] ?? false);
  }
  return free;
}

export const sideKey = (draft: Draft, end: 0 | 1): string =>
  `${end === 0 ? draft.edge.source : draft.edge.target} ${draft.sides[end]}`;

/** Moves a port that has its side to itself opposite the other one, where the boxes overlap enough. */
function straighten(draft: Draft, mayMoveStart: boolean, mayMoveEnd: boolean): void {
  const [a, b] = draft.ports;
  if (!areFacing(a, b)) return;
  const axis = isHorizontal(a.side) ? 'y' : 'x';
  const extent = isHorizontal(a.side) ? 'height' : 'width';
  const fits = (box: Box, value: number): boolean =>
    value >= box[axis] + 12 && value <= box[axis] + box[extent] - 12;
  if (mayMoveEnd && fits(draft.to, a[axis])) draft.ports[1] = { ...b, [axis]: a[axis] };
  else if (mayMoveStart && fits(draft.from, b[axis])) draft.ports[0] = { ...a, [axis]: b[axis] };
  else if (mayMoveStart && mayMoveEnd) {
    const low = Math.max(draft.from[axis], draft.to[axis]);
    const high = Math.min(draft.from[axis] + draft.from[extent], draft.to[axis] + draft.to[extent]);
    if (high - low < 24) return;
    draft.ports = [
      { ...a, [axis]: (low + high) / 2 },
      { ...b, [axis]: (low + high) / 2 },
    ];
  }
}

/** A line that an edge may take. */
export interface Candidate extends Line {
  ratio: number;
  reach: number;
  /** Whatever other lines there are. */
  alone: number;
  offMiddle: number;
}

export function candidatesOf({ edge, ports: [a, b] }: Draft, near: Nearby): Candidate[] {
  // Only a line that turns back reaches out, and only a line with a middle piece has a ratio.
  const reaches = areFacing(a, b) ? REACHES.slice(0, 1) : REACHES;
  const ratios = a.side === b.side ? RATIOS.slice(0, 1) : RATIOS;
  return ratios.flatMap((ratio) =>
    reaches.map((reach) => {
      const points = elbow(a, b, ratio, reach);
      const offMiddle = 40 * Math.abs(ratio - 0.5) + reach / 4;
      return { ...lineOf(points), ratio, reach, alone: costAlone(points, edge, near), offMiddle };
    }),
  );
}

/**
 * Chooses a line for each edge, beside one another and the lines that are there. Short lines have the least choice, so they
 * choose first; later rounds let the others adapt.
 */
export function chooseLines(
  drafts: Draft[],
  waysOf: (draft: Draft) => readonly Candidate[],
  lines: Lines,
): void {
  drafts.sort((a, b) => distance(a.ports) - distance(b.ports));
  const ways = drafts.map(waysOf);
  for (let round = 0; round < ROUNDS; round += 1)
    drafts.forEach(({ edge: { id } }, at) => {
      lines.delete(id);
      lines.set(id, clearestLine(ways[at] as Candidate[], lines));
    });
}

function clearestLine(candidates: readonly Candidate[], lines: Lines): Line {
  let best = candidates[0] as Candidate;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const { segments, alone, offMiddle } = candidate;
    if (alone + offMiddle >= least) continue;
    const conflicts = segments.reduce((sum, piece) => sum + conflictsOf(piece, lines), 0);
    const cost = alone + conflicts + offMiddle;
    if (cost < least) [least, best] = [cost, candidate];
  }
  return best;
}

/** 25 for each line crossed, more for each overlapping segment. */
function conflictsOf(piece: Segment, lines: Lines): number {
  let cost = 0;
  for (const other of lines.beside(piece)) {
    const isAlong = isLevel(piece) === isLevel(other);
    cost += isAlong ? 80 + overlapOf(piece, other) : 25;
  }
  return cost;
}

const isLevel = ({ from, to }: Segment): boolean => Math.abs(from.y - to.y) < Math.abs(from.x - to.x);

function overlapOf(a: Segment, b: Segment): number {
  const axis = isLevel(a) ? 'x' : 'y';
  const low = Math.max(Math.min(a.from[axis], a.to[axis]), Math.min(b.from[axis], b.to[axis]));
  const high = Math.min(Math.max(a.from[axis], a.to[axis]), Math.max(b.from[axis], b.to[axis]));
  return Math.max(0, high - low);
}
