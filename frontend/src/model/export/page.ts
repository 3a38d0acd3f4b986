/**
 * Diagram and document as one self-contained HTML file: no scripts, no requests, light and dark as the reader's system
 * is, printable. Pure; the document is passed in as HTML that was sanitised.
 */

import { PAGE_STYLES } from './pageStyles';
import { paletteStyles } from './palette';
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
  /** The document as HTML; empty for none. */
  prose: string;
}

/** Inline styles and pictures only: no scripts, no requests, no forms. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A wider diagram stands above the document: beside it there is no room for names that can be read. */
const BESIDE_UP_TO = 660;

export function pageOf(content: PageContent): string {
  const { name, date, picture, facts, prose } = content;
  const title = escaped(name);
  const isBoth = picture !== null && prose !== '';
  const diagram = picture
    ? `<section class="diagram" aria-label="Diagram" tabindex="0" title="${escaped(facts)}">${picture.svg}</section>`
    : '';
  const text = prose ? `<article class="prose" tabindex="0" aria-label="Document">${prose}</article>` : '';
  const made = `<time datetime="${escaped(date.iso)}">${escaped(date.words)}</time>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Draftsmith">
<title>${title}</title>
<style>:root{${paletteStyles('light')}}@media (prefers-color-scheme:dark){:root{${paletteStyles('dark')}}}@media print{:root{${paletteStyles('light')}}}
${picture ? leastSize(picture) : ''}
${PAGE_STYLES}</style>
</head>
<body>
<header class="head"><p class="name">${title}</p></header>
<main class="${isBoth ? (picture.width > BESIDE_UP_TO ? 'both stacked' : 'both beside') : 'one'}">
${diagram}
${text}
</main>
<footer class="foot">${title} · ${revisionWords(content)} · ${made} · Made with Draftsmith</footer>
</body>
</html>
`;
}

/** Drawn smaller it could not be read: it scrolls. */
const leastSize = ({ width, height }: Picture): string =>
  `.diagram svg{min-width:${width}px;min-height:${height}px}`;
