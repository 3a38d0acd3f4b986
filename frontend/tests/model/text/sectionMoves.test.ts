import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../src/model/text/outline';
import {
  type Drop,
  dropOf,
  isRefused,
  moveOf,
  pathOf,
  type Step,
} from '../../../src/model/text/sectionMoves';
import { wordCount } from '../../../src/model/text/wordCount';

const TEXT =
  '# Plan\n\n## Goals\n\n### First\n\n### Second\n\n## Parts\n\n### Cache\n\n## Notes\n\n# Notes\n\n## Twice\n\n## Twice\n';
const headings = outlineOf(TEXT);
const at = (title: string) => headings.findIndex((heading) => heading.title === title);
const stepped = (title: string, step: Step) => {
  const drop = dropOf(headings, at(title), step);
  return isRefused(drop) ? drop.refusal : moved(title, drop);
};
const moved = (title: string, drop: Drop) => {
  const made = moveOf(headings, at(title), drop);
  return isRefused(made) ? made.refusal : (made.operation ?? 'there');
};

describe('a section in the outline', () => {
  it('moves among its neighbours, with the operation of everybody', () => {
    expect(stepped('Parts', 'up')).toEqual({
      op: 'move_section',
      section: '# Plan ## Parts',
      before: '# Plan ## Goals',
    });
    expect(stepped('Goals', 'down')).toMatchObject({ section: '# Plan ## Goals', after: '# Plan ## Parts' });
  });

  it('moves into the section before it, and out of the one it is in', () => {
    expect(stepped('Parts', 'in')).toMatchObject({ into: '# Plan ## Goals' });
    expect(stepped('Cache', 'out')).toMatchObject({
      section: '# Plan ## Parts ### Cache',
      after: '# Plan ## Parts',
    });
  });

  it.each([
    ['First', 'up', '“First” is the first one here.'],
    ['Second', 'down', '“Second” is the last one here.'],
    ['Cache', 'in', 'There is no section before “Cache” that it could go into.'],
    ['Plan', 'out', '“Plan” is in no other section.'],
  ] as const)('says why it does not move: %s %s', (title, step, refusal) => {
    expect(stepped(title, step)).toBe(refusal);
  });

  it('does not move into itself, nor beside one that has its path as well', () => {
    expect(moved('Goals', { at: at('Second'), place: 'before' })).toBe(
      'A section cannot be moved into itself.',
    );
    expect(moved('Goals', { at: at('Twice'), place: 'after' })).toContain('more than one “Twice”');
    expect(moved('Twice', { at: at('Goals'), place: 'into' })).toContain('Rename one of them first');
  });

  it('is not moved to where it stands', () => {
    expect(moved('Goals', { at: at('Parts'), place: 'before' })).toBe('there');
    expect(moved('Parts', { at: at('Goals'), place: 'after' })).toBe('there');
    expect(moved('Second', { at: at('Goals'), place: 'into' })).toBe('there');
    expect(moved('Second', { at: at('Goals'), place: 'after' })).toMatchObject({ after: '# Plan ## Goals' });
  });

  it('is named by its whole path, which tells it from others of its name', () => {
    expect(headings.map((_, index) => pathOf(headings, index))).toContain('# Plan ## Notes');
    expect(moved('Cache', { at: at('Notes'), place: 'before' })).toMatchObject({ before: '# Plan ## Notes' });
  });
});

describe('words', () => {
  it.each([
    ['## Two words', 2],
    ["It isn't well-known: 3.5 **MB**, see [the docs](https://example.org/a/b).", 8],
    ['| a | b |\n| --- | --- |\n', 2],
    ['https://example.org/only/an/address', 0],
    ['これは文書です', 4],
    ['', 0],
  ])('of %j are %i', (text, count) => {
    expect(wordCount(text)).toBe(count);
  });
});
