/**
 * Maths as it is written in a line: `$…$`, or `$$…$$` on its own. By the rules of code hosts and pandoc, so that prices stay
 * text. For Read (`maths.ts`) and for Write.
 */

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_$\\]/u.test(sign);

/** Dollar signs without a backslash: where each run of them begins, in order, and how many it has. */
function runsIn(text: string): { starts: number[]; lengths: number[] } {
  const runs = { starts: [] as number[], lengths: [] as number[] };
  for (let at = text.indexOf('$'); at >= 0; ) {
    let end = at + 1;
    while (text[end] === '$') end += 1;
    if (text[at - 1] !== '\\') {
      runs.starts.push(at);
      runs.lengths.push(end - at);
    }
    at = text.indexOf('$', end);
  }
  return runs;
}

/** The dollar signs of texts that are being read. */
const known = new WeakMap<object, ReturnType<typeof runsIn>>();

/** Maths as it is written in a line. */
export interface WrittenMaths {
  tex: string;
  /** Where it ends. */
  to: number;
  isBlock: boolean;
}

/**
 * The maths that begins at a position of a text, null for none. What begins with one sign ends at the next one, if no blank
 * stands before that and no digit behind it. `reader`: under which the dollar signs of the text are kept.
 */
export function mathsAt(text: string, at: number, reader: object): WrittenMaths | null {
  if (text.charCodeAt(at) !== 0x24 || isWord(text[at - 1])) return null;
  const signs = text[at + 1] === '$' ? 2 : 1;
  const from = at + signs;
  if (text[from] === '$') return null;
  const runs = known.get(reader) ?? runsIn(text);
  known.set(reader, runs);
  const next = firstFrom(runs.starts, from);
  const end = runs.starts[next];
  if (end === undefined || runs.lengths[next] !== signs) return null;
  const isPrice = isBlank(text[from]) || isBlank(text[end - 1]) || /\d/.test(text[end + 1] ?? '');
  const tex = text.slice(from, end);
  if ((signs === 1 && isPrice) || !tex.trim()) return null;
  return { tex, to: end + signs, isBlock: signs === 2 };
}

/** The index of the first of ascending numbers that is not below another one. */
function firstFrom(all: readonly number[], least: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
