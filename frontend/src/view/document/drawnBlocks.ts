/**
 * The blocks of the document in the page: those that read as before stay as they are, with scroll position and selection.
 * Each block is one element, whatever of it gets past the second barrier.
 */
import { sanitised } from '../prose/sanitise';

export class DrawnBlocks {
  private drawn: string[] = [];

  constructor(private readonly target: Element) {}

  /**
   * Replaces the blocks from the first to the last difference, each given by its HTML; the others stay, also where the page
   * has changed them since.
   *
   * Returns the new elements.
   */
  draw(blocks: readonly string[]): Element[] {
    const { drawn, target } = this;
    const most = Math.min(drawn.length, blocks.length);
    let start = 0;
    while (start < most && drawn[start] === blocks[start]) start += 1;
    let end = 0;
    while (end < most - start && drawn[drawn.length - 1 - end] === blocks[blocks.length - 1 - end]) end += 1;
    const old = [...target.children].slice(start, drawn.length - end);
    const added = elementsOf(blocks.slice(start, blocks.length - end));
    const following = target.children[drawn.length - end] ?? null;
    for (const element of old) element.remove();
    for (const element of added) target.insertBefore(element, following);
    this.drawn = [...blocks];
    return added;
  }
}

/** One element for each block, all sanitised at once where that can be told apart. */
function elementsOf(blocks: readonly string[]): Element[] {
  const together = [...sanitised(blocks.join('')).children];
  return together.length === blocks.length ? together : blocks.map(elementOf);
}

function elementOf(html: string): Element {
  const fragment = sanitised(html);
  const [only, ...more] = fragment.childNodes;
  if (only instanceof Element && more.every(isBlank)) return only;
  const element = document.createElement('div');
  element.append(fragment);
  return element;
}

const isBlank = (node: Node): boolean => node instanceof Text && node.data.trim() === '';
