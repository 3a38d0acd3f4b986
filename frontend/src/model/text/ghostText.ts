/**
 * Positions of proposed changes in the document, and the lines that they change. Pure; nothing is guessed.
 *
 * Changes come as text steps, which are exact as long as the text is the one they are for, and as whole lines, as the
 * server reports changes before they are applied (`{from_line, to_line, old, new}`, docs/assistant.md). Changes that
 * cannot be located with certainty are left out and counted. Not here: how they are shown (`view/document/ghosts`).
 */
import type { Step, TextStep } from '../../protocol/live';
import type { DocumentChange } from '../../protocol/types';
import { applyTo, type Changes, compose, deletedBy, mapOffset, normal, stretches } from '../core/changes';
import { changesBetween } from '../core/textDiff';
import { same } from '../core/values';
import { lineStarts } from './lineStarts';

/** A replacement of a range. */
export interface PlacedChange {
  from: number;
  to: number;
  old: string;
  now: string;
}

export interface PlacedChanges {
  /** In order; none overlaps another. */
  changes: readonly PlacedChange[];
  /** How many changes are for another text. */
  lost: number;
}

export const NO_CHANGES: PlacedChanges = { changes: [], lost: 0 };

export function placeChanges(
  text: string,
  steps: readonly Step[],
  hunks: readonly DocumentChange[],
): PlacedChanges {
  const texts = steps.filter((step): step is TextStep => step.k === 'text');
  return (texts.length > 0 && exactly(text, texts)) || placeHunks(text, hunks);
}

/** The changes of the steps, where they are for this very text; else null. */
function exactly(text: string, steps: readonly TextStep[]): PlacedChanges | null {
  let all: Changes | null = null;
  let now = text;
  try {
    for (const { c, d } of steps) {
      if (!same(deletedBy(now, c), d)) return null;
      now = applyTo(now, c);
      all = all ? compose(all, c) : normal(c);
    }
  } catch {
    return null;
  }
  const changes = stretches(all ?? []).map(({ from, to, inserted }) => ({
    from,
    to,
    old: text.slice(from, to),
    now: inserted,
  }));
  return { changes: changes.filter((change) => change.old !== change.now), lost: 0 };
}

/**
 * Locates whole lines at their line number, else at their only occurrence; a pure insertion is placed before the line
 * that is named.
 */
export function placeHunks(text: string, hunks: readonly DocumentChange[]): PlacedChanges {
  // Each line has its line feed there, the last one, too.
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const starts = lineStarts(whole);
  const placed: PlacedChange[] = [];
  for (const hunk of hunks) {
    const from = hunk.old === '' ? starts[hunk.from_line - 1] : foundAt(whole, starts, hunk);
    if (from !== undefined) placed.push(changeAt(text, from, hunk));
  }
  const changes = apart(placed);
  return { changes, lost: hunks.length - changes.length };
}

function foundAt(
  text: string,
  starts: readonly number[],
  { from_line, old }: DocumentChange,
): number | undefined {
  const lineStart = starts[from_line - 1];
  if (lineStart !== undefined && text.startsWith(old, lineStart)) return lineStart;
  const there = starts.filter((start) => text.startsWith(old, start));
  return there.length === 1 ? there[0] : undefined;
}

/** In the text itself, of which the last line may have no line feed. */
function changeAt(text: string, at: number, { old, new: now }: DocumentChange): PlacedChange {
  const [from, to] = [Math.min(at, text.length), Math.min(at + old.length, text.length)];
  const isCut = at + old.length > text.length;
  const come = isCut ? now.replace(/\n$/, '') : now;
  return { from, to, old: text.slice(from, to), now: at > text.length ? `\n${come}` : come };
}

/** Without overlapping changes: two cannot have the same position. */
function apart(changes: PlacedChange[]): PlacedChange[] {
  const kept: PlacedChange[] = [];
  for (const change of changes.sort((one, other) => one.from - other.from)) {
    const last = kept.at(-1);
    if (!last || change.from > last.to || (change.from === last.to && last.from < last.to)) kept.push(change);
  }
  return kept;
}

