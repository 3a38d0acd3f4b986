/**
 * Typesets texts into a given area: broken into lines as a browser does, in a smaller font where they would be cut, and
 * cut only where even the smallest that can be read does not fit. Pure: the caller measures text.
 */
import { LEGIBLE } from '../drawing/legible';

export interface Font {
  /** CSS pixels. */
  size: number;
  weight: number;
}

export type MeasureText = (text: string, letters: Font) => number;

export interface TextArea {
  width: number;
  height: number;
  weight: number;
  /** The font size where the text fits. */
  size: number;
  lineHeight: number;
  /** The number of lines at that size; at smaller sizes as many as fit. */
  lines: number;
}

export interface TypesetText {
  lines: string[];
  size: number;
  lineHeight: number;
  /** Whether the text was cut, with an ellipsis at the end. */
  isCut: boolean;
}

const SMALLEST = LEGIBLE;

/** Typesets a text; at the page's own size where it fits, else at the largest size at which all of it does. */
export function typeset(text: string, room: TextArea, measure: MeasureText): TypesetText {
  const ratio = room.lineHeight / room.size;
  let last: TypesetText | null = null;
  for (let size = room.size; size >= SMALLEST; size -= 0.5) {
    const lineHeight = size * ratio;
    const width = (part: string) => measure(part, { size, weight: room.weight });
    const lines = brokenLines(text, room.width, width);
    const most = Math.max(1, Math.floor((room.height + 0.5) / lineHeight));
    const limit = size === room.size ? Math.min(room.lines, most) : most;
    if (lines.length <= limit) return { lines, size, lineHeight, isCut: false };
    last = { lines: cutTo(lines, limit, room.width, width), size, lineHeight, isCut: true };
  }
  return last ?? { lines: [text], size: room.size, lineHeight: room.lineHeight, isCut: false };
}

/** One line, cut where it is too long. */
export function lineOf(text: string, room: Omit<TextArea, 'lines'>, measure: MeasureText): TypesetText {
  return typeset(text, { ...room, lines: 1, height: room.lineHeight }, measure);
}

/** A text with line ends of its own at its own size, cut where it has no room. */
export function typesetLines(text: string, room: Omit<TextArea, 'lines'>, measure: MeasureText): TypesetText {
  const { size, lineHeight, width, weight } = room;
  const widthOf = (part: string) => measure(part, { size, weight });
  const lines = text.split('\n').flatMap((line) => brokenLines(line, width, widthOf));
  const most = Math.max(1, Math.floor((room.height + 0.5) / lineHeight));
  const isCut = lines.length > most;
  return { lines: isCut ? cutTo(lines, most, width, widthOf) : lines, size, lineHeight, isCut };
}

/** Lines no wider than `width`: broken between words, within one only where it is wider than a whole line. */
export function brokenLines(text: string, width: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { piece, isSpaced } of breakableParts(text)) {
    const joined = line + (line && isSpaced ? ' ' : '') + piece;
    if (widthOf(joined) <= width) {
      line = joined;
      continue;
    }
    if (line) lines.push(line);
    const whole = splitToWidth(piece, width, widthOf);
    line = whole.pop() ?? '';
    lines.push(...whole);
  }
  if (line || lines.length === 0) lines.push(line);
  return lines;
}

/**
 * Where a line may break within a word: after a hyphen, and on both sides of characters of scripts without spaces,
 * except before punctuation.
 */
const ENDS =
  /(?<=-)(?=\p{L})|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?!\p{P})|(?<!\p{Ps})(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u;

function breakableParts(text: string): { piece: string; isSpaced: boolean }[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((word) => word.split(ENDS).map((piece, at) => ({ piece, isSpaced: at === 0 })));
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const charactersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

const LETTER = /\p{L}/u;

/** The parts of a word that is wider than a line; a hyphen follows each that is broken off between two letters. */
function splitToWidth(word: string, width: number, widthOf: (part: string) => number): string[] {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  const characters = charactersOf(word);
  let piece = '';
  for (const [at, character] of characters.entries()) {
    const hyphen = at + 1 < characters.length && LETTER.test(character) ? '-' : '';
    if (piece && widthOf(piece + character + hyphen) > width) {
      parts.push(LETTER.test(piece.at(-1) ?? '') && LETTER.test(character) ? `${piece}-` : piece);
      piece = '';
    }
    piece += character;
  }
  return [...parts, piece];
}

function cutTo(
  lines: readonly string[],
  count: number,
  width: number,
  widthOf: (part: string) => number,
): string[] {
  const kept = lines.slice(0, count);
  // What is left out goes on after the ellipsis, not after a hyphen.
  const characters = charactersOf((kept.pop() ?? '').replace(/(?<=\p{L})-$/u, ''));
  while (characters.length > 0 && widthOf(`${characters.join('').trimEnd()}…`) > width) characters.pop();
  return [...kept, `${characters.join('').trimEnd()}…`];
}
