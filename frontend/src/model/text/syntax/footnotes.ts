/**
 * Footnotes: `[^1]` leads to the blocks of `[^1]: words`, which are drawn in one list at the end. The rule of blocks is the
 * server's (`model/markdown/block_parser.py`).
 */
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { withoutCode } from '../codeSpans';
import type { RawBlock } from '../proseBounds';

const BEGIN = /\[\^([^\s[\]]+)\]:[ \t]*/y;
const INDENT = 4;

/** The rule for a definition: a label in brackets behind a caret, a colon, and the blocks that belong to it. */
function footnoteBlock(state: StateBlock, start: number, end: number, isSilent: boolean): boolean {
  const begins = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0);
  if (state.src.charCodeAt(begins) !== 0x5b || (state.sCount[start] ?? 0) - state.blkIndent >= 4)
    return false;
  BEGIN.lastIndex = begins;
  const found = BEGIN.exec(state.src);
  if (!found) return false;
  if (isSilent) return true;
  const before = [state.bMarks[start], state.tShift[start], state.sCount[start]] as [number, number, number];
  const { parentType } = state;
  const opening = state.push('footnote_open', '', 1);
  opening.meta = { label: found[1] };
  state.blkIndent += INDENT;
  // The words of the first line stand as if the line began with them.
  state.bMarks[start] = begins + found[0].length;
  state.tShift[start] = 0;
  state.sCount[start] = state.blkIndent;
  state.parentType = 'footnote' as typeof parentType;
  state.md.block.tokenize(state, start, end);
  state.blkIndent -= INDENT;
  [state.bMarks[start], state.tShift[start], state.sCount[start]] = before;
  state.parentType = parentType;
  opening.map = [start, state.line];
  state.push('footnote_close', '', -1);
  return true;
}

/** A footnote that the text refers to. */
export interface Footnote {
  /** As it is written, in lower case. */
  label: string;
  /** Counted by the first reference to each, from 1. */
  number: number;
  /** Where its definition begins, and the first reference to it: lines from 0. */
  line: number;
  referenceLine: number;
  /** The line behind its definition. */
  end: number;
  /** The blocks of its definition. */
  tokens: Token[];
}

/** The footnotes of a text by their labels; the inline rule finds them in the parser's `env`. */
export type Footnotes = ReadonlyMap<string, Footnote>;

/** The address of a footnote, and that of the first reference to it. */
export const footnoteAnchor = (label: string): string => `fn-${label}`;
export const referenceAnchor = (label: string): string => `fnref-${label}`;

interface Definition {
  line: number;
  end: number;
  tokens: Token[];
}

/** Takes the definitions out of the tokens of a text; those that nothing refers to are not shown, as on code hosts. */
export function takeFootnotes(tokens: readonly Token[]): { rest: Token[]; footnotes: Footnotes } {
  const definitions = new Map<string, Definition>();
  const rest: Token[] = [];
  const open: (Definition & { level: number })[] = [];
  for (const token of tokens) {
    if (token.type === 'footnote_open') {
      const label = (token.meta as { label: string }).label.toLowerCase();
      const definition = {
        line: token.map?.[0] ?? 0,
        end: token.map?.[1] ?? 0,
        tokens: [],
        level: token.level + 1,
      };
      if (!definitions.has(label)) definitions.set(label, definition);
      open.push(definition);
    } else if (token.type === 'footnote_close') open.pop();
    else {
      const inside = open.at(-1);
      if (inside) token.level -= inside.level;
      (inside?.tokens ?? rest).push(token);
    }
  }
  return { rest, footnotes: definitions.size ? numberedNotes(rest, definitions) : new Map() };
}

/** In the order of the references to them, those in other footnotes last. */
function numberedNotes(rest: readonly Token[], definitions: ReadonlyMap<string, Definition>): Footnotes {
  const footnotes = new Map<string, Footnote>();
  const waiting: (readonly Token[])[] = [rest];
  for (const tokens of waiting)
    for (const { label, line } of referencesIn(tokens)) {
      const definition = definitions.get(label);
      if (!definition || footnotes.has(label)) continue;
      footnotes.set(label, { label, number: footnotes.size + 1, referenceLine: line, ...definition });
      waiting.push(definition.tokens);
    }
  return footnotes;
}

const REFERENCE = /(?<!\\)\[\^([^\s[\]]+)\]/g;

