/** Finds names of nodes in a text, to link them. Pure. */

export interface Piece {
  text: string;
  /** The node of this piece; null for text between names. */
  id: string | null;
}

/** Shorter names occur in any sentence by chance. */
const MIN_CHARS = 3;
const MAX_NODES = 1_000;

type Labelled = Iterable<{ id: string; label: string }>;

/** Makes a finder; names that are too short or shared by two nodes are left out. Null where no name is left. */
export function nameFinder(nodes: Labelled): ((text: string) => Piece[]) | null {
  const ids = new Map<string, string | null>();
  for (const { id, label } of nodes) {
    if (label.length < MIN_CHARS) continue;
    ids.set(label, ids.has(label) ? null : id);
  }
  const labels = [...ids].filter(([, id]) => id !== null).map(([label]) => label);
  if (labels.length === 0 || labels.length > MAX_NODES) return null;
  // The longest first: “Orders database” is not “Orders”.
  const either = labels.sort((one, other) => other.length - one.length).map(escaped);
  const names = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${either.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
  return (text) => piecesOf(text, names, (label) => ids.get(label) ?? null);
}

function piecesOf(text: string, names: RegExp, idOf: (label: string) => string | null): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(names)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), id: null });
    pieces.push({ text: found[0], id: idOf(found[0]) });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), id: null });
  return pieces;
}

const escaped = (label: string): string => label.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
