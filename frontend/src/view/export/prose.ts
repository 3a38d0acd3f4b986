/** The document as HTML for an exported or printed page: sanitised as in the preview. */

import { anchorOfNode } from '../../model/export/svgNodes';
import { anchorIn } from '../../model/text/anchors';
import { markdownToHtml } from '../../model/text/markdown';
import { describeMermaid } from '../../model/text/mermaidSource';
import { dataAddressOf } from '../images/imageBytes';
import { addressedHeadings } from '../prose/headings';
import { colours, maths } from '../prose/laterParts';
import { drawingOf } from '../prose/mermaidFrame';
import { sanitised } from '../prose/sanitise';

/** @param nodes the nodes in the page, which links can lead to */
export function proseFor(text: string, nodes: ReadonlySet<string>): HTMLElement {
  const prose = document.createElement('article');
  prose.append(sanitised(markdownToHtml(text)));
  linkHeadings(prose);
  linkNodes(prose, nodes);
  return prose;
}

/**
 * With images in it, code in colours, maths, and Mermaid diagrams as pictures; on failure the source stays.
 *
 * `themes`: of pictures of Mermaid; with both the reader's system chooses.
 */
export async function drawnProse(
  text: string,
  nodes: ReadonlySet<string>,
  workspace: string,
  themes: 'light' | 'both',
): Promise<HTMLElement> {
  const prose = proseFor(text, nodes);
  await embedImages(prose, workspace);
  if (prose.querySelector('code[class*="language-"]')) await (await colours.load()).colourBlocks(prose);
  if (prose.querySelector('.maths')) await (await maths.load()).drawMaths(prose);
  for (const block of prose.querySelectorAll('.mermaid-block')) {
    const picture = await mermaidPicture(block.querySelector('code')?.textContent ?? '', themes);
    if (picture) block.replaceChildren(picture);
  }
  return prose;
}

/** Null where it cannot be drawn. */
async function mermaidPicture(source: string, themes: 'light' | 'both'): Promise<HTMLElement | null> {
  const light = await drawingOf(source, false);
  if ('error' in light) return null;
  const image = document.createElement('img');
  image.src = light.address;
  image.alt = describeMermaid(source).replace(/; its source follows$/, '');
  image.width = light.width;
  image.height = light.height;
  if (themes === 'light') return image;
  const dark = await drawingOf(source, true);
  if ('error' in dark) return null;
  const picture = document.createElement('picture');
  const darkly = document.createElement('source');
  darkly.media = 'screen and (prefers-color-scheme: dark)';
  darkly.srcset = dark.address;
  picture.append(darkly, image);
  return picture;
}

/** Where an image cannot be had, what it shows is said in its place. */
async function embedImages(prose: HTMLElement, workspace: string): Promise<void> {
  for (const image of prose.querySelectorAll<HTMLImageElement>('img[data-image]')) {
    const address = await dataAddressOf(workspace, image.dataset.image ?? '');
    delete image.dataset.image;
    if (address) image.src = address;
    else image.replaceWith(placeholderFor(image.alt));
  }
}

function placeholderFor(alt: string): HTMLElement {
  const place = document.createElement('span');
  place.className = 'image-placeholder';
  place.textContent = `${alt} (this image was not there)`;
  return place;
}

/** Gives headings their addresses as ids, and links the form that browsers compare with them. */
function linkHeadings(prose: HTMLElement): void {
  const ids = new Set<string>();
  for (const heading of addressedHeadings(prose)) {
    const id = heading.dataset.anchor ?? '';
    if (!ids.has(id)) heading.id = id;
    ids.add(id);
  }
  for (const heading of prose.querySelectorAll('[data-anchor]')) heading.removeAttribute('data-anchor');
  for (const link of prose.querySelectorAll<HTMLAnchorElement>('a[href^="#"]:not(.node-link)')) {
    const anchor = anchorIn(link.getAttribute('href') ?? '');
    if (anchor !== null && ids.has(anchor)) link.setAttribute('href', `#${anchor}`);
  }
}

function linkNodes(prose: HTMLElement, nodes: ReadonlySet<string>): void {
  for (const link of prose.querySelectorAll<HTMLElement>('a.node-link')) {
    const id = link.dataset.node ?? '';
    delete link.dataset.node;
    if (nodes.has(id)) {
      link.setAttribute('href', `#${anchorOfNode(id)}`);
      continue;
    }
    const words = document.createElement('span');
    words.append(...link.childNodes);
    link.replaceWith(words);
  }
}
