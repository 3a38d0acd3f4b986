/**
 * The differences between two texts: as changes, for an editor that has the one and gets the other, and as ranges of
 * words or lines, which can be merged. Pure. Not here: the search for them (`myers.ts`), what changes are
 * (`changes.ts`), merging (`sync/text/merge.ts`) and how a difference is displayed (`model/text/compareText.ts`).
 */
import { type Changes, ofParts, type Part, splitsPair } from './changeParts';
import { differingRanges, middleOf, type Stretch } from './myers';

// With more edited lines the texts count as different as a whole.
const MAX_EDITS = 1_000;

// Beyond this many differences between words or lines that are to be merged the middle counts as one.
const MAX_DIFFERENCES = 1_200;

/**
 * Changes, in normal form, that lead from one text to the other: common ends are kept, and between them common lines.
 * Surrogate pairs are never split.
 */
export function changesBetween(old: string, now: string): Changes {
  const head = sharedHead(old, now);
  const tail = sharedTail(old, now, head);
  return ofParts([
    [head, null],
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    [tail, null],
  ]);
}

function sharedHead(old: string, now: string): number {
  const most = Math.min(old.length, now.length);
  let at = 0;
  while (at < most && old.charCodeAt(at) === now.charCodeAt(at)) at++;
  return splitsPair(old, at) || splitsPair(now, at) ? at - 1 : at;
}

function sharedTail(old: string, now: string, head: number): number {
  const most = Math.min(old.length, now.length) - head;
  let size = 0;
  while (size < most && old.charCodeAt(old.length - 1 - size) === now.charCodeAt(now.length - 1 - size))
    size++;
  return splitsPair(old, old.length - size) || splitsPair(now, now.length - size) ? size - 1 : size;
}

function middle(old: string, now: string): Part[] {
  if (old === '' || now === '') return [[old.length, now]];
  const before = linesOf(old);
  const after = linesOf(now);
  const found = differingRanges(before, after, MAX_EDITS);
  if (found === null) return [[old.length, now]];
  const parts: Part[] = [];
  let at = 0;
  for (const { aFrom, aTo, bFrom, bTo } of found) {
    parts.push([sizeOf(before, at, aFrom), null]);
    parts.push(...replaced(before.slice(aFrom, aTo).join(''), after.slice(bFrom, bTo).join('')));
    at = aTo;
  }
  parts.push([sizeOf(before, at, before.length), null]);
  return parts;
}

function sizeOf(lines: readonly string[], from: number, to: number): number {
  let size = 0;
  for (let at = from; at < to; at++) size += (lines[at] as string).length;
  return size;
}

/** One replacement, without common ends. */
export function replaced(old: string, now: string): Part[] {
  const head = sharedHead(old, now);
  const tail = sharedTail(old, now, head);
  return [
    [head, null],
    [old.length - head - tail, now.slice(head, now.length - tail)],
    [tail, null],
  ];
}

/** The lines of a text, each with its line end. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The ranges in which two sequences of words or lines differ, in order; each insertion as far back as possible.
 *
 * Ranges are joined where what is equal between them is not `telling`, that is, equal by chance.
 */
export function stretchesBetween(a: readonly string[], b: readonly string[], telling: RegExp): Stretch[] {
  return slidBack(joined(search(a, b), a, b, telling), a, b);
}

/** The differing ranges between the common ends; all that lies between them where there are too many. */
function search(a: readonly string[], b: readonly string[]): Stretch[] {
  const middle = middleOf(a, b);
  const { aFrom, aTo, bFrom, bTo } = middle;
  if (aFrom === aTo && bFrom === bTo) return [];
  if (aFrom === aTo || bFrom === bTo) return [middle];
  const found = differingRanges(a.slice(aFrom, aTo), b.slice(bFrom, bTo), MAX_DIFFERENCES);
  if (found === null) return [middle];
  return found.map((s) => ({
    aFrom: s.aFrom + aFrom,
    aTo: s.aTo + aFrom,
    bFrom: s.bFrom + bFrom,
    bTo: s.bTo + bFrom,
  }));
}

function joined(
  found: readonly Stretch[],
  a: readonly string[],
  b: readonly string[],
  telling: RegExp,
): Stretch[] {
  const out: Stretch[] = [];
  for (const stretch of found) {
    const last = out[out.length - 1];
    const between = last ? a.slice(last.aTo, stretch.aFrom).join('') : '';
    if (last && !telling.test(between)) Object.assign(last, { aTo: stretch.aTo, bTo: stretch.bTo });
    else out.push({ ...stretch });
  }
  for (const stretch of out) trim(stretch, a, b);
  return out;
}

/** Removes the common ends of a range. */
function trim(s: Stretch, a: readonly string[], b: readonly string[]): void {
  while (s.aFrom < s.aTo && s.bFrom < s.bTo && a[s.aFrom] === b[s.bFrom]) {
    s.aFrom++;
    s.bFrom++;
  }
  while (s.aFrom < s.aTo && s.bFrom < s.bTo && a[s.aTo - 1] === b[s.bTo - 1]) {
    s.aTo--;
    s.bTo--;
  }
}

/** Moves pure insertions and deletions back as far as they read the same, so that equal ones get equal positions. */
function slidBack(stretches: Stretch[], a: readonly string[], b: readonly string[]): Stretch[] {
  for (let at = stretches.length - 1; at >= 0; at--) {
    const s = stretches[at] as Stretch;
    const limit = stretches[at + 1]?.aFrom ?? a.length;
    const isInsertion = s.aFrom === s.aTo;
    if (!isInsertion && s.bFrom !== s.bTo) continue;
    while (s.aTo < limit && (isInsertion ? b[s.bFrom] === a[s.aTo] : a[s.aFrom] === a[s.aTo])) {
      s.aFrom++;
      s.aTo++;
      s.bFrom++;
      s.bTo++;
    }
  }
  return stretches;
}
