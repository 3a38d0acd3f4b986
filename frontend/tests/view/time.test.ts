import { describe, expect, it } from 'vitest';
import { ago, dayOf } from '../../src/view/ui/time';

const now = new Date(2026, 9, 10, 12, 0).getTime();
const earlier = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('times', () => {
  it.each([
    [10, 'just now'],
    [60, '1 minute ago'],
    [59 * 60, '59 minutes ago'],
    [3 * 3600 + 5, '3 hours ago'],
    [30 * 3600, 'yesterday'],
    [9 * 86_400, 'Oct 1, 2026'],
  ])('says what was %d seconds ago as "%s"', (seconds, words) => {
    expect(ago(earlier(seconds), now)).toBe(words);
  });

  it('names today and yesterday', () => {
    expect(dayOf(earlier(60), now)).toBe('Today');
    expect(dayOf(earlier(86_400), now)).toBe('Yesterday');
  });
});
