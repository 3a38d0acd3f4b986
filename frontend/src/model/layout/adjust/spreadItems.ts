/**
 * What moves sideways when a drawing is spread or drawn together (`spread.ts`), and how far apart it has to stay. Pure.
 *
 * Items are nodes, the two sides of each frame, and the upright pieces of lines. An upright piece that ends at a node
 * moves with it. Whatever is beside something else stays on its side, so that no line crosses another that it did not
 * cross before.
 */
import type { Point } from '../../../protocol/types';
import { type Box, GROUP_PADDING, GROUP_TITLE } from '../../drawing/boxes';
import { type Drawing, type DrawnEdge, isFrame, titleOf } from '../../drawing/drawing';
import { boxOf, labelShapes, type MeasureText } from '../../drawing/labels';
import { segmentsOf } from '../../drawing/polyline';
import { smallestGroup } from '../elk/graph';

export interface Item {
  left: number;
  right: number;
  top: number;
  bottom: number;
  kind: 'card' | 'frame' | 'line';
  /** Of the item with which it moves: itself or an earlier one. */
  leader: number;
}

/** Item `to` starts at least `gap` pixels right of where item `from` ends. */
export interface Distance {
  from: number;
  to: number;
  gap: number;
}

export interface Items {
  items: Item[];
  distances: Distance[];
  /** By id: a card, or the left and right side of a frame. */
  cards: Map<string, number>;
  frames: Map<string, [left: number, right: number]>;
  /** For each edge the item of each of its points; null for a point that belongs to an end of the edge. */
  points: Map<string, (number | null)[]>;
}

/** No more than this is kept free between two items; less where there is less now. */
const FREE = { card: GROUP_PADDING, frame: 40, line: 16 };
/** The same where a drawing is drawn together: two cards have room for an arrow between them. */
const FREE_TOGETHER = { card: 32, frame: 32, line: 10 };
const TOUCHING = 0.5;
const NEAR_FRAME = 5;
const LABEL_MARGIN = 6;
const TITLE_MARGIN = 8;

export type Axis = 'x' | 'y';

/** Whether a drawing only gets larger, or as small as what is in it allows. */
export type Purpose = 'spread' | 'together';

/** @param axis along which the drawing is spread: only sideways labels and titles need room of their own */
export function itemsOf(
  drawing: Drawing,
  axis: Axis,
  measure?: MeasureText,
  purpose: Purpose = 'spread',
): Items {
  const found: Items = { items: [], distances: [], cards: new Map(), frames: new Map(), points: new Map() };
  for (const drawn of drawing.nodes) {
    const { x, y, width, height } = drawn.box;
    const add = (left: number, right: number, kind: Item['kind']) =>
      addItem(found, { left, right, top: y, bottom: y + height, kind });
    if (isFrame(drawn))
      found.frames.set(drawn.node.id, [add(x, x, 'frame'), add(x + width, x + width, 'frame')]);
    else found.cards.set(drawn.node.id, add(x, x + width, 'card'));
  }
  for (const drawn of drawing.edges) addLine(found, drawn);
  const startsOfFrames = new Set([...found.frames.values()].map(([start]) => start));
  keepSides(found, (from, to) => {
    const [one, other] = [found.items[from] as Item, found.items[to] as Item];
    if (purpose === 'spread') return freeBetween(one, other);
    return axis === 'y' && startsOfFrames.has(from) ? GROUP_TITLE : leastBetween(one, other);
  });
  if (purpose === 'together') {
    keepOffFrames(found);
    keepLengths(found, drawing, axis, measure);
  }
  const cards = [...found.cards.values()].map((index) => ({ index, ...(found.items[index] as Item) }));
  for (const drawn of drawing.edges) uncoverLabel(found, axis, drawn, cards);
  if (axis === 'y') return found;
  const pitches = pitchesOf(drawing.edges);
  for (const drawn of drawing.edges)
    makeRoomForLabel(found, drawn, pitches.get(drawn.edge.id) ?? Number.POSITIVE_INFINITY, measure);
  for (const drawn of drawing.nodes)
    if (isFrame(drawn)) clearTitle(found, drawn.node.id, titleOf(drawn.box, drawn.node.label));
  return found;
}

function addItem({ items }: Items, item: Omit<Item, 'leader'>): number {
  items.push({ ...item, leader: items.length });
  return items.length - 1;
}

function addLine(found: Items, { edge, points }: DrawnEdge): void {
  const at: (number | null)[] = points.map(() => null);
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [one, other] = [points[index] as Point, points[index + 1] as Point];
    if (one.x !== other.x || one.y === other.y) continue;
    const item = addItem(found, {
      left: one.x,
      right: one.x,
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
      kind: 'line',
    });
    at[index] = item;
    at[index + 1] = item;
    if (index === 0) follow(found, item, found.cards.get(edge.source));
    if (index + 2 === points.length) follow(found, item, found.cards.get(edge.target));
  }
  found.points.set(edge.id, at);
}

