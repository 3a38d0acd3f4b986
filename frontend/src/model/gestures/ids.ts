/** Ids for what gestures make: from a label, and never one that is taken. Twin of the server's `model/ids.py`. */

const MAX_ID = 64;
const MAX_EDGE_ID = 140;

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

/** A free id for a node of that label; of its type and a number where the label gives none. */
export const freeNodeId = (label: string, type: string, isTaken: IsTaken): string => {
  const slug = slugOf(label);
  return slug ? unique(slug, isTaken, MAX_ID) : unique(`${type}-1`, isTaken, MAX_ID);
};

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

  constructor(inUse: Iterable<{ id: string }>) {
    this.taken = new Set([...inUse].map(({ id }) => id));
  }

  forNode(label: string, type: string): string {
    return this.take(freeNodeId(label, type, (id) => this.taken.has(id)));
  }

  forEdge(source: string, target: string): string {
    return this.take(freeEdgeId(source, target, (id) => this.taken.has(id)));
  }

  private take(id: string): string {
    this.taken.add(id);
    return id;
  }
}
