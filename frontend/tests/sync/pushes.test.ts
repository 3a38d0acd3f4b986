/** How many keys go into a push, as docs/operating.md says under "Much typing": each push is a commit that is kept. */

import { describe, expect, it } from 'vitest';
import { PendingText } from '../../src/sync/text/text';
import { seeded } from './random';

const KEYS = 4_000;
const AT = { epoch: 'e', rev: 1, h: 'h' };
const ANSWER_MS = 40;

/** When keys are pressed: in bursts, 170 ms apart in the middle, as `tests/integration/typing_day.py` has them. */
function times(): number[] {
  const random = seeded(7);
  const found: number[] = [];
  for (let now = 0, left = 0; found.length < KEYS; left--) {
    if (left <= 0) {
      left = 1 + Math.floor(-Math.log(1 - random.next()) * 40);
      now += 5_000;
    }
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    now += Math.exp(0.5 * normal) * 170 * 0.88;
    found.push(now);
  }
  return found;
}

/** Keys for each push while so many pages have the workspace open. */
function keysForEachPush(pages: number): number {
  const lane = new PendingText();
  lane.pages = pages;
  let pushes = 0;
  let answerAt = Number.POSITIVE_INFINITY;
  const until = (end: number) => {
    for (;;) {
      const now = Math.min(answerAt, lane.due(false));
      if (now > end) return;
      if (lane.flight) {
        lane.acknowledge(lane.flight.now);
        answerAt = Number.POSITIVE_INFINITY;
      } else {
        lane.push(`push${++pushes}`, AT, Math.max(now, lastKey));
        answerAt = Math.max(now, lastKey) + ANSWER_MS;
      }
    }
  };
  let lastKey = 0;
  for (const now of times()) {
    until(now);
    lastKey = now;
    const length = lane.view.length;
    lane.type(length ? [length, [0, 'x']] : [[0, 'x']], now);
  }
  until(Number.MAX_VALUE);
  expect(lane.isPending).toBe(false);
  return KEYS / pushes;
}

describe('Keys of one push', () => {
  it('are about four and a half while nobody else is there', () => {
    expect(keysForEachPush(1)).toBeGreaterThan(4);
    expect(keysForEachPush(1)).toBeLessThan(5);
  });

  it('are about one and a half in company', () => {
    expect(keysForEachPush(2)).toBeGreaterThan(1.3);
    expect(keysForEachPush(2)).toBeLessThan(1.7);
  });

  it('are between one and two and a half among many, as the others type', () => {
    expect(keysForEachPush(6)).toBeGreaterThan(1);
    expect(keysForEachPush(6)).toBeLessThan(2.5);
  });
});
