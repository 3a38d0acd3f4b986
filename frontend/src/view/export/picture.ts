/** Pictures of diagrams as somebody chose them. */
import type { Drawing } from '../../model/drawing/drawing';
import { imagesShown, type PictureImages, technologiesShown } from '../../model/export/nodeImages';
import type { Theme } from '../../model/export/palette';
import { partOf } from '../../model/export/part';
import { type Picture, svgOf } from '../../model/export/svg';
import type { Diagram } from '../../protocol/types';
import type { Selection } from '../context/uiState';
import { embeddedImages } from '../images/imageBytes';
import { embeddedIcons, iconsAtOnce } from '../images/technologyIcons';
import { sourceOf } from '../images/workspaceImages';
import { draw } from './draw';

/** With images and icons as `imagesFor` finds them. */
export interface PictureLook extends PictureImages {
  theme: Theme | 'both';
  isTransparent?: boolean;
  hasAnchors?: boolean;
}

export const pictureOf = (
  drawing: Drawing,
  title: string,
  { theme, isTransparent = false, hasAnchors = false, images, icons }: PictureLook,
): Picture | null =>
  svgOf(drawing, {
    theme,
    background: isTransparent ? 'transparent' : 'theme',
    title,
    hasAnchors,
    images,
    icons,
  });

/** The images of the nodes of a drawing and the icons of their technologies, embedded, as far as they are there and have room. */
export async function imagesFor(workspace: string, drawing: Drawing): Promise<PictureImages> {
  const nodes = drawing.nodes.map(({ node }) => node);
  const images = await embeddedImages(workspace, imagesShown(nodes));
  const { images: found, icons } = await embeddedIcons(technologiesShown(nodes));
  return { images: { ...images, ...found }, icons };
}

/** The same without waiting: from where the page shows them, whether they are there or not. */
export function imagesAtOnce(workspace: string, drawing: Drawing): PictureImages {
  const nodes = drawing.nodes.map(({ node }) => node);
  const shown = imagesShown(nodes).map((address) => [address, sourceOf(workspace, address)]);
  const { images: found, icons } = iconsAtOnce(technologiesShown(nodes));
  return { images: { ...Object.fromEntries(shown), ...found }, icons };
}

/** Draws a diagram, or the selection. */
export const drawingFor = (
  diagram: Diagram,
  selection: Selection | null,
  signal: AbortSignal,
): Promise<Drawing> => draw(selection ? partOf(diagram, selection) : diagram, signal);
