/** The words of a cell as they are read: Markdown within a line as elements of the page. Nothing in it is active. */
import { linkedNode } from '../../../../../model/text/nodeLink';
import type { LinkTargets } from '../../../editorHandle';
import type { InlineElement, InlineParser } from '../../language';
import { pillOf } from '../../partState';
import { mathsPlace, nodeIcon } from '../widgets';

const TAGS: Readonly<Record<string, keyof HTMLElementTagNameMap>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 's',
  InlineCode: 'code',
};

const MARKS = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'LinkTitle',
  'LinkLabel',
]);

/** A text with its parser and the targets of its links. */
interface Source {
  text: string;
  parser: InlineParser;
  targets: LinkTargets;
}

/** The elements for the source of a cell, in which a `|` stands behind a backslash. */
export function cellContent(cell: string, parser: InlineParser, targets: LinkTargets): DocumentFragment {
  const text = cell.replaceAll('\\|', '|');
  const content = document.createDocumentFragment();
  write(content, parser.parseInline(text, 0), { text, parser, targets }, 0, text.length);
  return content;
}

const nameOf = ({ type }: InlineElement, { parser }: Source): string =>
  parser.nodeSet.types[type]?.name ?? '';

/** Writes the elements between two positions, and the text between them. */
function write(
  into: Node,
  elements: readonly InlineElement[],
  source: Source,
  from: number,
  to: number,
): void {
  let at = from;
  for (const element of elements) {
    into.appendChild(document.createTextNode(source.text.slice(at, element.from)));
    writeElement(into, element, source);
    at = element.to;
  }
  into.appendChild(document.createTextNode(source.text.slice(at, to)));
}

function writeElement(into: Node, element: InlineElement, source: Source): void {
  const name = nameOf(element, source);
  const { from, to, children } = element;
  const tag = TAGS[name];
  if (MARKS.has(name)) return;
  if (tag) write(into.appendChild(document.createElement(tag)), children, source, from, to);
  else if (name === 'Link' || name === 'Image') writeLink(into, element, source);
  else if (name === 'Escape') into.appendChild(document.createTextNode(source.text.slice(from + 1, to)));
  else if (name === 'Autolink') write(into, children, source, from, to);
  else if (name === 'Maths') into.appendChild(mathsPlace(source.text.slice(from, to)));
  else into.appendChild(document.createTextNode(source.text.slice(from, to)));
}

function writeLink(into: Node, { from, to, children }: InlineElement, source: Source): void {
  const [open, close] = children.filter((child) => nameOf(child, source) === 'LinkMark');
  const url = children.find((child) => nameOf(child, source) === 'URL');
  if (!open || !close || open.to === close.from) {
    into.appendChild(document.createTextNode(source.text.slice(from, to)));
    return;
  }
  const address = url ? source.text.slice(url.from, url.to) : '';
  const words = into.appendChild(document.createElement('span'));
  const id = linkedNode(address);
  if (id === null) {
    words.className = 'md-link live-link';
    words.title = address;
  } else {
    const { class: className, attributes } = pillOf(id, source.targets);
    words.className = `${className} live-pill`;
    for (const [attribute, value] of Object.entries(attributes)) words.setAttribute(attribute, value);
    words.append(nodeIcon(source.targets.nodes.get(id)?.type ?? null));
  }
  const inside = children.filter((child) => child.from >= open.to && child.to <= close.from);
  write(words, inside, source, open.to, close.from);
}
