/**
 * What is wrong among the boxes of a drawing, and between boxes and lines: nodes on nodes, strangers in frames, lines
 * through nodes and titles, hidden labels. Pure.
 */
import { type Box, boxesOverlap, inflated } from '../../drawing/boxes';
import { type Drawing, type DrawnNode, isFrame, titleOf } from '../../drawing/drawing';
import { boxOf } from '../../drawing/labels';
import { crossesBox, segmentsOf } from '../../drawing/polyline';

/** A box with whose it is. */
interface Owned {
  id: string;
  box: Box;
}

export interface BoxCounts {
  /** Pairs of cards that overlap. */
  overlaps: number;
  /** Pairs of a card and a frame over each other, where the card is not in the group. */
  strangersInFrames: number;
  /** Pairs of frames over each other, where neither group is in the other. */
  framesOverFrames: number;
}

export function countBoxes(nodes: readonly DrawnNode[]): BoxCounts {
  const parents = new Map(nodes.map(({ node }) => [node.id, node.parent]));
  const counts = { overlaps: 0, strangersInFrames: 0, framesOverFrames: 0 };
  const frames = new Set(nodes.filter(isFrame).map(({ node }) => node.id));
  const all = nodes.map(({ node, box }) => ({ id: node.id, box }));
  for (const [one, other] of meetings(all, all)) {
    if (one.id >= other.id) continue;
    const areFrames = [frames.has(one.id), frames.has(other.id)] as const;
    if (areFrames[0] && isWithin(parents, other.id, one.id)) continue;
    if (areFrames[1] && isWithin(parents, one.id, other.id)) continue;
    if (areFrames[0] && areFrames[1]) counts.framesOverFrames += 1;
    else if (areFrames[0] || areFrames[1]) counts.strangersInFrames += 1;
    else counts.overlaps += 1;
  }
  return counts;
}

/** Whether a node is in a group, at any depth. Stops at a cycle. */
export function isWithin(
  parents: ReadonlyMap<string, string | null | undefined>,
  id: string,
  group: string,
): boolean {
  const seen = new Set<string>();
  for (let at = parents.get(id) ?? null; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === group) return true;
    seen.add(at);
  }
  return false;
}

export interface LineHits {
  /** Pairs of a line and a card that it runs through by more than a pixel, its own ends left out. */
  linesThroughNodes: number;
  /** Pairs of a line and a title of a group that it runs through, its own ends left out. */
  linesThroughTitles: number;
  /** The edges that run through nodes, by id. */
  throughNodes: Set<string>;
}

export function countHits({ nodes, edges }: Drawing): LineHits {
  const cards: Owned[] = [];
  const titles: Owned[] = [];
  for (const drawn of nodes) {
    const { node, box } = drawn;
    if (isFrame(drawn)) titles.push({ id: node.id, box: inflated(titleOf(box, node.label), -1) });
    else cards.push({ id: node.id, box: inflated(box, -1) });
  }
  const stretches = edges.flatMap(({ edge, points }) =>
    segmentsOf(points).map((segment) => ({ edge, segment, box: spanOf(segment.from, segment.to) })),
  );
  const pairs = (boxes: readonly Owned[]): Set<string> => {
    const found = new Set<string>();
    for (const [{ edge, segment }, { id, box }] of meetings(stretches, boxes))
      if (id !== edge.source && id !== edge.target && crossesBox(segment, box))
        found.add(`${edge.id}\n${id}`);
    return found;
  };
  const through = pairs(cards);
  return {
    linesThroughNodes: through.size,
    linesThroughTitles: pairs(titles).size,
    throughNodes: new Set([...through].map((pair) => pair.slice(0, pair.indexOf('\n')))),
  };
}

/** A line without extent in one direction still covers something. */
const spanOf = (from: { x: number; y: number }, to: { x: number; y: number }): Box => ({
  x: Math.min(from.x, to.x) - 0.5,
  y: Math.min(from.y, to.y) - 0.5,
  width: Math.abs(from.x - to.x) + 1,
  height: Math.abs(from.y - to.y) + 1,
});

export interface LabelCounts {
  /** Labels over a card. */
  labelsHidden: number;
  /** Pairs of labels over each other. */
  labelsOnLabels: number;
}

export function countLabels({ nodes, edges }: Drawing): LabelCounts {
  const labels = edges.flatMap(({ edge, label }) => (label ? [{ id: edge.id, box: boxOf(label) }] : []));
  const cards = nodes.filter((drawn) => !isFrame(drawn));
  const hidden = new Set<string>();
  for (const [label] of meetings(labels, cards)) hidden.add(label.id);
  let onLabels = 0;
  for (const [one, other] of meetings(labels, labels)) if (one.id < other.id) onLabels += 1;
  return { labelsHidden: hidden.size, labelsOnLabels: onLabels };
}

/** All pairs of two lists whose boxes overlap, found by a sweep from left to right. */
function* meetings<A extends { box: Box }, B extends { box: Box }>(
  ones: readonly A[],
  others: readonly B[],
): Generator<[A, B]> {
  const left = [...ones].sort((a, b) => a.box.x - b.box.x);
  const right = [...others].sort((a, b) => a.box.x - b.box.x);
  const widest = right.reduce((most, { box }) => Math.max(most, box.width), 0);
  let first = 0;
  for (const one of left) {
    while (first < right.length && (right[first] as B).box.x + widest <= one.box.x) first += 1;
    for (let at = first; at < right.length; at += 1) {
      const other = right[at] as B;
      if (other.box.x >= one.box.x + one.box.width) break;
      if (boxesOverlap(one.box, other.box)) yield [one, other];
    }
  }
}
