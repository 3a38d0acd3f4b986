/**
 * The geometry of ghosts on the canvas: boxes, lines and labels, beside a drawing of the current diagram. Pure.
 *
 * Ghosts inside a collapsed group are counted at its card. Not here: which ghosts there are (`ghosts.ts`), how they
 * look (the view).
 */
import type { Diagram, DiagramEdge, Point } from '../../protocol/types';
import { type Box, isSameBox, type Placed, placeNodes } from './boxes';
import { type Drawing, type DrawnNode, drawnNodes, isFrame, obstaclesOf, occupiedBy } from './drawing';
import { folded } from './folding';
import type { DiagramGhosts } from './ghosts';
import { boxOf, type MeasureText, type PlacedLabel, placeLabels, pointAt } from './labels';
import type { Mark } from './marks';
import { lengthOf } from './polyline';
import { quickRoutes } from './quickRouting';
import { routeEdges } from './routing';

export type GhostNode = DrawnNode & {
  /** Whether it exists already, at another position. */
  isThere: boolean;
};

export interface GhostEdge {
  edge: DiagramEdge;
  points: Point[];
  /** Where its sign and its label are. */
  label: PlacedLabel;
  /** Whether it exists already, between other ends. */
  isThere: boolean;
}

/** A change of something that exists, and where its text is. */
export interface GhostNote {
  id: string;
  of: 'node' | 'edge';
  at: Point;
  width: number;
  text: string;
}

export interface GhostCount {
  id: string;
  box: Box;
  counts: Record<Mark, number>;
}

export interface GhostDrawing {
  nodes: readonly GhostNode[];
  edges: readonly GhostEdge[];
  /** Groups that would grow, with their new boxes. */
  grown: readonly { id: string; box: Box }[];
  notes: readonly GhostNote[];
  /** Counts at collapsed groups. */
  counts: readonly GhostCount[];
  /** Boxes of existing nodes with a mark. */
  marked: readonly { id: string; box: Box; mark: Mark; isFrame: boolean }[];
}

/** Up to this many nodes times edges lines get full routing. */
const MAX_PAIRS = 1_500;
const NOTE_GAP = 5;
const NODE_NOTE = 220;
/** Between two nodes there is less space. */
const EDGE_NOTE = 140;
/** The sign before a label. */
export const SIGN_WIDTH = 20;

export function ghostDrawing(
  ghosts: DiagramGhosts,
  drawing: Drawing,
  collapsed: ReadonlySet<string>,
  measure?: MeasureText,
): GhostDrawing {
  const fold = folded(ghosts.all, collapsed);
  const placed = placeNodes(fold.diagram.nodes);
  const here = new Map(drawing.nodes.map(({ node, box }) => [node.id, box]));
  const added = new Set(ghosts.nodes.map(({ id }) => id));
  const moved = new Set(ghosts.moved.map(({ id }) => id));
  const drawn = drawnNodes(fold.diagram, placed, fold.folds);
  const nodes = drawn
    .filter(({ node }) => added.has(node.id) || moved.has(node.id))
    .map((one) => ({ ...one, isThere: moved.has(one.node.id) }));
  const ghostIds = new Set(nodes.map(({ node }) => node.id));
  const grown = drawn.flatMap((one) => {
    const { id } = one.node;
    const { box } = one;
    const now = here.get(id);
    const isGroup = isFrame(one) && !ghostIds.has(id);
    return isGroup && now && !isSameBox(now, box) && isAround(box, now) ? [{ id, box }] : [];
  });
  return {
    nodes,
    edges: edgesAmong(ghosts, fold.diagram, drawn, drawing, measure),
    grown,
    notes: notesAt(ghosts, drawing),
    counts: countsAt(ghosts, fold.cards, here, placed),
    marked: drawing.nodes.flatMap((one) => {
      const { id } = one.node;
      const mark = ghosts.marks.nodes.get(id);
      return mark ? [{ id, box: one.box, mark, isFrame: isFrame(one) }] : [];
    }),
  };
}

