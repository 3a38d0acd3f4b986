/**
 * The ranges in which two sequences differ, by a shortest edit script. Pure.
 *
 * Myers, "An O(ND) difference algorithm and its variations" (1986), the greedy form with a bound on D, because memory
 * grows with the square of it. Not here: what is compared.
 */

/** `[aFrom, aTo)` of the first corresponds to `[bFrom, bTo)` of the second. */
export interface Stretch {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

/** As many comparisons are made at most: few differences in very long sequences take many as well. */
export const MAX_COMPARISONS = 20_000_000;

/**
 * The ranges in which two sequences differ, in order; null where there are more than `most` differences, or where
 * finding them would take more than `comparisons`.
 */
export function differingRanges(
  a: readonly string[],
  b: readonly string[],
  most: number,
  comparisons: number = MAX_COMPARISONS,
): Stretch[] | null {
  // Compared as numbers: two long lines that differ at their ends would be read as a whole each time.
  const numbers = new Map<string, number>();
  const [before, after] = [numbered(a, numbers), numbered(b, numbers)];
  const trace = furthest(before, after, Math.min(a.length + b.length, most), comparisons);
  return trace === null ? null : walkBack(trace, a.length, b.length);
}

/** The range between what two sequences have in common at the start and at the end. */
export function middleOf(a: readonly string[], b: readonly string[]): Stretch {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { aFrom: head, aTo: a.length - tail, bFrom: head, bTo: b.length - tail };
}

function numbered(values: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(values, (value) => {
    const known = numbers.get(value);
    if (known === undefined) numbers.set(value, numbers.size);
    return known ?? numbers.size - 1;
  });
}

/** For each number of differences the furthest position on each diagonal; null where there are too many. */
function furthest(a: Int32Array, b: Int32Array, most: number, comparisons: number): Int32Array[] | null {
  let left = comparisons;
  const trace: Int32Array[] = [];
  let last = new Int32Array(3);
  for (let d = 0; d <= most; d++) {
    // Diagonals -d … d, with a border on either side, so that index = diagonal + d + 1.
    const now = new Int32Array(2 * d + 3);
    for (let k = -d; k <= d; k += 2) {
      const from = d === 0 ? 0 : stepTo(last, d, k);
      let x = from;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      left -= x - from + 1;
      now[k + d + 1] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(now);
        return trace;
      }
    }
    if (left < 0) return null;
    trace.push(now);
    last = now;
  }
  return null;
}

/** Where diagonal `k` begins with `d` differences, from the positions with one fewer. */
function stepTo(last: Int32Array, d: number, k: number): number {
  const at = (diagonal: number) => last[diagonal + d] ?? 0;
  const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
  return isDown ? at(k + 1) : at(k - 1) + 1;
}

function walkBack(trace: Int32Array[], aLength: number, bLength: number): Stretch[] {
  const found: Stretch[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = trace.length - 1; d > 0; d--) {
    const last = trace[d - 1] as Int32Array;
    const k = x - y;
    const at = (diagonal: number) => last[diagonal + d] ?? 0;
    const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromX = isDown ? at(k + 1) : at(k - 1);
    const fromY = fromX - (isDown ? k + 1 : k - 1);
    const [toX, toY] = isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const next = found[found.length - 1];
    if (next && next.aFrom === toX && next.bFrom === toY) {
      next.aFrom = fromX;
      next.bFrom = fromY;
    } else {
      found.push({ aFrom: fromX, aTo: toX, bFrom: fromY, bTo: toY });
    }
    x = fromX;
    y = fromY;
  }
  return found.reverse();
}
