/**
 * The colours of exported diagrams, equal to those of the page (`view/styles/tokens.css`; a test compares the two). An
 * exported file has no style sheet of the page: colours are literal, or variables that it defines itself.
 */

import type { Color } from '../../protocol/types';

export type Theme = 'light' | 'dark';

type Pair = readonly [light: string, dark: string];

const BASE = {
  canvas: ['#f7f8fa', '#0b0d11'],
  surface: ['#ffffff', '#151920'],
  text: ['#101828', '#eef1f6'],
  'text-2': ['#475467', '#b3bccb'],
  'text-3': ['#5f6b7e', '#929cae'],
  line: ['#e4e7ec', '#272d37'],
  'line-strong': ['#d0d5dd', '#3a4250'],
  edge: ['#6f7b8e', '#7c889b'],
  'group-line': ['#b9c1cd', '#465063'],
} satisfies Record<string, Pair>;

/** Two colours that are transparent on the page: mixed with their background here, or given with their opacity. */
export const GROUP_FILL = { color: ['#475467', '#94a3b8'], opacity: [0.04, 0.05] } as const;
const SHADOW = { color: ['#101828', '#000000'], opacity: [0.07, 0.45] } as const;

const TINTS = {
  client: ['#2563eb', '#60a5fa'],
  web: ['#2563eb', '#60a5fa'],
  mobile: ['#2563eb', '#60a5fa'],
  user: ['#475569', '#94a3b8'],
  external: ['#64748b', '#94a3b8'],
  gateway: ['#7c3aed', '#a78bfa'],
  api: ['#7c3aed', '#a78bfa'],
  load_balancer: ['#9333ea', '#c084fc'],
  cdn: ['#0e7490', '#22d3ee'],
  service: ['#4f46e5', '#818cf8'],
  server: ['#4338ca', '#a5b4fc'],
  worker: ['#0f766e', '#2dd4bf'],
  function: ['#c2410c', '#fb923c'],
  scheduler: ['#0f766e', '#5eead4'],
  auth: ['#a16207', '#facc15'],
  database: ['#15803d', '#4ade80'],
  cache: ['#dc2626', '#f87171'],
  queue: ['#b45309', '#fbbf24'],
  stream: ['#b45309', '#fbbf24'],
  storage: ['#4d7c0f', '#a3e635'],
  search: ['#0369a1', '#38bdf8'],
  ml_model: ['#a21caf', '#e879f9'],
  monitoring: ['#be185d', '#f472b6'],
  group: ['#64748b', '#94a3b8'],
  other: ['#64748b', '#94a3b8'],
  note: ['#a16207', '#facc15'],
} satisfies Record<string, Pair>;

/** The colours that nodes and edges may have in place of the usual one. */
const COLORS = {
  red: ['#dc2626', '#f87171'],
  orange: ['#c2410c', '#fb923c'],
  yellow: ['#a16207', '#facc15'],
  green: ['#15803d', '#4ade80'],
  teal: ['#0f766e', '#2dd4bf'],
  blue: ['#2563eb', '#60a5fa'],
  violet: ['#7c3aed', '#a78bfa'],
  pink: ['#be185d', '#f472b6'],
  grey: ['#64748b', '#94a3b8'],
} satisfies Record<Exclude<Color, ''>, Pair>;

const OTHER = TINTS.other;
/** The share of colour in the square behind an icon; `.type-tile` in `styles/canvas.css`. */
const TILE = 0.13;
/** The share in a card of a colour of its own, and in a group of one. */
const WASH = 0.1;
const GROUP_WASH = 0.07;
/** The share in a note of the brighter shade of its colour, in each theme; and in one that is muted. */
const SHEET = [0.32, 0.2] as const;
const MUTED_SHEET = [0.14, 0.1] as const;
/** The share of its colour in the words of a text. */
const INK = 0.85;

export type Token = keyof typeof BASE;

/** The colours of one picture, each as it is written there. */
export interface Palette {
  color: (token: Token) => string;
  tint: (type: string) => string;
  /** The square behind a type's icon. */
  tile: (type: string) => string;
  /** A card, or the frame of a group, of a colour; `''` is none. */
  cardFill: (color: string) => string;
  groupFill: (color: string) => { color: string; opacity: string };
  /** The sheet of a note of a colour, and the words of a text of one; `''` is none. */
  sheet: (color: string, isMuted: boolean) => string;
  ink: (color: string) => string;
  shadow: { color: string; opacity: string };
}

