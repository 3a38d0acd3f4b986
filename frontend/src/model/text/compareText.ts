/**
 * Compares two texts by lines, and changed lines by words. Pure. Not here: how it is shown
 * (`view/history/TextComparison`), changes as operations (`model/core/textDiff.ts`).
 */
import { differingRanges, middleOf } from '../core/myers';

/** A piece of a line; `isChanged`: not in the other line. */
export interface TextSpan {
  text: string;
  isChanged: boolean;
}

export interface ComparedLine {
  kind: 'same' | 'removed' | 'added';
  spans: readonly TextSpan[];
  /** 1-based, in its own text: the later one, for removed lines the earlier one. */
  line: number;
}

/** Lines in order; long runs of unchanged lines are folded. */
export interface ComparedStretch {
  kind: 'shown' | 'folded';
  lines: readonly ComparedLine[];
  /** The number of its lines, where not all are held. */
  count?: number;
}

export interface TextComparison {
  lines: readonly ComparedLine[];
  added: number;
  removed: number;
  /** Whether too much differs to be compared: the differing middle counts as replaced as a whole. */
  isWhole: boolean;
}

/** What is shown of a comparison. */
export interface BoundedComparison {
  stretches: readonly ComparedStretch[];
  /** How many changed lines are not shown, and how many are shown cut. */
  leftOut: number;
  cut: number;
}

const MAX_LINES = 2_000;
const MAX_WORDS = 400;
/** Longer lines are not compared by words, and shown cut. */
export const MAX_LINE = 5_000;
/** As many pairs of lines are compared by words. */
const MAX_PAIRS = 500;
/** As many lines are shown: altogether, and of one run of removed or added ones. */
export const MAX_SHOWN = 3_000;
export const MAX_RUN = 500;
/** The share of equal words; with fewer, two lines count as different. */
const MIN_SHARED = 0.3;
const AROUND = 2;

/** The newest comparison: two places of the page show the same one. */
let newest: { from: string; to: string; found: TextComparison } | null = null;

export function compareTexts(from: string, to: string): TextComparison {
  if (newest?.from !== from || newest.to !== to) newest = { from, to, found: compared(from, to) };
  return newest.found;
}

function compared(from: string, to: string): TextComparison {
  const before = from === '' ? [] : from.split('\n');
  const after = to === '' ? [] : to.split('\n');
  const found = differingRanges(before, after, MAX_LINES);
  const lines: ComparedLine[] = [];
  let at = 0;
  let left = MAX_PAIRS;
  const keep = (upto: number) => {
    for (; at < upto; at++) lines.push(line('same', after[at] as string, at));
  };
  for (const { aFrom, aTo, bFrom, bTo } of found ?? [middleOf(before, after)]) {
    keep(bFrom);
    const pairs = left;
    if (aTo - aFrom === bTo - bFrom) left = Math.max(0, left - (aTo - aFrom));
    const gone = before.slice(aFrom, aTo);
    for (const one of replaced(gone, after.slice(bFrom, bTo), aFrom, bFrom, pairs)) lines.push(one);
    at = bTo;
  }
  keep(after.length);
  const count = (kind: ComparedLine['kind']) => lines.filter((one) => one.kind === kind).length;
  return { lines, added: count('added'), removed: count('removed'), isWhole: found === null };
}

/** Keeps what can be shown: the start of each long run, lines up to a length, and so many lines altogether. */
export function boundedStretches(stretches: readonly ComparedStretch[]): BoundedComparison {
  let [left, leftOut, cut] = [MAX_SHOWN, 0, 0];
  const kept: ComparedStretch[] = [];
  for (const { kind, lines } of stretches) {
    const visibleLines: ComparedLine[] = [];
    let run = 0;
    for (const [index, one] of lines.entries()) {
      run = one.kind === lines[index - 1]?.kind ? run + 1 : 1;
      const isRoom = kind === 'folded' ? run <= MAX_SHOWN : run <= MAX_RUN && left > 0;
      if (!isRoom) {
        if (kind === 'shown' && one.kind !== 'same') leftOut += 1;
        continue;
      }
      if (kind === 'shown') left -= 1;
      const short = shortened(one);
      if (kind === 'shown' && short !== one) cut += 1;
      visibleLines.push(short);
    }
    if (visibleLines.length > 0) kept.push({ kind, lines: visibleLines, count: lines.length });
  }
  return { stretches: kept, leftOut, cut };
}

/** A line up to a length that can be shown. */
function shortened(line: ComparedLine): ComparedLine {
  let left = MAX_LINE;
  if (line.spans.reduce((sum, { text }) => sum + text.length, 0) <= left) return line;
  const spans = line.spans.flatMap(({ text, isChanged }) => {
    const part = text.slice(0, Math.max(0, left));
    left -= part.length;
    return part ? [{ text: part, isChanged }] : [];
  });
  return { ...line, spans: [...spans, { text: '…', isChanged: false }] };
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
  spans: [{ text, isChanged: false }],
  line: index + 1,
});

/** Replaced lines: paired line by line with word marks, as far as they have enough in common. */
function replaced(
  gone: string[],
  come: string[],
  goneAt: number,
  comeAt: number,
  pairs: number,
): ComparedLine[] {
  const went: ComparedLine[] = gone.map((text, index) => line('removed', text, goneAt + index));
  const came: ComparedLine[] = come.map((text, index) => line('added', text, comeAt + index));
  if (gone.length === come.length) {
    gone.slice(0, pairs).forEach((text, index) => {
      const words = compareWords(text, come[index] as string);
      if (!words) return;
      went[index] = { ...(went[index] as ComparedLine), spans: words.before };
      came[index] = { ...(came[index] as ComparedLine), spans: words.after };
    });
  }
  return went.concat(came);
}

/** Which words of two lines differ; null where they have little in common. */
export function compareWords(one: string, other: string): { before: TextSpan[]; after: TextSpan[] } | null {
  if (one.length > MAX_LINE || other.length > MAX_LINE) return null;
  const a = wordsOf(one);
  const b = wordsOf(other);
  const found = differingRanges(a, b, MAX_WORDS);
  if (!found) return null;
  const before = spansOf(
    a,
    found.map(({ aFrom, aTo }) => [aFrom, aTo]),
  );
  const after = spansOf(
    b,
    found.map(({ bFrom, bTo }) => [bFrom, bTo]),
  );
  const shared = before
    .filter(({ isChanged }) => !isChanged)
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return shared < MIN_SHARED * Math.max(one.trim().length, other.trim().length) ? null : { before, after };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

function spansOf(words: readonly string[], changed: readonly (readonly [number, number])[]): TextSpan[] {
  const found: TextSpan[] = [];
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
