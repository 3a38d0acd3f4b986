/**
 * What differs between two sequences, as the stretches that do not match. Pure.
 * Not here: what is done about it (`merge.ts`).
 *
 * Myers, "An O(ND) difference algorithm and its variations" (1986), the greedy form with a bound on D.
 */

/** `[aFrom, aTo)` of the one stands where `[bFrom, bTo)` of the other does. */
export interface Stretch {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

// Beyond so many differences the middle counts as one stretch: the memory of the search grows with the square.
const MOST_DIFFERENCES = 1_200;

/**
 * The stretches in which two sequences differ, from front to back; each insertion as far back as it can stand.
 *
 * Stretches are joined where what is alike between them is not `telling`: alike by chance.
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
  const trace = furthest(a, b);
  return trace === null ? [whole] : walkBack(trace, a, b);
}

/** For each number of differences the furthest place on each diagonal; null where there are too many. */
function furthest(a: readonly string[], b: readonly string[]): Int32Array[] | null {
  const most = Math.min(a.length + b.length, MOST_DIFFERENCES);
  const trace: Int32Array[] = [];
  let last = new Int32Array(3);
  for (let d = 0; d <= most; d++) {
    // Diagonals -d … d, with a border on either side, so that index = diagonal + d + 1.
    const now = new Int32Array(2 * d + 3);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : stepTo(last, d, k);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      now[k + d + 1] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(now);
        return trace;
      }
    }
    trace.push(now);
    last = now;
  }
  return null;
}

/** Where diagonal `k` begins with `d` differences, from the places with one fewer. */
function stepTo(last: Int32Array, d: number, k: number): number {
  const at = (diagonal: number) => last[diagonal + d] ?? 0;
  const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
  return isDown ? at(k + 1) : at(k - 1) + 1;
}

function walkBack(trace: Int32Array[], a: readonly string[], b: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  let x = a.length;
  let y = b.length;
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

/** Leave out what is alike at the ends of a stretch. */
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

/** Move pure insertions and deletions back as far as they read the same, so that equal ones stand at equal places. */
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