export function leaderOf(items: readonly Item[], index: number): number {
  let at = index;
  while ((items[at] as Item).leader !== at) at = (items[at] as Item).leader;
  return at;
}

function follow({ items }: Items, index: number, other: number | undefined): void {
  if (other === undefined) return;
  const leaders = [leaderOf(items, index), leaderOf(items, other)];
  (items[Math.max(...leaders)] as Item).leader = Math.min(...leaders);
}

/** A piece of the y axis with the item that is the last so far there. */
interface Last {
  top: number;
  bottom: number;
  index: number;
}

/** Items that are next to each other on a piece of the y axis keep their order, and some distance. */
function keepSides({ items, distances }: Items, mostBetween: (from: number, to: number) => number): void {
  const order = items.map((_, index) => index).sort((a, b) => middleOf(items[a]) - middleOf(items[b]));
  let last: Last[] = [];
  for (const to of order) {
    const other = items[to] as Item;
    // Those that only touch at a corner are next to each other, too.
    const [top, bottom] = [other.top - TOUCHING, other.bottom + TOUCHING];
    const left: Last[] = [];
    const known = new Set<number>();
    for (const piece of last) {
      if (piece.top >= bottom || piece.bottom <= top) {
        left.push(piece);
        continue;
      }
      if (piece.top < top) left.push({ ...piece, bottom: top });
      if (piece.bottom > bottom) left.push({ ...piece, top: bottom });
      known.add(piece.index);
    }
    for (const from of known) {
      const one = items[from] as Item;
      const apart = other.left - one.right;
      // One over the other: a line through a frame that it is not beside, or a flaw.
      if (apart >= 0) distances.push({ from, to, gap: Math.min(apart, mostBetween(from, to)) });
    }
    left.push({ top, bottom, index: to });
    last = left;
  }
}

/** Two frames beside each other stay further apart; a frame around a card keeps its padding. */
function freeBetween({ kind: one }: Item, { kind: other }: Item): number {
  if (one === 'line' || other === 'line') return FREE.line;
  return one === 'frame' && other === 'frame' ? FREE.frame : FREE.card;
}

const leastBetween = (one: Item, other: Item): number =>
  one.kind === other.kind ? FREE_TOGETHER[one.kind] : freeBetween(one, other);

/** A line that is drawn past the end of a frame's side stays on its side of it: it must not come to lie on the next side. */
function keepOffFrames({ items, distances, frames }: Items): void {
  const lines = items.flatMap(({ kind }, index) => (kind === 'line' ? [index] : []));
  for (const side of [...frames.values()].flat())
    for (const line of lines) {
      const [one, other] = [items[side] as Item, items[line] as Item];
      if (Math.max(one.top - other.bottom, other.top - one.bottom) >= NEAR_FRAME) continue;
      const [from, to, apart] =
        one.right <= other.left ? [side, line, other.left - one.right] : [line, side, one.left - other.right];
      if (apart >= 0) distances.push({ from, to, gap: Math.min(apart, FREE.line) });
    }
}

/** What labels and titles need is kept where they have it. */
function keepLengths(found: Items, { nodes, edges }: Drawing, axis: Axis, measure?: MeasureText): void {
  const keep = (from: number | undefined | null, to: number | undefined | null, least: number) => {
    if (from === undefined || to === undefined || from === null || to === null) return;
    const apart = (found.items[to] as Item).left - (found.items[from] as Item).right;
    if (apart >= 0) found.distances.push({ from, to, gap: Math.min(apart, least) });
  };
  for (const { edge, points, label } of edges) {
    const longest = label ? longestLevel(points) : undefined;
    if (!label || !longest) continue;
    const [one, other] = [longest.index, longest.index + 1].map((at) => itemAt(found, edge, points, at));
    const isForward = longest.from.x < longest.to.x;
    const shapes = labelShapes(edge.label, measure);
    const length = axis === 'x' ? Math.min(...shapes.map(({ width }) => width)) : label.shape.width;
    keep(isForward ? one : other, isForward ? other : one, length + 2 * LABEL_MARGIN);
  }
  for (const drawn of nodes) {
    const sides = found.frames.get(drawn.node.id);
    if (!sides) continue;
    const [start, end] = sides;
    const least = smallestGroup(drawn.node);
    keep(start, end, axis === 'x' ? least.width : least.height);
    if (axis === 'y') continue;
    const title = titleOf(drawn.box, drawn.node.label);
    found.items.forEach(({ kind, left, top, bottom }, index) => {
      if (kind !== 'line' || left < title.x + title.width || left > drawn.box.x + drawn.box.width) return;
      if (top < title.y + title.height && bottom > title.y) keep(start, index, title.width + TITLE_MARGIN);
    });
  }
}

const middleOf = (item: Item | undefined): number => (item ? item.left + item.right : 0);

/** Labels that have no room above one another get it beside one another: in the middle, left and right. */
const IN_COLUMNS = 3;

