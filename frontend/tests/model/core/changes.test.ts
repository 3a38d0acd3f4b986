import { ChangeSet, Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import {
  applyTo,
  type Changes,
  ChangesRefused,
  changesBetween,
  check,
  compose,
  deletedBy,
  invert,
  isEmpty,
  mapOffset,
  mapped,
  normal,
} from '../../../src/model/core/changes';

const SEED = 20_261_121;
const WORDS = ['', 'a', 'b\n', '🚀', 'é', '\n', 'line\n', '𝒳 y', 'x'];

/** Numbers that only the seed decides (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const roll = random(SEED);
const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
const text = () => Array.from({ length: roll(9) }, () => pick(WORDS)).join('');

/** Changes to a text that cut at code points alone; not in normal form. */
function changesTo(of: string): Changes {
  const points = [...of];
  const changes: Changes = [];
  for (let at = 0; at < points.length; ) {
    const size = Math.min(1 + roll(3), points.length - at);
    const units = points.slice(at, at + size).join('').length;
    changes.push(pick([units, units, [units], [units, ...pick(WORDS).split('\n')]]));
    at += size;
  }
  if (roll(3) === 0) changes.push([0, ...pick(WORDS).split('\n')]);
  return changes;
}

describe(`changes to a text (seed ${SEED})`, () => {
  const cases = Array.from({ length: 400 }, () => {
    const before = text();
    const mine = changesTo(before);
    return { before, mine, other: changesTo(before), next: changesTo(applyTo(before, mine)) };
  });

  it('apply as CodeMirror applies them, and their inverse leads back', () => {
    for (const { before, mine } of cases) {
      const after = applyTo(before, mine);
      expect(after).toBe(
        ChangeSet.fromJSON(mine)
          .apply(Text.of(before.split('\n')))
          .toString(),
      );
      const back = invert(mine, deletedBy(before, mine));
      expect(applyTo(after, back)).toBe(before);
      expect(invert(back, deletedBy(after, back))).toEqual(normal(mine));
    }
  });

  it('are equal values where they are equal changes', () => {
    for (const { mine } of cases) {
      const once = normal(mine);
      expect(normal(once)).toEqual(once);
      expect(normal(ChangeSet.fromJSON(mine))).toEqual(once);
      for (const [at, part] of once.entries())
        expect(at > 0 && Array.isArray(part) === Array.isArray(once[at - 1])).toBe(false);
    }
  });

  it('compose to one', () => {
    for (const { before, mine, next } of cases)
      expect(applyTo(before, compose(mine, next))).toBe(applyTo(applyTo(before, mine), next));
  });

  it('map over one another so that both ways end alike', () => {
    for (const { before, mine, other } of cases) {
      const oneWay = applyTo(applyTo(before, other), mapped(mine, other));
      const otherWay = applyTo(applyTo(before, mine), mapped(other, mine, true));
      expect(oneWay).toBe(otherWay);
    }
  });

  it('compose and map as CodeMirror composes and maps them, and a place lies where it says', () => {
    const setOf = (changes: Changes) => ChangeSet.fromJSON(normal(changes));
    for (const { before, mine, other, next } of cases) {
      expect(compose(mine, next)).toEqual(normal(setOf(mine).compose(setOf(next))));
      for (const isBefore of [true, false])
        expect(mapped(mine, other, isBefore)).toEqual(normal(setOf(mine).map(setOf(other), isBefore)));
      for (const assoc of [-1, 1] as const)
        for (let at = 0; at <= before.length; at++)
          expect(mapOffset(mine, at, assoc)).toBe(setOf(mine).mapPos(at, assoc));
    }
  });

  it('between two texts lead from one to the other and keep what is shared', () => {
    for (const { before, next, mine } of cases) {
      const after = applyTo(applyTo(before, mine), next);
      const found = changesBetween(before, after);
      expect(applyTo(before, found)).toBe(after);
      expect(normal(found)).toEqual(found);
    }
  });
});

describe('changes between two texts', () => {
  it('speak of nothing where nothing changed', () => {
    expect(isEmpty(changesBetween('a\nb', 'a\nb'))).toBe(true);
    expect(changesBetween('', '')).toEqual([]);
  });

  it('keep the lines between two edits', () => {
    expect(changesBetween('# A\none\nsame\ntwo\nend', '# A\n1\nsame\n2\nend')).toEqual([
      4,
      [3, '1'],
      6,
      [3, '2'],
      4,
    ]);
  });

  it('never split a surrogate pair', () => {
    // The halves that come first are the same in both rockets; in the second pair those that come last.
    expect(changesBetween('a🚀b', 'a🚁b')).toEqual([1, [2, '🚁'], 1]);
    expect(changesBetween('\u{1F680}', '\u{1FA80}')).toEqual([[2, '\u{1FA80}']]);
  });

  it('replace the whole of what differs too much to be compared line by line', () => {
    const old = Array.from({ length: 3_000 }, (_, at) => `old ${at}\n`).join('');
    const now = Array.from({ length: 3_000 }, (_, at) => `new ${at}\n`).join('');
    const found = changesBetween(old, now);
    expect(applyTo(old, found)).toBe(now);
    expect(found.filter(Array.isArray)).toHaveLength(1);
  });
});

describe('what claims to be changes', () => {
  it.each([
    ['no list', {}],
    ['a negative length', [-1]],
    ['a fraction', [1.5]],
    ['a length that is a text', ['1']],
    ['a line that is none', [[1, 2]]],
    ['an empty part', [[]]],
    ['CR', [[0, 'a\rb']]],
    ['half a pair', [[0, '\ud83d']]],
    ['halves in two lines', [[0, '\ud83d', '\ude80']]],
  ])('is refused with %s', (_, shape) => {
    expect(() => check(shape)).toThrow(ChangesRefused);
  });

  it('comes out in normal form', () => {
    expect(check([1, 0, 2, [1], [0, 'a', ''], [0, '🚀']])).toEqual([3, [1, 'a', '🚀']]);
  });

  it('is refused by a text of another length, and where it would split a pair', () => {
    expect(() => applyTo('abc', [2])).toThrow('another length');
    expect(() => applyTo('a🚀', [2, [1]])).toThrow('surrogate pair');
    expect(() => applyTo('a🚀', [1, [1, 'x'], 1])).toThrow('surrogate pair');
    expect(applyTo('a🚀', [2, 1])).toBe('a🚀');
  });

  it('is refused by changes that it does not follow or stand beside', () => {
    expect(() => compose([3], [2])).toThrow(ChangesRefused);
    expect(() => mapped([3], [2])).toThrow(ChangesRefused);
  });
});

it('tells where a place lies afterwards', () => {
  const changes: Changes = [2, [2, 'abc'], 2];
  expect([0, 2, 3, 4, 6].map((at) => mapOffset(changes, at))).toEqual([0, 2, 2, 5, 7]);
  expect(mapOffset([2, [0, 'x'], 2], 2, 1)).toBe(3);
  expect(mapOffset([2, [0, 'x'], 2], 2)).toBe(2);
  expect(mapOffset([2], 9)).toBe(2);
});
