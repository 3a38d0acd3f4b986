import { describe, expect, it } from 'vitest';
import type { Score } from '../../../src/model/layout/score/judge';
import { type Attempt, type Outline, takeSteps } from '../../../src/model/layout/search/steps';

const NONE: Score = {
  overlaps: 0,
  strangersInFrames: 0,
  framesOverFrames: 0,
  linesThroughNodes: 0,
  linesThroughTitles: 0,
  coincident: 0,
  crossings: 0,
  bends: 0,
  length: 0,
  labelsHidden: 0,
  labelsOnLabels: 0,
  area: 0,
  shape: 0,
  moved: 0,
};
const ROOM = { width: 1000, height: 800 };

/** As large as this, and crossed so often. */
const drawn = (width: number, height: number, crossings: number, more: Partial<Score> = {}): Attempt => ({
  operation: null,
  score: { ...NONE, area: width * height, shape: width / height, crossings, ...more },
});

/** What is tried and finished, in order; finishing takes a crossing away. */
async function steps(kinds: Outline['kinds'], attempts: (Attempt | Error)[], hasFinish = true) {
  const done: string[] = [];
  const tried = await takeSteps({ kinds, hasFinish }, ROOM, {
    attempt: async (index) => {
      done.push(`try ${index}`);
      const attempt = attempts[index];
      if (!attempt || attempt instanceof Error) throw attempt ?? new Error('nothing there');
      return attempt;
    },
    finish: async (attempt) => {
      done.push(`finish ${attempts.indexOf(attempt)}`);
      return { ...attempt, score: { ...attempt.score, crossings: Math.max(0, attempt.score.crossings - 1) } };
    },
  });
  return { done, ...tried };
}

