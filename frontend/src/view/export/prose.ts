/** The document as HTML for an exported page: sanitised as in the preview. */

import { anchorOfNode } from '../../model/export/svgNodes';
import { markdownToHtml } from '../../model/text/markdown';
import { describeMermaid } from '../../model/text/mermaidSource';
import { anchorOf, headingsByAddress } from '../prose/headings';
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

/** With Mermaid diagrams as pictures for light and dark; on failure the source stays. */
export async function proseHtml(text: string, nodes: ReadonlySet<string>): Promise<string> {
  const prose = proseFor(text, nodes);
  for (const block of prose.querySelectorAll('.mermaid-block')) {
    const source = block.querySelector('code')?.textContent ?? '';
    const [light, dark] = [await drawingOf(source, false), await drawingOf(source, true)];
    if ('error' in light || 'error' in dark) continue;
    const picture = document.createElement('picture');
    const darkly = document.createElement('source');
    darkly.media = 'screen and (prefers-color-scheme: dark)';
    darkly.srcset = dark.address;
    const image = document.createElement('img');
    image.src = light.address;
    image.alt = describeMermaid(source).replace(/; its source follows$/, '');
    image.width = light.width;
    image.height = light.height;
    picture.append(darkly, image);
    block.replaceChildren(picture);
  }
  return prose.innerHTML;
}

/** Makes heading ids unique in the page, and adjusts links. */
function linkHeadings(prose: HTMLElement): void {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const headings = [...prose.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const named = headingsByAddress(prose);
  const targets = [...prose.querySelectorAll<HTMLAnchorElement>('a[href^="#"]:not(.node-link)')].map(
    (link) => ({ link, heading: named(link.getAttribute('href') ?? '') }),
  );
  for (const heading of headings) {
    const name = `section-${anchorOf(heading.textContent ?? '')}`;
    let id = name;
    // The next free number is remembered: there may be as many headings of one name as lines.
    let count = counts.get(name) ?? 1;
    for (; taken.has(id); count += 1) id = `${name}-${count}`;
    counts.set(name, count);
    taken.add(id);
    heading.id = id;
  }
  for (const { link, heading } of targets) if (heading) link.setAttribute('href', `#${heading.id}`);
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
