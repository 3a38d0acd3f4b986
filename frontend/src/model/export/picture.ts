/**
 * A picture of a diagram, or of a part of it, as the server is asked for it; what the page exports is made of the same
 * pieces, so both are equal byte for byte. Pure.
 */
import type { Diagram } from '../../protocol/types';
import { withTypes } from '../core/withTypes';
import { type Drawing, drawingOf, type RoutingQuality } from '../drawing/drawing';
import { startLineShapes } from '../drawing/shapes/lineShapes';
import { FONT_NAME, labelWidth } from './letterWidths';
import type { PictureImages } from './nodeImages';
import { paletteFor, type Theme } from './palette';
import { partOf } from './part';
import { pixelSize } from './pixelSize';
import { type Picture, resized, svgOf } from './svg';
import { element, escaped } from './xml';

startLineShapes();

export const drawingForPicture = (diagram: Diagram, routing?: RoutingQuality): Drawing =>
  drawingOf(diagram, { measure: labelWidth, routing });

/** With images and icons as far as they are there and have room (`nodeImages.ts`). */
export interface PictureRequest extends PictureImages {
  diagram: Diagram;
  /** Ids of the nodes to draw, with what they hold; null for the whole diagram. */
  nodes: readonly string[] | null;
  title: string;
  theme: Theme;
  /** CSS pixels for each pixel of the diagram. */
  scale: number;
}

export function pictureFor(request: PictureRequest): Picture {
  const { nodes, title, theme, scale, images, icons } = request;
  const diagram = withTypes(request.diagram);
  const part = nodes === null ? diagram : partOf(diagram, { nodes: new Set(nodes), edges: new Set() });
  const picture =
    svgOf(drawingForPicture(part), { theme, title, images, icons }) ?? emptyPicture(title, theme);
  return scale === 1 ? picture : resized(picture, pixelSize(picture, scale));
}

const EMPTY = { width: 480, height: 160 };

/** What stands in a page that shows a diagram in which nothing is drawn yet. */
function emptyPicture(title: string, theme: Theme): Picture {
  const { color } = paletteFor(theme);
  const words = 'Nothing is drawn here yet.';
  const text = { x: EMPTY.width / 2, y: EMPTY.height / 2 + 5, 'font-size': 14, 'text-anchor': 'middle' };
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    ...EMPTY,
    viewBox: `0 0 ${EMPTY.width} ${EMPTY.height}`,
    role: 'img',
    'font-family': `${FONT_NAME}, sans-serif`,
  };
  const svg = element(
    'svg',
    root,
    element('title', {}, escaped(title || 'Diagram')),
    element('rect', { class: 'ground', ...EMPTY, fill: color('canvas') }),
    element('text', { ...text, fill: color('text-2') }, words),
  );
  return { svg, ...EMPTY };
}
