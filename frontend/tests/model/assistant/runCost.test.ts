import { describe, expect, it } from 'vitest';
import { usageTexts } from '../../../src/model/assistant/runCost';

const PRICE = { input: 3, output: 15, currency: 'USD' };
const spent = (input: number, output: number, seconds: number | null = null) => ({
  tokens: { input, output },
  seconds,
});

describe('what a request cost', () => {
  it('is said in seconds, tokens and money', () => {
    expect(usageTexts(spent(3000, 200, 12.4), PRICE)).toEqual(['12 s', '3,200 tokens', 'about $0.012']);
  });

  it('is rounded to what counts', () => {
    expect(usageTexts(spent(1_000_000, 100_000, 240), PRICE)).toEqual([
      '4 min',
      '1,100,000 tokens',
      'about $4.5',
    ]);
    expect(usageTexts(spent(100, 5), PRICE).at(-1)).toBe('less than $0.001');
  });

  it('has no money where no price is known, and nothing where nothing was sent', () => {
    expect(usageTexts(spent(3000, 200, 2), null)).toEqual(['2 s', '3,200 tokens']);
    expect(usageTexts(spent(0, 0, 0.1), PRICE)).toEqual([]);
    expect(usageTexts({ tokens: null, seconds: null }, PRICE)).toEqual([]);
  });

  it('takes a currency that is no code', () => {
    expect(usageTexts(spent(1_000_000, 0), { ...PRICE, currency: 'credits' }).at(-1)).toBe('about 3 credits');
  });
});
