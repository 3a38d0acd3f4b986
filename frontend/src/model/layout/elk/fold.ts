/**
 * Which lines lead back where a drawing is folded, so that it is no longer than a room: what would follow one another in
 * one long row of layers stands side by side in several.
 *
 * A layered layout is at least as long as its longest path of lines. Here siblings get an order in which no path is longer
 * than it may be and few lines lead back, over short ways; what leads back is given to the library turned around, as in
 * `flow.ts` (layering with lines that may be reversed: Rüegg, Ehlers, Spönemann and von Hanxleden, "A Generalization of
 * the Directed Graph Layering Problem", 2016). Found by moving siblings in their order as long as that is better. Pure.
 */
import type { DiagramEdge, DiagramNode } from '../../../protocol/types';
import { DEFAULT_SIZE, GROUP_PADDING, GROUP_TITLE } from '../../drawing/boxes';
import { levelsOf, orderOf, type Siblings } from './flow';
import type { LayoutDirection } from './variants';

/** Between two layers once a drawing is finished, with the lines there, in pixels, about. */
const GAP = 70;
/** So many pixels of lines that are longer than they have to be are as bad as one line that leads back. */
const STRETCHED = 400;
/** So many pixels by which one node stands on too long a path are as bad as one line that leads back. */
const TOO_LONG = 200;
/** Each makes something better; hardly any diagram needs more. */
const MOST_ROUNDS = 6;
/** Runs of siblings begin and end at no more places than this. */
const CUTS = 12;

/** Lines between a sibling and another one. */
interface Beside {
  other: number;
  count: number;
  leadsTo: boolean;
}

/** The nodes of one group in their order, with what is measured of it. Indexes are those of `ids`. */
interface Level {
  ids: readonly string[];
  inner: readonly (Level | null)[];
  beside: readonly (readonly Beside[])[];
  lines: Siblings['lines'];
  order: readonly number[];
  /** In the order, by index. */
  places: number[];
  /** Along the direction: of each sibling, of the longest path before it, and of the longest behind it. */
  lengths: number[];
  starts: number[];
  tails: number[];
}

/** The edges that lead back where the drawing is at most this long in its direction, or as near to it as was found. */
export function foldedBack(
  edges: readonly DiagramEdge[],
  nodes: readonly DiagramNode[],
  direction: LayoutDirection,
  most: number,
): Set<string> {
  const root = rootOf(edges, nodes, direction);
  const isRight = direction === 'RIGHT';
  const levels = levelsIn(root);
  const cost = () => costOf(root, isRight ? 2 * GROUP_PADDING : GROUP_TITLE + GROUP_PADDING, most);
  let least = cost();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = least;
    for (const level of levels) least = bettered(level, cost, least);
    if (least === before) break;
  }
  return new Set(levels.flatMap(leadingBackIn));
}

