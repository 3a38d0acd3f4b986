/** Cards and frames of groups as SVG, with the measures of `view/styles/canvas.css`. Pure. */
import { isAnnotation, type Point } from '../../protocol/types';
import { colorOf } from '../core/customTypes';
import { type Drawing, type DrawnNode, isFrame } from '../drawing/drawing';
import {
  type Card,
  type CardContent,
  type CardForm,
  cardContent,
  FIRST,
  formOf,
  type LetterWidth,
} from '../drawing/legible';
import { LETTERS, ROOM_AROUND, writtenOn } from '../words/annotations';
import { counted, noteOfNode, typeName } from '../words/kinds';
import { faceOf, textWidth } from './letterWidths';
import { type IconAddresses, shownBy } from './nodeImages';
import type { Palette } from './palette';
import { borderAttributes, isMuted, MUTED } from './strokes';
import { type Font, type MeasureText, type TypesetText, typeset, typesetLines } from './typesetting';
import { element, escaped, rounded } from './xml';

/** The settings of a picture. */
export interface Pen {
  palette: Palette;
  measure: MeasureText;
  /** The shapes of an icon, in a square of 24 units; of a node type, or `lock`. */
  icon: (name: string) => string;
  /** How all cards of the picture are drawn. */
  form: CardForm;
  /** Whether nodes get anchors, `#node/<id>` as in documents. */
  hasAnchors: boolean;
  /** Ids of the images in the picture, by the address that nodes have for them, and of icons of technologies. */
  imageIds: ReadonlyMap<string, string>;
  iconAddresses: IconAddresses;
}

const LOCK_RADIUS = 10;
const CARD = { left: 12, tile: 34, gap: 10, right: 13 };
/** Of an image within its tile, as on the canvas; its corners are within the round ones of the tile. */
export const IMAGE_SIDE = 28;

/** With a slash, which no address of a heading has. */
export const anchorOfNode = (id: string): string => `node/${id}`;

/** A card or a frame, with its full name as title. */
export function nodeSvg(given: DrawnNode, pen: Pen): string {
  const { isLocked } = given;
  const node = { ...given.node, color: colorOf(given.node) };
  const drawn = { ...given, node };
  const draw = isFrame(drawn) ? frame : isAnnotation(node.type) ? annotation : card;
  const shape = draw(drawn, pen);
  const attributes = {
    id: pen.hasAnchors ? anchorOfNode(node.id) : null,
    class: isFrame(drawn) ? 'group' : 'node',
    'data-id': node.id,
    'data-type': node.type,
    'data-color': node.color || null,
    'data-style': node.style || null,
  };
  return element('g', attributes, title(drawn), shape, isLocked ? lockMark(drawn, pen) : '');
}

function title({ node, isLocked }: DrawnNode): string {
  const parts = [node.label, typeName(node), node.technology, isLocked ? 'locked' : ''];
  return element('title', {}, escaped(parts.filter(Boolean).join(', ')));
}

const noteOf = ({ node, folded }: DrawnNode): string =>
  folded === null ? noteOfNode(node) : `${counted(folded, 'node')} inside`;

const letterWidthOf =
  (measure: MeasureText): LetterWidth =>
  (letter, weight) =>
    measure(letter, { size: 1, weight });

const cardOf = (drawn: DrawnNode): Card => ({
  label: drawn.node.label,
  note: noteOf(drawn),
  hasButton: false,
  width: drawn.box.width,
  height: drawn.box.height,
});

/** How all cards of a drawing are drawn in a picture. */
export const formIn = ({ nodes }: Drawing, measure: MeasureText): CardForm =>
  formOf(
    nodes.filter((drawn) => !isFrame(drawn) && !isAnnotation(drawn.node.type)).map(cardOf),
    1,
    letterWidthOf(measure),
  );

function card(drawn: DrawnNode, pen: Pen): string {
  const { node, box } = drawn;
  const { palette } = pen;
  const shape = { width: box.width - 1, height: box.height - 1, rx: 10 };
  const at = { x: box.x + 0.5, y: box.y + 0.5 };
  const tile = { x: box.x + CARD.left, y: box.y + (box.height - CARD.tile) / 2 };
  const content = cardContent(cardOf(drawn), 1, letterWidthOf(pen.measure), pen.form);
  return [
    isMuted(node)
      ? ''
      : element('rect', {
          ...at,
          ...shape,
          y: at.y + 1.5,
          fill: palette.shadow.color,
          'fill-opacity': palette.shadow.opacity,
        }),
    element('rect', {
      class: 'box',
      ...at,
      ...shape,
      fill: isMuted(node) && !node.color ? palette.color('canvas') : palette.cardFill(node.color),
      ...borderAttributes(
        node,
        drawn.folded === null
          ? { stroke: palette.color('line-strong'), 'stroke-dasharray': null }
          : { stroke: palette.color('text-3'), 'stroke-dasharray': '4 3' },
        palette,
      ),
    }),
    content?.hasIcon ? faded(node, tileSvg(node, tile, pen)) : '',
    content ? cardText(drawn, content, noteOf(drawn), pen) : '',
  ].join('');
}

