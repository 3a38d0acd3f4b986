/** Lines, arrow heads and labels of edges as SVG, with the measures of `view/styles/canvas.css`. Pure. */
import type { DiagramEdge, EdgeKind, Point } from '../../protocol/types';
import { describeEdge } from '../drawing/ariaLabels';
import { type Box, boxesOverlap } from '../drawing/boxes';
import type { DrawnEdge } from '../drawing/drawing';
import type { PlacedLabel } from '../drawing/labels';
import { pathAlong } from '../drawing/shapes/lineShapes';
import { KIND_NAMES } from '../words/kinds';
import { isMuted, lineAttributes, MUTED_LINE } from './strokes';
import { type Pen, textSvg } from './svgNodes';
import { type TypesetText, typeset } from './typesetting';
import { element, escaped, rounded } from './xml';

/** The line of an edge with its arrow heads; its title names both ends. */
export function lineSvg({ edge, points }: DrawnEdge, nameOf: (id: string) => string, pen: Pen): string {
  const color = edge.color ? pen.palette.tint(edge.color) : pen.palette.color('edge');
  const line = { class: 'line', d: pathAlong(edge, tidy(points)), fill: 'none', stroke: color };
  const heads = [
    edge.direction === 'none' ? '' : head(points.at(-1), beforeEnd(points), color),
    edge.direction === 'both' ? head(points[0], beforeEnd([...points].reverse()), color) : '',
  ];
  return element(
    'g',
    {
      class: 'edge',
      'data-id': edge.id,
      'data-kind': edge.kind,
      'data-direction': edge.direction,
      'data-color': edge.color || null,
      'data-style': edge.style || null,
      'data-shape': edge.shape || null,
      opacity: isMuted(edge) ? MUTED_LINE : null,
    },
    element('title', {}, escaped(wordsOf(edge, nameOf))),
    element('path', { ...line, ...lineAttributes(edge) }),
    ...heads,
  );
}

const wordsOf = (edge: DiagramEdge, nameOf: (id: string) => string): string =>
  describeEdge(edge, nameOf(edge.source), nameOf(edge.target));

const tidy = (points: readonly Point[]): Point[] =>
  points.map(({ x, y }) => ({ x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 }));

/** The last point that differs from the end. */
const beforeEnd = (points: readonly Point[]): Point | undefined => {
  const last = points.at(-1);
  return points.findLast(({ x, y }) => last !== undefined && Math.hypot(x - last.x, y - last.y) > 0.5);
};

const HEAD = { length: 8.1, half: 3.78, beyond: 0.45 };

/** The arrow head of the canvas: its tip is the end of the line. */
function head(tip: Point | undefined, before: Point | undefined, fill: string): string {
  if (!tip || !before) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y);
  const [ux, uy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const at = (along: number, across: number) =>
    `${rounded(tip.x + ux * along - uy * across)},${rounded(tip.y + uy * along + ux * across)}`;
  const back = HEAD.beyond - HEAD.length;
  const d = `M${at(back, HEAD.half)}L${at(HEAD.beyond, 0)}L${at(back, -HEAD.half)}Z`;
  return element('path', { class: 'arrow', d, fill });
}

/** A typeset label, and its box. */
export interface SetLabel {
  edge: DiagramEdge;
  text: TypesetText;
  box: Box;
}

const PADDING = 6;
/** How much higher than on the canvas a label may get: by one line of the smallest letters. */
const GROWTH = 14;

/** Typesets the label of an edge, off the cards; null where it has none, or there is no place for it. */
export function labelOf({ edge, label }: DrawnEdge, cards: readonly Box[], pen: Pen): SetLabel | null {
  if (!label) return null;
  const own = setLabel(edge, label, label.shape.width, pen);
  const isUnder = ({ box }: SetLabel) => cards.some((card) => boxesOverlap(card, box));
  if (!isUnder(own)) return own;
  const gap = gapAround(label, own.box, cards);
  if (!gap) return null;
  const width = Math.min(label.shape.width, gap.to - gap.from);
  const x = Math.min(Math.max(label.x, gap.from + width / 2), gap.to - width / 2);
  const moved = setLabel(edge, { ...label, x }, width, pen);
  return isUnder(moved) ? null : moved;
}

