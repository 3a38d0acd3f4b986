/**
 * Two diagrams merged into one with marks: added, changed, removed. Pure. Not here: how marks look (the canvas), texts
 * (`model/text/compareText.ts`). Loaded when needed.
 */
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { EDGE_TEXTS, NODE_TEXTS } from '../core/workspace';
import type { Mark, Marks } from './marks';

export interface Comparison {
  diagram: Diagram;
  marks: Marks;
}

/**
 * The later diagram with what was removed since the earlier one; how a line is
 * drawn is no change, since moves drop routes.
 */
export function compareDiagrams(from: Diagram, to: Diagram): Comparison {
  const nodes = marksOf(from.nodes, to.nodes, isSameNode);
  const edges = marksOf(from.edges, to.edges, isSameEdge);
  const isGone = (marks: ReadonlyMap<string, Mark>) => (one: { id: string }) =>
    marks.get(one.id) === 'removed';
  const groups = new Set(to.nodes.filter(({ type }) => type === 'group').map(({ id }) => id));
  const gone = from.nodes.filter(isGone(nodes));
  for (const { id, type } of gone) if (type === 'group') groups.add(id);
  // A group whose id was reused cannot hold what the old one held.
  const kept = gone.map((node) =>
    node.parent && !groups.has(node.parent) ? { ...node, parent: null } : node,
  );
  return {
    diagram: {
      nodes: [...to.nodes, ...kept],
      edges: [...to.edges, ...from.edges.filter(isGone(edges))],
      ...(to.types && { types: to.types }),
    },
    marks: { nodes, edges },
  };
}

/** How many of each. */
export function countMarks({ nodes, edges }: Marks): Record<Mark, number> {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const mark of [...nodes.values(), ...edges.values()]) counts[mark] += 1;
  return counts;
}

function marksOf<T extends { id: string }>(
  from: readonly T[],
  to: readonly T[],
  isSame: (one: T, other: T) => boolean,
): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  const before = new Map(from.map((one) => [one.id, one]));
  for (const one of to) {
    const old = before.get(one.id);
    before.delete(one.id);
    if (!old) marks.set(one.id, 'added');
    else if (old !== one && !isSame(old, one)) marks.set(one.id, 'changed');
  }
  for (const id of before.keys()) marks.set(id, 'removed');
  return marks;
}

const isSameNode = (one: DiagramNode, other: DiagramNode): boolean =>
  one.type === other.type &&
  typeIdOf(one) === typeIdOf(other) &&
  one.label === other.label &&
  NODE_TEXTS.every((text) => one[text] === other[text]) &&
  one.parent === other.parent &&
  one.locked === other.locked &&
  one.position.x === other.position.x &&
  one.position.y === other.position.y &&
  one.size?.width === other.size?.width &&
  one.size?.height === other.size?.height &&
  areSameFacts(one.properties, other.properties);

const isSameEdge = (one: DiagramEdge, other: DiagramEdge): boolean =>
  one.source === other.source &&
  one.target === other.target &&
  one.label === other.label &&
  one.kind === other.kind &&
  one.direction === other.direction &&
  EDGE_TEXTS.every((text) => one[text] === other[text]) &&
  areSameFacts(one.properties, other.properties);

function areSameFacts(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
