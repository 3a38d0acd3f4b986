/**
 * Markdown to HTML, the first of two barriers: of HTML in the text a few tags are made anew and comments are hidden, all
 * else of it is shown as text (`syntax/htmlTags.ts`); images are never loaded from elsewhere. Not here: the second barrier
 * (`view/prose/sanitise.ts`), and what a click on a link does.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import markedWords from 'markdown-it-mark';
import { baseAnchor, numbered } from './anchors';
import { hashOfImage } from './images';
import { lineStarts } from './lineStarts';
import {
  cutText,
  isTooLarge,
  MAX_BLOCK_CHARS,
  MAX_DEPTH,
  type RawBlock,
  rawBlocks,
  sizeOf,
} from './proseBounds';
import { addresses } from './syntax/addresses';
import { alerts, markAlerts } from './syntax/alerts';
import { direction } from './syntax/direction';
import {
  type Footnotes,
  footnoteAnchor,
  footnoteBlocks,
  footnotes,
  referenceAnchor,
  takeFootnotes,
} from './syntax/footnotes';
import { type FrontMatter, frontMatterOf } from './syntax/frontMatter';
import { inlineHtml, pairTags, placeName, tagOf, withHtmlBlocks } from './syntax/htmlTokens';
import { maths } from './syntax/maths';

// HTML blocks are read as such, so that headings are found where the server finds them; none is passed on.
const markdown = new MarkdownIt('default', { html: true, linkify: true, typographer: false });
markdown.use(footnotes).use(alerts).use(markedWords).use(addresses).use(direction).use(maths);
markdown.inline.ruler.at('html_inline', inlineHtml);
markdown.core.ruler.after('inline', 'html_pairs', ({ tokens }) => {
  for (const { children } of tokens)
    if (children?.some(({ type }) => type === 'html_tag')) pairTags(children);
});

markdown.renderer.rules.html_tag = (tokens, index) => {
  const token = tokens[index] as Token;
  const { isClosing } = tagOf(token);
  if (token.tag === 'br') return '<br>\n';
  if (token.tag !== 'a') return `<${isClosing ? '/' : ''}${token.tag}>`;
  return isClosing ? '' : `<span ${ANCHOR}="${markdown.utils.escapeHtml(placeName(tagOf(token)))}"></span>`;
};

markdown.renderer.rules.html_text = (tokens, index, options, env, renderer) =>
  `<p>${renderer.renderInline(tokens[index]?.children ?? [], options, env).trim()}</p>\n`;

markdown.renderer.rules.details_open = (tokens, index) =>
  tagOf(tokens[index] as Token).attributes.has('open') ? '<details open="">\n' : '<details>\n';
markdown.renderer.rules.details_close = () => '</details>\n';
markdown.renderer.rules.html_summary = (tokens, index, options, env, renderer) =>
  `<summary>${renderer.renderInline(tokens[index]?.children ?? [], options, env).trim()}</summary>\n`;

// Should one get here, it is text.
const asText = (tokens: Token[], index: number) => markdown.utils.escapeHtml(tokens[index]?.content ?? '');
Object.assign(markdown.renderer.rules, { html_block: asText, html_inline: asText });

markdown.renderer.rules.front_matter = (tokens, index) => {
  const { fields, source } = ((tokens[index] as Token).meta as { front: FrontMatter }).front;
  const quoted = markdown.utils.escapeHtml;
  if (!fields) return `<div class="front-matter"><pre>${quoted(source)}</pre></div>\n`;
  const rows = fields.map(
    ({ name, value }) => `<tr><th scope="row">${quoted(name)}</th><td>${quoted(value)}</td></tr>`,
  );
  return `<div class="table-frame front-matter"><table><tbody>${rows.join('')}</tbody></table></div>\n`;
};

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
    const dir = token.attrGet('dir');
    token.attrs = alignment ? [['class', `align-${alignment}`]] : null;
    if (dir) token.attrSet('dir', String(dir));
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

/** A heading that begins a section. */
export interface SectionHeading {
  /** The line it begins on, from 0. */
  line: number;
  level: number;
  title: string;
  anchor: string;
}

/** A text of which the blocks are parsed, but not what is inside them. */
export interface Parsed {
  blocks: RawBlock[];
  /** The first token of each heading, and its title as it is written, on one line. */
  headings: Token[];
  titles: string[];
  /** The tokens of each heading that begins a section: those outside quotes and lists. */
  sections: Token[][];
  /** The start of each line. */
  starts: number[];
  length: number;
  env: Env;
}

/** Divides the parser's rules: those before it find blocks, those behind it parse what is inside. */
function insideFrom(): void {}
markdown.core.ruler.before('inline', 'inside_from', insideFrom);
const rules = () => markdown.core.ruler.getRules('');

/**
 * Blocks alone, which is the cheap half; what is inside them is parsed where it is wanted.
 *
 * `env`: what is known of the document that the text is a part of; else it is one by itself.
 */
