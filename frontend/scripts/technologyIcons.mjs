/**
 * Takes the icons of technologies out of the packages that hold them and lays them into a built editor: `assets/icons/*.svg`, each
 * named by what is in it, and `icons/index.json`, which says what each technology is called. Run after the editor's own build.
 *
 * An icon is read when it is used, as an image: nothing in it runs or loads anything. What has more in it than shapes, gradients
 * and masks, or is too large or no square, ends the build. Not here: which icons, and their names (`technologies.mjs`).
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { TECHNOLOGIES } from './technologies.mjs';

const require = createRequire(import.meta.url);

/** Bytes of an icon. */
export const MOST_BYTES = 20_000;
/** How much wider than high an icon may be, or higher than wide: a written name is no icon. */
const MOST_STRETCHED = 2;
/** Of the longer side, so that no icon touches the edge of its tile. */
const MARGIN = 0.05;

/** Words that mean the same in front of what a vendor offers. */
const VENDORS = [
  ['AWS', 'Amazon'],
  ['Azure', 'Microsoft Azure'],
];

/** Write the icons below the folder of a built editor. */
export async function writeTechnologyIcons(folder) {
  const icons = technologyIcons();
  await mkdir(path.join(folder, 'assets/icons'), { recursive: true });
  await mkdir(path.join(folder, 'icons'), { recursive: true });
  await Promise.all(icons.map(({ file, svg }) => writeFile(path.join(folder, file), svg)));
  const index = { icons: icons.map(({ id, names, file }) => ({ id, names, file })) };
  await writeFile(path.join(folder, 'icons/index.json'), JSON.stringify(index));
  await copyFile(
    path.join(import.meta.dirname, 'devicon-licence.txt'),
    path.join(folder, 'icons/LICENCE.txt'),
  );
}

/** All icons, `{id, names, file, svg}`. */
export function technologyIcons() {
  return TECHNOLOGIES.map(({ names, icon }) => {
    const id = idOf(names[0]);
    const svg = svgOf(icon);
    const hash = createHash('sha256').update(svg).digest('hex').slice(0, 8);
    return {
      id,
      names: [...new Set(names.flatMap(withVendors))],
      file: `assets/icons/${id}-${hash}.svg`,
      svg,
    };
  });
}

const idOf = (name) =>
  name
    .toLowerCase()
    .replaceAll('+', 'p')
    .replaceAll('#', 'sharp')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A name, and with each other word that its vendor goes by. */
function withVendors(name) {
  for (const words of VENDORS) {
    const own = words.find((word) => name.startsWith(`${word} `));
    if (own) return [name, ...words.map((word) => word + name.slice(own.length))];
  }
  return [name];
}

/** An icon, `logos:postgresql`, as a file: in the middle of a square. */
function svgOf(name) {
  const [set, own] = name.split(':');
  const { icons, width: usual = 16, height: usually = usual } = require(`@iconify-json/${set}/icons.json`);
  const found = icons[own];
  if (!found) throw new Error(`There is no icon ${name}`);
  const { body, width = usual, height = usually, left = 0, top = 0 } = found;
  if (Math.max(width / height, height / width) > MOST_STRETCHED)
    throw new Error(`${name} is no icon for a square: ${width} × ${height}`);
  const side = Math.max(width, height) * (1 + 2 * MARGIN);
  const box = [left - (side - width) / 2, top - (side - height) / 2, side, side].map(rounded).join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="${box}">${body}</svg>`;
  const problem = problemOf(svg);
  if (problem) throw new Error(`${name}: ${problem}`);
  return svg;
}

const rounded = (value) => Math.round(value * 100) / 100;

const ELEMENTS = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask use'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  (
    'xmlns id d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height viewBox points transform offset gradientUnits gradientTransform ' +
    'spreadMethod clipPathUnits maskUnits maskContentUnits fill fill-rule fill-opacity stroke stroke-width stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-opacity opacity clip-path clip-rule mask stop-color stop-opacity color href'
  ).split(' '),
);

/** What an SVG holds beside shapes, gradients and masks, in words; null for nothing. */
export function problemOf(svg) {
  if (Buffer.byteLength(svg) > MOST_BYTES) return `has more than ${MOST_BYTES} bytes`;
  const rest = svg.replaceAll(/<(\/?)([A-Za-z:]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*) ?\/?>/g, '');
  if (rest.trim()) return `holds ${rest.trim().slice(0, 80)}`;
  for (const [, element, attributes] of svg.matchAll(/<([A-Za-z:]+)([^>]*)>/g)) {
    if (!ELEMENTS.has(element)) return `has an element ${element}`;
    for (const [, name, value] of attributes.matchAll(/ ([a-zA-Z0-9:-]+)="([^"]*)"/g)) {
      if (!ATTRIBUTES.has(name)) return `has an attribute ${name}`;
      if (name === 'href' ? !/^#[\w-]+$/.test(value) : leadsOut(value)) return `refers to ${value}`;
    }
  }
  return null;
}

/** Whether a value names something outside of its file. */
const leadsOut = (value) =>
  value !== 'http://www.w3.org/2000/svg' &&
  /url\(|script|:|\\/i.test(value.replaceAll(/url\(#[\w-]+\)/g, ''));
