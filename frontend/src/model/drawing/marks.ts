/** What a comparison says of nodes and edges. Pure. Not here: comparing (`compare.ts`), and how marks look (the canvas). */

export type Mark = 'added' | 'changed' | 'removed';

/** Signs that distinguish marks without colour, also in small sizes: a tilde would look like a minus. */
export const MARK_SIGNS: Readonly<Record<Mark, string>> = { added: '+', changed: 'Δ', removed: '−' };

/** The marks of nodes and edges. */
export interface Marks {
  nodes: ReadonlyMap<string, Mark>;
  edges: ReadonlyMap<string, Mark>;
}
