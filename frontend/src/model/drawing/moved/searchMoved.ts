/**
 * Searches the lines at nodes that move, around nodes and titles and beside the lines that stay. Pure.
 *
 * A frame of a drag has a budget of steps, counted beforehand from what is there, so that the same lines are searched in all
 * frames of a drag; the others are drawn quickly. A line keeps its way from frame to frame unless another is better by more
 * than a hand trembles. Not here: what lines are drawn anew (`incremental.ts`).
 */
import type { DiagramEdge, Point } from '../../../protocol/types';
import { type Box, boxAround, boxBetween, boxesOverlap, inflated } from '../boxes';
import { boxesOf, type DrawnEdge, type DrawnNode, drawnEdges, obstaclesOf, type Way } from '../drawing';
import { elbow, type Port, portOn } from '../polyline';
import { quickRoutes } from '../quickRouting';
import { Lines, type Nearby, nearby } from '../routeObstacles';
import {
  type Candidate,
  candidatesOf,
  chooseLines,
  costAlone,
  draftOf,
  lineOf,
  NODE_CROSSED,
  RATIOS,
  sideKey,
  spreadPorts,
} from '../routing';
import { otherShapes } from '../shapes/otherShapes';
import { draftAlong, keepFound, stayingAmong } from './keptLines';
import { movedLines, type Scene } from './movedLines';
import type { Draft } from './stayingLines';

/** Steps of a frame. A step looks at one way for a line, or puts a node or a line where the search finds it. */
export const STEPS_OF_FRAME = 2_000;
/** Of one line: 22 ways for its sides, and 28 between its ports, by themselves and in three rounds among the others. */
const STEPS_OF_LINE = 22 + 28 * 4;
/** How far around the ends of lines nodes and other lines are looked at, in pixels. */
const AROUND = 120;
/** By how much another way between the same ports has to be better than the one that is shown. */
const STEADY = 3;

/** How many lines are searched in a diagram of this size; the others are drawn quickly. */
export const mostSearched = (nodes: number, edges: number): number =>
  Math.max(0, Math.floor((STEPS_OF_FRAME - nodes - edges) / STEPS_OF_LINE));

function drawnAmong(wanted: readonly DiagramEdge[], scene: Scene): DrawnEdge[] {
  if (wanted.length === 0) return [];
  const { nodes, edges, measure } = scene;
  const boxes = boxesOf(nodes);
  const free = wanted.filter(({ shape, route }) => shape !== 'straight' && !route?.length);
  const searched = free.slice(0, mostSearched(nodes.length, edges.length));
  const isSearched = new Set(searched.map(({ id }) => id));
  const others = wanted.filter(({ id }) => !isSearched.has(id));
  const quick =
    others.length > 0
      ? quickRoutes(edges, boxes, new Set(others.map(({ id }) => id)))
      : new Map<string, Point[]>();
  const drawnQuickly = drawnEdges(others, quick, nodes, 'quick', measure);
  if (searched.length === 0) return drawnQuickly;
  const area = areaOf(searched, boxes);
  const near = nodes.filter(({ box }) => boxesOverlap(box, area));
  const { points, ways } = search(
    searched,
    boxes,
    near,
    { ...scene, kept: [...scene.kept, ...drawnQuickly] },
    area,
  );
  return [
    ...drawnQuickly,
    ...drawnEdges(searched, points, near, 'full', measure).map((drawn) => ({
      ...drawn,
      // The points of a curve are no bends.
      ...(drawn.edge.shape ? {} : { found: ways.get(drawn.edge.id) }),
    })),
  ];
}

/** Where lines between these ends may lead. */
function areaOf(edges: readonly DiagramEdge[], boxes: ReadonlyMap<string, Box>): Box {
  const ends = edges.flatMap(({ source, target }) =>
    [boxes.get(source) ?? [], boxes.get(target) ?? []].flat(),
  );
  return inflated(boxAround(ends) ?? { x: 0, y: 0, width: 0, height: 0 }, AROUND);
}

function search(
  edges: readonly DiagramEdge[],
  boxes: ReadonlyMap<string, Box>,
  near: readonly DrawnNode[],
  { kept, shown }: Scene,
  area: Box,
): { points: Map<string, Point[]>; ways: Map<string, Way> } {
  const around = nearby(obstaclesOf(near));
  const ends = new Set(edges.flatMap(({ source, target }) => [source, target]));
  const lines = new Lines();
  const fixed: Draft[] = [];
  for (const { edge, points } of kept) {
    const line = lineOf(points);
    if (line.segments.some(({ from, to }) => boxesOverlap(inflated(boxBetween(from, to), 1), area)))
      lines.set(edge.id, line);
    if (!ends.has(edge.source) && !ends.has(edge.target)) continue;
    const [from, to] = [boxes.get(edge.source), boxes.get(edge.target)];
    const draft = from && to && draftAlong(edge, from, to, { points, from, to });
    if (draft) fixed.push(draft);
  }
  const drafts: Draft[] = edges.flatMap((edge) => {
    const [from, to] = [boxes.get(edge.source), boxes.get(edge.target)];
    return from && to ? draftOf(edge, from, to, around, shown.get(edge.id)?.found?.sides) : [];
  });
  const free = spreadPorts([...drafts, ...fixed], stayingAmong(new Map()));
  for (const draft of free) unblock(draft, free, fixed, around);
  const ways = new Map<string, Candidate[]>();
  const waysOf = (draft: Draft) => {
    const found = shown.get(draft.edge.id)?.found;
    const candidates = candidatesOf(draft, around).map((candidate) => {
      const { ratio, reach, offMiddle } = candidate;
      const isShown = found?.ratio === ratio && found.reach === reach;
      return isShown ? { ...candidate, offMiddle: offMiddle - STEADY } : candidate;
    });
    ways.set(draft.edge.id, candidates);
    return candidates;
  };
  chooseLines(free, waysOf, lines);
  const all = lines.points();
  const found = new Map<string, Way>();
  const points = new Map<string, Point[]>();
  for (const { edge, sides } of free) {
    const chosen = ways.get(edge.id)?.find((way) => way.points === all.get(edge.id));
    if (!chosen) continue;
    points.set(edge.id, chosen.points);
    found.set(edge.id, { sides, ratio: chosen.ratio, reach: chosen.reach });
  }
  return {
    points: otherShapes.part?.inTheirShapes(edges, points) ?? points,
    ways: found,
  };
}

/** Takes back that a line was straightened where a node is in its way that it would otherwise lead around. */
function unblock(draft: Draft, free: readonly Draft[], fixed: readonly Draft[], around: Nearby): void {
  const isBlocked = (ports: [Port, Port], ratio?: number) =>
    costAlone(elbow(...ports, ratio), draft.edge, around) >= NODE_CROSSED;
  if (!isBlocked(draft.ports)) return;
  const isAlone = (end: 0 | 1) => {
    const key = sideKey(draft, end);
    return [...free, ...fixed].every(
      (other) => other === draft || (sideKey(other, 0) !== key && sideKey(other, 1) !== key),
    );
  };
  const { from, to, sides, ports } = draft;
  const middles: [Port, Port] = [
    isAlone(0) ? portOn(from, sides[0]) : ports[0],
    isAlone(1) ? portOn(to, sides[1]) : ports[1],
  ];
  if (!RATIOS.every((ratio) => isBlocked(middles, ratio))) draft.ports = middles;
}

/** Has lines at moved nodes searched from now on. */
export function startMovedLines(): void {
  movedLines.part = {
    drawnAmong,
    staying(shown, kept) {
      if (shown) keepFound(shown, kept);
      return stayingAmong(kept);
    },
  };
}
