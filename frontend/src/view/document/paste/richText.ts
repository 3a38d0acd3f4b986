/**
 * Rich text of the clipboard as Markdown, by Turndown, with rules of our own for tables, lists and code. Loaded when it is
 * first pasted. Bounded: what is too large is for the caller to paste as plain text.
 */
import TurndownService from 'turndown';
import { escapedText } from '../../../model/text/escaping';
import { hashOfImage, withWidth } from '../../../model/text/images';
import { inFence, tableOf } from '../../../model/text/pasted';
import { clean } from './cleaning';

/** What is larger, has more elements or is nested deeper is not converted. */
export const MAX_HTML = 5_000_000;
export const MAX_ELEMENTS = 50_000;
export const MAX_DEPTH = 100;
export const MAX_TEXT = 500_000;
/** Markdown may be longer than its text, by the marks before each line of what is nested. */
const MAX_MARKDOWN = 2 * MAX_TEXT;
/** Columns that a cell may span. */
const MAX_SPAN = 100;

/** What plain text cannot say. */
const RICH =
  'a[href], b, strong, i, em, del, s, strike, code, kbd, samp, tt, pre, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, hr, img';

/**
 * Markdown for rich text; null where it says no more than its plain text, where it is the code of an editor, and where it
 * is too large. `page`: the address of the page, for links to it.
 */
export function markdownOf(html: string, page: string): string | null {
  if (html.length > MAX_HTML || isDeep(html)) return null;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  if (isTooLarge(body) || isOfCodeEditor(body)) return null;
  clean(body, page);
  if (!body.querySelector(RICH) || (body.textContent ?? '').length > MAX_TEXT) return null;
  const markdown = converter()
    .turndown(body)
    .replace(/\n{3,}/g, '\n\n');
  return markdown.length > MAX_MARKDOWN ? null : markdown;
}

const NESTING =
  /<(\/?)(?:a|abbr|b|big|blockquote|code|del|div|em|font|i|ins|mark|ol|s|section|small|span|strike|strong|sub|sup|table|tt|u|ul)\b/gi;

/**
 * Whether many elements are open at a time. Looked at before it is parsed: browsers take time by the square of marks that
 * are not closed (45,000 `<em>` took 15 s).
 */
function isDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash] of html.matchAll(NESTING)) {
    depth = slash ? Math.max(0, depth - 1) : depth + 1;
    if (depth > 2 * MAX_DEPTH) return true;
  }
  return false;
}

function isTooLarge(body: HTMLElement): boolean {
  const elements = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
  let count = 0;
  let depth = 0;
  // Depth is followed by steps: to ask each element for its ancestors would cost depth times elements.
  for (let node: Node | null = elements.firstChild(); node; ) {
    count += 1;
    if (count > MAX_ELEMENTS || depth > MAX_DEPTH) return true;
    const child = elements.firstChild();
    if (child) {
      depth += 1;
      node = child;
      continue;
    }
    node = elements.nextSibling();
    while (!node && depth > 0) {
      elements.parentNode();
      depth -= 1;
      node = elements.nextSibling();
    }
  }
  return false;
}

/** Editors of code copy one box of preformatted text, with the colours of their syntax. */
function isOfCodeEditor(body: HTMLElement): boolean {
  let only: Element = body;
  while (only.children.length === 1 && only.tagName !== 'PRE') only = only.firstElementChild as Element;
  const isAlone = (only.textContent ?? '').trim() === (body.textContent ?? '').trim();
  for (let box: Element | null = only; box && box !== body && isAlone; box = box.parentElement)
    if (box.tagName === 'PRE' || (box.tagName === 'DIV' && isPreformatted(box))) return true;
  return false;
}

/** Google Docs, too, says `pre-wrap`, of every word. */
const isPreformatted = (box: Element): boolean =>
  /white-space:\s*pre\s*(?:;|$)/.test(box.getAttribute('style') ?? '');

