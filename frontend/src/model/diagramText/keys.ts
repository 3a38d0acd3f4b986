/**
 * Which node or edge each line of a text that is being edited speaks of: a line keeps its key while it is written over,
 * split, joined and moved. Pure.
 */

export interface KeyedLine {
  /** The key of its node or edge; null for a line that speaks of nothing yet. */
  readonly key: string | null;
  readonly text: string;
  /** Whether it was taken from where it stood since it was printed. */
  readonly isMoved: boolean;
}

/** The lines, and the keys of those that were deleted with what they read. */
export interface KeyedText {
  readonly lines: readonly KeyedLine[];
  readonly lost: ReadonlyMap<string, string>;
}

/**
 * Replaces lines by others.
 *
 * A line that reads as one of those before takes its key, also one that was deleted earlier: it has been moved. The others
 * take the keys of what they stand in place of, in order; what is left over on either side is new, or lost.
 */
export function withLines(
  { lines, lost }: KeyedText,
  at: number,
  count: number,
  texts: readonly string[],
): KeyedText {
  const before = lines.slice(at, at + count);
  const after = keyed(before, texts);
  const taken = new Set(after.map(({ key }) => key));
  const missing = new Map(lost);
  for (const { key, text } of before) if (key !== null && !taken.has(key)) missing.set(key, text);
  const found = broughtBack(after, missing);
  return { lines: [...lines.slice(0, at), ...found, ...lines.slice(at + count)], lost: missing };
}

/** The lines, of which those without a key take that of what is missing and read the same. */
function broughtBack(lines: readonly KeyedLine[], missing: Map<string, string>): KeyedLine[] {
  if (missing.size === 0) return [...lines];
  const keys = placesOf([...missing].map(([key, text]) => ({ at: key, text })));
  return lines.map((line) => {
    const key = line.key === null ? keys.get(line.text.trim())?.pop() : undefined;
    if (key === undefined) return line;
    missing.delete(key);
    return { ...line, key, isMoved: true };
  });
}

/** Where each text stands, the first place last; a text without words stands nowhere. */
function placesOf<T>(texts: readonly { at: T; text: string }[]): Map<string, T[]> {
  const places = new Map<string, T[]>();
  for (const { at, text } of [...texts].reverse()) {
    const words = text.trim();
    const known = places.get(words);
    if (known) known.push(at);
    else if (words !== '') places.set(words, [at]);
  }
  return places;
}

function keyed(before: readonly KeyedLine[], texts: readonly string[]): KeyedLine[] {
  const equals = equalLines(before, texts);
  const kept = longestRise(equals);
  const after: KeyedLine[] = texts.map((text, at) => {
    const from = equals[at] ?? -1;
    const line = from < 0 ? undefined : before[from];
    if (!line) return { key: null, text, isMoved: false };
    return { key: line.key, text, isMoved: line.isMoved || (!kept.has(at) && line.key !== null) };
  });
  const used = new Set(equals);
  let start = 0;
  let first = 0;
  // Between two lines that stay in place the others stand for each other in order.
  for (const at of [...[...kept].sort((one, other) => one - other), texts.length]) {
    const end = at === texts.length ? before.length : (equals[at] as number);
    const free = before
      .slice(first, end)
      .filter((line, index) => line.key !== null && !used.has(first + index));
    give(after, start, at, free);
    start = at + 1;
    first = end + 1;
  }
  return after;
}

/** Gives keys to lines that have none, first to those that say something. */
function give(after: KeyedLine[], from: number, to: number, free: readonly KeyedLine[]): void {
  const open = Array.from({ length: to - from }, (_, index) => from + index).filter(
    (at) => after[at]?.key === null,
  );
  const isSaying = (at: number) => after[at]?.text.trim() !== '';
  const places = [...open.filter(isSaying), ...open.filter((at) => !isSaying(at))];
  for (const [index, { key, isMoved }] of free.entries()) {
    const at = places[index];
    if (at === undefined) return;
    after[at] = { key, isMoved, text: (after[at] as KeyedLine).text };
  }
}

/** For each text the line before that reads the same, each at most once; -1 for none. */
function equalLines(before: readonly KeyedLine[], texts: readonly string[]): number[] {
  const places = placesOf(before.map(({ text }, at) => ({ at, text })));
  return texts.map((text) => places.get(text.trim())?.pop() ?? -1);
}

/** The places of a longest sequence of rising values; those below zero are none. */
function longestRise(values: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    if (value < 0) continue;
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const found = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) found.add(at);
  return found;
}
