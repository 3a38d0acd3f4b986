/**
 * Tables of Markdown: where their cells are in the text. Pure. Not here: changes of rows and columns (`tableChanges.ts`), how
 * tables are shown and edited (`view/document/editor/live/table`).
 */

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

/** Words as they stand in a cell: a line break becomes a blank, a `|` gets its backslash. */
export function asCell(words: string): string {
  const line = words.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
  return line.replace(/\\[\s\S]|\|/g, (found) => (found === '|' ? '\\|' : found));
}
