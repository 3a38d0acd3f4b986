/**
 * Rich text of the clipboard made plain HTML: what office programs and web editors say by styles, classes and tags of
 * their own becomes elements, and what is no text goes. The document is inert: nothing in it runs or is loaded. Not here:
 * Markdown (`richText.ts`).
 */
import { placeWithin } from '../../../model/text/pasted';

const NO_TEXT =
  'script, style, meta, link, title, noscript, template, iframe, object, embed, svg, canvas, audio, video, button, select, textarea, xml, [hidden], .heading-anchor, .image-note, .image-handle';
const BLOCKS =
  'address, article, aside, blockquote, dd, div, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul';
const MARKS = 'strong, b, em, i, del, s, strike, code';

export function clean(body: HTMLElement, page: string): void {
  const comments = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const nothing: ChildNode[] = [...body.querySelectorAll(NO_TEXT)];
  while (comments.nextNode()) nothing.push(comments.currentNode as Comment);
  for (const node of nothing) node.remove();
  makeOfficeLists(body);
  for (const element of body.querySelectorAll('[style], span, font')) readStyle(element);
  for (const item of body.querySelectorAll('li')) readItem(item);
  for (const box of body.querySelectorAll('input')) readBox(box);
  for (const line of body.querySelectorAll('pre br')) line.replaceWith('\n');
  for (const link of body.querySelectorAll('a')) readLink(link, page);
  for (const mark of body.querySelectorAll(`${MARKS}, a`)) if (marksNothing(mark)) unwrap(mark);
  for (const table of [...body.querySelectorAll('table')].reverse()) if (isLayout(table)) dissolve(table);
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ol, ol > ul')) nest(list);
  joinMarks(body);
  joinBlanks(body);
}

const unwrap = (element: Element): void => element.replaceWith(...element.childNodes);

/** The elements that a style stands for are put in its place. */
function readStyle(element: Element): void {
  const style = (element.getAttribute('style') ?? '').toLowerCase();
  if (/(?:display:\s*none|mso-hide:\s*all|visibility:\s*hidden)/.test(style)) element.remove();
  else if (element.matches('b, strong') && /font-weight:\s*(?:normal|[1-4]00)/.test(style)) unwrap(element);
  else if (element.matches('i, em') && /font-style:\s*normal/.test(style)) unwrap(element);
  else if (element.matches('span, font')) {
    for (const tag of marksOf(style)) putInside(element, tag);
    unwrap(element);
  }
}

const marksOf = (style: string): string[] => [
  ...(/font-weight:\s*(?:bold|[6-9]00)/.test(style) ? ['strong'] : []),
  ...(/font-style:\s*italic/.test(style) ? ['em'] : []),
  ...(/text-decoration[^;]*line-through/.test(style) ? ['del'] : []),
  ...(/font-family:[^;]*(?:courier|consolas|menlo|monaco|monospace|roboto mono)/.test(style) ? ['code'] : []),
];

function putInside(element: Element, tag: string): void {
  const mark = element.ownerDocument.createElement(tag);
  mark.append(...element.childNodes);
  element.append(mark);
}

/** Items of task lists, as Google Docs and Confluence write them, and paragraphs in items. */
function readItem(item: Element): void {
  const checked = item.getAttribute('aria-checked');
  if (item.getAttribute('role') === 'checkbox') item.prepend(boxText(checked === 'true'));
  else if (item.hasAttribute('data-inline-task-id'))
    item.prepend(boxText(item.classList.contains('checked')));
  const paragraphs = [...item.children].filter((child) => child.tagName === 'P' || child.tagName === 'DIV');
  if (paragraphs.length === 1) unwrap(paragraphs[0] as Element);
}

function readBox(box: HTMLInputElement): void {
  if (box.type === 'checkbox' && box.closest('li')) box.replaceWith(boxText(box.hasAttribute('checked')));
  else box.remove();
}

const boxText = (isChecked: boolean): string => (isChecked ? '[x] ' : '[ ] ');

/** A link without an address that leads anywhere from here is words; one to a place of this page is short. */
function readLink(link: HTMLAnchorElement, page: string): void {
  const address = addressOfLink(link.getAttribute('href') ?? '');
  link.removeAttribute('title');
  const isEmpty = link.textContent?.trim() === '' && !link.querySelector('img');
  if (address === null || isEmpty) unwrap(link);
  else link.setAttribute('href', placeWithin(address, page) ?? address);
}

