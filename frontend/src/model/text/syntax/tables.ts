/**
 * Tables of Markdown: where their cells are in the text, and the changes that add, remove and align rows and columns. A
 * change of a cell or a row leaves all others as they were written. Pure. Not here: how tables are shown and edited
 * (`view/document/editor/live/table`).
 */
import type { TextChange } from '../tasks';

export type Alignment = 'left' | 'center' | 'right' | null;

/** A cell, without the blanks around its words. */
export interface Cell {
  from: number;
  to: number;
  /** Behind the `|` ahead of it, or the first sign of the row. */
  start: number;
  /** The `|` behind it, or the end of the row. */
  end: number;
}

/** A line of a table. */
export interface Row {
  from: number;
  to: number;
  cells: readonly Cell[];
}

/** A table; positions are those in its source. */
export interface Table {
  source: string;
  head: Row;
  delimiter: Row;
  body: readonly Row[];
  alignments: readonly Alignment[];
}

const DELIMITER = /^:?-+:?$/;

/** The table that these lines are; null where they are none. */
export function tableIn(source: string): Table | null {
  let at = 0;
  const rows = source.split('\n').map((line) => {
    const row = rowIn(line, at);
    at += line.length + 1;
    return row;
  });
  const [head, delimiter, ...body] = rows;
  if (!head || !delimiter || head.cells.length !== delimiter.cells.length) return null;
  const rules = delimiter.cells.map(({ from, to }) => source.slice(from, to));
  if (!rules.every((rule) => DELIMITER.test(rule))) return null;
  return { source, head, delimiter, body, alignments: rules.map(alignmentOf) };
}

const alignmentOf = (rule: string): Alignment =>
  rule.endsWith(':') ? (rule.startsWith(':') ? 'center' : 'right') : rule.startsWith(':') ? 'left' : null;

/** The row in a line that begins at `offset`. A `|` behind a backslash ends no cell, in code as well. */
function rowIn(line: string, offset: number): Row {
  const pipes: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '|') pipes.push(at);
  }
  const first = line.search(/\S|$/);
  const isOpen = line[first] === '|';
  const starts = isOpen ? pipes.map((at) => at + 1) : [first, ...pipes.map((at) => at + 1)];
  const cells = starts.flatMap((start) => {
    const end = pipes.find((at) => at >= start);
    if (end === undefined && line.slice(start).trim() === '') return [];
    return [cellIn(line, start, end ?? line.length, offset)];
  });
  return { from: offset, to: offset + line.length, cells };
}

function cellIn(line: string, start: number, end: number, offset: number): Cell {
  const inside = line.slice(start, end);
  const words = inside.trim();
  const from = words
    ? start + inside.length - inside.trimStart().length
    : start + (inside.length > 1 ? 1 : 0);
  return { from: from + offset, to: from + words.length + offset, start: start + offset, end: end + offset };
}

/** The rows, with the head as the first. */
export const rowsOf = (table: Table): readonly Row[] => [table.head, ...table.body];

export const columnsOf = ({ head }: Table): number => head.cells.length;

/** What stands in a cell; empty for one that its row does not have. */
export function cellText(table: Table, row: number, column: number): string {
  const cell = rowsOf(table)[row]?.cells[column];
  return cell ? table.source.slice(cell.from, cell.to) : '';
}

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

/** Words as they stand in a cell: a line break becomes a blank, a `|` gets its backslash. */
export function asCell(words: string): string {
  const line = words.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
  return line.replace(/\\[\s\S]|\|/g, (found) => (found === '|' ? '\\|' : found));
}
