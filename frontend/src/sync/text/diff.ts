/**
 * The differences between two sequences of words or lines, in a form that can be merged. Pure. Not here: finding them
 * (`model/core/myers.ts`), and merging (`merge.ts`).
 */
import { differingRanges, type Stretch } from '../../model/core/myers';

// Beyond this many differences the middle counts as one.
const MAX_DIFFERENCES = 1_200;

/**
 * The ranges in which two sequences differ, in order; each insertion as far back as possible.
 *
 * Ranges are joined where what is equal between them is not `telling`, that is, equal by chance.
 */
export function stretchesBetween(a: readonly string[], b: readonly string[], telling: RegExp): Stretch[] {
  let front = 0;
  while (front < a.length && front < b.length && a[front] === b[front]) front++;
  let back = 0;
  while (
    back < a.length - front &&
    back < b.length - front &&
    a[a.length - 1 - back] === b[b.length - 1 - back]
  )
    back++;
  const middle = search(a.slice(front, a.length - back), b.slice(front, b.length - back));
  const found = middle.map((s) => ({
    aFrom: s.aFrom + front,
    aTo: s.aTo + front,
    bFrom: s.bFrom + front,
    bTo: s.bTo + front,
  }));
  return slidBack(joined(found, a, b, telling), a, b);
}

function search(a: readonly string[], b: readonly string[]): Stretch[] {
  const whole = { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length };
  if (a.length === 0 && b.length === 0) return [];
  if (a.length === 0 || b.length === 0) return [whole];
  return differingRanges(a, b, MAX_DIFFERENCES) ?? [whole];
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
