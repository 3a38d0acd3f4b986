/**
 * Diagram and document as one self-contained HTML file: no scripts, no requests, light and dark as the reader's system
 * is, printable. Pure; the document is passed in as HTML that was sanitised. What the editor prints is the same page
 * (`view/export/printing.ts`).
 */

import type { SectionHeading } from '../text/markdown';
import { contentsHtml } from './contentsList';
import { PAGE_STYLES } from './pageStyles';
import { paletteStyles } from './palette';
import { isDrawnWide, printStyles } from './printStyles';
import { type Exported, revisionWords } from './revisionWords';
import type { Picture } from './svg';
import { escaped } from './xml';

export interface PageContent extends Exported {
  name: string;
  /** When it was made, for people and for machines. */
  date: { words: string; iso: string };
  /** The diagram with colours as variables; null for none. */
  picture: Picture | null;
  /** The description of the diagram for screen readers. */
  facts: string;
  /** What the table of contents lists. */
  headings: readonly SectionHeading[];
  /** The document as HTML; empty where it is put in later, null for none. */
  prose: string | null;
}

/** Inline styles and pictures only: no scripts, no requests, no forms. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A wider diagram stands above the document: beside it there is no room for names that can be read. */
const BESIDE_UP_TO = 660;
/** What stands left and right of the diagram: its padding, and a bar to scroll. */
const AROUND = 64;
/** From here diagram and document stand side by side. */
const SIDE_BY_SIDE = 1100;

export function pageOf(content: PageContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Draftsmith">
<title>${escaped(content.name)}</title>
<style>${pageSheet(content)}</style>
</head>
<body>
${pageBody(content)}
</body>
</html>
`;
}

/** What stands in the body. */
export function pageBody(content: PageContent): string {
  const { name, date, picture, facts, headings, prose } = content;
  const title = escaped(name);
  const list = prose === null ? '' : contentsHtml(headings);
  // Whatever stands on the page of a wide diagram has to be as wide, or it would get a page of its own.
  const wide = picture && isDrawnWide(picture) ? ' wide' : '';
  const diagram = picture
    ? `<section class="diagram${wide}" aria-label="Diagram" tabindex="0" title="${escaped(facts)}">${SIZE_CHOICE}${picture.svg}</section>`
    : '';
  const text =
    prose === null ? '' : `<article class="prose" tabindex="0" aria-label="Document">${prose}</article>`;
  const made = `<time datetime="${escaped(date.iso)}">${escaped(date.words)}</time>`;
  return `<header class="head${list ? '' : wide}"><p class="name">${title}</p></header>
${list}
<main class="${layoutOf(content)}">
${diagram}
${text}
</main>
<footer class="foot${prose === null ? wide : ''}">${title} · ${revisionWords(content)} · ${made} · Made with Draftsmith</footer>`;
}

/** The style sheet of a page. */
export function pageSheet({ name, picture }: Pick<PageContent, 'name' | 'picture'>): string {
  return `:root{${paletteStyles('light')}}
@media (prefers-color-scheme:dark){:root{${paletteStyles('dark')}}}
@media print{:root{${paletteStyles('light')}}}
${PAGE_STYLES}
${picture ? hiddenSizeChoice(picture) : ''}
${printStyles(name, picture)}`;
}

function layoutOf({ picture, prose }: PageContent): string {
  if (!picture || prose === null) return 'one';
  return picture.width > BESIDE_UP_TO ? 'both stacked' : 'both beside';
}

/** For a diagram that is shown smaller than it is drawn, as wide as the window: then it scrolls. */
const SIZE_CHOICE = '<label class="size"><input type="checkbox">Full size</label>';

/** Where the diagram has all the room that it takes, there is nothing to choose. */
function hiddenSizeChoice({ width }: Picture): string {
  const needed = Math.ceil(width) + AROUND;
  const alone = `@media (min-width:${needed}px){main:not(.beside) .size{display:none}}`;
  if (width > BESIDE_UP_TO) return alone;
  const above = `@media (min-width:${needed}px) and (max-width:${SIDE_BY_SIDE - 0.02}px){.beside .size{display:none}}`;
  return `${alone}${above}@media (min-width:${Math.max(2 * needed, SIDE_BY_SIDE)}px){.beside .size{display:none}}`;
}
