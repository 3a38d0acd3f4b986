/**
 * What is printed in place of the page: the diagram, fitted to the paper, and the document as prose, black on white. It
 * is there from the moment the browser is about to print until it has done so. How it looks: `styles/print.css`.
 */
import { revisionWords } from '../../model/export/revisionWords';
import type { ViewMode } from '../../sync/preferences';
import type { Source } from './choices';
import { pictureSync } from './contents';
import { proseFor } from './prose';

/** Put the sheet into the page; the answer takes it away again. */
export function openSheet(
  source: Pick<Source, 'diagram' | 'text' | 'name' | 'revision' | 'isUnsaved'>,
  mode: ViewMode,
): () => void {
  const sheet = document.createElement('main');
  sheet.className = 'print-sheet';
  const name = document.createElement('p');
  name.className = 'print-name';
  name.textContent = `${source.name} · ${revisionWords(source)}`;
  sheet.append(name);
  const picture = mode === 'document' ? null : pictureSync(source);
  if (picture) sheet.append(figureOf(picture.svg, picture.width > picture.height * 1.15));
  if (mode !== 'diagram' && source.text.trim()) {
    const prose = proseFor(source.text, new Set());
    prose.className = 'prose';
    showDrawn(prose);
    sheet.append(prose);
  }
  document.body.append(sheet);
  return () => sheet.remove();
}

function figureOf(svg: string, isWide: boolean): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = isWide ? 'print-diagram is-wide' : 'print-diagram';
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  figure.append(document.importNode(parsed, true));
  return figure;
}

/** Printing does not wait for drawings: those that the page shows are taken, the others stay as they are written. */
function showDrawn(prose: HTMLElement): void {
  const drawn = new Map<string, HTMLImageElement>();
  for (const block of document.querySelectorAll('.mermaid-block:has(.mermaid-image)')) {
    const image = block.querySelector<HTMLImageElement>('.mermaid-image');
    if (image) drawn.set(block.querySelector('code')?.textContent ?? '', image);
  }
  for (const block of prose.querySelectorAll('.mermaid-block')) {
    const image = drawn.get(block.querySelector('code')?.textContent ?? '');
    if (image) block.replaceChildren(image.cloneNode());
  }
}
