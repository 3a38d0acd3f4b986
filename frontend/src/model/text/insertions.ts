/**
 * What the menu of `/` inserts: what each entry is called and found by, and how it changes a text. Pure. Not here: the
 * menu (`view/document/editor/slashMenu.ts`), formatting by keys (`formatting.ts`).
 */
import { type Formatted, type Stretch, toggledLines, withBlock, withMermaid, withTable } from './formatting';
import { sectionLink } from './links';

export interface Insertion {
  title: string;
  /** How it is written in Markdown. */
  mark: string;
  /** Other words that it is found by. */
  words: string;
  insert: (text: string, at: Stretch) => Formatted | Promise<Formatted>;
}

/** A mark at the start of the line, in place of the one that is there. */
const lineMark =
  (mark: string) =>
  (text: string, at: Stretch): Formatted => {
    const from = text.lastIndexOf('\n', at.from - 1) + 1;
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    const [, quote = '', old = ''] =
      /^((?:\s{0,3}> ?)*\s*)((?:#{1,6}|[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/.exec(line) ?? [];
    const start = from + quote.length;
    const by = mark.length - old.length;
    return {
      changes: [{ from: start, to: start + old.length, insert: mark }],
      selected: { from: Math.max(start, at.from + by), to: Math.max(start, at.to + by) },
    };
  };

/** A block of its own with a part of it selected. */
const block =
  (source: string, selected: string) =>
  (text: string, { to }: Stretch): Formatted => {
    const from = source.indexOf(selected);
    return withBlock(text, to, source, from, from + selected.length);
  };

/** Links to all headings but the title of the document; they are read by the renderer, which is loaded for that. */
async function contents(text: string, { to }: Stretch): Promise<Formatted> {
  const { outlineOf } = await import('./outline');
  const headings = outlineOf(text).filter(({ anchor }) => anchor !== '');
  const listed = headings.filter(({ level }, index) => index > 0 || level > 1);
  const top = Math.min(...listed.map(({ level }) => level));
  const lines = listed.map(
    ({ level, title, anchor }) => `${'  '.repeat(level - top)}- ${sectionLink(title, anchor)}`,
  );
  const source = lines.join('\n') || '- ';
  return withBlock(text, to, source, source.length, source.length);
}

/** What is put where the menu was asked for, within the line. */
const inLine =
  (before: string, selected: string, behind: string) =>
  (_text: string, { from, to }: Stretch): Formatted => ({
    changes: [{ from, to, insert: before + selected + behind }],
    selected: { from: from + before.length, to: from + before.length + selected.length },
  });

export const INSERTIONS: readonly Insertion[] = [
  { title: 'Heading 1', mark: '#', words: 'title h1', insert: lineMark('# ') },
  { title: 'Heading 2', mark: '##', words: 'section h2', insert: lineMark('## ') },
  { title: 'Heading 3', mark: '###', words: 'section h3', insert: lineMark('### ') },
  { title: 'Bulleted list', mark: '-', words: 'items unordered', insert: lineMark('- ') },
  { title: 'Numbered list', mark: '1.', words: 'items ordered steps', insert: lineMark('1. ') },
  {
    title: 'Task list',
    mark: '- [ ]',
    words: 'todo checkbox',
    insert: (text, at) => toggledLines(text, at, 'tasks'),
  },
  { title: 'Table', mark: '| |', words: 'grid rows columns', insert: withTable },
  { title: 'Code', mark: '```', words: 'block source snippet', insert: block('```text\n\n```', 'text') },
  { title: 'Mermaid diagram', mark: '```mermaid', words: 'flowchart sequence drawing', insert: withMermaid },
  {
    title: 'Maths',
    mark: '$$',
    words: 'formula equation latex math',
    insert: block('$$\nE = mc^2\n$$', 'E = mc^2'),
  },
  {
    title: 'Callout',
    mark: '> [!NOTE]',
    words: 'note tip warning important alert admonition',
    insert: block('> [!NOTE]\n> Worth knowing', 'Worth knowing'),
  },
  { title: 'Quote', mark: '>', words: 'citation', insert: lineMark('> ') },
  { title: 'Rule', mark: '---', words: 'divider line separator horizontal', insert: block('---', '') },
  { title: 'Link', mark: '[ ]( )', words: 'url address', insert: inLine('[', 'link', '](https://)') },
  { title: 'Table of contents', mark: '[ ](#…)', words: 'toc sections outline headings', insert: contents },
];

/** Whether a text has a word that begins so for each word of a query. */
export function hasWords(text: string, query: string): boolean {
  const there = text.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => there.some((one) => one.startsWith(word)));
}

/** Those that have a word for each word of a query, the titles before other words. */
export function insertionsFor(query: string): Insertion[] {
  const named = INSERTIONS.filter(({ title }) => hasWords(title, query));
  return [
    ...named,
    ...INSERTIONS.filter((one) => !named.includes(one) && hasWords(`${one.title} ${one.words}`, query)),
  ];
}
