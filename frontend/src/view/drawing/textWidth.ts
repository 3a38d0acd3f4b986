/** The width of edge labels in the font that this browser uses. */
import { textMeasurer, withLabelFont } from './measureText';

export const textWidth = textMeasurer(() =>
  withLabelFont(
    document.createElement('canvas').getContext('2d'),
    getComputedStyle(document.body).fontFamily,
  ),
);
