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
  const nodes = byId(diagram.nodes);
  const edges = byId(diagram.edges);
  for (const operation of operations) add(operation, { nodes, edges, types: diagram.types });
  return {
    ...diagram,
    nodes: [...nodes.values()],
    edges: [...edges.values()].filter(({ source, target }) => nodes.has(source) && nodes.has(target)),
  };
}

export const byId = <T extends { id: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [one.id, one]));

/** Nodes and connections that are being changed, by id. */
export interface Draft {
  nodes: Map<string, DiagramNode>;
  edges: Map<string, DiagramEdge>;
  types: Diagram['types'];
}

/** Adds what an operation adds, unless something has its id. */
export function add(operation: Operation, { nodes, edges, types }: Draft): void {
  const known = { description: '', properties: {}, label: '', color: '', style: '' };
  if (operation.op === 'add_node' && operation.id && !nodes.has(operation.id)) {
    const { op: _, ...node } = operation;
    const bare = { technology: '', notes: '', locked: false, parent: null, size: null };
    nodes.set(operation.id, { ...known, ...bare, ...node, ...asType(node.type, types) } as DiagramNode);
  }
  if (operation.op === 'add_edge' && operation.id && !edges.has(operation.id)) {
    const { op: _, ...edge } = operation;
    const plain = { kind: 'sync', direction: 'forward', route: null };
    edges.set(operation.id, { ...known, ...plain, ...edge } as DiagramEdge);
  }
}
