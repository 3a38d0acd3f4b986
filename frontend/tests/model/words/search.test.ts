import { describe, expect, it } from 'vitest';
import { rankByWords } from '../../../src/model/words/search';

const titles = (query: string, items: { title: string; words?: string }[]) =>
  rankByWords(items, query).map(({ title }) => title);

const COMMANDS = [
  { title: 'Undo', words: 'back revert' },
  { title: 'Duplicate' },
  { title: 'Select all' },
  { title: 'Tidy the layout', words: 'arrange clean elk' },
  { title: 'Delete', words: 'remove' },
  { title: 'Dark theme', words: 'night' },
];

describe('finding by words', () => {
  it('gives everything, in order, for nothing', () => {
    expect(titles('  ', COMMANDS)).toEqual(COMMANDS.map(({ title }) => title));
  });

  it('puts the start of the title first, then starts of words, then other words', () => {
    const items = [
      { title: 'Show all', words: 'layout' },
      { title: 'Tidy layout' },
      { title: 'Layout of groups' },
    ];
    expect(titles('layout', items)).toEqual(['Layout of groups', 'Tidy layout', 'Show all']);
  });

  it('finds by other words, by letters in order, and without accents or case', () => {
    expect(titles('remove', COMMANDS)).toEqual(['Delete']);
    expect(titles('dpl', COMMANDS)).toEqual(['Duplicate']);
    expect(titles('CAFE', [{ title: 'Café' }])).toEqual(['Café']);
  });

  it('wants every word', () => {
    expect(titles('tidy clean', COMMANDS)).toEqual(['Tidy the layout']);
    expect(titles('tidy nothing', COMMANDS)).toEqual([]);
  });

  it('takes no single letter out of the middle', () => {
    expect(titles('k', COMMANDS)).toEqual([]);
    expect(titles('zz', COMMANDS)).toEqual([]);
  });
});