/** Every name and value that `paletteFor` can write, for the comparison with the page. */
export const TOKENS: Readonly<Record<string, Pair>> = {
  ...BASE,
  ...Object.fromEntries(
    Object.entries({ ...TINTS, ...COLORS }).map(([type, pair]) => [`tint-${type}`, pair]),
  ),
};

const KNOWN: Readonly<Record<string, Pair>> = { ...TINTS, ...COLORS };
/** Of a type, or of a colour. */
const tintOf = (name: string): Pair => KNOWN[name] ?? OTHER;

/** Literal colours, or, for `both`, variables that `paletteStyles` defines for light and dark. */
export function paletteFor(theme: Theme | 'both'): Palette {
  if (theme === 'both') {
    const known = (name: string) => (name in KNOWN ? name : 'other');
    return {
      color: (token) => `var(--${token})`,
      tint: (type) => `var(--tint-${known(type)})`,
      tile: (type) => `var(--tile-${known(type)})`,
      cardFill: (color) => (color ? `var(--wash-${known(color)})` : 'var(--surface)'),
      groupFill: (color) =>
        color
          ? { color: `var(--tint-${known(color)})`, opacity: String(GROUP_WASH) }
          : { color: 'var(--group-fill)', opacity: '0.05' },
      sheet: (color, isMuted) =>
        `var(--${isMuted ? 'muted-sheet' : 'sheet'}-${color === '' ? 'note' : known(color)})`,
      ink: (color) => (color ? `var(--ink-${known(color)})` : 'var(--text)'),
      shadow: { color: 'var(--shadow)', opacity: '0.1' },
    };
  }
  const at = theme === 'light' ? 0 : 1;
  return {
    color: (token) => BASE[token][at],
    tint: (type) => tintOf(type)[at],
    tile: (type) => mixed(tintOf(type)[at], BASE.surface[at], TILE),
    cardFill: (color) => (color ? mixed(tintOf(color)[at], BASE.surface[at], WASH) : BASE.surface[at]),
    groupFill: (color) =>
      color
        ? { color: tintOf(color)[at], opacity: String(GROUP_WASH) }
        : { color: GROUP_FILL.color[at], opacity: String(GROUP_FILL.opacity[at]) },
    sheet: (color, isMuted) =>
      mixed(tintOf(color || 'note')[1], BASE.surface[at], (isMuted ? MUTED_SHEET : SHEET)[at]),
    ink: (color) => (color ? mixed(tintOf(color)[at], BASE.text[at], INK) : BASE.text[at]),
    shadow: { color: SHADOW.color[at], opacity: String(SHADOW.opacity[at]) },
  };
}

/** Declarations of all variables for one theme, for the style sheet of a page. */
export function paletteStyles(theme: Theme): string {
  const at = theme === 'light' ? 0 : 1;
  const palette = paletteFor(theme);
  return [
    ...Object.entries(TOKENS).map(([name, pair]) => `--${name}:${pair[at]}`),
    ...Object.keys(KNOWN).map((name) => `--tile-${name}:${palette.tile(name)}`),
    ...Object.keys(COLORS).map((color) => `--wash-${color}:${palette.cardFill(color)}`),
    ...['note', ...Object.keys(COLORS)].flatMap((name) => [
      `--sheet-${name}:${palette.sheet(name, false)}`,
      `--muted-sheet-${name}:${palette.sheet(name, true)}`,
    ]),
    ...Object.keys(COLORS).map((color) => `--ink-${color}:${palette.ink(color)}`),
    `--group-fill:${palette.groupFill('').color}`,
    `--shadow:${palette.shadow.color}`,
  ].join(';');
}

/** `share` of one colour in another, as `color-mix(in srgb, …)` does it. */
export function mixed(one: string, other: string, share: number): string {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parts(one), parts(other)];
  const hex = a.map((value, at) => Math.round(value * share + (b[at] as number) * (1 - share)));
  return `#${hex.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