export function parsedBlocks(text: string, env: Env = {}): Parsed {
  const whole = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  const front = frontMatterOf(whole);
  const state = new markdown.core.State(front ? withoutLines(whole, front.lines) : whole, markdown, env);
  for (const rule of rules().slice(0, rules().indexOf(insideFrom))) rule(state);
  const headings = state.tokens.filter(({ type }) => type === 'heading_open');
  const sections = state.tokens.flatMap(({ type, level }, index) =>
    type === 'heading_open' && level === 0 ? [state.tokens.slice(index, index + 3)] : [],
  );
  const titles = addressHeadings(state.tokens, env);
  const source = state.src;
  const starts = lineStarts(source);
  const sizeBetween = (fromLine: number, toLine: number) =>
    sizeOf({ tokens: [], fromLine, toLine }, starts, source.length);
  const found = takeFootnotes(state.tokens);
  const shown = markAlerts(withHtmlBlocks(found.rest, state.Token, sizeBetween));
  if (front) shown.unshift(frontMatterToken(new state.Token('front_matter', '', 0), front));
  const bounded = (block: RawBlock) => {
    const isLarge = isTooLarge(block, sizeOf(block, starts, source.length));
    return isLarge ? { ...block, tokens: [leftOut(block, starts, whole)] } : block;
  };
  const notes = footnoteBlocks(found.footnotes, starts.length, state.Token, ({ tokens, line, end }) => {
    const drawn = withHtmlBlocks(tokens, state.Token, sizeBetween);
    const block = bounded({ tokens: drawn, fromLine: line, toLine: end });
    return { tokens: block.tokens, size: sizeBetween(line, end) };
  });
  const blocks = [...rawBlocks(shown).map(bounded), ...notes];
  env.footnotes = found.footnotes;
  return { blocks, headings, titles, sections, starts, length: source.length, env };
}

const BOM = '\ufeff';

/** The text with its first lines blank, so that positions are kept. */
function withoutLines(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', end + 1);
    end = next < 0 ? text.length : next;
  }
  return text.slice(0, end).replace(/[^\n]/g, ' ') + text.slice(end);
}

function frontMatterToken(token: Token, front: FrontMatter): Token {
  token.block = true;
  token.map = [0, front.lines];
  token.meta = { front };
  return token;
}

/** The attribute with the address of a heading. */
export const ANCHOR = 'data-anchor';

/** Gives headings their addresses, also those in quotes and lists. Returns their titles. */
function addressHeadings(tokens: readonly Token[], { references = {} }: Env): string[] {
  const headings = tokens.flatMap((token, index) => (token.type === 'heading_open' ? [index] : []));
  const titles = headings.map((index) => onOneLine(tokens[index + 1]?.content ?? ''));
  const anchors = numbered(titles.map((title) => baseAnchor(title, references as object)));
  for (const [number, index] of headings.entries()) tokens[index]?.attrSet(ANCHOR, anchors[number] ?? '');
  return titles;
}

const onOneLine = (title: string): string =>
  title.includes('\n')
    ? title
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
    : title;

/** The addresses of all headings, in the order of the text. */
export const anchorsOf = (text: string): string[] =>
  parsedBlocks(text).headings.map((token) => String(token.attrGet(ANCHOR)));

/** The line of the heading with an address, from 0; null where there is none. */
export function lineOfAnchor(text: string, anchor: string): number | null {
  const { headings, blocks, env } = parsedBlocks(text);
  const line = headings.find((token) => token.attrGet(ANCHOR) === anchor)?.map?.[0];
  return line ?? lineOfFootnote(blocks, env.footnotes as Footnotes, anchor) ?? lineOfPlace(text, anchor);
}

/** The line of the list with a footnote, or that of the first reference to it. */
function lineOfFootnote(blocks: readonly RawBlock[], notes: Footnotes, anchor: string): number | null {
  for (const footnote of notes.values()) {
    if (referenceAnchor(footnote.label) === anchor) return footnote.referenceLine;
    if (footnoteAnchor(footnote.label) !== anchor) continue;
    const list = blocks.find(({ tokens }) => tokens.some(({ meta }) => meta?.footnote === footnote));
    return list?.fromLine ?? null;
  }
  return null;
}

const PLACE = /<a\s[^<>]{0,500}?\b(?:name|id)\s*=\s*["']?([^"'\s<>]+)/gi;

/** The line of `<a name="…">` with an address. */
function lineOfPlace(text: string, anchor: string): number | null {
  for (const found of text.matchAll(PLACE))
    if (found[1]?.toLowerCase() === anchor)
      return lineStarts(text).findLastIndex((start) => start <= found.index);
  return null;
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

/** The lines on which the elements begin that `markdownToHtml` returns. */
export const linesOf = (text: string): number[] => parsedBlocks(text).blocks.map(({ fromLine }) => fromLine);

/** The headings that begin sections: all but those in quotes and lists. */
export function headingsOf(text: string): SectionHeading[] {
  const { sections, env } = parsedBlocks(text);
  return sections.map((tokens) => {
    const [opening] = tokens;
    const content = tokens[1]?.content ?? '';
    const isLong = content.length > MAX_BLOCK_CHARS;
    if (!isLong) withInline(tokens, env);
    const title = (isLong ? content : plainText(tokens[1]?.children ?? [])).slice(0, MAX_TITLE);
    const anchor = String(opening?.attrGet(ANCHOR) ?? '');
    return { line: opening?.map?.[0] ?? 0, level: Number(opening?.tag.slice(1)), title, anchor };
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
export const markdownToHtml = (text: string): string => htmlOf(parsedBlocks(text));

/** Renders the blocks of a parsed text; the result still has to be sanitised before it may enter a page. */
export function htmlOf({ blocks, env }: Pick<Parsed, 'blocks' | 'env'>): string {
  const tokens = withInline(
    blocks.flatMap((block) => block.tokens),
    env,
  );
  return markdown.renderer.render(tokens, markdown.options, env);
}
