/** A changed layout as one operation, and what that operation makes of a diagram. Pure. */
import type { Operation } from '../../protocol/live';
import type { Diagram, DiagramEdge, DiagramNode, Point, Size } from '../../protocol/types';
import { isByHand } from '../core/handRoutes';
import { boxAround, placeNodes } from '../drawing/boxes';
import { lockedNodes } from '../drawing/drawing';

export type MoveNodes = Extract<Operation, { op: 'move_nodes' }>;

/** The lines that were bent by hand and may be drawn anew. */
export function bentByHand(diagram: Diagram): string[] {
  const routable = routableEdges(diagram);
  return diagram.edges.filter((edge) => isByHand(edge) && routable.has(edge.id)).map(({ id }) => id);
}

/** The diagram as if those lines were not bent. */
export function withoutBends(diagram: Diagram): Diagram {
  const bent = new Set(bentByHand(diagram));
  const edges = diagram.edges.map((edge) =>
    bent.has(edge.id) ? { ...edge, route: null, route_by: null } : edge,
  );
  return { ...diagram, edges };
}

/** The diagram with all lines in right angles, for which routes are found. */
export const rightAngled = (diagram: Diagram): Diagram => ({
  ...diagram,
  edges: diagram.edges.map((edge) => (edge.shape ? { ...edge, shape: '' } : edge)),
});

/** Whether nothing forbids to give an edge another route: neither of its ends is locked. */
export function routableEdges({ nodes, edges }: Diagram): Set<string> {
  const locked = lockedNodes(nodes);
  return new Set(
    edges.filter(({ source, target }) => !locked.has(source) && !locked.has(target)).map(({ id }) => id),
  );
}

/**
 * The operation that turns one diagram into the other, as far as it may; null where nothing differs. Routes by hand are left
 * to follow their ends.
 */
export function operationBetween(before: Diagram, after: Diagram): MoveNodes | null {
  const was = new Map(before.nodes.map((node) => [node.id, node]));
  const positions: MoveNodes['positions'] = {};
  const sizes: NonNullable<MoveNodes['sizes']> = {};
  for (const { id, position, size } of after.nodes) {
    const node = was.get(id);
    if (!node) continue;
    if (!isSamePoint(node.position, position)) positions[id] = position;
    if (!isSameSize(node.size, size)) sizes[id] = size;
  }
  const routes = changedRoutes(before, after, positions);
  const isEmpty = [positions, sizes, routes].every((part) => Object.keys(part).length === 0);
  if (isEmpty) return null;
  return {
    op: 'move_nodes',
    positions,
    ...(Object.keys(sizes).length > 0 && { sizes }),
    ...(Object.keys(routes).length > 0 && { routes }),
  };
}

function changedRoutes(
  before: Diagram,
  after: Diagram,
  positions: MoveNodes['positions'],
): Record<string, Point[] | null> {
  const moved = movedOnScreen(before.nodes, positions);
  const routable = routableEdges(before);
  const was = new Map(before.edges.map((edge) => [edge.id, edge]));
  const routes: Record<string, Point[] | null> = {};
  for (const { id, route } of after.edges) {
    const edge = was.get(id);
    if (!edge || !routable.has(id) || isByHand(edge)) continue;
    // A move drops the route, so it is set again even where it is unchanged.
    const standing = moved.has(edge.source) || moved.has(edge.target) ? null : edge.route;
    if (!isSameRoute(standing, route)) routes[id] = route;
  }
  return routes;
}

/** A diagram after the operation, as far as it matters for drawing. */
export function withMoves(diagram: Diagram, operation: MoveNodes | null): Diagram {
  if (!operation) return diagram;
  const { positions, sizes, routes } = operation;
  const moved = movedOnScreen(diagram.nodes, positions);
  const routeOf = ({ id, source, target, route }: DiagramEdge): Point[] | null => {
    if (routes && Object.hasOwn(routes, id)) return routes[id] ?? null;
    return moved.has(source) || moved.has(target) ? null : route;
  };
  return {
    nodes: diagram.nodes.map((node) => ({
      ...node,
      position: positions[node.id] ?? node.position,
      size: sizes && Object.hasOwn(sizes, node.id) ? (sizes[node.id] ?? null) : node.size,
    })),
    edges: diagram.edges.map((edge) => ({ ...edge, route: routeOf(edge) })),
  };
}

/** The operation with its result where the diagram begins, so that the same layout again changes nothing. */
export function atItsCorner(diagram: Diagram, operation: MoveNodes): MoveNodes | null {
  const after = withMoves(diagram, operation);
  const [was, now] = [cornerOf(diagram), cornerOf(after)];
  const [x, y] = [Math.round(was.x) - now.x, Math.round(was.y) - now.y];
  if (x === 0 && y === 0) return operation;
  const shifted = (point: Point): Point => ({ x: point.x + x, y: point.y + y });
  return operationBetween(diagram, {
    nodes: after.nodes.map((node) =>
      node.parent === null ? { ...node, position: shifted(node.position) } : node,
    ),
    edges: after.edges.map((edge) => ({ ...edge, route: edge.route?.map(shifted) ?? null })),
  });
}

const cornerOf = ({ nodes }: Diagram): Point =>
  boxAround([...placeNodes(nodes).values()].map(({ box }) => box)) ?? { x: 0, y: 0 };

/** The nodes whose position is set, with all descendants. */
function movedOnScreen(nodes: readonly DiagramNode[], positions: MoveNodes['positions']): Set<string> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const moved = new Set<string>();
  for (const { id } of nodes) {
    const seen = new Set<string>();
    for (let at: string | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      if (!Object.hasOwn(positions, at) && !moved.has(at)) {
        seen.add(at);
        continue;
      }
      moved.add(id);
      break;
    }
  }
  return moved;
}

const isSameNumbers = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

const isSamePoint = (one: Point, other: Point): boolean => one.x === other.x && one.y === other.y;

const isSameSize = (one: Size | null, other: Size | null): boolean =>
  one?.width === other?.width && one?.height === other?.height;

const isSameRoute = (one: readonly Point[] | null, other: readonly Point[] | null): boolean =>
  isSameNumbers(
    (one ?? []).flatMap(({ x, y }) => [x, y]),
    (other ?? []).flatMap(({ x, y }) => [x, y]),
  );