/** A converter for one text: it keeps what it knows of cells and items. */
function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    br: '\\',
  });
  service.escape = escapedText;
  service.addRule('deletion', {
    filter: (node) => node.matches('del, s, strike'),
    replacement: (text) => (text.trim() ? `~~${text}~~` : ''),
  });
  service.addRule('keys', {
    filter: (node) => node.matches('kbd, samp, tt'),
    replacement: (_text, { textContent }) => codeOf(textContent),
  });
  service.addRule('preformatted', {
    filter: 'pre',
    replacement: (_text, node) => `\n\n${inFence(node.textContent ?? '', languageOf(node as Element))}\n\n`,
  });
  service.addRule('quote', {
    filter: 'blockquote',
    replacement: (text) =>
      `\n\n${text
        .replace(/^\n+|\n+$/g, '')
        .replace(/^(?=.)/gm, '> ')
        .replace(/^$/gm, '>')}\n\n`,
  });
  service.addRule('address', {
    filter: (node) => node.nodeName === 'A' && node.textContent?.trim() === node.getAttribute('href'),
    replacement: (_text, node) => (node as Element).getAttribute('href') ?? '',
  });
  // Images that are carried along as data are files of the clipboard (`view/images`); those of other servers are shown
  // as links.
  service.addRule('image', {
    filter: (node) => node.nodeName === 'IMG' && !/^https?:/i.test(node.getAttribute('src') ?? ''),
    replacement: () => '',
  });
  // As they are copied in Read.
  service.addRule('own image', {
    filter: (node) => hashOfImage(node.getAttribute('data-image') ?? '') !== null,
    replacement: (_text, node) => ownImage(node as HTMLElement),
  });
  addLists(service);
  addTables(service);
  return service;
}

function ownImage(image: HTMLElement): string {
  const width = Number(/^\d{1,5}$/.exec(image.getAttribute('width') ?? '')?.[0] ?? Number.NaN);
  const [alt, address] = [image.getAttribute('alt') ?? '', image.dataset.image ?? ''];
  return withWidth({ alt, address }, Number.isNaN(width) ? null : width);
}

const codeOf = (text: string | null): string => (text?.trim() ? `\`${text.replaceAll('`', '')}\`` : '');

const languageOf = (pre: Element): string =>
  /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(
    [pre, pre.firstElementChild, pre.parentElement].map((one) => one?.getAttribute('class') ?? '').join(' '),
  )?.[1] ?? '';

function addLists(service: TurndownService): void {
  const numbers = new Map<Node, number>();
  service.addRule('item', {
    filter: 'li',
    replacement(text, node) {
      const list = node.parentNode as Element;
      const number = numbers.get(list) ?? Number(list.getAttribute('start') ?? 1);
      numbers.set(list, number + 1);
      const mark = list.nodeName === 'OL' ? `${number}. ` : '- ';
      const inner = text.replace(/^\n+|\n+$/g, '').replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
      return `${mark}${inner}`.trimEnd() + (node.nextSibling ? '\n' : '');
    },
  });
}

function addTables(service: TurndownService): void {
  const cells = new Map<Node, string>();
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement(text, node) {
      cells.set(node, text.trim());
      return '';
    },
  });
  service.addRule('table', {
    filter: 'table',
    replacement(_text, node) {
      const rows = [...(node as HTMLTableElement).rows];
      const grid = gridOf(rows, (cell) => cells.get(cell) ?? '');
      return grid.length > 0 ? `\n\n${tableOf(grid, alignments(rows[0]))}\n\n` : '';
    },
  });
}

/** Cells by row and column; of one that spans several, all but the first are empty. */
function gridOf(rows: readonly HTMLTableRowElement[], textOf: (cell: Element) => string): string[][] {
  const grid: string[][] = rows.map(() => []);
  rows.forEach((row, at) => {
    let column = 0;
    for (const cell of row.cells) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const [width, height] = [cell.colSpan, cell.rowSpan].map((span) =>
        Math.min(MAX_SPAN, Math.max(1, span)),
      );
      for (const below of grid.slice(at, at + (height ?? 1)))
        for (let beside = column; beside < column + (width ?? 1); beside += 1) below[beside] = '';
      (grid[at] as string[])[column] = textOf(cell);
    }
  });
  return grid.filter((row) => row.length > 0);
}

function alignments(head: HTMLTableRowElement | undefined): string[] {
  return [...(head?.cells ?? [])].map((cell) => {
    const said = `${cell.getAttribute('align') ?? ''} ${cell.getAttribute('style') ?? ''}`;
    if (/\bcenter\b/.test(said)) return ':---:';
    return /^right\b|text-align:\s*right/.test(said) ? '---:' : '---';
  });
}
