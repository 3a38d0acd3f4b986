/**
 * What can be read of a diagram at a zoom: how much of a card is drawn, and in which lines its name stands. Pure.
 *
 * A name is legible in letters of at least 11 pixels of the screen, in at most two lines, whole or by its first 16
 * characters and an ellipsis. While a card is large enough its name is legible: what it is made with gives way first, then
 * its icon. Icons and bold letters give way on all cards of a drawing at once, so that a card looks different for what it
 * is, not for how long its name is. Zooms come in steps, so that cards are drawn anew seldom; between two steps everything
 * grows together.
 */
import type { Size } from '../../protocol/types';

/** The smallest letters that count as legible, in CSS pixels of the screen. */
export const LEGIBLE = 11;
/** The smallest that are drawn: a hair larger, since browsers round. */
const LETTERS = 11.05;
/** A card of at least this size on the screen is named. */
const NAMED_FROM: Size = { width: 60, height: 24 };
/** Of a name that has no room this many characters are left at least. */
export const FIRST = 16;
/** Beside an icon a name is rather cut than set alone where this much of it is left. */
const ENOUGH = 24;

/** From further away a title has no room in the strip of its frame. */
export const TITLED_FROM = 0.33;

const STEP = 1.12;
/** The zoom at which a usual card is as small as one that is named may be. */
const ANCHOR = 1 / 3;

/** The step of a zoom: at most the zoom itself, and 1 for every larger one. */
export const zoomStep = (zoom: number): number =>
  zoom >= 1 ? 1 : ANCHOR * STEP ** Math.floor(Math.log(zoom / ANCHOR) / Math.log(STEP) + 1e-6);

/** Whether a card of that size is named at a zoom of this step. */
export const isNamed = ({ width, height }: Size, step: number): boolean => {
  const next = step * STEP - 1e-4;
  return width * next >= NAMED_FROM.width && height * next >= NAMED_FROM.height;
};

/** The width of a letter as a share of the font size. */
export type LetterWidth = (letter: string, weight: number) => number;

/** An estimate for a common wide font. */
export const estimatedLetterWidth: LetterWidth = (_, weight) => (weight > 500 ? 0.69 : 0.61);

/** One line of a name; `isBroken` where a hyphen follows it. */
export interface NameLine {
  text: string;
  isBroken: boolean;
}

/** A name as it is set. */
export interface SetName {
  lines: readonly NameLine[];
  /** Of the letters, in CSS pixels of the screen at this step. */
  size: number;
  weight: number;
  isCut: boolean;
}

export interface CardContent extends SetName {
  hasIcon: boolean;
  hasNote: boolean;
}

export interface Card extends Size {
  label: string;
  /** What stands below the name; empty for nothing. */
  note: string;
  /** Whether a button stands beside the text. */
  hasButton: boolean;
}

/** The measures of a card, in pixels of the diagram; as in `view/styles/canvas.css`. */
const CARD = { beforeText: 55, afterText: 13, button: 29, above: 6, name: 13, note: 11.5, tile: 34 };
const BOLD = 620;
/** Alone in its card a name is not bold: more of it has room. */
const PLAIN = 500;
/** A smaller tile says nothing. */
const SMALLEST_TILE = 20;
/** On both sides of a name that stands alone, and how far it may reach out of a small card, in pixels of the screen. */
const AIR = 4;
const OVERHANG = 6;
/**
 * How a name stands alone, the best first: its air, and how badly its words may break. A card that a name reaches out of
 * covers the ends of its lines, so a word rather breaks.
 */
const TIGHT: readonly (readonly [number, Break])[] = [
  [AIR, 0],
  [0, 0],
  [0, 1],
  [-OVERHANG, 1],
  [-OVERHANG, 2],
];
const LARGEST_ALONE = 12.5;
const LINE = 1.3;
/** Lines of a name alone stand closer. */
const CLOSE_LINE = 1.09;

/** How cards are drawn, the fullest first: with their icon in bold or in plain letters, or as a name alone. */
export type CardForm = 0 | 1 | 2;
const WEIGHTS = [BOLD, PLAIN];
/** So many of the longest names say how all cards of a drawing are drawn. */
const DECIDING = 24;

/**
 * How all cards of a drawing are drawn at a step: in the fullest form for which each has room. A card whose name has no room
 * beside an icon at full size either decides nothing.
 */
