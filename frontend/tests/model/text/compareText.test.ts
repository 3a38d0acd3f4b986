import { describe, expect, it } from 'vitest';
import { compareTexts, compareWords, foldSame } from '../../../src/model/text/compareText';

const words = (text: string) => compareTexts(...(text.split('|') as [string, string]));
const shown = ({ lines }: ReturnType<typeof compareTexts>) =>
  lines.map(({ kind, spans }) => {
    const sign = kind === 'same' ? ' ' : kind === 'added' ? '+' : '−';
    return sign + spans.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
  });

describe('two texts', () => {
  it('are compared line by line, and word by word within a line', () => {
    const found = compareTexts(
      '# Plan\n\nWe use one queue.\n\nEnd.',
      '# Plan\n\nWe use two queues.\n\nEnd.\nMore.',
    );
    expect(shown(found)).toEqual([
      ' # Plan',
      ' ',
      '−We use [one] [queue].',
      '+We use [two] [queues].',
      ' ',
      ' End.',
      '+More.',
    ]);
    expect([found.added, found.removed]).toEqual([2, 1]);
  });

  it('are one as they are, and nothing where both are empty', () => {
    expect(shown(words('a|a'))).toEqual([' a']);
    expect(words('|').lines).toEqual([]);
    expect(shown(words('|new'))).toEqual(['+new']);
    expect(shown(words('old|'))).toEqual(['−old']);
  });

  it('give back both texts, whatever they are', () => {
    const texts = ['', 'a', 'a\nb\nc', 'c\nb\na', 'a\n\n\nb', 'x 😀 y\nz', '\n', 'a\nb\n'];
    for (const from of texts)
      for (const to of texts) {
        const { lines } = compareTexts(from, to);
        const side = (besides: string) =>
          lines
            .filter(({ kind }) => kind !== besides)
            .map(({ spans }) => spans.map(({ text }) => text).join(''));
        expect(side('added').join('\n')).toBe(from);
        expect(side('removed').join('\n')).toBe(to);
      }
  });

  it('count their lines where they stand', () => {
    const { lines } = compareTexts('a\nb\nc', 'a\nc\nd');
    expect(lines.map(({ kind, line }) => [kind, line])).toEqual([
      ['same', 1],
      ['removed', 2],
      ['same', 2],
      ['added', 3],
    ]);
  });

  it('of which little is shared are two lines, not one with changes', () => {
    expect(compareWords('We use one queue.', 'Entirely different, that.')).toBeNull();
  });

  it('are folded where nothing happened', () => {
    const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const { lines } = compareTexts(
      many.join('\n'),
      [...many.slice(0, 10), 'new', ...many.slice(10)].join('\n'),
    );
    const folds = foldSame(lines);
    expect(folds.map(({ kind, lines: part }) => [kind, part.length])).toEqual([
      ['folded', 8],
      ['shown', 5],
      ['folded', 8],
    ]);
    expect(folds.flatMap(({ lines: part }) => part)).toEqual(lines);
  });
});
