/**
 * The lines that a diagram has, with the keys of what they say: nodes with what they hold below them, then connections.
 *
 * Siblings stand from the top left to the bottom right, as they are drawn, and connections in the order of the nodes they
 * come from: so everybody reads the same text, whatever the history. Pure.
 */
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { type End, folded, printEdge, printNode, type TypeOfName, typeByName } from './syntax';

export interface Projection {
  /** What is printed of each node and edge, by key. */
  readonly texts: ReadonlyMap<string, string>;
  /** Ids of the nodes in a group, in order; at the top for null. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  /** In order. */
  readonly edges: readonly DiagramEdge[];
}

export const nodeKey = (id: string): string => `node:${id}`;
export const edgeKey = (id: string): string => `edge:${id}`;
export const isNodeKey = (key: string | null): boolean => key?.startsWith('node:') ?? false;
export const idOf = (key: string): string => key.slice(key.indexOf(':') + 1);

/** The nodes of each name. */
export function nodesByName(nodes: Iterable<{ id: string; label: string }>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, label } of nodes) {
    const name = folded(label);
    const ids = found.get(name);
    if (ids) ids.push(id);
    else found.set(name, [id]);
  }
  return found;
}

export function project(diagram: Diagram, typeOf: TypeOfName): Projection {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const names = nodesByName(diagram.nodes);
  const children = childrenOf(diagram.nodes, nodes);
  const texts = new Map<string, string>();
  const rank = new Map<string, number>();
  const shared = new Set([...names.values()].filter((ids) => ids.length > 1).flat());
  const visit = (id: string, depth: number): void => {
    const node = nodes.get(id) as DiagramNode;
    const inside = children.get(id) ?? [];
    rank.set(id, rank.size);
    const around = { depth, isHolding: inside.length > 0, isAlone: !shared.has(id), typeOf };
    texts.set(nodeKey(id), textOfNode(node, around));
    for (const inner of inside) visit(inner, depth + 1);
  };
  for (const id of children.get(null) ?? []) visit(id, 0);
  const edges = [...diagram.edges].sort(
    (one, other) =>
      (rank.get(one.source) ?? 0) - (rank.get(other.source) ?? 0) ||
      (rank.get(one.target) ?? 0) - (rank.get(other.target) ?? 0) ||
      byId(one, other),
  );
  const endOf = (id: string): End => {
    const node = nodes.get(id);
    return node && !shared.has(id) ? { name: node.label } : { id };
  };
  for (const edge of edges)
    texts.set(
      edgeKey(edge.id),
      printEdge({ ...edge, source: endOf(edge.source), target: endOf(edge.target) }),
    );
  return { texts, children, edges };
}

/** The whole text, as it is written into a file: nodes, an empty line, connections. Empty for an empty diagram. */
export function wholeText(diagram: Diagram, typeOf: TypeOfName): string {
  const texts = [...project(diagram, typeOf).texts];
  const nodes = texts.filter(([key]) => isNodeKey(key)).map(([, text]) => text);
  const edges = texts.filter(([key]) => !isNodeKey(key)).map(([, text]) => text);
  const lines = [...nodes, ...(edges.length > 0 ? ['', ...edges] : [])];
  return lines.map((line) => `${line}\n`).join('');
}

interface Surroundings {
  depth: number;
  isHolding: boolean;
  isAlone: boolean;
  typeOf: TypeOfName;
}

/** The type is left out where the name says it, and of a group that holds something; the id where the name is enough. */
function textOfNode(node: DiagramNode, { depth, isHolding, isAlone, typeOf }: Surroundings): string {
  const { id, label, technology } = node;
  const type = typeIdOf(node);
  const usual = isHolding ? 'group' : typeByName(label, typeOf);
  return printNode({ label, technology, type: type === usual ? null : type, id: isAlone ? null : id }, depth);
}

function childrenOf(
  all: readonly DiagramNode[],
  nodes: ReadonlyMap<string, DiagramNode>,
): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const { id, parent } of [...all].sort(byPlace)) {
    const group = parent !== null && nodes.has(parent) ? parent : null;
    const siblings = children.get(group);
    if (siblings) siblings.push(id);
    else children.set(group, [id]);
  }
  return children;
}

/** What has no place yet comes last. */
function byPlace(one: DiagramNode, other: DiagramNode): number {
  const placeOf = ({ position }: DiagramNode) => (position ? position.x + position.y : Number.MAX_VALUE);
  return placeOf(one) - placeOf(other) || byId(one, other);
}

const byId = (one: { id: string }, other: { id: string }): number =>
  one.id < other.id ? -1 : Number(one.id > other.id);