function addressOfLink(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(href);
  if (!/^(?:https?|mailto):$/.test(protocol)) return null;
  // Google Docs counts clicks.
  const isCounted = /^www\.google\.[a-z.]+$/.test(hostname) && pathname === '/url';
  return isCounted ? addressOfLink(searchParams.get('q') ?? '') : href;
}

/** Whether a mark is around blocks, which Markdown cannot say, or where it goes without saying. */
function marksNothing(mark: Element): boolean {
  if (mark.tagName !== 'A' && mark.querySelector(BLOCKS)) return true;
  const within = mark.parentElement;
  if (mark.matches('strong, b') && within?.closest('h1, h2, h3, h4, h5, h6, th, strong, b')) return true;
  if (mark.matches('em, i') && within?.closest('em, i')) return true;
  return mark.tagName === 'CODE' ? within?.closest('code') != null : mark.closest('pre, code') !== null;
}

/** Whether a table is there for its looks: one cell, or other tables in it. */
const isLayout = (table: HTMLTableElement): boolean =>
  table.querySelector('table') !== null || table.querySelectorAll('td, th').length < 2;

function dissolve(table: HTMLTableElement): void {
  const cells = [...table.querySelectorAll('td, th')].filter((cell) => cell.closest('table') === table);
  const parts = cells.map((cell) => {
    const part = table.ownerDocument.createElement('div');
    part.append(...cell.childNodes);
    return part;
  });
  table.replaceWith(...parts);
}

/** Google Docs and others put a list beside the item that it belongs to. */
function nest(list: Element): void {
  const item = list.previousElementSibling;
  if (item?.tagName === 'LI') item.append(list);
  else unwrap(list);
}

/** One mark in place of several in a row, as text processors write them. */
function joinMarks(body: HTMLElement): void {
  for (const mark of [...body.querySelectorAll(MARKS)].reverse()) {
    let other = innermost(mark.nextSibling);
    while (other && other.tagName === mark.tagName) {
      mark.append(...other.childNodes);
      const next = other.nextSibling;
      other.remove();
      other = innermost(next);
    }
  }
}

const innermost = (node: Node | null): Element | null => (node?.nodeType === 1 ? (node as Element) : null);

/** No-break spaces that stand for a second blank, or for one at the edge of a mark. */
function joinBlanks(body: HTMLElement): void {
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (text.data.includes('\u00a0')) text.data = text.data.replace(/\u00a0(?=\s|$)|(?<=^|\s)\u00a0/g, ' ');
  }
}

const OFFICE_LEVEL = /mso-list:[^;]*\blevel(\d)/i;
const OFFICE_NUMBER = /^\s*(?:\d{1,9}|[a-z]{1,3})[.)]/i;
const MAX_OFFICE_LEVEL = 9;

interface OfficeItem {
  paragraph: Element;
  level: number;
  isNumbered: boolean;
}

/** Lists of Microsoft Word, which writes paragraphs that say in their style which list, item and level they are. */
function makeOfficeLists(body: HTMLElement): void {
  let run: OfficeItem[] = [];
  for (const paragraph of body.querySelectorAll('p[style*="mso-list"], p[style*="MSO-LIST"]')) {
    const entry = officeItemOf(paragraph);
    if (!entry) continue;
    if (run.at(-1)?.paragraph !== paragraph.previousElementSibling) {
      makeOfficeList(run);
      run = [];
    }
    run.push(entry);
  }
  makeOfficeList(run);
}

function officeItemOf(paragraph: Element): OfficeItem | null {
  const level = OFFICE_LEVEL.exec(paragraph.getAttribute('style') ?? '')?.[1];
  const mark = [...paragraph.querySelectorAll('[style]')].find((part) =>
    /mso-list:\s*ignore/i.test(part.getAttribute('style') ?? ''),
  );
  if (!level || !mark) return null;
  const isNumbered = OFFICE_NUMBER.test(mark.textContent ?? '');
  mark.remove();
  return { paragraph, level: Math.min(MAX_OFFICE_LEVEL, Number(level)), isNumbered };
}

function makeOfficeList(run: readonly OfficeItem[]): void {
  const [first] = run;
  if (!first) return;
  const document = first.paragraph.ownerDocument;
  const place = document.createElement('div');
  first.paragraph.before(place);
  const open: { list: Element; level: number }[] = [];
  for (const { paragraph, level, isNumbered } of run) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const top = open.at(-1);
    if (top?.level !== level) {
      const list = document.createElement(isNumbered ? 'ol' : 'ul');
      (top?.list.lastElementChild ?? place).append(list);
      open.push({ list, level });
    }
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.list.append(item);
    paragraph.remove();
  }
}
