/** The numbers of a day, and when they are loud. */
import { describe, expect, it } from 'vitest';
import { dayNumbers, dayWarning } from '../../../src/model/assistant/dayNumbers';
import type { Quality, Usage } from '../../../src/protocol/types';

const quality = (more: Partial<Quality> = {}): Quality => ({
  runs: 12,
  applied: 9,
  failed: 0,
  batches: 20,
  refused: 1,
  repaired: 1,
  fallbacks: 0,
  refused_by_code: { node_not_found: 1 },
  refused_share: 0.05,
  is_loud: false,
  ratings: { up: 0, down: 0 },
  ...more,
});
const usage = (more: Record<string, unknown> = {}): Usage =>
  ({ quality: { today: quality() }, total: {}, price: null, ...more }) as unknown as Usage;
const rows = (one: Usage) => Object.fromEntries(dayNumbers(one).map(({ name, value }) => [name, value]));

describe('the numbers of a day', () => {
  it('are requests and batches; what is zero is left out', () => {
    expect(rows(usage())).toEqual({
      Requests: '12 · 9 applied',
      'Batches of changes': '20 · 1 refused (5 %) · 1 corrected',
    });
  });

  it('have ratings, whole rewrites, tokens and money where there are some', () => {
    const today = quality({ failed: 2, fallbacks: 1, ratings: { up: 4, down: 1 } });
    const total = { input: 120_000, output: 3_400, cache_read: 90_000, cost: 0.412 };
    const price = { input: 3, output: 15, currency: 'USD' };
    expect(rows(usage({ quality: { today }, total, price }))).toMatchObject({
      Requests: '12 · 9 applied · 2 failed',
      'Written anew as a whole': '1 time',
      Ratings: '4 helped · 1 did not',
      'Tokens sent': '120,000 · 90,000 from the cache',
      'Tokens received': '3,400',
      Cost: 'about $0.41',
    });
    expect(rows(usage({ total }))).not.toHaveProperty('Cost');
  });

  it('are the tokens alone from a server that does not count more', () => {
    const total = { input: 10, output: 2 };
    expect(Object.keys(rows(usage({ quality: undefined, total })))).toEqual([
      'Tokens sent',
      'Tokens received',
    ]);
  });
});

describe('a day on which too much goes wrong', () => {
  it('is loud in plain words, with what is wrong most often', () => {
    const today = quality({
      is_loud: true,
      refused: 5,
      failed: 3,
      refused_by_code: { find_not_found: 1, node_not_found: 4 },
    });
    expect(dayWarning(today)).toEqual([
      'Today more went wrong than should: 5 of 20 batches of changes did not fit (25 %), and 3 of 12 requests failed (25 %).',
      'Most often: It speaks of a node that is not in the diagram. (4 times)',
    ]);
  });

  it('is quiet otherwise', () => {
    expect([dayWarning(quality()), dayWarning(undefined)]).toEqual([[], []]);
  });
});
