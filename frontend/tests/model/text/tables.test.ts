/** Tables of Markdown: their cells in the text, and changes that leave everything else as it was written. */
import { describe, expect, it } from 'vitest';
import {
  addedColumn,
  addedRow,
  aligned,
  missingCell,
  removedColumn,
  removedRow,
} from '../../../src/model/text/syntax/tableChanges';
import {
  asCell,
  cellText,
  columnsOf,
  rowsOf,
  type Table,
  tableIn,
} from '../../../src/model/text/syntax/tables';
import type { TextChange } from '../../../src/model/text/tasks';

const table = (source: string): Table => {
  const found = tableIn(source);
  if (!found) throw new Error(`no table: ${source}`);
  return found;
};

const changed = (source: string, changes: readonly TextChange[]): string =>
  [...changes]
    .sort((one, other) => other.from - one.from)
    .reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), source);

const cells = (source: string): string[][] =>
  rowsOf(table(source)).map((_, row) =>
    Array.from({ length: columnsOf(table(source)) }, (_, column) => cellText(table(source), row, column)),
  );

const PLAIN = '| Name | Use |\n| --- | :-: |\n| a | b |\n|c|d|';
const OPEN = 'Name | Use\n--- | ---\na | b\nc | ';

describe('the cells of a table', () => {
  it('are found however their row is written', () => {
    expect(cells(PLAIN)).toEqual([
      ['Name', 'Use'],
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(cells(OPEN)).toEqual([
      ['Name', 'Use'],
      ['a', 'b'],
      ['c', ''],
    ]);
    expect(cells('|a|\n|-|\n||')).toEqual([['a'], ['']]);
    expect(table(PLAIN).alignments).toEqual([null, 'center']);
  });

  it('may hold a | behind a backslash, in code as well', () => {
    expect(cells('| a \\| b | `x \\| y` |\n|---|---|')).toEqual([['a \\| b', '`x \\| y`']]);
  });

  it('are none where the second line is no rule of as many columns', () => {
    expect(tableIn('| a | b |\n| --- |')).toBeNull();
    expect(tableIn('| a |\n| b |')).toBeNull();
    expect(tableIn('| a |')).toBeNull();
  });

  it('are written at the end of a row that does not have them', () => {
    for (const line of ['| a |', '| a', 'a |', 'a', '|', '']) {
      const source = `| x | y | z |\n|---|---|---|\n${line}`;
      const { at, ahead, behind } = missingCell(table(source), 1, 2);
      const now = changed(source, [{ from: at, to: at, insert: `${ahead}new${behind}` }]);
      expect(cells(now)[1]?.[2], line).toBe('new');
      expect(cells(now)[1]?.[0], line).toBe(cells(source)[1]?.[0]);
    }
  });
});

describe('a change of a table', () => {
  it('adds and removes a row, and leaves the others as they were written', () => {
    const more = changed(PLAIN, [addedRow(table(PLAIN), 1)]);
    expect(more).toBe('| Name | Use |\n| --- | :-: |\n| a | b |\n|  |  |\n|c|d|');
    expect(changed(PLAIN, [addedRow(table(PLAIN), 0)])).toContain('| :-: |\n|  |  |\n| a');
    expect(changed(more, removedRow(table(more), 2))).toBe(PLAIN);
    expect(removedRow(table(PLAIN), 0)).toEqual([]);
  });

  it.each([PLAIN, OPEN, 'a | b\n-|-', '|a|b|\n|-|-|\n|only|'])(
    'adds and removes a column of %j',
    (source) => {
      for (const behind of [0, 1]) {
        const before = cells(source);
        const now = changed(source, addedColumn(table(source), behind));
        const expected = before.map((row) => [...row.slice(0, behind + 1), '', ...row.slice(behind + 1)]);
        expect(cells(now)).toEqual(expected);
        expect(cells(changed(now, removedColumn(table(now), behind + 1)))).toEqual(before);
      }
      const kept = cells(source).map((row) => [row[1]]);
      expect(cells(changed(source, removedColumn(table(source), 0)))).toEqual(kept);
    },
  );

  it('keeps the last column', () => {
    expect(removedColumn(table('|a|\n|-|'), 0)).toEqual([]);
  });

  it('aligns a column, in the width that its rule has', () => {
    const to = (alignment: Parameters<typeof aligned>[2]) =>
      changed(PLAIN, aligned(table(PLAIN), 0, alignment)).split('\n')[1];
    expect(to('left')).toBe('| :-- | :-: |');
    expect(to('right')).toBe('| --: | :-: |');
    expect(to('center')).toBe('| :-: | :-: |');
    expect(aligned(table(PLAIN), 1, 'center')).toEqual([]);
    expect(changed('|a|\n|-|', aligned(table('|a|\n|-|'), 0, 'center'))).toBe('|a|\n|:-:|');
  });
});

it('writes words as those of a cell', () => {
  expect(asCell('a | b')).toBe('a \\| b');
  expect(asCell('a \\| b')).toBe('a \\| b');
  expect(asCell('one\n  two')).toBe('one two');
});
