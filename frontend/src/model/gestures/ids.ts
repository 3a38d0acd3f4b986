/**
 * Unique ids for new nodes and edges, made from labels. Slugs as the server's `model/ids.py` makes them.
 *
 * A node's id ends with a few random characters: two people who add a cache at the same moment, or while offline, would
 * give it the same id, and edits of the second would then apply to the node of the first.
 */

const MAX_ID = 64;
const MAX_EDGE_ID = 140;
const TAIL_LENGTH = 4;
/** Without characters that look alike. */
const TAIL_SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';

/** Letters that Unicode decomposition leaves whole although they have a customary ASCII spelling. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

type IsTaken = (id: string) => boolean;

/** A slug of a label: `Größe (neu)` becomes `grosse-neu`; empty if no letter or digit is left. */
export function slugOf(label: string): string {
  const plain = spelled(spelled(label.toLowerCase()).normalize('NFKD').toLowerCase());
  const words = plain.replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-');
  return words
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, MAX_ID)
    .replace(/(?<!-)-+$/, '');
}

const spelled = (text: string): string => text.replace(SPELLED, (letter) => SPELLINGS[letter] ?? letter);

/** A free id for a node of that label, of its type where the label gives none, with a random end. */
const freeNodeId = (label: string, type: string, tail: string, isTaken: IsTaken): string => {
  const name = (slugOf(label) || type).slice(0, MAX_ID - tail.length - 1).replace(/(?<!-)-+$/, '');
  return unique(`${name}-${tail}`, isTaken, MAX_ID);
};

const tailByChance = (): string =>
  Array.from({ length: TAIL_LENGTH }, () => TAIL_SIGNS[Math.floor(Math.random() * TAIL_SIGNS.length)]).join(
    '',
  );

/** A free slug of a name, numbered where it is taken; of `otherwise` where the name gives none. */
export const freeSlug = (name: string, otherwise: string, isTaken: IsTaken): string =>
  unique(slugOf(name) || otherwise, isTaken, MAX_ID);

/** A free id for an edge: `<source>--<target>`, numbered where that is taken. */
export const freeEdgeId = (source: string, target: string, isTaken: IsTaken): string =>
  unique(`${source}--${target}`, isTaken, MAX_EDGE_ID);

function unique(base: string, isTaken: IsTaken, limit: number): string {
  const plain = base.slice(0, limit);
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`;
    const id = ending ? base.slice(0, limit - ending.length).replace(/(?<!-)-+$/, '') + ending : plain;
    if (!isTaken(id)) return id;
  }
}

/** Returns ids that are neither in use nor returned before: for a gesture that makes several things. */
export class FreeIds {
  private readonly taken: Set<string>;

  constructor(
    inUse: Iterable<{ id: string }>,
    private readonly tail: () => string = tailByChance,
  ) {
    this.taken = new Set([...inUse].map(({ id }) => id));
  }

  forNode(label: string, type: string): string {
    return this.take(freeNodeId(label, type, this.tail(), (id) => this.taken.has(id)));
  }

  forEdge(source: string, target: string): string {
    return this.take(freeEdgeId(source, target, (id) => this.taken.has(id)));
  }

  private take(id: string): string {
    this.taken.add(id);
    return id;
  }
}
