/**
 * A diagram with some groups collapsed to cards: their descendants are left out, edges end at the card, edges within
 * are removed, and equal ones are merged. Pure; the choice of groups is each person's own.
 */
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { DEFAULT_SIZE } from './boxes';

/** The collapsed groups, with how many nodes each holds. */
export type Folds = ReadonlyMap<string, number>;
export const NO_FOLDS: Folds = new Map();

export interface Folded {
  diagram: Diagram;
  folds: Folds;
  /** The card that replaces each node that is left out. */
  cards: ReadonlyMap<string, string>;
}

/** The same diagram where nothing is folded. */
export function folded(diagram: Diagram, collapsed: ReadonlySet<string>): Folded {
  const cards = cardsOf(diagram.nodes, collapsed);
  const groups = diagram.nodes.filter(
    ({ id, type }) => type === 'group' && collapsed.has(id) && !cards.has(id),
  );
  if (groups.length === 0) return { diagram, folds: NO_FOLDS, cards };
  const folds = new Map(groups.map(({ id }) => [id, 0]));
  for (const card of cards.values()) folds.set(card, (folds.get(card) ?? 0) + 1);
  const nodes = diagram.nodes.flatMap((node) => {
    if (cards.has(node.id)) return [];
    return [folds.has(node.id) ? asCard(node) : node];
  });
  return { diagram: { nodes, edges: edgesBetween(diagram.edges, cards) }, folds, cards };
}

/** For each node inside a collapsed group, the outermost such group. */
function cardsOf(nodes: readonly DiagramNode[], collapsed: ReadonlySet<string>): Map<string, string> {
  const cards = new Map<string, string>();
  if (collapsed.size === 0) return cards;
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const groups = new Set(nodes.filter(({ type }) => type === 'group').map(({ id }) => id));
  for (const { id, parent } of nodes) {
    const seen = new Set([id]);
    for (let at = parent; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      seen.add(at);
      if (collapsed.has(at) && groups.has(at)) cards.set(id, at);
    }
  }
  return cards;
}

const cardsMade = new WeakMap<DiagramNode, DiagramNode>();

/** The same card object for the same group each time. */
function asCard(group: DiagramNode): DiagramNode {
  const known = cardsMade.get(group);
  if (known) return known;
  const card = { ...group, size: DEFAULT_SIZE };
  cardsMade.set(group, card);
  return card;
}

function edgesBetween(edges: readonly DiagramEdge[], cards: ReadonlyMap<string, string>): DiagramEdge[] {
  const visibleEdges: DiagramEdge[] = [];
  const merged = new Map<string, { at: number; count: number }>();
  for (const edge of edges) {
    const source = cards.get(edge.source) ?? edge.source;
    const target = cards.get(edge.target) ?? edge.target;
    if (source === edge.source && target === edge.target) {
      visibleEdges.push(edge);
      continue;
    }
    if (source === target) continue;
    const key = JSON.stringify([
      source,
      target,
      edge.kind,
      edge.direction,
      edge.color,
      edge.style,
      edge.shape,
    ]);
    const known = merged.get(key);
    if (!known) {
      merged.set(key, { at: visibleEdges.length, count: 1 });
      visibleEdges.push({ ...edge, source, target, route: null });
      continue;
    }
    known.count += 1;
    const one = visibleEdges[known.at] as DiagramEdge;
    visibleEdges[known.at] = { ...one, label: `${known.count} connections` };
  }
  return visibleEdges;
}
