/**
 * A drawing as one self-contained SVG file: shapes, texts and embedded images, no scripts, no HTML, no external addresses.
 * It looks as the canvas does at zoom 1, with the same rule of what can be read; its texts are set in a font of its own
 * (`letterWidths.ts`). So it is the same wherever it is made. Pure.
 *
 * Not here: cards (`svgNodes.ts`), lines (`svgEdges.ts`), pixels (`view/export/pixels.ts`).
 */
import typeIcons from 'virtual:type-icons';
import type { Size } from '../../protocol/types';
import { type Box, boxAround, inflated } from '../drawing/boxes';
import { type Drawing, isFrame } from '../drawing/drawing';
import { counted } from '../words/kinds';
import { FONT_NAME, textWidth } from './letterWidths';
import {
  type EmbeddedImages,
  type IconAddresses,
  imageIds,
  imagesSvg,
  type PictureImages,
} from './nodeImages';
import { paletteFor, type Theme } from './palette';
import { keySvg, labelOf, labelSvg, lineSvg, type SetLabel } from './svgEdges';
import { formIn, IMAGE_SIDE, nodeSvg, type Pen } from './svgNodes';
import { element, escaped } from './xml';

export interface PictureOptions extends PictureImages {
  /** With `both` colours are variables, which the file around the picture defines (`paletteStyles`). */
  theme?: Theme | 'both';
  background?: 'theme' | 'transparent';
  /** Padding around everything, in pixels. */
  padding?: number;
  title?: string;
  hasAnchors?: boolean;
}

export interface Picture {
  svg: string;
  /** CSS pixels at its natural size. */
  width: number;
  height: number;
}

const FONT = `${FONT_NAME}, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif`;
const KEY_HEIGHT = 34;
/** Locks and arrow heads extend this far out of their boxes. */
const REACH = 8;

const MAX_PAIRS = 4_000_000;

const NONE: EmbeddedImages & IconAddresses = {};

/** Null where there is nothing to draw. */
export function svgOf(drawing: Drawing, options: PictureOptions = {}): Picture | null {
  const { theme = 'light', background = 'theme', padding = 24, title = '' } = options;
  const { hasAnchors = false, images = NONE, icons = NONE } = options;
  const palette = paletteFor(theme);
  const form = formIn(drawing, textWidth);
  const ids = imageIds(drawing, images, icons);
  const shown = { imageIds: ids, iconAddresses: icons };
  const pen: Pen = { palette, measure: textWidth, icon: iconShapes, form, hasAnchors, ...shown };
  const cards = drawing.nodes.filter((one) => !isFrame(one)).map(({ box }) => box);
  // In a large diagram the search for free positions takes too long.
  const avoided = cards.length * drawing.edges.length > MAX_PAIRS ? [] : cards;
  const labels = drawing.edges.flatMap((edge) => labelOf(edge, avoided, pen) ?? []);
  const content = contentBox(drawing, labels);
  if (!content) return null;
  const isTransparent = background === 'transparent';
  const edges = drawing.edges.map(({ edge }) => edge);
  const key = keySvg(edges, { x: content.x, y: content.y + content.height + padding / 2 + 10 }, pen);
  const view: Box = {
    ...inflated(content, padding),
    width: Math.max(content.width, key.width) + 2 * padding,
    height: content.height + 2 * padding + (key.svg ? KEY_HEIGHT - padding / 2 : 0),
  };
  const [x, y] = [Math.floor(view.x), Math.floor(view.y)];
  const [width, height] = [Math.ceil(view.x + view.width) - x, Math.ceil(view.y + view.height) - y];
  const parts = [
    element('title', {}, escaped(title || 'Diagram')),
    element('desc', {}, escaped(wordsOf(drawing))),
    imagesSvg(ids, images, IMAGE_SIDE),
    isTransparent ? maskOf(labels, { x, y, width, height }) : '',
    isTransparent
      ? ''
      : element('rect', { class: 'ground', x, y, width, height, fill: pen.palette.color('canvas') }),
    ...shapesOf(drawing, labels, pen, isTransparent),
    key.svg,
  ];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `${x} ${y} ${width} ${height}`,
    role: 'img',
    'font-family': FONT,
  };
  return { svg: element('svg', root, ...parts), width, height };
}

/** The same picture at another size; what it shows stays sharp. */
export function resized({ svg, width, height }: Picture, size: Size): Picture {
  const from = `width="${width}" height="${height}"`;
  return { ...size, svg: svg.replace(from, `width="${size.width}" height="${size.height}"`) };
}

const iconShapes = (name: string): string => typeIcons[name] ?? typeIcons.other ?? '';

/** In the order of the canvas: frames below lines below labels below cards. */
function shapesOf(
  { nodes, edges }: Drawing,
  labels: readonly SetLabel[],
  pen: Pen,
  isTransparent: boolean,
): string[] {
  const names = new Map(nodes.map(({ node }) => [node.id, node.label]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const lines = edges.map((edge) => lineSvg(edge, nameOf, pen));
  return [
    element('g', { class: 'groups' }, ...nodes.filter(isFrame).map((drawn) => nodeSvg(drawn, pen))),
    element(
      'g',
      { class: 'edges', mask: isTransparent && labels.length > 0 ? `url(#${MASK})` : null },
      ...lines,
    ),
    element('g', { class: 'labels' }, ...labels.map((label) => labelSvg(label, pen, !isTransparent))),
    element(
      'g',
      { class: 'nodes' },
      ...nodes.filter((drawn) => !isFrame(drawn)).map((drawn) => nodeSvg(drawn, pen)),
    ),
  ];
}

const MASK = 'lines-without-labels';

/** Without a background that could hide it, the line is left out below its label. */
function maskOf(labels: readonly SetLabel[], view: Box): string {
  if (labels.length === 0) return '';
  const holes = labels.map(({ box }) => element('rect', { ...box, rx: 5, fill: 'black' }));
  const all = { maskUnits: 'userSpaceOnUse', ...view };
  return element('mask', { id: MASK, ...all }, element('rect', { ...view, fill: 'white' }), ...holes);
}

function contentBox({ nodes, edges }: Drawing, labels: readonly SetLabel[]): Box | null {
  const points = edges.flatMap((edge) => edge.points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
  const box = boxAround([...nodes.map((drawn) => drawn.box), ...points, ...labels.map((label) => label.box)]);
  return box && nodes.length > 0 ? inflated(box, REACH) : null;
}

function wordsOf({ nodes, edges }: Drawing): string {
  const groups = nodes.filter(({ node }) => node.type === 'group').length;
  const parts = [counted(nodes.length - groups, 'node'), counted(edges.length, 'connection')];
  if (groups > 0) parts.push(counted(groups, 'group'));
  return `Architecture diagram: ${parts.join(', ')}.`;
}
