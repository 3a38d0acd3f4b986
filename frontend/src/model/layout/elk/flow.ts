/**
 * How lines lead among siblings, the nodes of one group: in which order most of them lead forward, which of them lead
 * back, and how long their chains are.
 *
 * Where groups form a cycle the library begins anywhere, and lines then run around the whole drawing. Here siblings get
 * an order in which most lines lead forward (the greedy heuristic of Eades, Lin and Smyth, with weights); what leads back is
 * given to the library turned around, as it would do itself. Pure.
 */
import type { DiagramEdge, DiagramNode } from '../../../protocol/types';

type Parents = ReadonlyMap<string, string | null>;

/** How many lines lead from one sibling to another, by their ids. */
type Weights = Map<string, Map<string, number>>;

/** The lines among siblings; a line between nodes of two groups leads from the one group to the other. */
export interface Siblings {
  group: string | null;
  weights: Weights;
  lines: { id: string; from: string; to: string }[];
}

/** The edges that lead back among siblings of which some are groups; other cycles are left to the library. */
export function leadingBack(edges: readonly DiagramEdge[], nodes: readonly DiagramNode[]): Set<string> {
  const groups = new Set(nodes.map(({ parent }) => parent));
  const back = new Set<string>();
  for (const { weights, lines } of levelsOf(edges, nodes)) {
    const place = new Map(orderOf(weights).map((id, at) => [id, at]));
    for (const { id, from, to } of lines)
      if ((groups.has(from) || groups.has(to)) && (place.get(from) ?? 0) > (place.get(to) ?? 0)) back.add(id);
  }
  return back;
}

/** How many siblings a chain of lines has at most, each leading to the next. */
export function longestChain(edges: readonly DiagramEdge[], nodes: readonly DiagramNode[]): number {
  const lengths = levelsOf(edges, nodes).map(({ weights }) => {
    const upTo = new Map<string, number>();
    const passed = new Set<string>();
    for (const id of orderOf(weights)) {
      const length = upTo.get(id) ?? 1;
      upTo.set(id, length);
      passed.add(id);
      const forward = [...(weights.get(id)?.keys() ?? [])].filter((target) => !passed.has(target));
      for (const target of forward) upTo.set(target, Math.max(upTo.get(target) ?? 1, length + 1));
    }
    return Math.max(0, ...upTo.values());
  });
  return Math.max(0, ...lengths);
}

/** Whether in some group not all nodes are connected with each other there, so that these may stand anywhere. */
export function hasSeparateParts(edges: readonly DiagramEdge[], nodes: readonly DiagramNode[]): boolean {
  const levels = new Map(levelsOf(edges, nodes).map((level) => [level.group, level]));
  const counts = new Map<string | null, number>();
  for (const { parent } of nodes) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  return [...counts].some(([group, count]) => group !== null && count > connectedIn(levels.get(group)));
}

/** How many siblings are connected with the first one. */
function connectedIn(level: Siblings | undefined): number {
  if (!level) return 1;
  const beside = new Map<string, string[]>();
  for (const { from, to } of level.lines) {
    beside.set(from, [...(beside.get(from) ?? []), to]);
    beside.set(to, [...(beside.get(to) ?? []), from]);
  }
  const found = new Set([...level.weights.keys()].slice(0, 1));
  for (const id of found) for (const other of beside.get(id) ?? []) found.add(other);
  return found.size;
}

/** The lines among siblings of each group that has some. */
export function levelsOf(edges: readonly DiagramEdge[], nodes: readonly DiagramNode[]): Siblings[] {
  const parents: Parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const levels = new Map<string | null, Siblings>();
  for (const { id, source, target } of edges) {
    const [from, to] = siblingsOf(source, target, parents);
    if (from === to) continue;
    const group = parents.get(from) ?? null;
    const level: Siblings = levels.get(group) ?? { group, weights: new Map(), lines: [] };
    levels.set(group, level);
    level.lines.push({ id, from, to });
    add(level.weights, from, to);
  }
  return [...levels.values()];
}

function add(weights: Weights, from: string, to: string): void {
  const targets = weights.get(from) ?? new Map<string, number>();
  weights.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  if (!weights.has(to)) weights.set(to, new Map());
}

/** The outermost groups around two nodes, or the nodes themselves, that stand in the same group. */
function siblingsOf(source: string, target: string, parents: Parents): [string, string] {
  const [from, to] = [chainOf(source, parents), chainOf(target, parents)];
  while (from.length > 1 && to.length > 1 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  return [from.at(-1) as string, to.at(-1) as string];
}

/** A node and the groups around it, outwards. */
function chainOf(id: string, parents: Parents): string[] {
  const chain: string[] = [];
  for (let link: string | null = id; link !== null && !chain.includes(link); link = parents.get(link) ?? null)
    chain.push(link);
  return chain;
}

/** Sinks last, sources first, then whatever has the largest share of its lines going out. */
export function orderOf(weights: Weights): string[] {
  const left = new Map([...weights].map(([id]) => [id, { going: 0, coming: 0 }]));
  for (const [from, targets] of weights)
    for (const [to, count] of targets) {
      (left.get(from) as { going: number }).going += count;
      (left.get(to) as { coming: number }).coming += count;
    }
  const [first, last]: [string[], string[]] = [[], []];
  const take = (id: string, list: string[]) => {
    list.push(id);
    left.delete(id);
    for (const [to, count] of weights.get(id) ?? [])
      if (left.has(to)) (left.get(to) as { coming: number }).coming -= count;
    for (const [from, targets] of weights)
      if (left.has(from)) (left.get(from) as { going: number }).going -= targets.get(id) ?? 0;
  };
  while (left.size > 0) {
    const all = [...left];
    const sink = all.find(([, { going }]) => going === 0);
    const source = all.find(([, { coming }]) => coming === 0);
    if (sink) take(sink[0], last);
    else if (source) take(source[0], first);
    else {
      const gain = ([, { going, coming }]: (typeof all)[number]) => (going - coming) / (going + coming);
      take(all.reduce((best, one) => (gain(one) > gain(best) ? one : best))[0], first);
    }
  }
  return [...first, ...last.reverse()];
}
