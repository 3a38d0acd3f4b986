/**
 * Reads the widths of the letters of the font that exported pictures are set in, and writes them to
 * src/model/export/glyphWidths.ts: `npm run tables`.
 *
 * Only what is needed of an OpenType file: which character has which glyph (cmap), and how wide it is (hmtx).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TARGET = path.resolve(import.meta.dirname, '../src/model/export/glyphWidths.ts');

/** The faces of the font, as CSS numbers their weights. */
export const FACES = { 400: fontFile('400Regular'), 600: fontFile('600SemiBold') };
export const FONT_LICENCE = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/LICENSE_FONT'));

function fontFile(face) {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`));
}

/** The width of each character that a font file has, in thousandths of the font size. */
export function widthsIn(file) {
  const view = new DataView(readFileSync(file).buffer.slice(0));
  const tables = tablesOf(view);
  const unitsPerEm = view.getUint16(tables.head + 18);
  const glyphs = glyphsIn(view, tables.cmap);
  const count = view.getUint16(tables.hhea + 34);
  const width = (glyph) => view.getUint16(tables.hmtx + 4 * Math.min(glyph, count - 1));
  return new Map(
    [...glyphs].map(([character, glyph]) => [character, Math.round((1000 * width(glyph)) / unitsPerEm)]),
  );
}

/** Where each table begins. */
function tablesOf(view) {
  const entries = Array.from({ length: view.getUint16(4) }, (_, at) => 12 + 16 * at);
  return Object.fromEntries(entries.map((at) => [tagAt(view, at), view.getUint32(at + 8)]));
}

const tagAt = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(at + byte)));

/** The glyph of each character, from the subtable for all of Unicode (format 12), else of its first plane (format 4). */
function glyphsIn(view, cmap) {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, at) => cmap + view.getUint32(cmap + 8 + 8 * at),
  );
  const whole = subtables.find((at) => view.getUint16(at) === 12);
  const plane = subtables.find((at) => view.getUint16(at) === 4);
  if (whole !== undefined) return new Map(groupsOf(view, whole));
  if (plane !== undefined) return new Map(segmentsOf(view, plane));
  throw new Error('The font has no table of characters that is known here.');
}

function* groupsOf(view, at) {
  for (let group = 0; group < view.getUint32(at + 12); group += 1) {
    const [from, to, glyph] = [0, 4, 8].map((field) => view.getUint32(at + 16 + 12 * group + field));
    for (let character = from; character <= to; character += 1) yield [character, glyph + character - from];
  }
}

function* segmentsOf(view, at) {
  const doubled = view.getUint16(at + 6);
  for (let segment = 0; segment < doubled; segment += 2) {
    const to = view.getUint16(at + 14 + segment);
    const from = view.getUint16(at + 16 + doubled + segment);
    const delta = view.getUint16(at + 16 + 2 * doubled + segment);
    const place = at + 16 + 3 * doubled + segment;
    const offset = view.getUint16(place);
    for (let character = from; character <= to && character < 0xffff; character += 1) {
      const glyph = offset === 0 ? character : view.getUint16(place + offset + 2 * (character - from));
      if (glyph !== 0) yield [character, (glyph + delta) & 0xffff];
    }
  }
}

const DIGITS = 3;

/** Runs of neighbouring characters: the first, then the width of each; hexadecimal. */
export function packed(widths) {
  const runs = [];
  for (const [character, width] of [...widths].sort(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    const digits = width.toString(16).padStart(DIGITS, '0');
    if (last && last.from + last.widths.length === character) last.widths.push(digits);
    else runs.push({ from: character, widths: [digits] });
  }
  return runs.map(({ from, widths }) => `${from.toString(16)}:${widths.join('')}`).join(' ');
}

/** The file with the widths of both faces. */
export function glyphWidths() {
  const tables = Object.entries(FACES).map(([weight, file]) => `  ${weight}: '${packed(widthsIn(file))}',`);
  return [
    '// Written by scripts/glyphs.mjs from the font in package.json: npm run tables',
    '',
    '/** By the weight of the face, runs of neighbouring characters: the first, then three digits of each; hexadecimal. */',
    'export const GLYPH_WIDTHS = {',
    ...tables,
    '} as const;',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, glyphWidths());
