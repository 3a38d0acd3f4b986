/**
 * Which nodes a tidy may move: the whole diagram or the selection, without what is locked.
 *
 * A group that holds something locked stays where it is, so that what is locked does not move with it; the other nodes
 * in it are laid out beside what stays. Pure. Not here: the layout (`graph.ts`).
 */
import type { Diagram, DiagramNode } from '../../protocol/types';
import { lockedNodes } from '../drawing/drawing';

/** Nodes of one parent that are laid out together with all their descendants. */
export interface LayoutPart {
  parent: string | null;
  /** The direct children that move. */
  units: readonly string[];
  /** Its fixed siblings. */
  staying: readonly string[];
}

/** What to lay out, or in words why there is nothing to. */
export type LayoutScope =
  | { parts: readonly LayoutPart[]; count: number; reason?: undefined }
  | { reason: string };

interface Forest {
  nodes: ReadonlyMap<string, DiagramNode>;
  childrenOf: ReadonlyMap<string | null, readonly string[]>;
  locked: ReadonlySet<string>;
  /** Locked, or a group that holds something locked. */
  fixed: ReadonlySet<string>;
}

/** Everything but what is locked. */
export function wholeScope({ nodes }: Diagram): LayoutScope {
  if (nodes.length < 2) return { reason: 'There is nothing to arrange yet.' };
  const forest = forestOf(nodes);
  const parts = partsIn(forest, null, childrenIn(forest, null));
  if (parts.length === 0) return { reason: 'Everything is locked. Unlock what may move.' };
  return { parts, count: countOf(forest, parts) };
}

/** The selection, with all descendants. */
export function selectionScope({ nodes }: Diagram, selected: ReadonlySet<string>): LayoutScope {
  const forest = forestOf(nodes);
  const outermost = nodes.filter(({ id }) => selected.has(id) && !isInside(forest, id, selected));
  const isMore =
    outermost.length > 1 || outermost.some(({ id }) => (forest.childrenOf.get(id) ?? []).length > 0);
  if (!isMore) return { reason: 'Select several nodes, or a group, to arrange them.' };
  const parts = [...idsByParent(outermost, forest.nodes)].flatMap(([parent, ids]) =>
    partsIn(forest, parent, ids),
  );
  if (parts.length === 0) return { reason: 'What is selected is locked. Unlock what may move.' };
  return { parts, count: countOf(forest, parts) };
}

/** The ids of a part, with all descendants, and the children of each. */
export function insideOf(
  part: LayoutPart,
  nodes: readonly DiagramNode[],
): Pick<Forest, 'childrenOf'> & { ids: Set<string> } {
  const { childrenOf } = forestOf(nodes);
  return { childrenOf, ids: new Set(part.units.flatMap((id) => [...subtree(childrenOf, id)])) };
}

function partsIn(forest: Forest, parent: string | null, candidates: readonly string[]): LayoutPart[] {
  const units = candidates.filter((id) => !forest.fixed.has(id));
  const chosen = new Set(units);
  const staying = childrenIn(forest, parent).filter((id) => !chosen.has(id) && forest.fixed.has(id));
  const here = units.length > 0 ? [{ parent, units, staying }] : [];
  const within = candidates
    .filter((id) => forest.fixed.has(id) && !forest.locked.has(id))
    .flatMap((id) => partsIn(forest, id, childrenIn(forest, id)));
  return [...here, ...within];
}

function forestOf(nodes: readonly DiagramNode[]): Forest {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const childrenOf = idsByParent(nodes, byId);
  const locked = lockedNodes(nodes);
  const fixed = new Set<string>();
  for (const id of locked) for (const link of chainOf(byId, id)) fixed.add(link);
  return { nodes: byId, childrenOf, locked, fixed };
}

function idsByParent(
  nodes: readonly DiagramNode[],
  known: ReadonlyMap<string, DiagramNode>,
): Map<string | null, string[]> {
  const found = new Map<string | null, string[]>();
  for (const { id, parent } of nodes) {
    const key = parentIn(known, parent);
    const siblings = found.get(key);
    if (siblings) siblings.push(id);
    else found.set(key, [id]);
  }
  return found;
}

/** A missing parent counts as none. */
const parentIn = (nodes: ReadonlyMap<string, DiagramNode>, parent: string | null): string | null =>
  parent !== null && nodes.has(parent) ? parent : null;

const childrenIn = ({ childrenOf }: Forest, parent: string | null): readonly string[] =>
  childrenOf.get(parent) ?? [];

/** A node and all its ancestors; stops at a cycle. */
function chainOf(nodes: ReadonlyMap<string, DiagramNode>, id: string): Set<string> {
  const chain = new Set<string>();
  let link: string | null = id;
  while (link !== null && !chain.has(link)) {
    chain.add(link);
    link = parentIn(nodes, nodes.get(link)?.parent ?? null);
  }
  return chain;
}

function isInside({ nodes }: Forest, id: string, groups: ReadonlySet<string>): boolean {
  return [...chainOf(nodes, id)].some((link) => link !== id && groups.has(link));
}

/** A node and all its descendants, each once. */
function subtree(childrenOf: Forest['childrenOf'], id: string): Set<string> {
  const found = new Set([id]);
  // Iterating over a set includes what is added meanwhile.
  for (const link of found) for (const child of childrenOf.get(link) ?? []) found.add(child);
  return found;
}

const countOf = ({ childrenOf }: Forest, parts: readonly LayoutPart[]): number =>
  parts.flatMap(({ units }) => units).reduce((sum, id) => sum + subtree(childrenOf, id).size, 0);
