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
import { quickRoutes } from './quickRouting';
import { routeEdges } from './routing';

/** Up to this many lines times nodes get full routing during a drag. */
const FULL_ROUTING_WHILE_DRAGGING = 900;

/** A new drawing that reuses the equal objects of the previous one. */
export function settled(before: Drawing | null, after: Drawing): Drawing {
  if (!before) return after;
  const nodes = new Map(before.nodes.map((drawn) => [drawn.node.id, drawn]));
  const edges = new Map(before.edges.map((drawn) => [drawn.edge.id, drawn]));
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
  return withLines(before, nodes, diagram.edges, options.measure);
}

/** A drawing with some boxes moved, as during a drag. Groups keep their size. */
export function movedDrawing(
  before: Drawing,
  moves: ReadonlyMap<string, Point | Box>,
  measure?: MeasureText,
): Drawing {
  if (moves.size === 0) return before;
  const nodes = before.nodes.map((drawn) => {
    const to = moves.get(drawn.node.id);
    return to ? { ...drawn, box: { ...drawn.box, ...to } } : drawn;
  });
  const edges = before.edges.map(
    ({ edge }) =>
      (isByHand(edge) && byHand.part?.followed(edge, boxesOf(before.nodes), boxesOf(nodes))) || edge,
  );
  return withLines(before, nodes, edges, measure);
}

function withLines(
  before: Drawing,
  newNodes: readonly DrawnNode[],
  edges: readonly DiagramEdge[],
  measure?: MeasureText,
): Drawing {
  const oldNodes = new Map(before.nodes.map((drawn) => [drawn.node.id, drawn]));
  const nodes = newNodes.map((drawn) => sameNode(oldNodes.get(drawn.node.id), drawn));
  const known = new Map(before.edges.map((drawn) => [drawn.edge.id, drawn]));
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
  const fresh = freshLines(stale, nodes, edges, before.routing, measure);
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
  if (was.route !== edge.route || was.shape !== edge.shape) return null;
  if (was.label !== edge.label || was.label_at !== edge.label_at) return null;
  const [one, other] = [moves.get(edge.source), moves.get(edge.target)];
  if (!one && !other) return was === edge ? old : { ...old, edge };
  if (routing === 'quick' || !one || !other || one === 'other' || other === 'other') return null;
  if (one.x !== other.x || one.y !== other.y) return null;
  const shift = <P extends Point>(point: P): P => ({ ...point, x: point.x + one.x, y: point.y + one.y });
  return { edge, points: old.points.map(shift), label: old.label && shift(old.label) };
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
  const fresh = new Map<string, DrawnEdge>();
  if (stale.size === 0) return fresh;
  const boxes = boxesOf(nodes);
  const wanted = edges.filter(({ id }) => stale.has(id));
  const isFullRouting = routing === 'full' && wanted.length * nodes.length <= FULL_ROUTING_WHILE_DRAGGING;
  const lines = isFullRouting
    ? routeEdges(wanted, boxes, obstaclesOf(nodes))
    : quickRoutes(edges, boxes, stale);
  for (const drawn of drawnEdges(wanted, lines, nodes, isFullRouting ? 'full' : 'quick', measure))
    fresh.set(drawn.edge.id, drawn);
  return fresh;
}

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
