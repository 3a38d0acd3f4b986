/**
 * The changes between two texts: what they share at both ends is kept, and between these whatever lines they share.
 * Surrogate pairs are never split. Not here: what changes are (`changes.ts`).
 */
import { type Changes, ofParts, type Part, splitsPair } from './changeParts';

// Edits of lines after which a text counts as another one; what is remembered grows with the square of it.
const MOST_EDITS = 1_000;

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
  const kept = commonLines(before, after);
  if (kept === null) return [[old.length, now]];
  const parts: Part[] = [];
  let [from, to] = [0, 0];
  for (const [one, other] of [...kept, [before.length, after.length] as const]) {
    parts.push(...replaced(before.slice(from, one).join(''), after.slice(to, other).join('')));
    if (one < before.length) parts.push([(before[one] as string).length, null]);
    [from, to] = [one + 1, other + 1];
  }
  return parts;
}

/** One replacement, without what is the same at both its ends. */
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

/**
 * Pairs of places of a longest common run of lines, in order; null where the two differ too much for looking.
 *
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), the greedy form.
 */
function commonLines(before: readonly string[], after: readonly string[]): [number, number][] | null {
  const most = Math.min(before.length + after.length, MOST_EDITS);
  const reached = new Int32Array(2 * most + 3); // by diagonal: how far down `before`
  const middleAt = most + 1;
  const past: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    past.push(reached.slice(middleAt - edits - 1, middleAt + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [fromBelow, fromAbove] = [
        reached[middleAt + diagonal + 1] ?? 0,
        reached[middleAt + diagonal - 1] ?? 0,
      ];
      const isDown = diagonal === -edits || (diagonal !== edits && fromAbove < fromBelow);
      let x = isDown ? fromBelow : fromAbove + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reached[middleAt + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length)
        return walkedBack(past, before.length, after.length);
    }
  }
  return null;
}

function walkedBack(past: readonly Int32Array[], endX: number, endY: number): [number, number][] {
  const kept: [number, number][] = [];
  let [x, y] = [endX, endY];
  for (let edits = past.length - 1; edits >= 0; edits--) {
    const reached = past[edits] as Int32Array;
    const at = (diagonal: number) => reached[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const [startX, startY] = edits === 0 ? [0, 0] : [at(before), at(before) - before];
    while (x > startX && y > startY) kept.push([--x, --y]);
    [x, y] = [startX, startY];
  }
  return kept.reverse();
}