function setLabel(edge: DiagramEdge, { x, y, shape }: PlacedLabel, width: number, pen: Pen): SetLabel {
  const inner = width - 2 * PADDING;
  const growth = width < shape.width ? 3 * GROWTH : GROWTH;
  const room = { width: inner, height: shape.height - 5 + growth, weight: 400, size: 11.5, lineHeight: 15 };
  const lines = width < shape.width ? 4 : shape.lines;
  const text = typeset(edge.label, { ...room, lines }, pen.measure);
  const letters = { size: text.size, weight: 400 };
  const widest = Math.max(...text.lines.map((line) => pen.measure(line, letters)));
  const size = {
    width: Math.min(width, Math.ceil(widest) + 2 * PADDING),
    height: Math.max(shape.height, text.lines.length * text.lineHeight + 5),
  };
  return { edge, text, box: { x: x - size.width / 2, y: y - size.height / 2, ...size } };
}

/** Narrower labels cannot be read. */
const NARROWEST = 44;
const CLEARANCE = 3;

/**
 * The space between the cards on both sides of a label that would overlap them; null where there is none.
 */
function gapAround({ x }: Point, box: Box, cards: readonly Box[]): { from: number; to: number } | null {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const card of cards) {
    if (card.y >= box.y + box.height || card.y + card.height <= box.y) continue;
    if (card.x + card.width / 2 < x) from = Math.max(from, card.x + card.width + CLEARANCE);
    else to = Math.min(to, card.x - CLEARANCE);
  }
  return to - from >= NARROWEST ? { from, to } : null;
}

/** The label on an opaque background. */
export function labelSvg({ edge, text, box }: SetLabel, pen: Pen, hasGround: boolean): string {
  const { palette } = pen;
  const top = box.y + (box.height - text.lines.length * text.lineHeight) / 2 - 0.5;
  const ground = { ...box, rx: 5, fill: palette.color('canvas'), 'fill-opacity': '0.92' };
  return element(
    'g',
    { class: 'edge-label', 'data-edge': edge.id },
    element('title', {}, escaped(edge.label)),
    hasGround ? element('rect', ground) : '',
    textSvg(
      text,
      { x: box.x + box.width / 2, top },
      { weight: 400, fill: palette.color('text-2'), class: 'label', anchor: 'middle' },
    ),
  );
}

const KINDS: readonly EdgeKind[] = ['sync', 'async', 'data', 'dependency'];
const KEY_LETTERS = { size: 11.5, weight: 400 };

/** The legend of line kinds, in a row from `x`; empty where there is only one kind. */
export function keySvg(
  edges: readonly DiagramEdge[],
  { x, y }: Point,
  pen: Pen,
): { svg: string; width: number } {
  const used = KINDS.filter((kind) => edges.some((edge) => edge.kind === kind));
  if (used.length < 2) return { svg: '', width: 0 };
  const { palette } = pen;
  let at = x;
  const items = used.map((kind) => {
    const name = KIND_NAMES[kind] ?? kind;
    const line = { d: `M${rounded(at)},${rounded(y)}h26`, fill: 'none', stroke: palette.color('edge') };
    const text = { lines: [name], size: KEY_LETTERS.size, lineHeight: 18, isCut: false };
    const item =
      element('path', { ...line, ...lineAttributes({ kind, style: '' }) }) +
      textSvg(
        text,
        { x: at + 34, top: y - 9 },
        { weight: 400, fill: palette.color('text-2'), class: 'kind' },
      );
    at += 34 + pen.measure(name, KEY_LETTERS) + 22;
    return item;
  });
  return { svg: element('g', { class: 'key' }, ...items), width: at - 22 - x };
}
