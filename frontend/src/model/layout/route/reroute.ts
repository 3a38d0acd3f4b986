/**
 * New routes for some lines of a diagram, around its nodes and beside the other lines. Pure.
 *
 * For lines that the layout library did not route: from a group to what is in it, between parts that are laid out
 * apart, and at nodes that stay; and for those that a layout left with a flaw.
 */
import type { Diagram, DiagramEdge, Point } from '../../../protocol/types';
import { type Box, boxAround, boxesOverlap, inflated } from '../../drawing/boxes';
import { boxesOf, drawingOf, isFrame, obstaclesOf } from '../../drawing/drawing';
import { type Segment, segmentsOf } from '../../drawing/polyline';
import { isWithin } from '../score/judgeBoxes';
import { type Effort, type Joint, searchLine } from './routeSearch';

/** How far a line may go around, in pixels: first a little, then much. */
const WINDOWS = [120, 600];
const LONGEST_ROUTE = 90;

/** The lines of a diagram as drawn, among which new ones are searched. */
export interface Lines {
  boxes: ReadonlyMap<string, Box>;
  around: ReturnType<typeof obstaclesOf>;
  frames: readonly Box[];
  parents: ReadonlyMap<string, string | null>;
  edges: ReadonlyMap<string, DiagramEdge>;
  /** By the ids of their edges, ends included. */
  points: Map<string, readonly Point[]>;
  segments: Map<string, readonly Segment[]>;
}

export function linesOf(diagram: Diagram): Lines {
  // Quickly: lines without a route are soon to get one, or are few.
  const drawing = drawingOf(withoutLabels(diagram), { routing: 'quick' });
  return {
    boxes: boxesOf(drawing.nodes),
    around: obstaclesOf(drawing.nodes),
    frames: drawing.nodes.filter(isFrame).map(({ box }) => box),
    parents: new Map(diagram.nodes.map(({ id, parent }) => [id, parent])),
    edges: new Map(diagram.edges.map((edge) => [edge.id, edge])),
    points: new Map(drawing.edges.map(({ edge, points }) => [edge.id, points])),
    segments: new Map(drawing.edges.map(({ edge, points }) => [edge.id, segmentsOf(points)])),
  };
}

/** The same diagram with new routes for these edges; an edge for which none is found keeps what it has. */
export function rerouted(diagram: Diagram, ids: ReadonlySet<string>, effort: Effort): Diagram {
  if (ids.size === 0) return diagram;
  const lines = linesOf(diagram);
  const order = shortestFirst(lines, ids);
  // Lines without a route are not where they will be.
  for (const { id, route } of diagram.edges) if (ids.has(id) && !route?.length) lines.segments.delete(id);
  const routes = new Map<string, Point[]>();
  for (const id of order) {
    const points = newLine(lines, id, effort);
    if (!points) continue;
    lines.points.set(id, points);
    lines.segments.set(id, segmentsOf(points));
    routes.set(id, routeFor(lines, id, points));
  }
  return withRoutes(diagram, routes);
}

export const withRoutes = ({ nodes, edges }: Diagram, routes: ReadonlyMap<string, Point[]>): Diagram => ({
  nodes,
  edges: edges.map((edge) => ({ ...edge, route: routes.get(edge.id) ?? edge.route })),
});

/** Searches the best line for an edge among the others; null where there is none, or none in time. */
export function newLine(lines: Lines, id: string, effort: Effort): Point[] | null {
  const { source, target } = lines.edges.get(id) as DiagramEdge;
  const [from, to] = [lines.boxes.get(source), lines.boxes.get(target)];
  if (!from || !to || source === target) return null;
  const cards = [...lines.around.nodes].flatMap(([node, box]) =>
    node === source || node === target ? [] : [box],
  );
  const taken = [...lines.segments].flatMap(([other, segments]) => (other === id ? [] : segments));
  const joint = { from, to, holder: holderOf(lines, id) };
  const points = lineBetween(
    joint,
    { cards, titles: lines.around.titles, frames: lines.frames, taken },
    effort,
  );
  return points && points.length >= 2 && points.length <= LONGEST_ROUTE ? points : null;
}

export const withoutLabels = ({ nodes, edges }: Diagram): Diagram => ({
  nodes,
  edges: edges.map((edge) => (edge.label ? { ...edge, label: '' } : edge)),
});

/** Short lines have the least choice. */
const shortestFirst = ({ points }: Lines, ids: ReadonlySet<string>): string[] =>
  [...ids]
    .map((id) => ({ id, span: spanOf(points.get(id) ?? []) }))
    .sort((one, other) => one.span - other.span)
    .map(({ id }) => id);

function spanOf(points: readonly Point[]): number {
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  return first ? Math.abs(first.x - last.x) + Math.abs(first.y - last.y) : 0;
}

function holderOf({ edges, parents }: Lines, id: string): Joint['holder'] {
  const { source, target } = edges.get(id) as DiagramEdge;
  if (isWithin(parents, target, source)) return 'from';
  return isWithin(parents, source, target) ? 'to' : null;
}

interface Around {
  cards: readonly Box[];
  titles: readonly Box[];
  frames: readonly Box[];
  taken: readonly Segment[];
}

function lineBetween(joint: Joint, around: Around, effort: Effort): Point[] | null {
  const both = boxAround([joint.from, joint.to]) as Box;
  for (const by of WINDOWS) {
    const window = inflated(both, by);
    const isNear = (box: Box) => boxesOverlap(box, window);
    const nearby = {
      cards: around.cards.filter(isNear),
      titles: around.titles.filter(isNear),
      frames: around.frames.filter(isNear),
      taken: around.taken.filter(({ from, to }) => isNear(boxAround([pointBox(from), pointBox(to)]) as Box)),
    };
    const points = searchLine(joint, nearby, window, effort);
    if (points) return points;
  }
  return null;
}

const pointBox = ({ x, y }: Point): Box => ({ x: x - 1, y: y - 1, width: 2, height: 2 });

/** What is stored: the bends; a straight line is kept in place by its middle. */
export function routeFor(lines: Lines, id: string, points: readonly Point[]): Point[] {
  const holder = holderOf(lines, id);
  // A line that starts inside the border of its group keeps its end.
  const bends = points.slice(holder === 'from' ? 0 : 1, holder === 'to' ? undefined : -1);
  if (bends.length > 0) return bends;
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  return [{ x: Math.round((first.x + last.x) / 2), y: Math.round((first.y + last.y) / 2) }];
}