describe('the steps of a layout', () => {
  it('finish one attempt where it is good enough', async () => {
    const { done, most } = await steps(['plain', 'plain'], [drawn(2000, 900, 5), drawn(900, 700, 5)]);
    expect(done).toEqual(['try 0', 'try 1', 'finish 1']);
    expect(most).toBe(5);
  });

  it('leave the second direction out where the levels read well, or it would hardly be shown larger', async () => {
    const ways = ['plain', 'levels', 'plain'] as const;
    const levels = await steps(ways, [drawn(4000, 400, 6), drawn(1100, 800, 4), drawn(1000, 900, 6)]);
    expect(levels.done).toEqual(['try 0', 'try 1', 'finish 1']);
    const legible = await steps(ways, [drawn(1050, 780, 6), drawn(1500, 900, 9), drawn(1000, 900, 6)]);
    expect(legible.done).toEqual(['try 0', 'try 1', 'finish 0']);
  });

  it('try the second direction where it may be shown much larger', async () => {
    const { done } = await steps(
      ['plain', 'levels', 'plain'],
      [drawn(4000, 400, 6), drawn(900, 700, 30), drawn(1200, 1600, 6)],
    );
    expect(done).toEqual(['try 0', 'try 1', 'try 2', 'finish 2']);
  });

  it('try a layout level by level beside two of the library where these are strips', async () => {
    const ways = ['turned', 'plain', 'levels'] as const;
    const strip = await steps(ways, [drawn(5000, 700, 3), drawn(5000, 800, 9), drawn(1400, 900, 4)]);
    expect(strip.done).toEqual(['try 0', 'try 1', 'try 2', 'finish 2']);
    const full = await steps(ways, [drawn(1200, 1000, 3), drawn(5000, 800, 9), drawn(1100, 900, 4)]);
    expect(full.done).not.toContain('try 2');
  });

  it('put chains in several rows only where they would be a strip', async () => {
    const ways = ['plain', 'plain', 'wrapped'] as const;
    const strip = await steps(ways, [drawn(9000, 80, 0), drawn(180, 4000, 0), drawn(1400, 700, 0)]);
    expect(strip.done).toEqual(['try 0', 'try 1', 'try 2', 'finish 2']);
    const large = await steps(ways, [drawn(3000, 2000, 4), drawn(2500, 2300, 4), drawn(1400, 700, 0)]);
    expect(large.done).not.toContain('try 2');
    const crossed = await steps(ways, [drawn(9000, 80, 0), drawn(180, 4000, 0), drawn(1400, 700, 3)]);
    expect(crossed.done).not.toContain('finish 2');
  });

  it('allow the crossings of the library alone, also where the groups have an order', async () => {
    const worse = await steps(['turned', 'plain'], [drawn(900, 700, 9), drawn(900, 700, 5)]);
    expect([worse.most, worse.done.at(-1)]).toEqual([5, 'finish 1']);
    const better = await steps(['turned', 'plain'], [drawn(900, 700, 2), drawn(900, 700, 5)]);
    expect([better.most, better.done]).toEqual([5, ['try 0', 'try 1', 'finish 0']]);
  });

  it('finish a second attempt where the first crosses more than the library', async () => {
    const { done, attempts } = await steps(['plain', 'levels'], [drawn(4000, 900, 4), drawn(900, 700, 6)]);
    expect(done).toEqual(['try 0', 'try 1', 'finish 1', 'finish 0']);
    expect(attempts.map(({ score }) => score.crossings)).toEqual([5, 3]);
  });

  it('finish first what has no flaws', async () => {
    const flawed = drawn(900, 700, 0, { linesThroughNodes: 1 });
    expect((await steps(['plain', 'plain'], [flawed, drawn(3000, 900, 2)])).done).toContain('finish 1');
  });

  it('take one way that works, and fail where none does', async () => {
    expect((await steps(['plain', 'plain'], [new Error('unknown'), drawn(900, 700, 3)])).done).toContain(
      'finish 1',
    );
    await expect(steps(['plain', 'plain'], [new Error('one'), new Error('two')])).rejects.toThrow();
  });

  it('finish nothing that is finished', async () => {
    const { done, attempts, most } = await steps(
      ['gentle', 'gentle'],
      [drawn(1, 1, 1), drawn(1, 1, 2)],
      false,
    );
    expect(done).toEqual(['try 0', 'try 1']);
    expect([attempts.length, most]).toEqual([2, Infinity]);
  });

  it('take the direction whose names can be read beside a document, too', async () => {
    const strip = drawn(2400, 500, 0);
    const { done } = await steps(['plain', 'plain'], [strip, drawn(900, 1800, 0)]);
    expect(done).toEqual(['try 0', 'try 1', 'finish 1']);
  });

  it('try the second direction of the library where only what crosses more can be read', async () => {
    const ways = ['turned', 'turned', 'plain', 'plain'] as const;
    const tall = drawn(1500, 1500, 13);
    const attempts = [drawn(3000, 900, 13), tall, drawn(3100, 900, 10), drawn(1600, 1600, 10)];
    const { done } = await steps(ways, attempts);
    expect(done).toContain('try 3');
    expect(done.at(-1)).toBe('finish 3');
  });

  it('try narrower rows where no direction can be read beside a document, and might be', async () => {
    const ways = ['plain', 'plain', 'narrow', 'split'] as const;
    const wide = [drawn(2600, 1200, 4), drawn(2300, 1400, 4)];
    const narrow = await steps(ways, [...wide, drawn(1600, 2050, 4), drawn(1200, 2100, 4)]);
    expect(narrow.done).toEqual(['try 0', 'try 1', 'try 2', 'finish 2']);
    const split = await steps(ways, [...wide, drawn(2000, 2000, 4), drawn(1200, 2100, 4)]);
    expect(split.done).toEqual(['try 0', 'try 1', 'try 2', 'try 3', 'finish 3']);
    const huge = await steps(ways, [drawn(5000, 1800, 4), drawn(2900, 3900, 4)]);
    expect(huge.done).not.toContain('try 2');
    const read = await steps(ways, [drawn(2600, 1200, 4), drawn(1700, 1400, 4)]);
    expect(read.done).not.toContain('try 2');
  });

  it('try narrower rows where what could be read turned out larger', async () => {
    const ways = ['plain', 'plain', 'narrow'] as const;
    const attempts = [drawn(3000, 1000, 4), drawn(1780, 2000, 4), drawn(1500, 2050, 4)];
    const { done } = await steps(ways, attempts);
    expect(done).toEqual(['try 0', 'try 1', 'finish 1', 'try 2', 'finish 2']);
  });

  it('fold a drawing where no other can be read in the room, and might be', async () => {
    const ways = ['plain', 'plain', 'foldedRight', 'foldedDown'] as const;
    const [wide, tall] = [drawn(4400, 1400, 4), drawn(2200, 3300, 4)];
    const right = await steps(ways, [wide, tall, drawn(2900, 2000, 5), drawn(2500, 2500, 5)]);
    expect(right.done).toEqual(['try 0', 'try 1', 'try 2', 'finish 2']);
    const down = await steps(ways, [wide, tall, drawn(3800, 2000, 5), drawn(2500, 2500, 5)]);
    expect(down.done.slice(0, 4)).toEqual(['try 0', 'try 1', 'try 2', 'try 3']);
    const huge = await steps(ways, [drawn(9000, 1900, 4), drawn(3000, 6000, 4)]);
    expect(huge.done).not.toContain('try 2');
    const read = await steps(ways, [wide, drawn(2700, 2300, 4)]);
    expect(read.done).not.toContain('try 2');
  });

  it('finish what crosses less where what was to be read turned out larger', async () => {
    const ways = ['plain', 'plain', 'foldedRight'] as const;
    const attempts = [drawn(4400, 1400, 4), drawn(2200, 3300, 4), drawn(3200, 2000, 3)];
    const found = await takeSteps({ kinds: ways, hasFinish: true }, ROOM, {
      attempt: async (index) => attempts[index] as Attempt,
      finish: async (one) => ({ ...one, score: { ...one.score, area: 2 * one.score.area } }),
    });
    expect(found.attempts.map(({ score }) => score.crossings)).toEqual([3, 4]);
  });

  it('leave the library alone out where nothing is crossed', async () => {
    const ways = ['turned', 'turned', 'plain', 'plain'] as const;
    const { done, most } = await steps(ways, [drawn(900, 700, 0), drawn(900, 1400, 0), drawn(1, 1, 9)]);
    expect([done, most]).toEqual([['try 0', 'try 1', 'finish 0'], 0]);
  });
});
