/**
 * Links to nodes in the text of a document, `[Orders](#node/orders)`: finding and writing them. Pure. Not here: the
 * format of addresses (`nodeLink.ts`), how links look.
 */
import type { DiagramNode } from '../../protocol/types';
import { searchNodes } from '../words/search';
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

const LINK =
  /(?<![!\\])\[((?:\\.|[^\]\\[\n]|\n(?!\s*\n)|\[[^\]\n]{0,200}\]){0,400})\]\(\s*<?(#node\/[^)\s>]+)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??(?: {0,3}\1[`~]*[ \t]*(?=\n|$)|$(?![\s\S]))/gm;
const CODE = /(?<!`)(`+)(?!`)(?:[^`]|(?!\1(?!`))`+)*?\1(?!`)/g;

/** All links to nodes outside of code, in the order of the text. */
export function nodeLinksIn(text: string): NodeLink[] {
  if (!text.includes(NODE_LINK)) return [];
  const prose = withoutCode(text);
  return [...prose.matchAll(LINK)].flatMap((found) => {
    const id = linkedNode(found[2] ?? '');
    if (id === null) return [];
    const from = found.index;
    const labelFrom = from + 1;
    return [
      { id, from, to: from + found[0].length, labelFrom, labelTo: labelFrom + (found[1] ?? '').length },
    ];
  });
}

/** The text with all code blanked out, of the same length. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return text.replace(FENCE, blank).replace(CODE, blank);
}

/** The link to a node as it is written. */
export function nodeLink(node: Pick<DiagramNode, 'id' | 'label'>): string {
  return `[${escaped(node.label)}](${NODE_LINK}${encodeURIComponent(node.id)})`;
}

/** Escapes a label, so that it cannot end the link. */
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
