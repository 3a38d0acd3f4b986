/**
 * Pasted text: what is a table, a link or a diagram, and how it fits into the place where it is pasted. Pure. Not here:
 * the clipboard, and rich text (`view/document/paste`).
 */
import { firstStatement } from './mermaidSource';

/** What the clipboard holds. */
export interface Copied {
  plain: string;
  html: string;
}

/** A place in a document: what stands before it and behind it in its line. */
export interface Around {
  before: string;
  behind: string;
}

/** A pasted text, and whether it is Markdown that may need lines of its own. */
export interface Pasted {
  text: string;
  isMarkdown: boolean;
}

const MAX_ADDRESS = 2_000;

/** The address that a text is and nothing else; null for other texts. */
export function addressOf(text: string): string | null {
  const address = text.trim();
  if (address.length > MAX_ADDRESS || !/^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(address)) return null;
  return URL.canParse(address) ? address : null;
}

/** The part of an address that is a place in the document or diagram of this very page, `#orders`; else null. */
export function placeWithin(address: string, page: string): string | null {
  const [wanted, here] = [new URL(address), new URL(page)];
  const isHere = wanted.origin === here.origin && wanted.pathname === here.pathname;
  return isHere && wanted.hash.length > 1 ? wanted.hash : null;
}

/** A link in Markdown. Brackets that would end its words or address are escaped. */
export function linkTo(address: string, words: string): string {
  const target = /[()\s<>]/.test(address)
    ? address.replace(/[()\s<>]/g, encodeURIComponent).replace(/[()]/g, hex)
    : address;
  return `[${words}](${target})`;
}

const hex = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

const MAX_TABLE_CELLS = 20_000;

/** A Markdown table of rows with tabs between their cells, as spreadsheets copy them; null where it is none. */
export function tableOfTabs(text: string): string | null {
  const rows = rowsOfTabs(text);
  const [head] = rows;
  if (!head || rows.length < 2 || head.length < 2 || rows.length * head.length > MAX_TABLE_CELLS) return null;
  if (rows.some((row) => row.length !== head.length) || /^\s/.test(text)) return null;
  return tableOf(rows.map((row) => row.map(cellText)));
}

/** Cells with line ends in them are quoted. */
function rowsOfTabs(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/gy;
  const body = text.replace(/(?<!\n)\n+$/, '');
  for (;;) {
    const found = cell.exec(body);
    if (!found) return rows;
    rows.at(-1)?.push(found[1] === undefined ? (found[2] as string) : found[1].replaceAll('""', '"'));
    if (found[3] === '') return rows;
    if (found[3] === '\n') rows.push([]);
  }
}

const cellText = (text: string): string => text.trim().replace(/[\\`*_<[\]]/g, '\\$&');

/** A Markdown table; its first row is the head. Line ends in cells become `<br>`. */
export function tableOf(rows: readonly (readonly string[])[], aligned: readonly string[] = []): string {
  const width = Math.max(...rows.map((row) => row.length));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const filled = rows.map((row) =>
    line(
      Array.from({ length: width }, (_, at) =>
        (row[at] ?? '').replace(/\|/g, '\\|').replace(/(?<!\s)\s*\n\s*/g, '<br>'),
      ),
    ),
  );
  const rule = line(Array.from({ length: width }, (_, at) => aligned[at] ?? '---'));
  return [filled[0], rule, ...filled.slice(1)].join('\n');
}

const MERMAID =
  /^(?:(?:flowchart|graph)(?:-elk)?\s+(?:TB|TD|BT|RL|LR)\b|(?:sequenceDiagram|classDiagram|stateDiagram(?:-v2)?|erDiagram|gantt|gitGraph|mindmap|timeline|journey)$)/;

/** Whether a text is the source of a Mermaid diagram and nothing else. */
export const isMermaid = (text: string): boolean =>
  text.trim().includes('\n') && MERMAID.test(firstStatement(text.split('\n')));

export const inFence = (source: string, language: string): string => {
  const longest = Math.max(2, ...[...source.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${source.replace(/(?<!\n)\n+$/, '')}\n${fence}`;
};

const BLOCK = /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|\||`{3}|~{3}|---$)/;
const CONTAINER = /^((?:\s{0,3}>\s?)*)(\s*)((?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/**
 * Markdown as it is inserted at a place: with empty lines around what needs lines of its own, and with the marks of the
 * quote or the blanks of the list that it stands in before each line. `from`: how much before the place it replaces.
 */
export function fitted(markdown: string, { before, behind }: Around): { text: string; replaced: number } {
  const lines = markdown.split('\n');
  const [, quote = '', blanks = '', mark = ''] = CONTAINER.exec(before) ?? [];
  const isAtStart = before.trim() === quote.trim();
  const isEmptyItem = mark !== '' && before.length === quote.length + blanks.length + mark.length;
  const needsStart = BLOCK.test(lines[0] ?? '') && !isAtStart;
  const isList = /^(?:[-*+]|\d{1,9}[.)])\s/.test(lines[0] ?? '');
  // A list that is pasted into an empty item takes its place.
  const replaced = isEmptyItem && isList ? mark.length : 0;
  const indent = quote + blanks + (replaced ? '' : ' '.repeat(mark.replace(/\[[ xX]\]\s+$/, '').length));
  const needsEnd =
    lines.length > 1 ? isBlock(lines) && behind.trim() !== '' : needsStart && behind.trim() !== '';
  const inner = lines.map((line, index) => (index === 0 ? line : (indent + line).trimEnd()));
  const gap = `\n${indent.trimEnd()}\n${indent}`;
  return {
    text: `${needsStart && !replaced && !isEmptyItem ? gap : ''}${inner.join('\n')}${needsEnd ? gap : ''}`,
    replaced,
  };
}

/** Whether text cannot go on in the line in which it ends. */
const isBlock = (lines: readonly string[]): boolean =>
  BLOCK.test(lines.at(-1) ?? '') || BLOCK.test(lines[0] ?? '');
