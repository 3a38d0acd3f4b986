/**
 * Converts the result of the layout library into positions, sizes of groups and routes of a diagram.
 *
 * A part keeps its top left corner, unless something that stays is in the way. Coordinates are whole pixels: points
 * that shared a coordinate still do, so that lines stay straight. Pure. Not here: the operation (`moves.ts`).
 */
import type { Diagram, DiagramNode, Point, Size } from '../../../protocol/types';
import { type Box, boxesOverlap, DEFAULT_SIZE, grownAround, inflated, placeNodes } from '../../drawing/boxes';
import type { LayoutPart } from '../scope';
import { withoutBlocks } from './graph';
import type { LayoutEdge, LayoutGraph } from './libraryGraph';

/** A part with its laid out graph. */
export interface LaidOutPart {
  part: LayoutPart;
  graph: LayoutGraph;
}

/** A diagram with the layout of some parts; lines of moved nodes that were not laid out have no route. */
export function withLayout(diagram: Diagram, laidOut: readonly LaidOutPart[]): Diagram {
  const found: Found = { positions: new Map(), sizes: new Map(), routes: new Map() };
  for (const { part, graph } of laidOut) readPart(diagram, part, graph, found);
  const { positions, sizes, routes } = found;
  return {
    nodes: diagram.nodes.map((node) => ({
      ...node,
      position: positions.get(node.id) ?? node.position,
      size: sizes.get(node.id) === undefined ? node.size : (sizes.get(node.id) ?? null),
    })),
    edges: diagram.edges.map((edge) => {
      const route = routes.get(edge.id);
      if (route) return { ...edge, route };
      const isMoved = positions.has(edge.source) || positions.has(edge.target);
      return isMoved ? { ...edge, route: null } : edge;
    }),
  };
}

interface Found {
  positions: Map<string, Point>;
  sizes: Map<string, Size | null>;
  routes: Map<string, Point[]>;
}

function readPart(diagram: Diagram, part: LayoutPart, graph: LayoutGraph, found: Found): void {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const offset = cornerFor(diagram, part, graph);
  const origin = originOf(nodes, part.parent);
  for (const child of withoutBlocks(graph).children ?? []) readNode(child, offset, origin, nodes, found);
  const sources = new Map(diagram.edges.map(({ id, source }) => [id, source]));
  for (const edge of graph.edges ?? []) {
    const route = routeOf(edge, offset);
    // What leads back was laid out turned around.
    if (route) found.routes.set(edge.id, edge.sources[0] === sources.get(edge.id) ? route : route.reverse());
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

/** A diagram whose nodes are drawn in these boxes, with these routes; other lines keep what they have. */
export function withBoxes(
  diagram: Diagram,
  boxes: ReadonlyMap<string, Box>,
  routes: ReadonlyMap<string, readonly Point[]>,
): Diagram {
  const inner = new Map<string, Box[]>();
  for (const { id, parent } of diagram.nodes) {
    const box = boxes.get(id);
    if (parent !== null && box) inner.set(parent, [...(inner.get(parent) ?? []), box]);
  }
  return {
    nodes: diagram.nodes.map((node) => {
      const box = boxes.get(node.id);
      if (!box) return node;
      const { x, y, width, height } = box;
      const origin = (node.parent !== null && boxes.get(node.parent)) || { x: 0, y: 0 };
      const position = { x: x - origin.x, y: y - origin.y };
      if (node.type !== 'group') return { ...node, position };
      const children = inner.get(node.id) ?? [];
      const natural = grownAround({ x, y, ...DEFAULT_SIZE }, children);
      const isNatural = children.length > 0 && natural.width >= width - 1 && natural.height >= height - 1;
      return { ...node, position, size: isNatural ? null : { width, height } };
    }),
    edges: diagram.edges.map((edge) => ({ ...edge, route: [...(routes.get(edge.id) ?? edge.route ?? [])] })),
  };
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
