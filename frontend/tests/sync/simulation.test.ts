/**
 * Whole plays of several pages against a model server (`play.ts`). `SYNC_SEED` runs one seed, `SYNC_ROUNDS` more.
 */
import { describe, it } from 'vitest';
import { Play } from './play';

/** Seeds that have failed once; each led to a rule of the client or of the merge. */
const BAD_SEEDS = [51, 180, 189, 215, 254, 264, 301, 306, 318, 355, 428, 456, 877, 1051, 1218, 1482, 1866];

const only = process.env.SYNC_SEED;
const count = 40 * Number(process.env.SYNC_ROUNDS ?? 1);
const seeds = only ? [Number(only)] : [...BAD_SEEDS, ...Array.from({ length: count }, (_, n) => n + 1)];

describe('pages among each other', () => {
  it.each(seeds)('converge, do everything once, and lose nothing (seed %i)', async (seed) => {
    const play = new Play(seed);
    await play.run();
    play.judgeConvergence();
    play.judgeWords();
    await play.end();
  });

  it.each(seeds)(
    'converge also where the store loses commits that it had confirmed (seed %i)',
    async (seed) => {
      const play = new Play(seed, true);
      await play.run();
      play.judgeConvergence();
      await play.end();
    },
  );
});