const BORDERED: readonly string[] = ['solid', 'dashed', 'dotted'];
const BOLD_TEXT = 620;

/** A note, which is a sheet of its colour, or a text, which has the border that its style says. */
function annotation(drawn: DrawnNode, pen: Pen): string {
  const { node, box } = drawn;
  const { palette } = pen;
  const isNote = node.type === 'note';
  const shape = { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1, rx: 4 };
  const { color: shade, opacity } = palette.shadow;
  const border = borderAttributes(
    node,
    {
      stroke: isNote ? palette.tint(node.color || 'note') : palette.color('text-3'),
      'stroke-dasharray': null,
    },
    palette,
  );
  const sheet = [
    isMuted(node)
      ? ''
      : element('rect', { ...shape, y: shape.y + 1.5, fill: shade, 'fill-opacity': opacity }),
    element('rect', {
      class: 'box',
      ...shape,
      fill: palette.sheet(node.color, isMuted(node)),
      ...border,
      'stroke-opacity': node.style === '' || isMuted(node) ? 0.45 : null,
    }),
  ];
  const frameOfText = BORDERED.includes(node.style)
    ? [element('rect', { class: 'box', ...shape, fill: 'none', ...border })]
    : [];
  return [...(isNote ? sheet : frameOfText), writtenText(drawn, pen)].join('');
}

function writtenText({ node, box }: DrawnNode, { palette, measure }: Pen): string {
  const { size, lineHeight } = LETTERS;
  const weight = node.type === 'text' && node.style === 'bold' ? BOLD_TEXT : 400;
  const room = {
    width: Math.max(8, box.width - 2 * ROOM_AROUND.x),
    height: box.height - 2 * ROOM_AROUND.y,
    weight,
    size,
    lineHeight,
  };
  const ink = node.type === 'text' ? palette.ink(node.color) : palette.color('text');
  const fill = isMuted(node) ? palette.color('text-2') : ink;
  const place = { x: box.x + ROOM_AROUND.x, top: box.y + ROOM_AROUND.y };
  return textSvg(typesetLines(writtenOn(node), room, measure), place, { weight, fill, class: 'label' });
}

/** What is drawn of a muted node beside its words. */
const faded = (node: DrawnNode['node'], svg: string): string =>
  isMuted(node) ? element('g', { opacity: MUTED }, svg) : svg;

/** The image of a node or the icon of its technology, whole and on white in every theme; or the icon of its type. */
function tileSvg(node: DrawnNode['node'], tile: Point, pen: Pen): string {
  const { palette } = pen;
  const tint = node.color || node.type;
  const id = pen.imageIds.get(shownBy(node, pen.iconAddresses));
  if (id === undefined)
    return (
      element('rect', {
        ...tile,
        width: CARD.tile,
        height: CARD.tile,
        rx: 8,
        fill: palette.tile(tint),
      }) + icon(pen, node.type, { x: tile.x + 8.5, y: tile.y + 8.5 }, 17, 1.9, palette.tint(tint))
    );
  const inset = (CARD.tile - IMAGE_SIDE) / 2;
  const plate = { x: tile.x + 0.5, y: tile.y + 0.5, width: CARD.tile - 1, height: CARD.tile - 1, rx: 7.5 };
  return (
    element('rect', { class: 'plate', ...plate, fill: '#ffffff', stroke: palette.color('line') }) +
    element('use', { href: `#${id}`, x: tile.x + inset, y: tile.y + inset })
  );
}

/** The texts as the canvas sets them; a name that stands alone is in the middle. */
function cardText({ node, box }: DrawnNode, content: CardContent, below: string, pen: Pen): string {
  const { hasIcon, lines, size, weight } = content;
  const left = box.x + CARD.left + CARD.tile + CARD.gap;
  const name = {
    lines: lines.map(({ text, isBroken }) => (isBroken ? `${text}-` : text.trimEnd())),
    size,
    lineHeight: size * (hasIcon ? 1.3 : 1.09),
    isCut: content.isCut,
  };
  const width = Math.max(8, box.x + box.width - CARD.right - left);
  const note = content.hasNote
    ? typeset(below, { width, height: 16, weight: 400, size: 11.5, lineHeight: 15, lines: 1 }, pen.measure)
    : null;
  const nameHeight = name.lines.length * name.lineHeight;
  const noteHeight = note ? 1 + note.lines.length * note.lineHeight : 0;
  const top = box.y + (box.height - nameHeight - noteHeight) / 2;
  const { palette } = pen;
  const at = hasIcon ? { x: left, top } : { x: box.x + box.width / 2, top };
  const look = { weight, fill: palette.color(isMuted(node) ? 'text-3' : 'text'), class: 'label' };
  return (
    textSvg(name, at, hasIcon ? look : { ...look, anchor: 'middle' }) +
    (note
      ? textSvg(
          note,
          { x: left, top: top + nameHeight + 1 },
          { weight: 400, fill: palette.color('text-3'), class: 'technology' },
        )
      : '')
  );
}

