/**
 * Markdown to HTML, the first of two barriers: raw HTML is shown as text, images are never loaded from elsewhere. Not
 * here: the second barrier (`view/prose/sanitise.ts`), and what a click on a link does.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { baseAnchor, numbered } from './anchors';
import { hashOfImage } from './images';
import { lineStarts } from './lineStarts';
import { cutText, isTooLarge, MAX_DEPTH, partStarts, type RawBlock, rawBlocks, sizeOf } from './proseBounds';

const markdown = new MarkdownIt('default', { html: false, linkify: true, typographer: false });

markdown.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index] as Token;
  const alt = renderer.renderInlineAsText(token.children ?? [], options, env);
  const source = String(token.attrGet('src') ?? '');
  return hashOfImage(source) === null
    ? placeholderFor(source, alt)
    : ownImage(source, alt, token.attrGet('width'));
};

/** An image of the workspace, still without the address at which the page finds it (`view/images`). */
function ownImage(address: string, alt: string, width: string | number | null): string {
  const quoted = markdown.utils.escapeHtml;
  const size = width === null ? '' : ` width="${quoted(String(width))}"`;
  return `<img data-image="${address}" alt="${quoted(alt || 'Image')}"${size}>`;
}

// Tables carry their alignment in a style attribute, which the security policy of the pages forbids.
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index] as Token;
    const alignment = /text-align:\s*(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = alignment ? [['class', `align-${alignment}`]] : null;
    return renderer.renderToken(tokens, index, options);
  };
}

// Wide tables scroll in a frame of their own instead of widening the page.
markdown.renderer.rules.table_open = () => '<div class="table-frame"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

markdown.core.ruler.after('inline', 'tasks', (state) => {
  state.tokens.forEach((token, index) => {
    const first = token.children?.[0];
    const isItem =
      state.tokens[index - 1]?.type === 'paragraph_open' &&
      state.tokens[index - 2]?.type === 'list_item_open';
    const mark = /^\[([ xX])\] /.exec(first?.content ?? '');
    if (!isItem || !first || first.type !== 'text' || !mark) return;
    first.content = first.content.slice(4);
    const box = new state.Token('task', '', 0);
    box.meta = { isDone: mark[1] !== ' ' };
    token.children?.unshift(box);
    state.tokens[index - 2]?.attrJoin('class', 'task');
  });
});

markdown.renderer.rules.task = (tokens, index) => {
  const { isDone } = (tokens[index] as Token).meta as { isDone: boolean };
  return `<span class="task-box${isDone ? ' done' : ''}" role="img" aria-label="${isDone ? 'Done' : 'To do'}"></span>`;
};

