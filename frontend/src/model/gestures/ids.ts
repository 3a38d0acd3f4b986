/**
 * Ids for what gestures make: from a label, and never one that is taken. Slugs as the server's `model/ids.py` makes them.
 *
 * A node's id ends with a few signs by chance: two people who place a cache at the same moment, or apart from each other,
 * would give it the same one, and what the second then does to theirs would be done to the first one's.
 */

const MAX_ID = 64;
const MAX_EDGE_ID = 140;
const TAIL_LENGTH = 4;
/** Without those that look alike. */
const TAIL_SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';

/** Letters that decomposition leaves whole although they have a customary spelling in plain letters. */
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

/** Make an id from a label: `Größe (neu)` becomes `grosse-neu`; the empty text if no letter or digit is left. */
export function slugOf(label: string): string {
  const plain = spelled(spelled(label.toLowerCase()).normalize('NFKD').toLowerCase());
  const words = plain.replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-');
  return words
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_ID)
    .replace(/-+$/, '');
}

const spelled = (text: string): string => text.replace(SPELLED, (letter) => SPELLINGS[letter] ?? letter);

/** A free id for a node of that label, of its type where the label gives none, with that at its end. */
const freeNodeId = (label: string, type: string, tail: string, isTaken: IsTaken): string => {
  const name = (slugOf(label) || type).slice(0, MAX_ID - tail.length - 1).replace(/-+$/, '');
  return unique(`${name}-${tail}`, isTaken, MAX_ID);
};

const tailByChance = (): string =>
  Array.from({ length: TAIL_LENGTH }, () => TAIL_SIGNS[Math.floor(Math.random() * TAIL_SIGNS.length)]).join(
    '',
  );

/** A free id for an edge: `<source>--<target>`, numbered where that is taken. */
export const freeEdgeId = (source: string, target: string, isTaken: IsTaken): string =>
  unique(`${source}--${target}`, isTaken, MAX_EDGE_ID);

function unique(base: string, isTaken: IsTaken, limit: number): string {
  const plain = base.slice(0, limit);
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`;
    const id = ending ? base.slice(0, limit - ending.length).replace(/-+$/, '') + ending : plain;
    if (!isTaken(id)) return id;
  }
}

/** Hands out ids that are neither in use nor handed out before: for a gesture that makes several things. */
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
