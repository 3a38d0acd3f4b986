/** How wide the labels of edges are in the font that this browser really uses. */
import { textMeasurer, withLabelFont } from './measureText';

export const textWidth = textMeasurer(() =>
  withLabelFont(
    document.createElement('canvas').getContext('2d'),
    getComputedStyle(document.body).fontFamily,
  ),
);
