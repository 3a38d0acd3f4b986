/**
 * Changes of tables of Markdown, which add, remove and align rows and columns. A change of a cell or a row leaves all others
 * as they were written. Pure.
 */
import type { TextChange } from '../tasks';
import { type Alignment, columnsOf, type Row, rowsOf, type Table } from './tables';

/** What has to be written around the words of a cell that its row does not have yet, at the end of the row. */
export function missingCell(
  table: Table,
  row: number,
  column: number,
): { at: number; ahead: string; behind: string } {
  const { from, to, cells } = rowsOf(table)[row] as Row;
  const line = table.source.slice(from, to);
  const isClosed = cells.at(-1)?.end !== to && cells.length > 0;
  const opening = cells.length === 0 ? (line.trim() === '|' ? '' : '|') : isClosed ? '' : ' |';
  const between = '  |'.repeat(column - cells.length);
  return { at: to, ahead: `${opening}${between} `, behind: ' |' };
}

/** A row of empty cells below another, 0 for the head. */
export function addedRow(table: Table, below: number): TextChange {
  const { to } = below === 0 ? table.delimiter : (rowsOf(table)[below] as Row);
  return { from: to, to, insert: `\n|${'  |'.repeat(columnsOf(table))}` };
}

/** Without a row; the head stays. */
export function removedRow(table: Table, row: number): TextChange[] {
  const gone = row > 0 ? rowsOf(table)[row] : undefined;
  return gone ? [{ from: gone.from - 1, to: gone.to, insert: '' }] : [];
}

/** A column behind another. Rows that end ahead of it stay as they are. */
export function addedColumn(table: Table, behind: number): TextChange[] {
  return [table.head, table.delimiter, ...table.body].flatMap((row) => {
    const cell = row.cells[behind];
    if (!cell) return [];
    const isClosed = table.source[cell.end] === '|' && cell.end < row.to;
    const words = row === table.delimiter ? ' --- |' : '  |';
    const at = isClosed ? cell.end + 1 : row.to;
    return [{ from: at, to: at, insert: isClosed ? words : ` |${words}` }];
  });
}

/** Without a column; the last one stays. */
export function removedColumn(table: Table, column: number): TextChange[] {
  if (columnsOf(table) < 2) return [];
  return [table.head, table.delimiter, ...table.body].flatMap((row) => {
    const cell = row.cells[column];
    if (!cell) return [];
    const isClosed = table.source[cell.end] === '|' && cell.end < row.to;
    if (isClosed) return [{ from: cell.start, to: cell.end + 1, insert: '' }];
    return [{ from: Math.max(row.from, cell.start - 1), to: row.to, insert: '' }];
  });
}

/** With a column aligned in another way; its rule stays as long as it is, where that is possible. */
export function aligned(table: Table, column: number, alignment: Alignment): TextChange[] {
  const rule = table.delimiter.cells[column];
  if (!rule) return [];
  const [ahead, behind] = [
    alignment === 'left' || alignment === 'center' ? ':' : '',
    alignment === 'right' || alignment === 'center' ? ':' : '',
  ];
  const dashes = Math.max(1, rule.to - rule.from - ahead.length - behind.length);
  const insert = ahead + '-'.repeat(dashes) + behind;
  return insert === table.source.slice(rule.from, rule.to) ? [] : [{ from: rule.from, to: rule.to, insert }];
}
