/** How wide the labels of edges are in the font that this browser really uses. */
import { penWith, widthsBy } from './measureText';

export const textWidth = widthsBy(() =>
  penWith(document.createElement('canvas').getContext('2d'), getComputedStyle(document.body).fontFamily),
);
