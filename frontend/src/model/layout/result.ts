/**
 * Converts the result of the layout library into one operation: positions, sizes of groups and routes.
 *
 * A part keeps its top left corner, unless something that stays is in the way. Coordinates are whole pixels: points
 * that shared a coordinate still do, so that lines stay straight. Pure.
 */
import type { Operation } from '../../protocol/live';
import type { Diagram, DiagramNode, Point, Size } from '../../protocol/types';
import { type Box, boxesOverlap, DEFAULT_SIZE, grownAround, inflated, placeNodes } from '../drawing/boxes';
import type { LayoutEdge, LayoutGraph } from './graph';
import type { LayoutPart } from './scope';

type MoveNodes = Extract<Operation, { op: 'move_nodes' }>;

/** A part with its laid out graph. */
export interface LaidOutPart {
  part: LayoutPart;
  graph: LayoutGraph;
}

/** The scale at which a graph fits an area: 1 is full size. */
export function scaleIn({ width = 0, height = 0 }: LayoutGraph, room: Size): number {
  return Math.min(room.width / Math.max(width, 1), room.height / Math.max(height, 1));
}

/** The operation that applies a layout; null where nothing changes. */
export function layoutOperation(diagram: Diagram, laidOut: readonly LaidOutPart[]): MoveNodes | null {
  const found: Found = { positions: new Map(), sizes: new Map(), routes: new Map() };
  for (const { part, graph } of laidOut) readPart(diagram, part, graph, found);
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const edges = new Map(diagram.edges.map((edge) => [edge.id, edge]));
  const positions = [...found.positions].filter(([id, at]) => !isEqual(nodes.get(id)?.position, at));
  const sizes = [...found.sizes].filter(([id, size]) => !isEqual(nodes.get(id)?.size ?? null, size));
  // A move drops the route, so it is set again even where it is unchanged.
  const routes = [...found.routes].filter(
    ([id, route]) => positions.length > 0 || !isEqual(edges.get(id)?.route ?? null, route),
  );
  if (positions.length + sizes.length + routes.length === 0) return null;
  return {
    op: 'move_nodes',
    positions: Object.fromEntries(positions),
    ...(sizes.length > 0 && { sizes: Object.fromEntries(sizes) }),
    ...(routes.length > 0 && { routes: Object.fromEntries(routes) }),
  };
}

/** A diagram after the operation, as far as it matters for drawing; routes of moved nodes are dropped. */
export function withMoves(diagram: Diagram, operation: MoveNodes | null): Diagram {
  if (!operation) return diagram;
  const { positions, sizes, routes } = operation;
  return {
    nodes: diagram.nodes.map((node) => ({
      ...node,
      position: positions[node.id] ?? node.position,
      size: sizes && Object.hasOwn(sizes, node.id) ? (sizes[node.id] ?? null) : node.size,
    })),
    edges: diagram.edges.map((edge) => ({ ...edge, route: routes?.[edge.id] ?? null })),
  };
}

interface Found {
  positions: Map<string, Point>;
  sizes: Map<string, Size | null>;
  routes: Map<string, Point[]>;
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function readPart(diagram: Diagram, part: LayoutPart, graph: LayoutGraph, found: Found): void {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const offset = cornerFor(diagram, part, graph);
  const origin = originOf(nodes, part.parent);
  for (const child of graph.children ?? []) readNode(child, offset, origin, nodes, found);
  for (const edge of graph.edges ?? []) {
    const route = routeOf(edge, offset);
    if (route) found.routes.set(edge.id, route);
  }
}

/** Positions are rounded in the diagram's coordinates and stored relative to the parent. Returns the box. */
function readNode(
  graph: LayoutGraph,
  outer: Point,
  origin: Point,
  nodes: ReadonlyMap<string, DiagramNode>,
  found: Found,
): Box {
  const exact = { x: outer.x + (graph.x ?? 0), y: outer.y + (graph.y ?? 0) };
  const corner = { x: Math.round(exact.x), y: Math.round(exact.y) };
  found.positions.set(graph.id, { x: corner.x - origin.x, y: corner.y - origin.y });
  const size = { width: Math.round(graph.width ?? 0), height: Math.round(graph.height ?? 0) };
  if (!graph.children?.length) return { ...corner, ...(nodes.get(graph.id)?.size ?? DEFAULT_SIZE) };
  const inner = graph.children.map((child) => readNode(child, exact, corner, nodes, found));
  const natural = grownAround({ ...corner, ...DEFAULT_SIZE }, inner);
  // Lines and labels at the border of a group need space, too.
  const isNatural = natural.width >= size.width - 1 && natural.height >= size.height - 1;
  found.sizes.set(graph.id, isNatural ? null : size);
  return grownAround({ ...corner, ...(isNatural ? DEFAULT_SIZE : size) }, inner);
}

/** The bend points; for a straight line its middle, which keeps it in place. */
function routeOf({ sections }: LayoutEdge, offset: Point): Point[] | null {
  const section = sections?.[0];
  if (!section) return null;
  const { startPoint: from, endPoint: to, bendPoints = [] } = section;
  const points = bendPoints.length > 0 ? bendPoints : [{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }];
  return points.map(({ x, y }) => ({ x: Math.round(x + offset.x), y: Math.round(y + offset.y) }));
}

/** The origin of a node's children: its stored position in the diagram. */
function originOf(nodes: ReadonlyMap<string, DiagramNode>, id: string | null): Point {
  const origin = { x: 0, y: 0 };
  const seen = new Set<string>();
  let link = id === null ? undefined : nodes.get(id);
  while (link && !seen.has(link.id)) {
    seen.add(link.id);
    origin.x += link.position.x;
    origin.y += link.position.y;
    link = link.parent === null ? undefined : nodes.get(link.parent);
  }
  return origin;
}

const GAP = 48;

/** The former corner of the part; right of or below fixed nodes where it would cover them. */
function cornerFor(diagram: Diagram, { units, staying }: LayoutPart, graph: LayoutGraph): Point {
  const placed = placeNodes(diagram.nodes);
  const boxesOf = (ids: readonly string[]) => ids.flatMap((id) => placed.get(id)?.box ?? []);
  const before = around(boxesOf(units));
  const corner = { x: Math.round(before.x), y: Math.round(before.y) };
  const size = { width: graph.width ?? 0, height: graph.height ?? 0 };
  const obstacles = boxesOf(staying);
  const isFree = (at: Point) =>
    !obstacles.some((box) => boxesOverlap(inflated(box, GAP - 1), { ...at, ...size }));
  if (obstacles.length === 0 || isFree(corner)) return corner;
  const wall = around(obstacles);
  const beside = { x: Math.round(wall.x + wall.width + GAP), y: Math.round(wall.y) };
  const below = { x: Math.round(wall.x), y: Math.round(wall.y + wall.height + GAP) };
  return wall.width + size.width > 1.6 * (wall.height + size.height) ? below : beside;
}

function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  return {
    x: left,
    y: top,
    width: Math.max(...boxes.map(({ x, width }) => x + width)) - left,
    height: Math.max(...boxes.map(({ y, height }) => y + height)) - top,
  };
}
