/**
 * Links to nodes in the text of a document, `[Orders](#node/orders)`: finding and writing them. Pure. Not here: the
 * format of addresses (`nodeLink.ts`), how links look.
 */
import type { DiagramNode } from '../../protocol/types';
import { searchNodes } from '../words/search';
import { withoutCode } from './codeSpans';
import { linkedNode, NODE_LINK } from './nodeLink';

export interface NodeLink {
  /** The id of the node, which need not exist. */
  id: string;
  from: number;
  to: number;
  /** The words between the brackets. */
  labelFrom: number;
  labelTo: number;
}

/** What a link may measure; each bound keeps the search linear. */
const MAX_LABEL = 2_000;
const MAX_ADDRESS = 600;
const MAX_TITLE = 1_000;

/** All links to nodes outside of code, in the order of the text. */
export function nodeLinksIn(text: string): NodeLink[] {
  if (!text.includes(NODE_LINK)) return [];
  const prose = withoutCode(text);
  const links: NodeLink[] = [];
  for (let at = prose.indexOf(NODE_LINK); at >= 0; at = prose.indexOf(NODE_LINK, at + NODE_LINK.length)) {
    const link = linkAround(prose, at);
    if (link && link.from >= (links.at(-1)?.to ?? 0)) links.push(link);
  }
  return links;
}

const BEHIND = /^(#node\/[^)\s>]+)>?(?:\s{1,100}(?:"[^"\n]*"|'[^'\n]*'))?\s{0,100}\)/;

/** The link whose address begins at a position. */
function linkAround(text: string, at: number): NodeLink | null {
  const behind = BEHIND.exec(text.slice(at, at + MAX_ADDRESS + MAX_TITLE));
  const id = behind && linkedNode(behind[1] ?? '');
  if (!behind || id === null) return null;
  let open = text[at - 1] === '<' ? at - 1 : at;
  while (at - open < 100 && isBlank(text[open - 1])) open -= 1;
  if (text[open - 1] !== '(' || text[open - 2] !== ']') return null;
  const labelTo = open - 2;
  const from = bracketBefore(text, labelTo);
  if (from === null) return null;
  return { id, from, to: at + behind[0].length, labelFrom: from + 1, labelTo };
}

const isBlank = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);

/** The bracket that a closing one at `end` belongs to; null across an empty line, and for an image. */
function bracketBefore(text: string, end: number): number | null {
  if (isEscaped(text, end)) return null;
  let depth = 1;
  for (let at = end - 1; at >= Math.max(0, end - MAX_LABEL); at--) {
    const sign = text[at];
    if (sign === '\n' && endsEmptyLine(text, at)) return null;
    if ((sign !== '[' && sign !== ']') || isEscaped(text, at)) continue;
    depth += sign === ']' ? 1 : -1;
    if (depth === 0) return text[at - 1] === '!' ? null : at;
  }
  return null;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (slashes < MAX_LABEL && text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Whether the line that ends here is empty. */
function endsEmptyLine(text: string, at: number): boolean {
  let start = at - 1;
  while (at - start < MAX_LABEL && (text[start] === ' ' || text[start] === '\t')) start -= 1;
  return text[start] === '\n';
}

/** The link to a node as it is written. */
export function nodeLink(node: Pick<DiagramNode, 'id' | 'label'>): string {
  return `[${escaped(node.label)}](${NODE_LINK}${encodeURIComponent(node.id)})`;
}

/** A link to a heading of the document. */
export const sectionLink = (title: string, anchor: string): string => `[${escaped(title)}](#${anchor})`;

/** Escapes words, so that they cannot end the link. */
const escaped = (label: string): string => label.replace(/[\\[\]`*_<>]/g, '\\$&');

/**
 * The nodes that match `query` after `@`, best first.
 *
 * Without a query all nodes in alphabetical order; else those that contain its words, then those whose label contains
 * its letters in this order.
 */
export function mentionable(nodes: readonly DiagramNode[], query: string, limit = 30): DiagramNode[] {
  const byLabel = (one: DiagramNode, other: DiagramNode) => one.label.localeCompare(other.label, 'en');
  if (!query.trim()) return [...nodes].sort(byLabel).slice(0, limit);
  // Of equal matches the shorter one comes first: the other is found by typing on.
  const shortFirst = [...nodes].sort((one, other) => one.label.length - other.label.length);
  const sure = searchNodes(shortFirst, query, limit);
  const known = new Set(sure);
  const perhaps = nodes.filter((node) => !known.has(node) && holdsInOrder(node.label, query));
  return [...sure, ...perhaps.sort(byLabel)].slice(0, limit);
}

function holdsInOrder(label: string, query: string): boolean {
  let at = 0;
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  for (const sign of label.toLowerCase()) if (sign === wanted[at]) at += 1;
  return at === wanted.length;
}