/** The boxes of all ghosts, to bring them into view. */
export function ghostBoxes({ nodes, marked, counts, edges }: GhostDrawing): Box[] {
  const lines = edges.flatMap(({ points }) => points.map((point) => ({ ...point, width: 0, height: 0 })));
  return [
    ...nodes.map(({ box }) => box),
    ...marked.map(({ box }) => box),
    ...counts.map(({ box }) => box),
    ...lines,
  ];
}

const isAround = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

function edgesAmong(
  ghosts: DiagramGhosts,
  { nodes, edges }: Diagram,
  drawn: Drawing['nodes'],
  drawing: Drawing,
  measure?: MeasureText,
): GhostEdge[] {
  const rerouted = new Set(ghosts.rerouted.map(({ id }) => id));
  const ids = new Set([...ghosts.edges.map(({ id }) => id), ...rerouted]);
  const wanted = edges.filter(({ id }) => ids.has(id));
  if (wanted.length === 0) return [];
  const boxes = new Map(drawn.map(({ node, box }) => [node.id, box]));
  // Existing and new lines together, so that new ones take free places.
  const lines =
    nodes.length * edges.length > MAX_PAIRS
      ? quickRoutes(edges, boxes, ids)
      : routeEdges(edges, boxes, obstaclesOf(drawn));
  const requests = wanted.flatMap(({ id, label, label_at: at }) => {
    const points = lines.get(id);
    return points && label ? [{ id, text: label, points, at }] : [];
  });
  const labels = drawing.edges.flatMap(({ label }) => (label ? [boxOf(label)] : []));
  const wide: MeasureText = (text) => (measure?.(text) ?? text.length * 7) + SIGN_WIDTH;
  const places = placeLabels(requests, [...occupiedBy(drawn), ...labels], wide);
  return wanted.flatMap((edge) => {
    const points = lines.get(edge.id);
    if (!points) return [];
    const label = places.get(edge.id) ?? {
      ...middleOf(points),
      shape: { width: SIGN_WIDTH, height: 20, lines: 1 },
    };
    return [{ edge, points, label, isThere: rerouted.has(edge.id) }];
  });
}

const middleOf = (points: readonly Point[]): Point => pointAt(points, lengthOf(points) / 2);

/** Below a node, or below the label of an edge. */
function notesAt(ghosts: DiagramGhosts, drawing: Drawing): GhostNote[] {
  const notes: GhostNote[] = [];
  for (const drawn of drawing.nodes) {
    const { node, box } = drawn;
    const text = ghosts.words.get(node.id);
    if (!text) continue;
    const at = isFrame(drawn)
      ? { x: box.x + 12, y: box.y - 26 }
      : { x: box.x, y: box.y + box.height + NOTE_GAP };
    notes.push({ id: node.id, of: 'node', at, width: Math.max(box.width, NODE_NOTE), text });
  }
  for (const { edge, points, label } of drawing.edges) {
    const text = ghosts.words.get(edge.id);
    if (!text) continue;
    const { x, y } = label ?? middleOf(points);
    const below = (label?.shape.height ?? 16) / 2 + 2;
    notes.push({ id: edge.id, of: 'edge', at: { x, y: y + below }, width: EDGE_NOTE, text });
  }
  return notes;
}

function countsAt(
  ghosts: DiagramGhosts,
  cards: ReadonlyMap<string, string>,
  here: ReadonlyMap<string, Box>,
  placed: ReadonlyMap<string, Placed>,
): GhostCount[] {
  const found = new Map<string, GhostCount>();
  const add = (card: string | undefined, mark: Mark) => {
    const box = card === undefined ? undefined : (here.get(card) ?? placed.get(card)?.box);
    if (card === undefined || !box) return;
    const known = found.get(card) ?? { id: card, box, counts: { added: 0, changed: 0, removed: 0 } };
    known.counts[mark] += 1;
    found.set(card, known);
  };
  for (const { id } of ghosts.nodes) add(cards.get(id), 'added');
  for (const [id, mark] of ghosts.marks.nodes) if (!here.has(id)) add(cards.get(id), mark);
  return [...found.values()];
}