function rootOf(
  edges: readonly DiagramEdge[],
  nodes: readonly DiagramNode[],
  direction: LayoutDirection,
): Level {
  const siblings = new Map(levelsOf(edges, nodes).map((level) => [level.group, level]));
  const children = new Map<string | null, DiagramNode[]>();
  for (const node of nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  const levelOf = (group: string | null): Level => {
    const here = children.get(group) ?? [];
    const { weights, lines } = siblings.get(group) ?? { weights: new Map(), lines: [] };
    const ids = [...new Set([...orderOf(weights), ...here.map(({ id }) => id)])];
    const sizes = new Map(here.map(({ id, size }) => [id, size ?? DEFAULT_SIZE]));
    return {
      ids,
      inner: ids.map((id) => (children.has(id) ? levelOf(id) : null)),
      beside: besideIn(ids, weights),
      lines,
      order: ids.map((_, index) => index),
      places: ids.map((_, index) => index),
      lengths: ids.map((id) => sizes.get(id)?.[direction === 'RIGHT' ? 'width' : 'height'] ?? 0),
      starts: ids.map(() => 0),
      tails: ids.map(() => 0),
    };
  };
  return levelOf(null);
}

function besideIn(ids: readonly string[], weights: Siblings['weights']): Beside[][] {
  const at = new Map(ids.map((id, index) => [id, index]));
  const beside: Beside[][] = ids.map(() => []);
  for (const [from, targets] of weights)
    for (const [to, count] of targets) {
      const [one, other] = [at.get(from) as number, at.get(to) as number];
      beside[one]?.push({ other, count, leadsTo: true });
      beside[other]?.push({ other: one, count, leadsTo: false });
    }
  return beside;
}

const levelsIn = (level: Level): Level[] => [
  level,
  ...level.inner.flatMap((one) => (one ? levelsIn(one) : [])),
];

/** Of the orders as they are, in lines that lead back. */
function costOf(root: Level, frame: number, most: number): number {
  const { length, back, stretched } = measured(root, frame);
  return back + stretched / STRETCHED + excessIn(root, length, most) / TOO_LONG;
}

interface Measures {
  length: number;
  /** How many lines lead back. */
  back: number;
  /** By how much lines are longer than they have to be, summed. */
  stretched: number;
}

/** Measures a level with all in it, innermost first. */
function measured(level: Level, frame: number): Measures {
  const { order, inner, beside, places, lengths, starts, tails } = level;
  const found: Measures = { length: 0, back: 0, stretched: 0 };
  inner.forEach((one, index) => {
    if (!one) return;
    const { length, back, stretched } = measured(one, frame);
    lengths[index] = length + frame;
    found.back += back;
    found.stretched += stretched;
  });
  const behind = (index: number) => (lengths[index] as number) + GAP;
  for (const index of order) {
    starts[index] = 0;
    for (const { other } of beside[index] as readonly Beside[])
      if (isBefore(places, other, index))
        starts[index] = Math.max(starts[index] as number, (starts[other] as number) + behind(other));
    found.length = Math.max(found.length, (starts[index] as number) + (lengths[index] as number));
  }
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const index = order[at] as number;
    tails[index] = 0;
    for (const { other, count, leadsTo } of beside[index] as readonly Beside[]) {
      if (!isBefore(places, index, other)) continue;
      tails[index] = Math.max(tails[index] as number, (tails[other] as number) + behind(other));
      found.stretched += count * ((starts[other] as number) - (starts[index] as number) - behind(index));
      if (!leadsTo) found.back += count;
    }
  }
  return found;
}

const isBefore = (places: readonly number[], one: number, other: number): boolean =>
  (places[one] as number) < (places[other] as number);

/** By how much the nodes stand on paths that are too long, summed: an order that shortens one of several is better. */
function excessIn(level: Level, length: number, most: number): number {
  if (length <= most) return 0;
  return level.ids.reduce((sum, _, index) => {
    const own = level.lengths[index] as number;
    const excess = (level.starts[index] as number) + own + (level.tails[index] as number) - most;
    const inner = level.inner[index];
    if (excess <= 0) return sum;
    return sum + (inner ? excessIn(inner, own, own - excess) : excess);
  }, 0);
}

/** Moves siblings, alone and in runs, to where the cost is least; returns it. */
function bettered(level: Level, cost: () => number, before: number): number {
  if (level.lines.length === 0) return before;
  let least = before;
  const takeBest = (orders: Iterable<readonly number[]>) => {
    let best = level.order;
    for (const order of orders) {
      setOrder(level, order);
      const next = cost();
      if (next < least) [least, best] = [next, order];
    }
    setOrder(level, best);
  };
  for (const index of level.ids.keys())
    if ((level.beside[index] as readonly Beside[]).length > 0) takeBest(withMoved(level.order, index));
  takeBest(withSwappedRuns(level.order));
  return least;
}

function setOrder(level: Level, order: readonly number[]): void {
  level.order = order;
  order.forEach((index, place) => {
    level.places[index] = place;
  });
}

function* withMoved(order: readonly number[], index: number): Generator<number[]> {
  const others = order.filter((one) => one !== index);
  for (let at = 0; at <= others.length; at += 1) yield [...others.slice(0, at), index, ...others.slice(at)];
}

/** With two runs that follow one another in each other's place. */
function* withSwappedRuns(order: readonly number[]): Generator<number[]> {
  const step = Math.ceil(order.length / CUTS);
  for (let from = 0; from < order.length; from += step)
    for (let middle = from + step; middle < order.length; middle += step)
      for (let to = middle + step; to < order.length + step; to += step)
        yield [
          ...order.slice(0, from),
          ...order.slice(middle, to),
          ...order.slice(from, middle),
          ...order.slice(to),
        ];
}

function leadingBackIn({ ids, lines, places }: Level): string[] {
  const at = new Map(ids.map((id, index) => [id, places[index] as number]));
  return lines.filter(({ from, to }) => (at.get(from) ?? 0) > (at.get(to) ?? 0)).map(({ id }) => id);
}