const lineOf = (starts: readonly number[], at: number): number => {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Maps the placed changes to a later text; those whose range was changed are counted. */
export function carried({ changes, lost }: PlacedChanges, before: string, after: string): PlacedChanges {
  if (before === after || changes.length === 0) return { changes, lost };
  const between = changesBetween(before, after);
  const slice = (from: number, to: number) => after.slice(from, to);
  return moved({ changes, lost }, (at, side) => mapOffset(between, at, side), slice);
}

/** Maps the placed changes through changes of others. */
export function moved(
  { changes, lost }: PlacedChanges,
  map: (at: number, side: -1 | 1) => number,
  slice: (from: number, to: number) => string,
): PlacedChanges {
  const kept = changes.flatMap((change) => {
    const from = map(change.from, change.old === '' ? -1 : 1);
    const to = change.old === '' ? from : map(change.to, -1);
    return slice(from, Math.max(from, to)) === change.old ? [{ ...change, from, to }] : [];
  });
  return { changes: kept, lost: lost + changes.length - kept.length };
}

/** The text with the proposed changes. */
export function withChanges(text: string, changes: readonly PlacedChange[]): string {
  let out = '';
  let at = 0;
  for (const { from, to, now } of changes) {
    out += text.slice(at, from) + now;
    at = to;
  }
  return out + text.slice(at);
}

/** A text with an index of its lines. */
export interface Lines {
  readonly length: number;
  lineAt(at: number): { from: number; to: number };
  slice(from: number, to: number): string;
}

export function linesIn(text: string): Lines {
  const starts = lineStarts(text);
  return {
    length: text.length,
    lineAt(at) {
      const line = lineOf(starts, at);
      return { from: starts[line] as number, to: (starts[line + 1] ?? text.length + 1) - 1 };
    },
    slice: (from, to) => text.slice(from, to),
  };
}

/** Whole removed lines, and whole lines inserted after them. */
export interface LineHunk {
  /** From the start of the first to the end of the last removed line; without one, the position of the insertion. */
  from: number;
  to: number;
  old: readonly string[];
  now: readonly string[];
  /** Whether the insertion is before the line at `from`; only without removed lines. */
  isBefore: boolean;
}

/** Changes as whole lines: those that share a line are joined. */
export function lineHunks(text: Lines, changes: readonly PlacedChange[]): LineHunk[] {
  const hunks: LineHunk[] = [];
  let group: PlacedChange[] = [];
  let [start, end] = [0, -1];
  const close = () => {
    const hunk = group.length > 0 ? hunkOf(text, start, end, group) : null;
    if (hunk) hunks.push(hunk);
  };
  for (const change of changes) {
    const from = text.lineAt(change.from).from;
    if (from > end) {
      close();
      group = [];
      start = from;
    }
    group.push(change);
    end = Math.max(end, text.lineAt(change.to).to);
  }
  close();
  return hunks;
}

function hunkOf(text: Lines, start: number, end: number, group: readonly PlacedChange[]): LineHunk | null {
  const whole = text.slice(start, end);
  const inside = group.map((change) => ({ ...change, from: change.from - start, to: change.to - start }));
  // A text without a character has no lines; a line without a character is one.
  const isAll = end - start === text.length;
  const linesOf = (some: string) => (isAll && some === '' ? [] : some.split('\n'));
  const old = linesOf(whole);
  const now = linesOf(withChanges(whole, inside));
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  if (gone.length + come.length === 0) return null;
  const before = old.slice(0, head).reduce((sum, line) => sum + line.length + 1, start);
  if (gone.length > 0)
    return { from: before, to: before + gone.join('\n').length, old: gone, now: come, isBefore: false };
  const isBefore = head === 0;
  const at = isBefore ? start : before - 1;
  return { from: at, to: at, old: [], now: come, isBefore };
}
