/**
 * Printing: by the editor, once everything is drawn, or by the browser's own menu, with what is there at once. What is
 * printed is a sheet, the exported page, which is in the editor's page meanwhile. Of the style sheets its own is the only
 * one that applies to paper then, so what is printed is what the export would print.
 */
import { useEffect, useRef } from 'react';
import { pageBody, pageSheet } from '../../model/export/page';
import type { Picture } from '../../model/export/svg';
import { sourceOf } from '../images/workspaceImages';
import { colours, maths } from '../prose/laterParts';
import type { Toasts } from '../ui/overlay/Toasts';
import type { Chosen, Source } from './choices';
import { adaptable, nodesIn, pageContent, pictureSync } from './contents';
import { drawnProse, proseFor } from './prose';

let isPreparing = false;

/** Opens the browser's print dialog with all of a state, from where it can be saved as PDF, too. */
export async function printWhole(source: Source, chosen: Chosen, toasts: Toasts): Promise<void> {
  if (isPreparing) return;
  isPreparing = true;
  const endMessage = toasts.show({ text: 'Getting ready to print…', stays: true });
  try {
    const sheet = await wholeSheet(source, chosen);
    window.addEventListener('afterprint', showSheet(sheet), { once: true });
    await sheet.drawn;
  } catch (error) {
    toasts.showError(error);
    return;
  } finally {
    endMessage();
    isPreparing = false;
  }
  window.print();
}

/** Prints this state where the browser's own menu is used, which waits for nothing. */
export function useNativePrint(source: Source): void {
  const newest = useRef(source);
  newest.current = source;
  useEffect(() => {
    let close: (() => void) | null = null;
    const open = () => {
      if (!isSheetShown()) close = showSheet(sheetAtOnce(newest.current));
    };
    const end = () => {
      close?.();
      close = null;
    };
    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', end);
    return () => {
      end();
      window.removeEventListener('beforeprint', open);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}

interface PrintSheet {
  element: HTMLElement;
  styles: CSSStyleSheet;
  /** Resolves once the images of nodes are drawn, or cannot be; they are loaded where the sheet is shown. */
  drawn: Promise<unknown>;
}

/** The sheet with everything in it that takes its time: routes of lines, images, colours of code, maths, Mermaid. */
async function wholeSheet(source: Source, { what, selection }: Chosen): Promise<PrintSheet> {
  const { signal } = new AbortController();
  const picture =
    what === 'document' ? null : await adaptable(source, what === 'selection' ? selection : null, signal);
  if (!hasText(source, what)) return sheetOf(source, picture, null);
  const nodes = nodesIn(picture, source);
  const prose = await drawnProse(source.text, nodes, source.workspace, 'light');
  // What the browser has not decoded by then it leaves blank; what it cannot decode holds nothing up.
  await Promise.all([...prose.querySelectorAll('img')].map((image) => image.decode().catch(() => undefined)));
  return sheetOf(source, picture, prose);
}

/** A document takes no longer to be coloured, and none to be drawn. */
const AT_ONCE_MS = 1_000;

/** The sheet as it can be made without waiting: with the drawings, colours and maths of which the code is loaded. */
function sheetAtOnce(source: Source): PrintSheet {
  const picture = pictureSync(source);
  if (!hasText(source, 'both')) return sheetOf(source, picture, null);
  const prose = proseFor(source.text, nodesIn(picture, source));
  showDrawn(prose);
  for (const image of prose.querySelectorAll<HTMLImageElement>('img[data-image]'))
    image.src = sourceOf(source.workspace, image.dataset.image ?? '');
  colours.known?.colourAtOnce(prose, AT_ONCE_MS);
  maths.known?.drawMathsAtOnce(prose, AT_ONCE_MS);
  return sheetOf(source, picture, prose);
}

const hasText = ({ text }: Source, what: Chosen['what']): boolean =>
  (what === 'document' || what === 'both') && text.trim() !== '';

function sheetOf(source: Source, picture: Picture | null, prose: HTMLElement | null): PrintSheet {
  const content = { ...pageContent(source, picture), prose: prose ? '' : null };
  const element = document.createElement('div');
  element.className = 'print-sheet';
  element.hidden = true;
  const page = new DOMParser().parseFromString(pageBody(content), 'text/html');
  // Listened for before they are in a document that loads them.
  const drawn = Promise.all([...page.querySelectorAll('image')].map(settled));
  element.append(...page.body.childNodes);
  // As nodes: read again as text, it would have to be sanitised again.
  if (prose) element.querySelector('.prose')?.append(...prose.childNodes);
  for (const fold of element.querySelectorAll('details')) fold.open = true;
  const styles = new CSSStyleSheet({ media: 'print' });
  styles.replaceSync(`${pageSheet(content)}\n${ALONE}`);
  return { element, styles, drawn };
}

function settled(image: SVGImageElement): Promise<void> {
  return new Promise((resolve) => {
    for (const end of ['load', 'error']) image.addEventListener(end, () => resolve(), { once: true });
  });
}

const ALONE = 'body>*{display:none}body>.print-sheet{display:block}';

/**
 * The print sheet: the exported page, in the editor's page while that is printed. Of the style sheets its own is the only one
 * that applies to paper then, so what is printed is what the export would print.
 *
 * Not here: when it is printed (`printing.ts`).
 */
const isSheetShown = (): boolean => document.querySelector('.print-sheet') !== null;

/** Puts a sheet into the page. Returns a function that takes it out again. */
function showSheet({ element, styles }: PrintSheet): () => void {
  const others = [...document.styleSheets, ...document.adoptedStyleSheets].filter(
    ({ media }) => media.length === 0,
  );
  for (const { media } of others) media.mediaText = 'screen';
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
  document.body.append(element);
  return () => {
    element.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== styles);
    for (const { media } of others) media.mediaText = '';
  };
}

/** Drawings of Mermaid that are in the page already are used; the others stay as source. */
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
