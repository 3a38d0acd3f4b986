/** Pictures of diagrams in the fonts and icons of the page. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Theme } from '../../model/export/palette';
import { partOf } from '../../model/export/part';
import { type Picture, svgOf } from '../../model/export/svg';
import type { Diagram } from '../../protocol/types';
import type { Selection } from '../context/uiState';
import { draw } from './draw';
import { iconShapes } from './icons';
import { measureText } from './measureText';

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
    measure: measureText,
    icon: iconShapes,
    hasAnchors,
  });

/** Draws a diagram, or the selection. */
export const drawingFor = (
  diagram: Diagram,
  selection: Selection | null,
  signal: AbortSignal,
): Promise<Drawing> => draw(selection ? partOf(diagram, selection) : diagram, signal);