export function formOf(cards: readonly Card[], step: number, letterWidth: LetterWidth): CardForm {
  const hasRoom = (card: Card, at: number, weight: number) =>
    besideIcon(card, at, weight, letterWidth, step < 1) !== null;
  const deciding = [...cards]
    .sort((a, b) => b.label.length - a.label.length)
    .slice(0, DECIDING)
    .filter((card) => hasRoom(card, 1, PLAIN));
  const form = WEIGHTS.findIndex((weight) => deciding.every((card) => hasRoom(card, step, weight)));
  return (form < 0 ? WEIGHTS.length : form) as CardForm;
}

/** What is drawn of a card at a step, in no fuller form than that; null where it is too small to be named. */
export function cardContent(
  card: Card,
  step: number,
  letterWidth: LetterWidth,
  form: CardForm = 0,
): CardContent | null {
  if (!isNamed(card, step)) return null;
  const name = card.label.trim();
  const beside = (mayCut: boolean): CardContent | null => {
    let content: CardContent | null = null;
    for (const weight of WEIGHTS.slice(form)) content ??= besideIcon(card, step, weight, letterWidth, mayCut);
    return content;
  };
  const alone = (air: number, worst: Break): Room => ({
    width: Math.max(card.width * step, NAMED_FROM.width) - 2 * air,
    height: Math.max(card.height * step, NAMED_FROM.height),
    weight: PLAIN,
    line: CLOSE_LINE,
    worst,
  });
  const largest = Math.max(CARD.name * step, LARGEST_ALONE);
  const rooms = TIGHT.map(([air, worst]) => alone(air, worst));
  // At full size, which pictures have, a whole name is worth more than its icon.
  const full = beside(step < 1);
  if (full) return full;
  let set: SetName | null = null;
  for (const room of rooms) set ??= setWhole(name, room, room === rooms[0] ? largest : LETTERS, letterWidth);
  const cut = set ? null : beside(true);
  if (cut) return cut;
  for (const room of rooms) set ??= setCut(name, room, FIRST, letterWidth);
  // Letters wider than any usual ones: as many of them as there is room for.
  set ??= setCut(name, alone(-OVERHANG, 2), 1, letterWidth);
  return set && { ...set, hasIcon: false, hasNote: false };
}

/** A card with its icon; null where its name has no room beside that. */
function besideIcon(
  card: Card,
  step: number,
  weight: number,
  letterWidth: LetterWidth,
  mayCut = true,
): CardContent | null {
  if (CARD.tile * step < SMALLEST_TILE) return null;
  const name = card.label.trim();
  const whole = (at: number, worst: Break) =>
    firstBesideIcon(card, at, weight, (room) =>
      setWhole(name, { ...room, worst }, Math.max(CARD.name * at, LETTERS), letterWidth),
    );
  // A word is broken only where it must be at full size; where it must not, the icon gives way before.
  const worst = step < 1 && whole(1, 0) ? 0 : 1;
  return (
    whole(step, 0) ??
    whole(step, worst) ??
    (mayCut
      ? firstBesideIcon(card, step, weight, (room) => setCut(name, { ...room, worst }, ENOUGH, letterWidth))
      : null)
  );
}

/** The name as it is set beside the icon: with what stands below it, else without. */
function firstBesideIcon(
  { width, height, note, hasButton }: Card,
  step: number,
  weight: number,
  set: (room: Omit<Room, 'worst'>) => SetName | null,
): CardContent | null {
  const noteHeight = Math.max(CARD.note * step, LETTERS) * LINE + 1;
  for (const hasNote of note ? [true, false] : [false]) {
    const name = set({
      width: (width - CARD.beforeText - CARD.afterText - (hasButton ? CARD.button : 0)) * step,
      height: (height - 2 * CARD.above) * step - (hasNote ? noteHeight : 0),
      weight,
      line: LINE,
    });
    if (name) return { ...name, hasIcon: true, hasNote };
  }
  return null;
}

interface Room extends Size {
  weight: number;
  /** The height of a line for one of the letters. */
  line: number;
  /** The worst place at which a line may end. */
  worst: Break;
}

/** How bad it is to end a line: not at all between words, more within a syllable than after one. */
type Break = 0 | 1 | 2;

const SIZE_STEP = 0.5;

