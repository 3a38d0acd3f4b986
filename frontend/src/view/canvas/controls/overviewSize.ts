/** Of the minimap, in CSS pixels: its place is kept while it is loaded, so that what is fitted leaves room for it. */
export const OVERVIEW_SIZE = { width: 152, height: 100 };