function* referencesIn(tokens: readonly Token[]) {
  for (const { type, content, map } of tokens) {
    if (type !== 'inline' || !content.includes('[^')) continue;
    for (const found of (content.includes('`') ? withoutCode(content) : content).matchAll(REFERENCE))
      yield { label: (found[1] as string).toLowerCase(), line: map?.[0] ?? 0 };
  }
}

const AT = /\[\^([^\s[\]]+)\]/y;

/** The rule for a reference. */
function footnoteReference(state: StateInline, isSilent: boolean): boolean {
  const notes = state.env.footnotes as Footnotes | undefined;
  if (!notes?.size || state.src.charCodeAt(state.pos) !== 0x5b) return false;
  AT.lastIndex = state.pos;
  const found = AT.exec(state.src);
  const footnote = notes.get(found?.[1]?.toLowerCase() ?? '');
  if (!found || !footnote || state.pos + found[0].length > state.posMax) return false;
  if (!isSilent) state.push('footnote_ref', '', 0).meta = { footnote };
  state.pos += found[0].length;
  return true;
}

/** A list is drawn at once; a text with more footnotes has several. */
const MAX_NOTES = 200;
const MAX_CHARS = 20_000;

/**
 * The lists of footnotes as blocks behind those of the text.
 *
 * @param line the first line that no other block begins on
 * @param drawn the tokens of a definition, within the bounds of a block
 */
export function footnoteBlocks(
  footnotes: Footnotes,
  line: number,
  Kind: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token,
  drawn: (footnote: Footnote) => { tokens: Token[]; size: number },
): RawBlock[] {
  const blocks: (RawBlock & { count: number; size: number })[] = [];
  for (const footnote of footnotes.values()) {
    let block = blocks.at(-1);
    if (!block || block.count === MAX_NOTES || block.size > MAX_CHARS) {
      const fromLine = line + blocks.length;
      const opening = new Kind('footnotes_open', '', 1);
      opening.meta = { footnote };
      block = { tokens: [opening], fromLine, toLine: fromLine, size: 0, count: 0 };
      blocks.push(block);
    }
    const { tokens, size } = drawn(footnote);
    const [open, close] = [new Kind('note_open', '', 1), new Kind('note_close', '', -1)];
    open.meta = close.meta = { footnote };
    block.tokens.push(open, ...tokens, close);
    block.count += 1;
    block.size += size;
  }
  for (const { tokens } of blocks) tokens.push(new Kind('footnotes_close', '', -1));
  return blocks;
}

const footnoteOf = (token: Token | undefined): Footnote =>
  ((token as Token).meta as { footnote: Footnote }).footnote;

/** Adds footnotes to a parser. */
export function footnotes(markdown: MarkdownIt): void {
  const quoted = markdown.utils.escapeHtml;
  markdown.block.ruler.before('reference', 'footnote', footnoteBlock, {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
  markdown.inline.ruler.before('link', 'footnote_ref', footnoteReference);
  const address = (anchor: string) => `#${quoted(encodeURIComponent(anchor))}`;
  Object.assign(markdown.renderer.rules, {
    footnote_ref: (tokens: Token[], index: number, _options: unknown, env: { seen?: Set<string> }) => {
      const { label, number } = footnoteOf(tokens[index]);
      env.seen ??= new Set();
      const named = env.seen.has(label) ? '' : ` data-anchor="${quoted(referenceAnchor(label))}"`;
      env.seen.add(label);
      const link = `<a href="${address(footnoteAnchor(label))}" aria-label="Footnote ${number}">${number}</a>`;
      return `<sup class="footnote-ref"${named}>${link}</sup>`;
    },
    footnotes_open: (tokens: Token[], index: number) =>
      `<section class="footnotes" aria-label="Footnotes"><ol start="${footnoteOf(tokens[index]).number}">\n`,
    footnotes_close: () => '</ol></section>\n',
    note_open: (tokens: Token[], index: number) =>
      `<li data-anchor="${quoted(footnoteAnchor(footnoteOf(tokens[index]).label))}">`,
    note_close: (tokens: Token[], index: number) => {
      const { label, number } = footnoteOf(tokens[index]);
      const words = `Back to reference ${number}`;
      return `<a class="footnote-back" href="${address(referenceAnchor(label))}" aria-label="${words}">↩</a></li>\n`;
    },
  });
}