/** The whole name, as large as there is room for, but rather smaller than with a broken word; null where it has no room. */
function setWhole(name: string, room: Room, largest: number, letterWidth: LetterWidth): SetName | null {
  for (let worst: Break = 0; worst <= room.worst; worst = (worst + 1) as Break)
    for (let size = largest; size >= LETTERS; size = nextSize(size)) {
      const lines = linesOf(name, { ...room, worst }, size, letterWidth);
      if (lines) return { lines, size, weight: room.weight, isCut: false };
    }
  return null;
}

const nextSize = (size: number): number =>
  size > LETTERS ? Math.max(size - SIZE_STEP, LETTERS) : Number.NEGATIVE_INFINITY;

/** As much of the name as there is room for in the smallest letters; null where that is less than `least` characters. */
function setCut(name: string, room: Room, least: number, letterWidth: LetterWidth): SetName | null {
  const letters = [...name];
  for (let count = letters.length - 1; count >= least; count -= 1) {
    const lines = linesOf(`${letters.slice(0, count).join('').trimEnd()}…`, room, LETTERS, letterWidth);
    if (lines) return { lines, size: LETTERS, weight: room.weight, isCut: true };
  }
  return null;
}

/** A text in one line or two; null where it has no room. Words break where nothing else helps, with a hyphen. */
export function linesOf(
  text: string,
  { width, height, weight, line, worst }: Room,
  size: number,
  letterWidth: LetterWidth,
): NameLine[] | null {
  const most = Math.floor(height / (size * line) + 0.02);
  if (most < 1) return null;
  const letters = [...text];
  const ends = [0];
  for (const letter of letters) ends.push((ends.at(-1) as number) + letterWidth(letter, weight) * size);
  const total = ends.at(-1) as number;
  if (total <= width) return [{ text, isBroken: false }];
  if (most < 2 || total > 2 * width) return null;
  const hyphen = letterWidth('-', weight) * size;
  let best: { at: number; cost: number; isBroken: boolean } | null = null;
  for (let at = 1; at < letters.length; at += 1) {
    const kind = breakBefore(letters, at);
    if (kind === null || kind > worst) continue;
    const isBroken = kind > 0;
    const first = (ends[at] as number) + (isBroken ? hyphen : 0);
    // A blank at the end of a line takes no room.
    const longer = Math.max(
      letters[at - 1] === ' ' ? (ends[at - 1] as number) : first,
      total - (ends[at] as number),
    );
    if (longer > width) continue;
    // A word breaks at the same place in every card that has room for that: nearest to its middle.
    const cost = isBroken ? kind * 1e4 + offMiddleOfWord(letters, at) : longer;
    if (!best || cost < best.cost) best = { at, cost, isBroken };
  }
  if (!best) return null;
  const [first, second] = [letters.slice(0, best.at).join(''), letters.slice(best.at).join('')];
  return [
    { text: first, isBroken: best.isBroken },
    { text: second, isBroken: false },
  ];
}

/** How far a place is from the middle of the word around it, in letters. */
function offMiddleOfWord(letters: readonly string[], at: number): number {
  let [from, to] = [at, at];
  while (LETTER.test(letters[from - 1] ?? '')) from -= 1;
  while (LETTER.test(letters[to] ?? '')) to += 1;
  return Math.abs(at - (from + to) / 2);
}

const LETTER = /\p{L}/u;
const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûå]/i;
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const JOINING = /[-/_.:,&+]/;
/** No part of a broken word is shorter, and no shorter word is broken. */
const SHORTEST = 3;

/** How bad it is to begin a line there; null where none may begin. */
function breakBefore(letters: readonly string[], at: number): Break | null {
  const [before, after] = [letters[at - 1] as string, letters[at] as string];
  if (after === ' ' || after === '…') return null;
  if (before === ' ' || JOINING.test(before)) return 0;
  if (WITHOUT_SPACES.test(before) && LETTER.test(after)) return 0;
  if (!LETTER.test(before) || !LETTER.test(after)) return null;
  for (let near = 1; near <= SHORTEST; near += 1) {
    if (!LETTER.test(letters[at - near] ?? '') || !LETTER.test(letters[at + near - 1] ?? '')) return null;
  }
  const isCapital = after !== after.toLowerCase() && before === before.toLowerCase();
  // Before a consonant that a vowel follows a syllable mostly begins.
  const isSyllable = VOWEL.test(letters[at + 1] ?? '') && !VOWEL.test(after);
  return isCapital || isSyllable ? 1 : 2;
}
