/** Pictures of diagrams as somebody chose them. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Theme } from '../../model/export/palette';
import { partOf } from '../../model/export/part';
import { type Picture, svgOf } from '../../model/export/svg';
import type { Diagram } from '../../protocol/types';
import type { Selection } from '../context/uiState';
import { draw } from './draw';

export interface PictureLook {
  theme: Theme | 'both';
  isTransparent?: boolean;
  hasAnchors?: boolean;
}

export const pictureOf = (
  drawing: Drawing,
  title: string,
  { theme, isTransparent = false, hasAnchors = false }: PictureLook,
): Picture | null =>
  svgOf(drawing, {
    theme,
    background: isTransparent ? 'transparent' : 'theme',
    title,
    hasAnchors,
  });

/** Draws a diagram, or the selection. */
export const drawingFor = (
  diagram: Diagram,
  selection: Selection | null,
  signal: AbortSignal,
): Promise<Drawing> => draw(selection ? partOf(diagram, selection) : diagram, signal);
