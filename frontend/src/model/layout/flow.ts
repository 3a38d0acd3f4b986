/**
 * Which lines lead back, from a group to one that stands before it.
 *
 * Where groups form a cycle the library begins anywhere, and lines then run around the whole drawing. Here siblings get
 * an order in which most lines lead forward (the greedy heuristic of Eades, Lin and Smyth, with weights); what leads back is
 * given to the library turned around, as it would do itself. Pure.
 */
import type { DiagramEdge, DiagramNode } from '../../protocol/types';

type Parents = ReadonlyMap<string, string | null>;

/** How many lines lead from one sibling to another, by their ids. */
type Weights = Map<string, Map<string, number>>;

interface Level {
  weights: Weights;
  lines: { id: string; from: string; to: string }[];
}

/** The edges that lead back among siblings of which some are groups; other cycles are left to the library. */
export function leadingBack(edges: readonly DiagramEdge[], nodes: readonly DiagramNode[]): Set<string> {
  const parents: Parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const groups = new Set(parents.values());
  const levels = new Map<
    string | null,
    { weights: Weights; lines: { id: string; from: string; to: string }[] }
  >();
  for (const { id, source, target } of edges) {
    const [from, to] = siblingsOf(source, target, parents);
    const group = parents.get(from) ?? null;
    const level: Level = levels.get(group) ?? { weights: new Map(), lines: [] };
    levels.set(group, level);
    level.lines.push({ id, from, to });
    add(level.weights, from, to);
  }
  const back = new Set<string>();
  for (const { weights, lines } of levels.values()) {
    const place = new Map(orderOf(weights).map((id, at) => [id, at]));
    for (const { id, from, to } of lines)
      if ((groups.has(from) || groups.has(to)) && (place.get(from) ?? 0) > (place.get(to) ?? 0)) back.add(id);
  }
  return back;
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
function orderOf(weights: Weights): string[] {
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
