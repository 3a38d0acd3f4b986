/**
 * Computes the changes between two texts: common ends are kept, and between them common lines. Surrogate pairs are
 * never split. Not here: what changes are (`changes.ts`).
 */
import { type Changes, ofParts, type Part, splitsPair } from './changeParts';
import { differingRanges } from './myers';

// With more edited lines the texts count as different as a whole.
const MAX_EDITS = 1_000;

/** Changes, in normal form, that lead from one text to the other. */
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
function replaced(old: string, now: string): Part[] {
  const head = sharedHead(old, now);
  const tail = sharedTail(old, now, head);
  return [
    [head, null],
    [old.length - head - tail, now.slice(head, now.length - tail)],
    [tail, null],
  ];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
