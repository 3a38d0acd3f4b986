/**
 * Updates a drawing from the previous one: unchanged parts keep their identity, so that the view updates only what
 * changed. Pure. Not here: drawing from scratch (`drawing.ts`).
 */
import type { Diagram, DiagramEdge, Point } from '../../protocol/types';
import { byHand, isByHand } from '../core/handRoutes';
import { type Box, isSameBox, placeNodes } from './boxes';
import {
  boxesOf,
  type Drawing,
  type DrawingOptions,
  type DrawnEdge,
  type DrawnNode,
  drawnEdges,
  drawnNodes,
  obstaclesOf,
} from './drawing';
import { NO_FOLDS } from './folding';
import type { MeasureText, PlacedLabel } from './labels';
import { movedLines } from './moved/movedLines';
import { quickRoutes } from './quickRouting';
import { routeEdges } from './routing';

/** Up to this many lines times nodes get full routing at once. */
const FULL_ROUTING_AT_ONCE = 900;

/** A new drawing that reuses the equal objects of the previous one. */
export function settled(before: Drawing | null, after: Drawing): Drawing {
  if (!before) return after;
  const nodes = new Map(before.nodes.map((drawn) => [drawn.node.id, drawn]));
  const edges = byEdge(before.edges);
  return {
    nodes: after.nodes.map((drawn) => sameNode(nodes.get(drawn.node.id), drawn)),
    edges: after.edges.map((drawn) => sameEdge(edges.get(drawn.edge.id), drawn)),
    routing: after.routing,
  };
}

/**
 * The drawing of a changed diagram, quickly: lines between unmoved boxes stay as they are.
 *
 * For a drawing with quick routing the result equals a drawing from scratch; with full routing it is an approximation
 * until all lines were routed anew.
 */
export function updatedDrawing(before: Drawing, diagram: Diagram, options: DrawingOptions = {}): Drawing {
  const nodes = drawnNodes(diagram, placeNodes(diagram.nodes), options.folds ?? NO_FOLDS);
  return withLines(before, nodes, diagram.edges, (stale) =>
    freshLines(stale, nodes, diagram.edges, before.routing, options.measure),
  );
}

/**
 * A drawing with some boxes moved, as during a drag. Groups keep their size, and lines at what moved lose routes that are not by
 * hand, as they will where it is dropped.
 *
 * @param shown the drawing that was shown last during this drag, whose ways lines keep
 */
export function movedDrawing(
  before: Drawing,
  moves: ReadonlyMap<string, Point | Box>,
  measure?: MeasureText,
  shown?: Drawing | null,
): Drawing {
  if (moves.size === 0) return before;
  const moved = new Set<string>();
  const nodes = before.nodes.map((drawn) => {
    const to = moves.get(drawn.node.id);
    const box = to ? { ...drawn.box, ...to } : drawn.box;
    if (isSameBox(box, drawn.box)) return drawn;
    moved.add(drawn.node.id);
    return { ...drawn, box };
  });
  const edges = before.edges.map(({ edge }) => {
    if (!moved.has(edge.source) && !moved.has(edge.target)) return edge;
    if (isByHand(edge)) return byHand.part?.followed(edge, boxesOf(before.nodes), boxesOf(nodes)) ?? edge;
    return edge.route ? { ...edge, route: null } : edge;
  });
  return withLines(before, nodes, edges, (stale, kept) => {
    const part = before.routing === 'full' ? movedLines.part : undefined;
    if (!part) return freshLines(stale, nodes, edges, before.routing, measure);
    const last = byEdge(shown?.edges.filter(({ found }) => found) ?? []);
    const wanted = edges.filter(({ id }) => stale.has(id));
    return byEdge(part.drawnAmong(wanted, { nodes, edges, kept, shown: last, measure }));
  });
}

function withLines(
  before: Drawing,
  newNodes: readonly DrawnNode[],
  edges: readonly DiagramEdge[],
  drawnAnew: (stale: ReadonlySet<string>, kept: Iterable<DrawnEdge>) => ReadonlyMap<string, DrawnEdge>,
): Drawing {
  const oldNodes = new Map(before.nodes.map((drawn) => [drawn.node.id, drawn]));
  const nodes = newNodes.map((drawn) => sameNode(oldNodes.get(drawn.node.id), drawn));
  const known = byEdge(before.edges);
  const stale = new Set<string>();
  const kept = new Map<string, DrawnEdge>();
  const moves = movesOf(oldNodes, nodes);
  for (const edge of edges) {
    const old = known.get(edge.id);
    const stays = old && keptLine(old, edge, moves, before.routing);
    if (stays) kept.set(edge.id, stays);
    else stale.add(edge.id);
  }
  if (before.routing === 'quick') addNeighbours(stale, moves, edges, before.edges);
  const fresh = drawnAnew(stale, kept.values());
  return {
    nodes,
    edges: edges.flatMap((edge) => {
      const drawn = stale.has(edge.id) ? fresh.get(edge.id) : kept.get(edge.id);
      return drawn ? [sameEdge(known.get(edge.id), drawn)] : [];
    }),
    routing: before.routing,
  };
}

type Moves = ReadonlyMap<string, Point | 'other'>;

