/** The colours that a node may have in place of that of its type, in the order in which they are offered. */
export const COLOR_NAMES: Readonly<Record<string, string>> = {
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
};
