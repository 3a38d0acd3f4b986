/**
 * The print sheet: the diagram, fitted to the paper, and the document as prose, black on white. It is in the page from
 * `beforeprint` to `afterprint`. Styles: `styles/print.css`.
 */
import { revisionWords } from '../../model/export/revisionWords';
import type { ViewMode } from '../../sync/preferences';
import { sourceOf } from '../images/workspaceImages';
import { colours, maths } from '../prose/laterParts';
import type { Source } from './choices';
import { pictureSync } from './contents';
import { proseFor } from './prose';

/** A document takes no longer to be coloured, and none to be drawn. */
const SHEET_MS = 1_000;

/** Inserts the sheet into the page. Returns a function that removes it. */
export function openSheet(
  source: Pick<Source, 'workspace' | 'diagram' | 'text' | 'name' | 'revision' | 'isUnsaved'>,
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
    for (const image of prose.querySelectorAll<HTMLImageElement>('img[data-image]'))
      image.src = sourceOf(source.workspace, image.dataset.image ?? '');
    // Nor for what has not been loaded: code stays plain, maths as it is written.
    colours.known?.colourAtOnce(prose, SHEET_MS);
    maths.known?.drawMathsAtOnce(prose, SHEET_MS);
    for (const fold of prose.querySelectorAll('details')) fold.open = true;
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

/** Printing does not wait for Mermaid: existing drawings are used, the others stay as source. */
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
