/**
 * What has been added and is not named yet: it is drawn, and sent with its name as one batch. Pure.
 *
 * Not here: what a gesture adds (`place.ts`, `connect.ts`).
 */
import type { Operation } from '../../protocol/live';
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { asType } from '../core/customTypes';
import type { Made } from './place';

/** Whether all that a gesture does is to add nodes and connections: only that can wait for its name. */
export const isAddition = ({ operations }: Made): boolean =>
  operations.every(({ op }) => op === 'add_node' || op === 'add_edge');

/** The operations with a label for the node or the connection of that id. */
export const labelled = (operations: readonly Operation[], id: string, label: string): Operation[] =>
  operations.map((operation) =>
    (operation.op === 'add_node' || operation.op === 'add_edge') && operation.id === id
      ? { ...operation, label }
      : operation,
  );

/** The connection that is added with a node; null for none. */
export const edgeOf = ({ operations }: Made): string | null =>
  operations.flatMap((operation) => (operation.op === 'add_edge' ? (operation.id ?? []) : []))[0] ?? null;

/** A diagram with what is not named yet. What it has meanwhile is not added again. */
export function withMade(diagram: Diagram, { operations }: Made): Diagram {
  const [nodes, edges] = [[...diagram.nodes], [...diagram.edges]];
  const isThere = (all: readonly { id: string }[], id: string) => all.some((one) => one.id === id);
  for (const operation of operations) {
    const known = { description: '', properties: {}, label: '', color: '', style: '' };
    if (operation.op === 'add_node' && operation.id && !isThere(nodes, operation.id)) {
      const { op: _, ...node } = operation;
      const bare = { technology: '', notes: '', locked: false, parent: null, size: null };
      nodes.push({ ...known, ...bare, ...node, ...asType(node.type, diagram.types) } as DiagramNode);
    }
    if (operation.op === 'add_edge' && operation.id && !isThere(edges, operation.id)) {
      const { op: _, ...edge } = operation;
      edges.push({ ...known, kind: 'sync', direction: 'forward', route: null, ...edge } as DiagramEdge);
    }
  }
  const there = new Set(nodes.map(({ id }) => id));
  return {
    ...diagram,
    nodes,
    edges: edges.filter(({ source, target }) => there.has(source) && there.has(target)),
  };
}
