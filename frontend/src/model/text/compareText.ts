/**
 * Compares two texts by lines, and changed lines by words. Pure. Not here: how it is shown
 * (`view/history/TextComparison`), changes as operations (`model/core/textDiff.ts`).
 */
import { differingRanges } from '../core/myers';

/** A piece of a line; `isChanged`: not in the other line. */
export interface Piece {
  text: string;
  isChanged: boolean;
}

export interface ComparedLine {
  kind: 'same' | 'removed' | 'added';
  pieces: readonly Piece[];
  /** 1-based, in its own text: the later one, for removed lines the earlier one. */
  line: number;
}

/** Lines in order; long runs of unchanged lines are folded. */
export interface ComparedStretch {
  kind: 'shown' | 'folded';
  lines: readonly ComparedLine[];
}

export interface TextComparison {
  lines: readonly ComparedLine[];
  added: number;
  removed: number;
}

const MAX_LINES = 2_000;
const MAX_WORDS = 400;
/** The share of equal words; with fewer, two lines count as different. */
const MIN_SHARED = 0.3;
const AROUND = 2;

export function compareTexts(from: string, to: string): TextComparison {
  const before = from === '' ? [] : from.split('\n');
  const after = to === '' ? [] : to.split('\n');
  const whole = [{ aFrom: 0, aTo: before.length, bFrom: 0, bTo: after.length }];
  const lines: ComparedLine[] = [];
  let at = 0;
  const keep = (upto: number) => {
    for (; at < upto; at++) lines.push(line('same', after[at] as string, at));
  };
  for (const { aFrom, aTo, bFrom, bTo } of differingRanges(before, after, MAX_LINES) ?? whole) {
    keep(bFrom);
    lines.push(...replaced(before.slice(aFrom, aTo), after.slice(bFrom, bTo), aFrom, bFrom));
    at = bTo;
  }
  keep(after.length);
  const count = (kind: ComparedLine['kind']) => lines.filter((one) => one.kind === kind).length;
  return { lines, added: count('added'), removed: count('removed') };
}

/** Folds unchanged lines except for a few around each change. */
export function foldSame(lines: readonly ComparedLine[]): ComparedStretch[] {
  const isNear = lines.map(() => false);
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return;
    for (let near = Math.max(0, at - AROUND); near <= Math.min(lines.length - 1, at + AROUND); near++)
      isNear[near] = true;
  });
  const found: { kind: ComparedStretch['kind']; lines: ComparedLine[] }[] = [];
  lines.forEach((one, at) => {
    const kind = isNear[at] ? 'shown' : 'folded';
    const last = found.at(-1);
    if (last?.kind === kind) last.lines.push(one);
    else found.push({ kind, lines: [one] });
  });
  // Unfolding a single line takes as much space as the line.
  return found.map((one) => (one.lines.length > 1 ? one : { ...one, kind: 'shown' }));
}

const line = (kind: ComparedLine['kind'], text: string, index: number): ComparedLine => ({
  kind,
  pieces: [{ text, isChanged: false }],
  line: index + 1,
});

/** Replaced lines: paired line by line with word marks, as far as they have enough in common. */
function replaced(gone: string[], come: string[], goneAt: number, comeAt: number): ComparedLine[] {
  const went: ComparedLine[] = gone.map((text, index) => line('removed', text, goneAt + index));
  const came: ComparedLine[] = come.map((text, index) => line('added', text, comeAt + index));
  if (gone.length === come.length) {
    gone.forEach((text, index) => {
      const words = compareWords(text, come[index] as string);
      if (!words) return;
      went[index] = { ...(went[index] as ComparedLine), pieces: words.before };
      came[index] = { ...(came[index] as ComparedLine), pieces: words.after };
    });
  }
  return [...went, ...came];
}

/** Which words of two lines differ; null where they have little in common. */
export function compareWords(one: string, other: string): { before: Piece[]; after: Piece[] } | null {
  const a = wordsOf(one);
  const b = wordsOf(other);
  const found = differingRanges(a, b, MAX_WORDS);
  if (!found) return null;
  const before = pieces(
    a,
    found.map(({ aFrom, aTo }) => [aFrom, aTo]),
  );
  const after = pieces(
    b,
    found.map(({ bFrom, bTo }) => [bFrom, bTo]),
  );
  const shared = before
    .filter(({ isChanged }) => !isChanged)
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return shared < MIN_SHARED * Math.max(one.trim().length, other.trim().length) ? null : { before, after };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

function pieces(words: readonly string[], changed: readonly (readonly [number, number])[]): Piece[] {
  const found: Piece[] = [];
  const add = (from: number, to: number, isChanged: boolean) => {
    if (from < to) found.push({ text: words.slice(from, to).join(''), isChanged });
  };
  let at = 0;
  for (const [from, to] of changed) {
    add(at, from, false);
    add(from, to, true);
    at = to;
  }
  add(at, words.length, false);
  return found;
}
