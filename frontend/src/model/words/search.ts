/** Search by words: nodes of the diagram, and anything with a title. Pure. */
import { type DiagramNode, isAnnotation } from '../../protocol/types';
import { typeName } from './kinds';

/**
 * The nodes that contain every word of the query, best first, at most `limit`.
 *
 * Searched are label, id, type and technology, of notes and texts all that is written on them; a label that begins with the query
 * comes first.
 */
export function searchNodes(nodes: readonly DiagramNode[], query: string, limit = 8): DiagramNode[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const ranked = nodes.flatMap((node) => {
    const label = node.label.toLowerCase();
    const more = isAnnotation(node.type) ? node.description : '';
    const all = [label, node.id, node.type, typeName(node), node.technology, more].join(' ').toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const rank = label.startsWith(words.join(' ')) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
    return [{ node, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ node }) => node);
}

/** Something that can be found by its title, or by other words. */
export interface Findable {
  title: string;
  words?: string | undefined;
}

/**
 * The matches of a query, best first, equals in the order given; everything for an empty query.
 *
 * Every word of the query has to match: best at the start of the title, then at the start of one of its words, then
 * inside it, then in the other words, and last as letters of the title in their order ("dpl" finds "Duplicate").
 */
export function rankByWords<T extends Findable>(items: readonly T[], query: string): T[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...items];
  return items
    .flatMap((item, order) => {
      const cost = costOf(item, words);
      return cost === null ? [] : [{ item, cost, order }];
    })
    .sort((a, b) => a.cost - b.cost || a.order - b.order)
    .map(({ item }) => item);
}

/** The distance of a match; null where a word does not match at all. */
function costOf({ title, words = '' }: Findable, wanted: readonly string[]): number | null {
  const plain = plainOf(title);
  const other = plainOf(words);
  let cost = 0;
  for (const [at, word] of wanted.entries()) {
    const one = costOfWord(plain, other, word, at === 0);
    if (one === null) return null;
    cost += one;
  }
  // Among equals the shorter title comes first.
  return cost + plain.length / 1000;
}

function costOfWord(title: string, other: string, word: string, isFirst: boolean): number | null {
  if (title.startsWith(word)) return isFirst ? 0 : 1;
  if (startsWord(title, word)) return 2;
  if (startsWord(other, word)) return 4;
  if (word.length > 1 && title.includes(word)) return 5;
  if (word.length > 2 && other.includes(word)) return 6;
  return word.length > 1 && hasInOrder(title, word) ? 9 : null;
}

const startsWord = (text: string, word: string): boolean =>
  text.startsWith(word) || text.includes(` ${word}`) || text.includes(`-${word}`);

/** Whether the letters occur in this order, starting at the beginning of a word. */
function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const [index, letter] of [...letters].entries()) {
    at = text.indexOf(letter, at + 1);
    if (index === 0) while (at > 0 && text[at - 1] !== ' ') at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The plain forms of what is searched again with each key. */
const plain = new Map<string, string>();
const MAX_REMEMBERED = 200_000;

function plainOf(text: string): string {
  const known = plain.get(text);
  if (known !== undefined) return known;
  if (plain.size >= MAX_REMEMBERED) plain.clear();
  const made = plainForm(text);
  plain.set(text, made);
  return made;
}

const plainForm = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

export const wordsOf = (query: string): string[] => plainOf(query).split(/\s+/).filter(Boolean);
