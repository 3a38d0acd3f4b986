/**
 * Formatting commands for Markdown text: bold, headings, lists, links… as changes and the selection afterwards. Most
 * are toggles. Pure; not here: the editor.
 */
import type { TextChange } from './tasks';

export interface Stretch {
  from: number;
  to: number;
}

/** Changes to a text, in its own positions, and the selection in the resulting text. */
export interface Formatted {
  changes: TextChange[];
  selected: Stretch;
}

export type Inline = 'bold' | 'italic' | 'code';
export type LineStyle = 'heading' | 'list' | 'tasks';

const MARKS: Readonly<Record<Inline, string>> = { bold: '**', italic: '_', code: '`' };
const SAMPLE: Readonly<Record<Inline, string>> = { bold: 'bold', italic: 'italic', code: 'code' };

/** Adds or removes marks around the selection. Without a selection it inserts a sample, selected. */
export function toggledMark(text: string, { from, to }: Stretch, kind: Inline): Formatted {
  const mark = MARKS[kind];
  const { length } = mark;
  if (isMarked(text, from - length, to + length, mark)) return without(from - length, from, to, length);
  if (isMarked(text, from, to, mark)) return without(from, from + length, to - length, length);
  const inside = from === to ? SAMPLE[kind] : '';
  return {
    changes: [
      { from, to: from, insert: mark + inside },
      { from: to, to, insert: mark },
    ],
    selected: { from: from + length, to: to + length + inside.length },
  };
}

/** Whether a range begins and ends with a mark that is not half of a longer one. */
function isMarked(text: string, from: number, to: number, mark: string): boolean {
  if (from < 0 || to > text.length || to - from < 2 * mark.length) return false;
  if (text.slice(from, from + mark.length) !== mark || text.slice(to - mark.length, to) !== mark)
    return false;
  const sign = mark[0];
  return text[from - 1] !== sign && text[to] !== sign && to - from > 2 * mark.length;
}

const without = (outer: number, from: number, to: number, length: number): Formatted => ({
  changes: [
    { from: outer, to: from, insert: '' },
    { from: to, to: to + length, insert: '' },
  ],
  selected: { from: outer, to: to - length },
});

/** Turns the selected lines into headings, items or tasks, or back into plain lines. */
export function toggledLines(text: string, selection: Stretch, style: LineStyle): Formatted {
  const lines = linesOf(text, selection);
  const filled = lines.filter((line) => line.text.trim() || lines.length === 1);
  const isOn = style !== 'heading' && filled.every((line) => isOfStyle(line.text, style));
  const changes = filled.map((line) => {
    const { indent, mark } = partsOfLine(line.text);
    const from = line.from + indent.length;
    return { from, to: from + mark.length, insert: isOn ? '' : markFor(style, mark) };
  });
  return {
    changes,
    selected: { from: movedBy(changes, selection.from), to: movedBy(changes, selection.to) },
  };
}

/** Maps a position through changes; behind an insertion at the position. */
export const movedBy = (changes: readonly TextChange[], at: number): number =>
  changes.reduce(
    (sum, { from, to, insert }) => (from <= at ? sum + insert.length - Math.min(to - from, at - from) : sum),
    at,
  );

const LINE = /^(\s*)((?:#{1,6}(?:\s+|$)|(?:[-*+]|\d{1,9}[.)])(?:\s+|$)(?:\[[ xX]\](?:\s+|$))?)?)/;

function partsOfLine(line: string): { indent: string; mark: string } {
  const [, indent = '', mark = ''] = LINE.exec(line) ?? [];
  return { indent, mark };
}

function isOfStyle(line: string, style: LineStyle): boolean {
  const { mark } = partsOfLine(line);
  const isTask = /\[[ xX]\]/.test(mark);
  if (style === 'tasks') return isTask;
  return style === 'list' ? mark !== '' && !isTask && !mark.startsWith('#') : mark.startsWith('#');
}

/** Headings cycle from none over the second to the fourth level and back; the first is the document's title. */
function markFor(style: LineStyle, mark: string): string {
  if (style === 'tasks') return '- [ ] ';
  if (style === 'list') return '- ';
  const level = /^#+/.exec(mark)?.[0].length ?? 0;
  return level === 0 ? '## ' : level >= 4 ? '' : `${'#'.repeat(Math.max(3, level + 1))} `;
}

export function linesOf(text: string, { from, to }: Stretch): { from: number; text: string }[] {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  let at = start;
  return text
    .slice(start, next < 0 ? text.length : next)
    .split('\n')
    .map((line) => {
      const found = { from: at, text: line };
      at += line.length + 1;
      return found;
    });
}

/** Makes a link of the selection; its address, or without a selection its text, is selected. */
export function linked(text: string, { from, to }: Stretch): Formatted {
  const words = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(words))
    return replaced(from, to, `[link](${words})`, { from: from + 1, to: from + 5 });
  const label = words || 'link';
  const at = from + label.length + 3;
  return replaced(
    from,
    to,
    `[${label}](https://)`,
    words ? { from: at, to: at + 8 } : { from: from + 1, to: from + 5 },
  );
}

const TABLE = '| Name | Purpose |\n| --- | --- |\n|  |  |';
const MERMAID = '```mermaid\nflowchart LR\n  A[Start] --> B[End]\n```';

/** A new table, with its first heading selected. */
export const withTable = (text: string, { to }: Stretch): Formatted => withBlock(text, to, TABLE, 2, 6);

/** A new block with a Mermaid diagram, with its lines selected. */
export const withMermaid = (text: string, { to }: Stretch): Formatted =>
  withBlock(text, to, MERMAID, 11, MERMAID.length - 4);

/** A new section at the end, with its title selected. */
export function withSection(text: string): Formatted {
  const ahead = text.trim() ? (text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n') : '';
  const from = text.length + ahead.length + 3;
  return replaced(text.length, text.length, `${ahead}## New section\n\n`, { from, to: from + 11 });
}

/** A block of its own after the line of a position, with empty lines around it. */
export function withBlock(
  text: string,
  at: number,
  block: string,
  selectFrom: number,
  selectTo: number,
): Formatted {
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const end = next < 0 ? text.length : next;
  const isEmptyLine = text.slice(lineFrom, end).trim() === '';
  const from = isEmptyLine ? lineFrom : end;
  const before = text.slice(0, from);
  const ahead = !before.trim() || /\n\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const behind = /^\n\n/.test(text.slice(end)) ? '' : text.slice(end).startsWith('\n') ? '\n' : '\n';
  const start = from + ahead.length;
  return replaced(from, end, ahead + block + behind, { from: start + selectFrom, to: start + selectTo });
}

const replaced = (from: number, to: number, insert: string, selected: Stretch): Formatted => ({
  changes: [{ from, to, insert }],
  selected,
});
