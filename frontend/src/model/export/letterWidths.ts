/**
 * The widths of texts in the font of exported pictures, from a table that is made of the font itself
 * (`glyphWidths.ts`): so the page and the server break every text at the same places. Pure.
 */
import type { MeasureText as MeasureLabel } from '../drawing/labels';
import { GLYPH_WIDTHS } from './glyphWidths';
import type { MeasureText } from './typesetting';

/** The name of the font in a picture; it is followed by those of systems that lack it. */
export const FONT_NAME = 'Inter';

type Face = keyof typeof GLYPH_WIDTHS;
export const FACES: readonly Face[] = [400, 600];

/** Of the two faces that there are, the one that CSS takes for a weight. */
export const faceOf = (weight: number): Face => (weight > 500 ? 600 : 400);

const tables = new Map<Face, ReadonlyMap<string, number>>();

/** Kerning is left out: it makes a text a little narrower, never wider than its room. */
export const textWidth: MeasureText = (text, { size, weight }) => {
  const table = tableOf(faceOf(weight));
  let width = 0;
  let isJoined = false;
  for (const character of text) {
    if (!isJoined) width += table.get(character) ?? estimated(character);
    isJoined = character === JOINER;
  }
  return (width * size) / 1000;
};

/** Of labels, for their places on the lines: as wide as on the canvas, where a highlighted one is bolder. */
export const labelWidth: MeasureLabel = (text) => textWidth(text, { size: 11.5, weight: 550 });

const DIGITS = 3;

function tableOf(face: Face): ReadonlyMap<string, number> {
  const known = tables.get(face);
  if (known) return known;
  const table = new Map<string, number>();
  for (const run of GLYPH_WIDTHS[face].split(' ')) {
    const [from = '', widths = ''] = run.split(':');
    for (let at = 0; at * DIGITS < widths.length; at += 1) {
      const character = String.fromCodePoint(Number.parseInt(from, 16) + at);
      if (!WITHOUT_WIDTH.test(character))
        table.set(character, Number.parseInt(widths.slice(at * DIGITS, (at + 1) * DIGITS), 16));
    }
  }
  tables.set(face, table);
  return table;
}

const JOINER = '\u200d';
/** Accents, joiners, selectors of variants, and skin tones, which are drawn on what is before them. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}]$/u;
const PICTOGRAM = /^\p{Extended_Pictographic}$/u;
const HALF_FLAG = /^\p{Regional_Indicator}$/u;
const SQUARE =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u303f\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]$/u;

/** Of a character that the font lacks, and another font draws: in thousandths of the font size. */
function estimated(character: string): number {
  if (WITHOUT_WIDTH.test(character)) return 0;
  if (PICTOGRAM.test(character)) return 1300;
  if (HALF_FLAG.test(character)) return 650;
  return SQUARE.test(character) ? 1000 : 620;
}
