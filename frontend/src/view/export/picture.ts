/** Pictures of diagrams as somebody chose them. */
import type { Drawing } from '../../model/drawing/drawing';
import { type EmbeddedImages, imagesShown } from '../../model/export/nodeImages';
import type { Theme } from '../../model/export/palette';
import { partOf } from '../../model/export/part';
import { type Picture, svgOf } from '../../model/export/svg';
import type { Diagram } from '../../protocol/types';
import type { Selection } from '../context/uiState';
import { embeddedImages } from '../images/imageBytes';
import { sourceOf } from '../images/workspaceImages';
import { draw } from './draw';

export interface PictureLook {
  theme: Theme | 'both';
  isTransparent?: boolean;
  hasAnchors?: boolean;
  /** Of its nodes, as `imagesFor` finds them. */
  images?: EmbeddedImages;
}

export const pictureOf = (
  drawing: Drawing,
  title: string,
  { theme, isTransparent = false, hasAnchors = false, images }: PictureLook,
): Picture | null =>
  svgOf(drawing, {
    theme,
    background: isTransparent ? 'transparent' : 'theme',
    title,
    hasAnchors,
    images,
  });

/** The images of the nodes of a drawing, embedded, as far as they are there and have room. */
export const imagesFor = (workspace: string, { nodes }: Drawing): Promise<EmbeddedImages> =>
  embeddedImages(workspace, imagesShown(nodes.map(({ node }) => node)));

/** The same without waiting: from where the page shows them, whether they are there or not. */
export const imagesAtOnce = (workspace: string, { nodes }: Drawing): EmbeddedImages =>
  Object.fromEntries(
    imagesShown(nodes.map(({ node }) => node)).map((address) => [address, sourceOf(workspace, address)]),
  );

/** Draws a diagram, or the selection. */
export const drawingFor = (
  diagram: Diagram,
  selection: Selection | null,
  signal: AbortSignal,
): Promise<Drawing> => draw(selection ? partOf(diagram, selection) : diagram, signal);
