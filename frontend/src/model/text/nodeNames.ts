/** Finds names of nodes in a text, to link them. Pure. */

export interface NameSpan {
  text: string;
  /** The node of this piece; null for text between names. */
  id: string | null;
}

/** Shorter names occur in any sentence by chance. */
const MIN_CHARS = 3;
const MAX_NODES = 1_000;

type Labelled = Iterable<{ id: string; label: string }>;

/** Makes a finder; names that are too short or shared by two nodes are left out. Null where no name is left. */
export function nameFinder(nodes: Labelled): ((text: string) => NameSpan[]) | null {
  const ids = new Map<string, string | null>();
  for (const { id, label } of nodes) {
    if (label.length < MIN_CHARS) continue;
    ids.set(label, ids.has(label) ? null : id);
  }
  const labels = [...ids].filter(([, id]) => id !== null).map(([label]) => label);
  if (labels.length === 0 || labels.length > MAX_NODES) return null;
  const byStart = new Map<string, string[]>();
  // The longest first: “Orders database” is not “Orders”.
  for (const label of labels.sort((one, other) => other.length - one.length)) {
    const start = label.slice(0, MIN_CHARS);
    byStart.set(start, [...(byStart.get(start) ?? []), label]);
  }
  return (text) => spansOf(text, byStart, (label) => ids.get(label) ?? null);
}

const IN_WORD = /[\p{L}\p{N}_-]/u;
/** As many names are compared with places of a text; names behind that are not linked. */
const MAX_COMPARISONS = 200_000;

function spansOf(
  text: string,
  byStart: ReadonlyMap<string, readonly string[]>,
  idOf: (label: string) => string | null,
): NameSpan[] {
  const spans: NameSpan[] = [];
  let [end, left, isInWord] = [0, MAX_COMPARISONS, false];
  for (let at = 0; at < text.length && left > 0; at++) {
    // Both halves of a pair count as what the pair is.
    const candidates = isInWord ? [] : (byStart.get(text.slice(at, at + MIN_CHARS)) ?? []);
    left -= candidates.length;
    const label = candidates.find((one) => text.startsWith(one, at) && !isWordAt(text, at + one.length));
    if (label !== undefined) {
      if (at > end) spans.push({ text: text.slice(end, at), id: null });
      spans.push({ text: label, id: idOf(label) });
      end = at + label.length;
      at = end - 1;
    }
    isInWord = endsInWord(text, at);
  }
  if (end < text.length) spans.push({ text: text.slice(end), id: null });
  return spans;
}

const isWordAt = (text: string, at: number): boolean =>
  at < text.length && IN_WORD.test(String.fromCodePoint(text.codePointAt(at) as number));

/** Whether the character that ends at a position, or is in its middle there, belongs to a word. */
function endsInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff && at > 0;
  return isWordAt(text, isSecondHalf ? at - 1 : at);
}