/** The offset of each box that moved; 'other' where it is new or has another size. */
function movesOf(old: ReadonlyMap<string, DrawnNode>, nodes: readonly DrawnNode[]): Moves {
  const moves = new Map<string, Point | 'other'>();
  for (const { node, box } of nodes) {
    const was = old.get(node.id)?.box;
    if (was && isSameBox(was, box)) continue;
    const isMoved = was && was.width === box.width && was.height === box.height;
    moves.set(node.id, isMoved ? { x: box.x - was.x, y: box.y - was.y } : 'other');
  }
  const here = new Set(nodes.map(({ node }) => node.id));
  for (const id of old.keys()) if (!here.has(id)) moves.set(id, 'other');
  return moves;
}

/** The previous line, perhaps moved with both its ends; null where it has to be drawn anew. */
function keptLine(
  old: DrawnEdge,
  edge: DiagramEdge,
  moves: Moves,
  routing: Drawing['routing'],
): DrawnEdge | null {
  const was = old.edge;
  if (was.source !== edge.source || was.target !== edge.target) return null;
  if (was.shape !== edge.shape || was.label !== edge.label || was.label_at !== edge.label_at) return null;
  const [one, other] = [moves.get(edge.source), moves.get(edge.target)];
  // A route that was not by hand is gone when its ends have moved, and the line is carried along with both.
  const isRouteGone = one && other && !edge.route && !isByHand(was);
  if (was.route !== edge.route && !isRouteGone) return null;
  if (!one && !other) return was === edge ? old : { ...old, edge };
  if (routing === 'quick' || !one || !other || one === 'other' || other === 'other') return null;
  if (one.x !== other.x || one.y !== other.y) return null;
  const shift = <P extends Point>(point: P): P => ({ ...point, x: point.x + one.x, y: point.y + one.y });
  const carried = { edge, points: old.points.map(shift), label: old.label && shift(old.label) };
  // The points of a curve are no bends.
  return edge.shape ? carried : { ...carried, found: null };
}

/** Lines that share an end with a changed line are drawn anew as well. */
function addNeighbours(
  stale: Set<string>,
  moves: Moves,
  edges: readonly DiagramEdge[],
  old: readonly DrawnEdge[],
): void {
  const now = new Set(edges.map(({ id }) => id));
  const touched = new Set(moves.keys());
  const involved = [
    ...edges.filter(({ id, source, target }) => stale.has(id) || moves.has(source) || moves.has(target)),
    ...old
      .map(({ edge }) => edge)
      .filter(
        ({ id, source, target }) => !now.has(id) || stale.has(id) || moves.has(source) || moves.has(target),
      ),
  ];
  for (const { source, target } of involved) touched.add(source).add(target);
  for (const { id, source, target } of edges) if (touched.has(source) || touched.has(target)) stale.add(id);
}

function freshLines(
  stale: ReadonlySet<string>,
  nodes: readonly DrawnNode[],
  edges: readonly DiagramEdge[],
  routing: Drawing['routing'],
  measure?: MeasureText,
): Map<string, DrawnEdge> {
  if (stale.size === 0) return new Map();
  const boxes = boxesOf(nodes);
  const wanted = edges.filter(({ id }) => stale.has(id));
  const isFullRouting = routing === 'full' && wanted.length * nodes.length <= FULL_ROUTING_AT_ONCE;
  const lines = isFullRouting
    ? routeEdges(wanted, boxes, obstaclesOf(nodes))
    : quickRoutes(edges, boxes, stale);
  return byEdge(drawnEdges(wanted, lines, nodes, isFullRouting ? 'full' : 'quick', measure));
}

const byEdge = (drawn: readonly DrawnEdge[]): Map<string, DrawnEdge> =>
  new Map(drawn.map((one) => [one.edge.id, one]));

function sameNode(old: DrawnNode | undefined, drawn: DrawnNode): DrawnNode {
  const isSame =
    old !== undefined &&
    old.node === drawn.node &&
    isSameBox(old.box, drawn.box) &&
    old.depth === drawn.depth &&
    old.isLocked === drawn.isLocked &&
    old.connections === drawn.connections &&
    old.folded === drawn.folded;
  return isSame ? old : drawn;
}

function sameEdge(old: DrawnEdge | undefined, drawn: DrawnEdge): DrawnEdge {
  if (!old || old === drawn) return drawn;
  const isSame =
    isSameLook(old.edge, drawn.edge) &&
    old.points.length === drawn.points.length &&
    old.points.every(({ x, y }, at) => x === drawn.points[at]?.x && y === drawn.points[at]?.y) &&
    isSameLabel(old.label, drawn.label);
  return isSame ? old : drawn;
}

/** Edges of a collapsed group are new objects each time: their fields are compared. */
const isSameLook = (a: DiagramEdge, b: DiagramEdge): boolean =>
  a === b || (Object.keys(a) as (keyof DiagramEdge)[]).every((name) => a[name] === b[name]);

function isSameLabel(a: PlacedLabel | null, b: PlacedLabel | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.shape.width === b.shape.width &&
    a.shape.height === b.shape.height &&
    a.shape.lines === b.shape.lines
  );
}