/** How far labelled lines run from the next one between the same two nodes. */
function pitchesOf(edges: readonly DrawnEdge[]): Map<string, number> {
  const levels = new Map<string, { id: string; y: number }[]>();
  for (const { edge, points } of edges) {
    if (!edge.label) continue;
    const key = [edge.source, edge.target].sort().join('\n');
    const level = longestLevel(points);
    if (level) levels.set(key, [...(levels.get(key) ?? []), { id: edge.id, y: level.from.y }]);
  }
  const pitches = new Map<string, number>();
  for (const several of levels.values())
    for (const { id, y } of several) {
      const others = several.filter((other) => other.id !== id);
      if (others.length > 0) pitches.set(id, Math.min(...others.map((other) => Math.abs(other.y - y))));
    }
  return pitches;
}

interface Level {
  index: number;
  from: Point;
  to: Point;
}

const lengthOf = ({ from, to }: Level): number => Math.abs(from.x - to.x);

function longestLevel(points: readonly Point[]): Level | undefined {
  return points
    .slice(1)
    .map((to, index) => ({ index, from: points[index] as Point, to }))
    .filter(({ from, to }) => from.y === to.y && from.x !== to.x)
    .sort((one, other) => lengthOf(other) - lengthOf(one))[0];
}

/** The longest level piece of a line gets as long as its label, unless an upright one has room for it. */
function makeRoomForLabel(
  found: Items,
  { edge, points }: DrawnEdge,
  pitch: number,
  measure?: MeasureText,
): void {
  if (!edge.label) return;
  const shapes = labelShapes(edge.label, measure);
  const fitting = shapes.filter(({ height }, index) => index === 0 || height < pitch);
  const columns = (fitting[0]?.height ?? 0) < pitch ? 1 : IN_COLUMNS;
  const narrowest = columns * (Math.min(...fitting.map(({ width }) => width)) + 2 * LABEL_MARGIN);
  const longest = longestLevel(points);
  const upright = segmentsOf(points).filter(({ from, to }) => from.y !== to.y);
  if (!longest || upright.length > 1 || lengthOf(longest) >= narrowest) return;
  const ends = [longest.index, longest.index + 1].map((at) => ({
    x: (points[at] as Point).x,
    item: itemAt(found, edge, points, at),
  }));
  const [left, right] = ends.sort((one, other) => one.x - other.x) as [End, End];
  if (left.item === null || right.item === null) return;
  const [from, to] = [found.items[left.item] as Item, found.items[right.item] as Item];
  // From where the piece starts to where it ends, as a distance between the items that it ends at.
  const gap = narrowest - (right.x - to.left) - (from.right - left.x);
  found.distances.push({ from: left.item, to: right.item, gap });
}

interface End {
  x: number;
  item: number | null;
}

function itemAt(
  { points: all, cards }: Items,
  edge: DrawnEdge['edge'],
  points: readonly Point[],
  at: number,
) {
  const own = all.get(edge.id)?.[at] ?? null;
  if (own !== null) return own;
  if (at === 0) return cards.get(edge.source) ?? null;
  return at === points.length - 1 ? (cards.get(edge.target) ?? null) : null;
}

/**
 * Where a label on an upright piece lies on a node, nodes beside it keep off by half its width.
 *
 * Spread downwards, which costs little, they do so beside the whole piece: the label may go anywhere on it.
 */
function uncoverLabel(
  found: Items,
  axis: Axis,
  { edge, points, label }: DrawnEdge,
  cards: readonly (Item & { index: number })[],
): void {
  if (!label) return;
  const at = points.findIndex(
    ({ x, y }, index) =>
      x === points[index + 1]?.x && x === label.x && isBetween(label.y, y, points[index + 1]?.y ?? y),
  );
  const piece = found.points.get(edge.id)?.[at] ?? null;
  const box = boxOf(label);
  const isOn = ({ left, right, top, bottom }: Item): boolean =>
    box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top;
  if (piece === null || !cards.some(isOn)) return;
  const { left: line, top, bottom } = found.items[piece] as Item;
  const gap = box.width / 2 + LABEL_MARGIN;
  for (const card of cards) {
    if (axis === 'x' ? !isOn(card) : card.top >= bottom || card.bottom <= top) continue;
    if (card.right <= line && line - card.right < gap)
      found.distances.push({ from: card.index, to: piece, gap });
    else if (card.left >= line && card.left - line < gap)
      found.distances.push({ from: piece, to: card.index, gap });
  }
}

const isBetween = (value: number, one: number, other: number): boolean =>
  value >= Math.min(one, other) && value <= Math.max(one, other);

/** Lines that run down through a title go past it on the right. */
function clearTitle(found: Items, frame: string, title: Box): void {
  const side = found.frames.get(frame)?.[0];
  if (side === undefined) return;
  const { items, distances } = found;
  items.forEach(({ kind, left, top, bottom }, index) => {
    if (kind !== 'line' || left <= title.x || left >= title.x + title.width) return;
    if (top >= title.y + title.height || bottom <= title.y) return;
    distances.push({ from: side, to: index, gap: title.width + TITLE_MARGIN });
  });
}