/** The placeholder of an image: its description and its address, which is not loaded. */
function placeholderFor(source: string, alt: string): string {
  const quoted = markdown.utils.escapeHtml;
  const name = alt || 'Image';
  const address = /^https?:\/\//i.test(source) ? source : null;
  const host = address ? (/^https?:\/\/([^/?#]+)/i.exec(address)?.[1] ?? '') : 'not shown';
  const text = `<span class="image-name">${quoted(name)}</span> <span class="image-host">${quoted(host)}</span>`;
  if (!address) return `<span class="image-placeholder">${text}</span>`;
  return `<a class="image-placeholder" href="${quoted(address)}" title="Open the image in a new tab">${text}</a>`;
}

// Replaced by a drawing later; until then, and where drawing fails, the source is shown.
const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, index, ...rest) => {
  const html = fence?.(tokens, index, ...rest) ?? '';
  const isMermaid = /^mermaid\b/i.test((tokens[index] as Token).info.trim());
  return isMermaid ? `<div class="mermaid-block">${html.trimEnd()}</div>\n` : html;
};

// Past its own bound on nesting the parser would drop the rest of the document; the line is kept instead.
markdown.block.ruler.before('table', 'too_deep', (state, startLine, _endLine, silent) => {
  if (silent || state.level < MAX_DEPTH) return false;
  const from = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  state.line = startLine + 1;
  state.push('paragraph_open', 'p', 1).map = [startLine, state.line];
  const inline = state.push('inline', '', 0);
  inline.content = state.src.slice(from, state.eMarks[startLine]);
  inline.map = [startLine, state.line];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
});

// Shown as text, with a note that says so.
markdown.renderer.rules.left_out = (tokens, index) => {
  const { head, note } = cutText((tokens[index] as Token).content);
  const quoted = markdown.utils.escapeHtml;
  return `<div class="left-out"><p class="left-out-note">${quoted(note)}</p><pre>${quoted(head)}</pre></div>\n`;
};

/** A top-level block. */
export interface Block {
  /** The line it begins on, from 0. */
  line: number;
  heading: { level: number; title: string; anchor: string } | null;
}

/** A part of a document that is drawn at once. */
export interface ProsePart {
  /** Still has to be sanitised before it may enter a page. */
  html: string;
  /** The line of each of its elements, from 0. */
  lines: number[];
  /** Which part it is, from 0, and of how many. */
  at: number;
  of: number;
  /** The line on which the next part begins; null in the last. */
  next: number | null;
}

interface Parsed {
  blocks: RawBlock[];
  /** The first token of each heading. */
  headings: Token[];
  /** The start of each line. */
  starts: number[];
  length: number;
  env: Env;
}

/** Divides the parser's rules: those before it find blocks, those behind it parse what is inside. */
function insideFrom(): void {}
markdown.core.ruler.before('inline', 'inside_from', insideFrom);
const rules = () => markdown.core.ruler.getRules('');

/** Blocks alone, which is the cheap half; what is inside them is parsed where it is wanted. */
function parsedBlocks(text: string): Parsed {
  const env: Env = {};
  const state = new markdown.core.State(text, markdown, env);
  for (const rule of rules().slice(0, rules().indexOf(insideFrom))) rule(state);
  const headings = state.tokens.filter(({ type }) => type === 'heading_open');
  addressHeadings(state.tokens, env);
  const source = state.src;
  const starts = lineStarts(source);
  const blocks = rawBlocks(state.tokens).map((block) => {
    const isLarge = isTooLarge(block, sizeOf(block, starts, source.length));
    return isLarge ? { ...block, tokens: [leftOut(block, starts, source)] } : block;
  });
  return { blocks, headings, starts, length: source.length, env };
}

/** The attribute with the address of a heading. */
const ANCHOR = 'data-anchor';

/** Gives headings their addresses, also those in quotes and lists. */
function addressHeadings(tokens: readonly Token[], { references = {} }: Env): void {
  const headings = tokens.flatMap((token, index) => (token.type === 'heading_open' ? [index] : []));
  const titles = headings.map((index) => onOneLine(tokens[index + 1]?.content ?? ''));
  const anchors = numbered(titles.map((title) => baseAnchor(title, references as object)));
  for (const [number, index] of headings.entries()) tokens[index]?.attrSet(ANCHOR, anchors[number] ?? '');
}

const onOneLine = (title: string): string =>
  title.includes('\n')
    ? title
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
    : title;

/** The line of the heading with an address, from 0; null where there is none. */
export function lineOfAnchor(text: string, anchor: string): number | null {
  const headings = parsedBlocks(text).headings;
  return headings.find((token) => token.attrGet(ANCHOR) === anchor)?.map?.[0] ?? null;
}

function leftOut({ tokens, fromLine, toLine }: RawBlock, starts: readonly number[], source: string): Token {
  const first = tokens[0] as Token;
  const token = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
    type: 'left_out',
    nesting: 0,
  }) as Token;
  token.content = source.slice(starts[fromLine], starts[toLine] ?? source.length).trimEnd();
  return token;
}

/** Parses what is inside of blocks. */
function withInline(tokens: Token[], env: Env): Token[] {
  const state = new markdown.core.State('', markdown, env);
  state.tokens = tokens;
  for (const rule of rules().slice(rules().indexOf(insideFrom))) rule(state);
  return state.tokens;
}

/** The parsed text. */
export function documentTokens(text: string): Token[] {
  const { blocks, env } = parsedBlocks(text);
  return withInline(
    blocks.flatMap(({ tokens }) => tokens),
    env,
  );
}

/** The top-level blocks, one for each element that `markdownToHtml` returns. */
export function blocksOf(text: string): Block[] {
  const { blocks, env } = parsedBlocks(text);
  return blocks.map(({ tokens, fromLine }) => {
    const isHeading = tokens[0]?.type === 'heading_open';
    if (!isHeading) return { line: fromLine, heading: null };
    withInline(tokens, env);
    const title = plainText(tokens[1]?.children ?? []).slice(0, MAX_TITLE);
    const anchor = String(tokens[0]?.attrGet(ANCHOR) ?? '');
    return { line: fromLine, heading: { level: Number(tokens[0]?.tag.slice(1)), title, anchor } };
  });
}

/** As much of a title is shown in lists. */
const MAX_TITLE = 1_000;

const plainText = (inline: Token[]): string =>
  inline
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();

/** Renders Markdown; the result still has to be sanitised before it may enter a page. */
export function markdownToHtml(text: string): string {
  return markdown.renderer.render(documentTokens(text), markdown.options, {});
}

/** Renders the part of a document that contains a line; documents of usual length are one part. */
export function partAt(text: string, line: number): ProsePart {
  const { blocks, starts, length, env } = parsedBlocks(text);
  const begins = partStarts(
    blocks.map((block) => ({ chars: sizeOf(block, starts, length), tokens: block.tokens.length })),
  );
  const at = Math.max(
    0,
    begins.findLastIndex((begin) => (blocks[begin]?.fromLine ?? 0) <= line),
  );
  const part = blocks.slice(begins[at], begins[at + 1]);
  const tokens = withInline(
    part.flatMap((block) => block.tokens),
    env,
  );
  const html = markdown.renderer.render(tokens, markdown.options, env);
  const following = begins[at + 1];
  const next = following === undefined ? null : (blocks[following]?.fromLine ?? null);
  return { html, lines: part.map(({ fromLine }) => fromLine), at, of: begins.length, next };
}
