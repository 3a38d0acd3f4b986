/** Names of the colours, styles and shapes that nodes and connections may have, in the order in which they are offered. */
import type { Color, LineShape, Style } from '../../protocol/types';

type Names = Readonly<Record<string, string>>;

export const COLOR_NAMES: Names = {
  '': 'None',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  violet: 'Violet',
  pink: 'Pink',
  grey: 'Grey',
} satisfies Record<Color, string>;

export const STYLE_NAMES: Names = {
  '': 'As usual',
  solid: 'Solid',
  dashed: 'Dashed',
  dotted: 'Dotted',
  bold: 'Bold',
  muted: 'Muted',
} satisfies Record<Style, string>;

/** How a connection leads from one node to the other. */
export const SHAPE_NAMES: Names = {
  '': 'Right-angled',
  straight: 'Straight',
  curved: 'Curved',
} satisfies Record<LineShape, string>;
