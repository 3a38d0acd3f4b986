/** Applies a layout to a diagram that has changed since the layout was started, or rejects it. Pure. */
import type { Diagram, DiagramNode } from '../../../protocol/types';
import { type MoveNodes, operationBetween, withMoves } from '../moves';
import type { ArrangeRequest } from './arrange';

/**
 * The operation for the diagram as it is now; null where it no longer fits.
 *
 * A layout from scratch, of all nodes and around nothing locked, does not depend on where they were: moves made meanwhile
 * are overridden. Any other depends on all places. Names of nodes, texts and properties matter to none.
 */
export function rebaseLayout(
  { diagram: before, mode, ids }: ArrangeRequest,
  operation: MoveNodes,
  now: Diagram,
): MoveNodes | null {
  if (!isSameShape(before, now)) return null;
  const isFromScratch = mode === 'scratch' && ids === null && !before.nodes.some(({ locked }) => locked);
  if (!isFromScratch && !isSamePlaces(before, now)) return null;
  return operationBetween(now, withPlacesOf(now, withMoves(before, operation)));
}

function withPlacesOf(now: Diagram, after: Diagram): Diagram {
  const nodes = new Map(after.nodes.map((node) => [node.id, node]));
  const routes = new Map(after.edges.map(({ id, route }) => [id, route]));
  return {
    nodes: now.nodes.map((node) => {
      const { position, size } = nodes.get(node.id) ?? node;
      return { ...node, position, size };
    }),
    edges: now.edges.map((edge) => ({ ...edge, route: routes.get(edge.id) ?? null })),
  };
}

/** Whether nodes, groups, lines and labels are the same, wherever they are. */
function isSameShape(before: Diagram, now: Diagram): boolean {
  const shapeOf = ({ nodes, edges }: Diagram): string =>
    JSON.stringify([
      nodes.map((node) => [node.id, node.type, node.parent, node.locked, sizeOf(node), titleOf(node)]),
      edges.map(({ id, source, target, label }) => [id, source, target, label]),
    ]);
  return before === now || shapeOf(before) === shapeOf(now);
}

/** The size of a group follows from what is in it; its title decides how narrow it may get. */
const sizeOf = ({ type, size }: DiagramNode) =>
  type === 'group' || !size ? null : [size.width, size.height];
const titleOf = ({ type, label }: DiagramNode): string => (type === 'group' ? label : '');

function isSamePlaces(before: Diagram, now: Diagram): boolean {
  const placesOf = ({ nodes, edges }: Diagram): string =>
    JSON.stringify([
      nodes.map(({ position, size }) => [position.x, position.y, size?.width, size?.height]),
      edges.map(({ route }) => (route ?? []).map(({ x, y }) => [x, y])),
    ]);
  return before === now || placesOf(before) === placesOf(now);
}