const HEAD = { left: 14, top: 7, gap: 8, height: 31 };

function frame({ node, box }: DrawnNode, pen: Pen): string {
  const { palette } = pen;
  const fill = palette.groupFill(node.color);
  const shape = element('rect', {
    class: 'box',
    x: box.x + 0.5,
    y: box.y + 0.5,
    width: box.width - 1,
    height: box.height - 1,
    rx: 14,
    fill: fill.color,
    'fill-opacity': fill.opacity,
    ...borderAttributes(node, { stroke: palette.color('group-line'), 'stroke-dasharray': '4 3' }, palette),
  });
  return shape + frameTitle(node, { x: box.x + HEAD.left, top: box.y + HEAD.top }, box.width, pen);
}

function frameTitle(
  { label, technology, style }: DrawnNode['node'],
  { x, top }: { x: number; top: number },
  frameWidth: number,
  pen: Pen,
): string {
  const { palette, measure } = pen;
  const head: Font = { size: 12, weight: 650 };
  // Its first characters can be read, also where the frame is narrower.
  const shortest = [...label].length > FIRST ? `${[...label].slice(0, FIRST).join('')}…` : label;
  const width = Math.max(measure(shortest, head), frameWidth - 2 * HEAD.left);
  const labelWidth = measure(label, head);
  const isOneLine =
    labelWidth + HEAD.gap + measure(technology, { size: 12, weight: 450 }) <= width && technology !== '';
  const whole = isOneLine || !technology ? label : `${label} · ${technology}`;
  const room = { width, height: HEAD.height, weight: 650, size: 12, lineHeight: 18, lines: 1 };
  const named = textSvg(
    typeset(whole, room, measure),
    { x, top },
    { weight: 650, fill: palette.color(isMuted({ style }) ? 'text-3' : 'text-2'), class: 'label' },
  );
  if (!isOneLine) return named;
  const set = { lines: [technology], size: 12, lineHeight: 18, isCut: false };
  const place = { x: x + labelWidth + HEAD.gap, top };
  return named + textSvg(set, place, { weight: 450, fill: palette.color('text-3'), class: 'technology' });
}

function lockMark({ box }: DrawnNode, pen: Pen): string {
  const centre = { x: box.x + box.width - 3, y: box.y + 3 };
  const { palette } = pen;
  return element(
    'g',
    { class: 'lock' },
    element('circle', {
      cx: centre.x,
      cy: centre.y,
      r: LOCK_RADIUS - 0.5,
      fill: palette.color('surface'),
      stroke: palette.color('line-strong'),
    }),
    icon(pen, 'lock', { x: centre.x - 6, y: centre.y - 6 }, 12, 2.4, palette.color('text-2')),
  );
}

function icon(
  pen: Pen,
  name: string,
  { x, y }: { x: number; y: number },
  size: number,
  strokeWidth: number,
  stroke: string,
): string {
  const transform = `translate(${rounded(x)} ${rounded(y)}) scale(${Math.round((size / 24) * 10000) / 10000})`;
  const line = { 'stroke-width': strokeWidth, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return element('g', { class: 'icon', transform, fill: 'none', stroke, ...line }, pen.icon(name));
}

interface TextLook {
  weight: number;
  fill: string;
  class: string;
  anchor?: 'middle';
}

/** Lines of text below one another, from the upper edge of the first. */
export function textSvg(
  { lines, size, lineHeight }: TypesetText,
  { x, top }: { x: number; top: number },
  { weight, fill, class: name, anchor }: TextLook,
): string {
  // The baseline: the middle of the line is a little above the middle of small letters.
  const base = top + lineHeight / 2 + size * 0.355;
  const spans = lines.map((line, at) => {
    // A blank at the end is not drawn, but separates the words where the text is copied.
    const written = at < lines.length - 1 ? `${line} ` : line;
    // As wide as it was measured, whatever font it is shown in: another one would run out of its room.
    const textLength = textWidth(written, { size, weight });
    const place = { x, y: base + at * lineHeight, textLength, lengthAdjust: 'spacingAndGlyphs' };
    return element('tspan', place, escaped(written));
  });
  // Not every program knows weights between hundreds; the face that was measured is said in them.
  const look = {
    class: name,
    'font-size': size,
    'font-weight': faceOf(weight),
    fill,
    'text-anchor': anchor ?? null,
  };
  return element('text', look, ...spans);
}
