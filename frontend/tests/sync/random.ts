/** Chance that comes again: each case has a seed, which a failing test names. */

export interface Random {
  readonly seed: number;
  /** A fraction in [0, 1). */
  next(): number;
  /** A whole number in [0, bound). */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { seed, next, below, pick: (from) => from[below(from.length)] as never };
}

/** As many cases as asked for; `SYNC_SEED` runs one alone, `SYNC_ROUNDS` times as many. */
export function* seeds(count: number, first = 1): Generator<Random> {
  const only = process.env.SYNC_SEED;
  if (only) {
    yield seeded(Number(only));
    return;
  }
  const rounds = Number(process.env.SYNC_ROUNDS ?? 1);
  for (let seed = first; seed < first + count * rounds; seed++) yield seeded(seed);
}
