// @vitest-environment jsdom
/** Files that leave the editor: SVG, the HTML page, names, sizes; what is drawn in them and what can never be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeNodes } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { safeName } from '../../../src/model/export/fileName';
import { contentsHtml, pageOf } from '../../../src/model/export/page';
import { GROUP_FILL, mixed, paletteFor, TOKENS } from '../../../src/model/export/palette';
import { chosenNodes, partOf } from '../../../src/model/export/part';
import { MAX_SIDE, pixelSizes } from '../../../src/model/export/pixelSize';
import { isDrawnWide, printStyles } from '../../../src/model/export/printStyles';
import { MUTED_LINE } from '../../../src/model/export/strokes';
import { type PictureOptions, svgOf } from '../../../src/model/export/svg';
import { brokenLines, type MeasureText, typeset } from '../../../src/model/export/typesetting';
import { headingsOf } from '../../../src/model/text/markdown';
import { COLOR_NAMES, STYLE_NAMES } from '../../../src/model/words/looks';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { longChain } from '../../large';
import { templates } from '../templates';

const HEADS: Readonly<Record<string, number>> = { none: 0, forward: 1, both: 2 };

function pictureOf(diagram: Diagram, options: PictureOptions = {}) {
  const picture = svgOf(drawingOf(diagram), options);
  if (!picture) throw new Error('There is no picture');
  const parsed = new DOMParser().parseFromString(picture.svg, 'image/svg+xml');
  expect(parsed.querySelector('parsererror')).toBeNull();
  return { ...picture, root: parsed.documentElement };
}

/** Without what a broken line may add: blanks, and hyphens within words. */
const same = (text: string) => text.replace(/[\s-]+/g, '');
/** What is written on a thing, its lines as one text. */
const written = (thing: Element | null | undefined, name = 'label') =>
  same([...(thing?.querySelectorAll(`text.${name} tspan`) ?? [])].map((line) => line.textContent).join(''));
/** The whole text, or its first 16 characters at least. */
const isRead = (shown: string, text: string) =>
  shown === same(text) ||
  (shown.endsWith('…') &&
    shown.length > same(text.slice(0, 16)).length &&
    same(text).startsWith(shown.slice(0, -1)));

const NASTY = [
  'A "quoted" <b>name</b> & more',
  '</svg><script>alert(1)</script>',
  "It's `code` [brackets] {braces} (round) |pipe|",
  'end',
  '👩‍👩‍👧‍👦 Familie 🚀',
  'データベース、とても長い名前のサービス',
  'x'.repeat(120),
  'Eine sehr lange Bezeichnung für einen Dienst, der alles Mögliche tut, und noch etwas mehr, bis hundertzwanzig Zeichen 1234',
];

function nasty(): Diagram {
  const labels = NASTY.map((label, at) =>
    node(`n${at}`, {
      label,
      position: { x: (at % 4) * 340, y: Math.floor(at / 4) * 220 },
      technology: '<i>T</i>',
    }),
  );
  const edges = NASTY.slice(1).map((label, at) =>
    edge(`n${at}`, `n${at + 1}`, {
      label: `${label} ${label}`.slice(0, 200),
      kind: (['sync', 'async', 'data', 'dependency'] as const)[at % 4] as 'sync',
      direction: (['forward', 'both', 'none'] as const)[at % 3] as 'forward',
    }),
  );
  return { nodes: labels, edges };
}

describe('an exported picture', () => {
  it('of notes are whole lines on their sheet, and of texts words alone', () => {
    const description = 'Who pays?\n\nAnd when does the money of the other bank arrive there?';
    const sized = (height: number) => ({ size: { width: 200, height } });
    const nodes = [
      node('ask', { type: 'note', label: 'Open question', description, ...sized(160) }),
      node('cut', { type: 'note', label: 'Open question', description, color: 'teal', ...sized(60) }),
      node('head', { type: 'text', label: 'Planned', ...sized(40) }),
      node('red', { type: 'text', label: 'Planned', color: 'red', style: 'dashed', ...sized(40) }),
      node('service', { position: { x: 300, y: 0 } }),
    ];
    const { root } = pictureOf({ nodes, edges: [] }, { theme: 'light' });
    const of = (id: string) => root.querySelector(`[data-id="${id}"]`);
    const lines = (id: string) =>
      [...(of(id)?.querySelectorAll('text.label tspan') ?? [])].map((line) => line.textContent?.trimEnd());
    expect(lines('ask').slice(0, 3)).toEqual(['Open question', 'Who pays?', '']);
    expect(written(of('ask'))).toBe(same(`Open question ${description}`));
    expect(lines('cut')).toEqual(['Open question', 'Who pays?…']);
    const box = (id: string) => of(id)?.querySelector('.box');
    expect(box('ask')?.getAttribute('fill')).toBe('#fdefb4');
    expect(box('cut')?.getAttribute('fill')).not.toBe(box('ask')?.getAttribute('fill'));
    expect(box('head')).toBeNull();
    expect(box('red')?.getAttribute('stroke-dasharray')).toBe('4 3');
    expect(root.querySelectorAll('.icon')).toHaveLength(1);
  });

  it('shows the image of a node in place of its icon, each once, and the icon where it is not there', () => {
    const [one, two] = ['a', 'b'].map((letter) => `images/${letter.repeat(64)}.png`) as [string, string];
    const at = (x: number) => ({ position: { x, y: 0 } });
    const nodes = [
      node('first', { image: one, ...at(0) }),
      node('again', { image: one, ...at(300) }),
      node('missing', { image: two, ...at(600) }),
      node('frame', { type: 'group', image: one, ...at(900) }),
    ];
    const images = { [one]: 'data:image/png;base64,AAAA' };
    const { root } = pictureOf({ nodes, edges: [] }, { images });
    const embedded = [...root.querySelectorAll('image')];
    expect(embedded.map((image) => image.getAttribute('href'))).toEqual(Object.values(images));
    const shown = (id: string) => root.querySelector(`[data-id="${id}"] use`)?.getAttribute('href');
    const href = `#${embedded[0]?.id}`;
    expect(nodes.map(({ id }) => shown(id))).toEqual([href, href, undefined, undefined]);
    const icons = [...root.querySelectorAll('.icon')].map((icon) => icon.closest('[data-id]'));
    expect(icons.map((card) => card?.getAttribute('data-id'))).toEqual(['missing']);
  });

  it('shows the icon of a technology where a node has no image, each once, whatever it is called', () => {
    const image = `images/${'a'.repeat(64)}.png`;
    const at = (x: number) => ({ position: { x, y: 0 } });
    const nodes = [
      node('one', { technology: 'Postgres', ...at(0) }),
      node('two', { technology: 'PostgreSQL 17', ...at(300) }),
      node('own', { technology: 'Postgres', image, ...at(600) }),
      node('lost', { technology: 'Kafka', ...at(900) }),
      node('none', { technology: 'constructor', ...at(1200) }),
      node('frame', { technology: 'Postgres', type: 'group', ...at(1500) }),
    ];
    const icons = { Postgres: 'icons/pg', 'PostgreSQL 17': 'icons/pg', Kafka: 'icons/kafka' };
    const images = { 'icons/pg': 'data:image/svg+xml;base64,AAAA', [image]: 'data:image/png;base64,BBBB' };
    const { root } = pictureOf({ nodes, edges: [] }, { images, icons });
    const embedded = [...root.querySelectorAll('image')];
    expect(embedded.map((one) => one.getAttribute('href'))).toEqual(Object.values(images));
    const shown = (id: string) => root.querySelector(`[data-id="${id}"] use`)?.getAttribute('href');
    const [icon, own] = embedded.map(({ id }) => `#${id}`);
    expect(nodes.map(({ id }) => shown(id))).toEqual([icon, icon, own, undefined, undefined, undefined]);
    const types = [...root.querySelectorAll('.icon')].map((one) => one.closest('[data-id]'));
    expect(types.map((card) => card?.getAttribute('data-id'))).toEqual(['lost', 'none']);
  });

  it.each(templates())('shows every node, edge and label of %s, whole and inside', (_, diagram) => {
    const { root, width, height } = pictureOf(diagram);
    for (const { id, label } of diagram.nodes)
      expect(written(root.querySelector(`[data-id="${id}"]:not(.edge)`))).toContain(same(label));
    for (const { id, label, direction } of diagram.edges) {
      const line = root.querySelector(`.edge[data-id="${id}"]`);
      expect(line?.querySelectorAll('.line')).toHaveLength(1);
      expect(line?.querySelectorAll('.arrow')).toHaveLength(HEADS[direction] ?? 0);
      expect(written(root.querySelector(`.edge-label[data-edge="${id}"]`))).toBe(same(label));
    }
    const [x = 0, y = 0] = root.getAttribute('viewBox')?.split(' ').map(Number) ?? [];
    for (const rect of root.querySelectorAll('rect')) {
      const [left, top, w, h] = ['x', 'y', 'width', 'height'].map((one) => Number(rect.getAttribute(one)));
      expect((left as number) >= x && (top as number) >= y).toBe(true);
      expect((left as number) + (w as number)).toBeLessThanOrEqual(x + width);
      expect((top as number) + (h as number)).toBeLessThanOrEqual(y + height);
    }
  });

  it('takes every text as text, in letters that can be read: whole, or cut where it is longest', () => {
    const diagram = nasty();
    const { root } = pictureOf(diagram, { title: '<b>"name"</b>' });
    expect(root.querySelectorAll('script, b, i')).toHaveLength(0);
    for (const text of root.querySelectorAll('text'))
      expect(Number(text.getAttribute('font-size'))).toBeGreaterThanOrEqual(11);
    for (const { id, label } of diagram.nodes) {
      const card = root.querySelector(`.node[data-id="${id}"]`);
      expect(isRead(written(card), label), label).toBe(true);
      if (label.length <= 45) expect(written(card)).toBe(same(label));
      expect(card?.querySelectorAll('.label tspan').length).toBeLessThanOrEqual(2);
      expect(card?.querySelector('title')?.textContent).toContain(label);
    }
    for (const { id, label } of diagram.edges) {
      expect(isRead(written(root.querySelector(`.edge-label[data-edge="${id}"]`)), label), label).toBe(true);
      expect(root.querySelector(`.edge-label[data-edge="${id}"] title`)?.textContent).toBe(label);
    }
  });

  it('draws no label under a node', () => {
    const nodes = ['a', 'b', 'c'].map((id, at) => node(id, { position: { x: at * 190, y: 0 } }));
    const diagram = {
      nodes,
      edges: [edge('a', 'b', { label: 'has no room here' }), edge('a', 'c', { label: 'goes around' })],
    };
    const { root } = pictureOf(diagram);
    const shown = [...root.querySelectorAll('.edge-label')].map((label) => label.getAttribute('data-edge'));
    expect(shown).toEqual(['a--c']);
    expect(root.querySelector('.edge[data-id="a--b"] title')?.textContent).toContain('has no room here');
  });

  it('drops what XML cannot hold', () => {
    const label = 'a\u0000b\u0008c\u000bd\ud800e\uffff';
    const { root } = pictureOf({ nodes: [node('n', { label })], edges: [] });
    expect(written(root.querySelector('.node'))).toBe('abcde');
  });

  it('asks nothing of anybody', () => {
    for (const background of ['theme', 'transparent'] as const) {
      const { root, svg } = pictureOf(nasty(), { background });
      expect(root.querySelectorAll('.node .icon > *').length).toBeGreaterThanOrEqual(NASTY.length);
      expect(
        root.querySelectorAll('foreignObject, image, use, style, a, [href], [style], [onload]'),
      ).toHaveLength(0);
      expect(svg.match(/url\([^)]*\)/g) ?? []).toEqual(
        background === 'theme' ? [] : ['url(#lines-without-labels)'],
      );
    }
  });

  it('marks what is locked, by itself or by the group around it', () => {
    const nodes = [
      node('g', { type: 'group', locked: true }),
      node('in', { parent: 'g', position: { x: 24, y: 40 } }),
      node('out', { position: { x: 500, y: 0 } }),
    ];
    const { root } = pictureOf({ nodes, edges: [] });
    const locked = [...root.querySelectorAll('[data-id]:has(.lock)')].map((one) =>
      one.getAttribute('data-id'),
    );
    expect(locked.sort()).toEqual(['g', 'in']);
  });

  it('leaves lines out under labels where no ground hides them', () => {
    const diagram = {
      nodes: [node('a'), node('b', { position: { x: 400, y: 0 } })],
      edges: [edge('a', 'b', { label: 'reads' })],
    };
    const { root } = pictureOf(diagram, { background: 'transparent' });
    expect(root.querySelector('.ground, .edge-label rect')).toBeNull();
    expect(root.querySelectorAll('mask rect')).toHaveLength(2);
  });

  it('is nothing of nothing', () => {
    expect(svgOf(drawingOf({ nodes: [], edges: [] }))).toBeNull();
  });

  it('of 1,000 nodes shows all of them', () => {
    expect(svgOf(drawingOf(longChain()))?.svg.match(/class="node"/g)).toHaveLength(1000);
  });
});

/** As WCAG counts it, of two colours `#rrggbb`. */
function contrast(one: string, other: string): number {
  const lightness = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((from) => {
      const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [lightness(one), lightness(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe('colours', () => {
  const STYLES = path.resolve(import.meta.dirname, '../../../src/view/styles');
  const [tokens = '', looks = ''] = ['tokens.css', 'looks.css'].map((file) =>
    readFileSync(path.join(STYLES, file), 'utf8'),
  );

  it('are those of the page', () => {
    for (const [name, pair] of Object.entries(TOKENS)) {
      const found = new RegExp(`--${name}: light-dark\\(([^,]+), ([^)]+)\\)`).exec(tokens);
      expect([name, ...(found?.slice(1) ?? [])]).toEqual([name, ...pair]);
    }
    const tints = [...tokens.matchAll(/--tint-(\w+):/g)].map(([, type]) => `tint-${type}`);
    expect(Object.keys(TOKENS)).toEqual(expect.arrayContaining(tints));
    expect(GROUP_FILL.opacity.map((one) => `${one * 100}%`)).toEqual(
      [...(/--group-fill: (.+);/.exec(tokens)?.[1]?.matchAll(/\d+%/g) ?? [])].map(String),
    );
  });

  it('of a node are in its card, its icon and its frame, in place of those of its type', () => {
    const nodes = [
      node('plain', { position: { x: 0, y: 0 } }),
      node('red', { color: 'red', position: { x: 400, y: 0 } }),
      node('zone', {
        type: 'group',
        color: 'teal',
        position: { x: 0, y: 300 },
        size: { width: 400, height: 200 },
      }),
    ];
    const { root } = pictureOf({ nodes, edges: [] }, { theme: 'light' });
    const shape = (id: string) => {
      const box = root.querySelector(`[data-id="${id}"] .box`);
      return [box?.getAttribute('fill'), box?.getAttribute('stroke')];
    };
    expect(shape('plain')).toEqual(['#ffffff', '#d0d5dd']);
    expect(shape('red')).toEqual(['#fce9e9', '#dc2626']);
    expect(shape('zone')).toEqual(['#0f766e', '#0f766e']);
    expect(root.querySelector('[data-id="red"]')?.innerHTML).not.toContain('#4f46e5');
  });

  it.each([0, 1])('of nodes leave words and borders legible, in theme %i', (at) => {
    const value = (name: string) => (TOKENS[name] as readonly string[])[at] as string;
    for (const color of Object.keys(COLOR_NAMES).filter(Boolean)) {
      const card = mixed(value(`tint-${color}`), value('surface'), 0.1);
      expect([color, contrast(value('text-3'), card) >= 4.5]).toEqual([color, true]);
      expect([color, contrast(value(`tint-${color}`), value('canvas')) >= 3]).toEqual([color, true]);
    }
  });

  it.each([0, 1])('leave the words of what is muted legible, in theme %i', (at) => {
    const value = (name: string) => (TOKENS[name] as readonly string[])[at] as string;
    const grounds = [value('canvas'), value('surface')];
    for (const color of Object.keys(COLOR_NAMES).filter(Boolean)) {
      const tint = value(`tint-${color}`);
      grounds.push(mixed(tint, value('surface'), 0.1), mixed(tint, value('canvas'), 0.07));
    }
    const { color, opacity } = GROUP_FILL;
    grounds.push(mixed(color[at] as string, value('canvas'), opacity[at] as number));
    for (const ground of grounds)
      expect([ground, contrast(value('text-3'), ground) >= 4.5]).toEqual([ground, true]);
  });

  it('of notes are those of the page', () => {
    const sheets = readFileSync(
      path.resolve(import.meta.dirname, '../../../src/view/styles/annotations.css'),
      'utf8',
    );
    const found = [
      ...sheets.matchAll(/\[data-type="note"\](?:\[data-color="(\w+)"\])? \{\s*--sheet: (#\w+);/g),
    ];
    const shades = Object.fromEntries(found.map(([, color = 'note', shade]) => [color, shade]));
    const colors = Object.keys(COLOR_NAMES).filter((color) => color && color !== 'yellow');
    const pairs = ['note', ...colors].map((name) => [name, TOKENS[`tint-${name}`]?.[1]]);
    expect(shades).toEqual(Object.fromEntries(pairs));
    expect(TOKENS['tint-note']).toEqual(TOKENS['tint-yellow']);
    expect([...sheets.matchAll(/var\(--sheet\) (\d+)%/g)].map(([, share]) => share)).toEqual([
      '32',
      '20',
      '14',
      '10',
    ]);
  });

  it.each(['light', 'dark'] as const)(
    'of notes and texts leave their words legible, in theme %s',
    (theme) => {
      const { sheet, ink, color } = paletteFor(theme);
      for (const name of Object.keys(COLOR_NAMES)) {
        for (const isMuted of [false, true])
          expect([name, contrast(color('text-2'), sheet(name, isMuted)) >= 4.5]).toEqual([name, true]);
        expect([name, contrast(color('text'), sheet(name, false)) >= 7]).toEqual([name, true]);
        expect([name, contrast(ink(name), color('canvas')) >= 4.5]).toEqual([name, true]);
      }
    },
  );

  it.each([0, 1])('of lines stand out from what is below them, muted ones too, in theme %i', (at) => {
    const value = (name: string) => (TOKENS[name] as readonly string[])[at] as string;
    const [fill, share] = [GROUP_FILL.color[at] as string, GROUP_FILL.opacity[at] as number];
    const inGroup = mixed(fill, value('canvas'), share);
    const colors = Object.keys(COLOR_NAMES).map((color) => (color ? `tint-${color}` : 'edge'));
    for (const ground of [value('canvas'), inGroup, mixed(fill, inGroup, share)])
      for (const color of colors) {
        const muted = mixed(value(color), ground, MUTED_LINE);
        expect([color, ground, contrast(muted, ground) >= 3]).toEqual([color, ground, true]);
      }
    const found = /\.edge-line\[data-style="muted"\][^{]*\{\s*opacity: ([\d.]+);/.exec(looks);
    expect(found?.[1]).toBe(String(MUTED_LINE));
  });

  it('of lines are in the line and its heads, and styles take the place of those of kinds', () => {
    const nodes = ['a', 'b'].map((id, at) => node(id, { position: { x: 400 * at, y: 0 } }));
    const looksOf = (given: Partial<Diagram['edges'][number]>) => {
      const diagram = { nodes, edges: [edge('a', 'b', { direction: 'both', ...given })] };
      const drawn = pictureOf(diagram, { theme: 'light' }).root.querySelector('.edge');
      const line = drawn?.querySelector('.line');
      const said = (name: string) => line?.getAttribute(name) ?? null;
      return {
        colors: [
          said('stroke'),
          ...[...(drawn?.querySelectorAll('.arrow') ?? [])].map((one) => one.getAttribute('fill')),
        ],
        line: [
          said('stroke-width'),
          said('stroke-dasharray'),
          said('stroke-linecap'),
          drawn?.getAttribute('opacity'),
        ],
      };
    };
    expect(looksOf({})).toEqual({ colors: Array(3).fill('#6f7b8e'), line: ['1.5', null, null, null] });
    expect(looksOf({ color: 'teal' }).colors).toEqual(Array(3).fill('#0f766e'));
    expect(looksOf({ kind: 'dependency', style: 'solid' }).line).toEqual(['1.5', null, null, null]);
    expect(looksOf({ kind: 'data', style: 'dashed' }).line).toEqual(['1.5', '6 4', null, null]);
    expect(looksOf({ kind: 'async', style: 'dotted' }).line).toEqual(['1.5', '1.5 4', 'round', null]);
    expect(looksOf({ kind: 'async', style: 'bold' }).line).toEqual(['3', '6 4', null, null]);
    expect(looksOf({ kind: 'async', style: 'muted' }).line).toEqual(['1', '6 4', null, '0.9']);
    expect(looksOf({ kind: 'data', style: 'muted' }).line).toEqual(['1.75', null, null, '0.9']);
  });

  it('draw borders, and tone down all but words', () => {
    const nodes = ['', ...Object.keys(STYLE_NAMES).filter(Boolean)].flatMap((style, at) => [
      node(`card-${style}`, { style, position: { x: 0, y: at * 400 }, technology: 'Go' }),
      node(`group-${style}`, {
        type: 'group',
        style,
        position: { x: 400, y: at * 400 },
        size: { width: 300, height: 200 },
      }),
    ]);
    const { root } = pictureOf({ nodes, edges: [] }, { theme: 'light' });
    const of = (id: string) => root.querySelector(`[data-id="${id}"]`);
    const border = (id: string) =>
      ['stroke', 'stroke-dasharray', 'stroke-width'].map(
        (name) => of(id)?.querySelector('.box')?.getAttribute(name) ?? null,
      );
    expect(border('card-')).toEqual(['#d0d5dd', null, null]);
    expect(border('card-dashed')).toEqual(['#5f6b7e', '4 3', null]);
    expect(border('card-dotted')).toEqual(['#5f6b7e', '1 3', '1.5']);
    expect(border('card-bold')).toEqual(['#5f6b7e', null, '2']);
    expect(border('group-')).toEqual(['#b9c1cd', '4 3', null]);
    expect(border('group-solid')).toEqual(['#b9c1cd', null, null]);
    expect(border('group-bold')).toEqual(['#5f6b7e', '4 3', '2']);
    const words = (id: string) =>
      [...(of(id)?.querySelectorAll('text') ?? [])].map((one) => one.getAttribute('fill'));
    expect(words('card-')).toEqual(['#101828', '#5f6b7e']);
    expect(words('card-muted')).toEqual(['#5f6b7e', '#5f6b7e']);
    expect(words('group-muted')).toEqual(['#5f6b7e']);
    expect(of('card-muted')?.querySelector('g[opacity="0.6"] > .icon')).not.toBeNull();
    expect(of('card-muted')?.querySelector('[opacity] text')).toBeNull();
  });

  it('are variables where the page around defines both themes', () => {
    const { svg } = pictureOf(nasty(), { theme: 'both' });
    expect(svg).not.toMatch(/(?:fill|stroke)="#/);
  });
});

describe('texts', () => {
  const letters = (text: string) => [...text].length;
  const evenWidth: MeasureText = (text, { size }) => letters(text) * size * 0.6;

  it('break between words, after hyphens, and in words only where nothing else fits', () => {
    expect(brokenLines('one two three', 7, letters)).toEqual(['one two', 'three']);
    expect(brokenLines('event-driven', 8, letters)).toEqual(['event-', 'driven']);
    expect(brokenLines('abcdefgh', 3, letters)).toEqual(['ab-', 'cd-', 'ef-', 'gh']);
    expect(brokenLines('日本語、英語', 4, letters)).toEqual(['日本語、', '英語']);
    expect(brokenLines('', 4, letters)).toEqual(['']);
  });

  it('are set smaller before they are cut, and cut with an ellipsis at last', () => {
    const room = { width: 60, height: 34, weight: 400, size: 12, lineHeight: 16, lines: 2 };
    expect(typeset('Short', room, evenWidth)).toEqual({
      lines: ['Short'],
      size: 12,
      lineHeight: 16,
      isCut: false,
    });
    const long = typeset('A little longer te', { ...room, width: 62 }, evenWidth);
    expect(long.isCut).toBe(false);
    expect(long.size).toBeLessThan(12);
    expect(long.size).toBeGreaterThanOrEqual(11);
    const cut = typeset('word '.repeat(80), room, evenWidth);
    expect(cut.isCut).toBe(true);
    expect(cut.lines.at(-1)).toMatch(/…$/);
  });
});

describe('a part of a diagram', () => {
  const diagram: Diagram = {
    nodes: [
      node('outer', { type: 'group', size: { width: 2000, height: 2000 } }),
      node('inner', { type: 'group', parent: 'outer', position: { x: 900, y: 900 } }),
      node('a', { parent: 'inner', position: { x: 40, y: 60 } }),
      node('b', { parent: 'outer', position: { x: 100, y: 100 } }),
      node('c', { position: { x: 3000, y: 0 } }),
    ],
    edges: [edge('a', 'b'), edge('b', 'c')],
  };

  it('holds what stands in chosen groups, edges among it, and the groups around it, close to it', () => {
    const part = partOf(diagram, { nodes: new Set(['inner']), edges: new Set() });
    expect(part.nodes.map(({ id }) => id)).toEqual(['outer', 'inner', 'a']);
    expect(part.edges).toEqual([]);
    const [before, after] = [placeNodes(diagram.nodes), placeNodes(part.nodes)];
    expect(after.get('a')?.box).toEqual(before.get('a')?.box);
    expect(after.get('outer')?.box.width).toBeLessThan(400);
  });

  it('holds the ends of a chosen edge', () => {
    expect(chosenNodes(diagram, { nodes: new Set(), edges: new Set(['b--c']) })).toEqual(new Set(['b', 'c']));
    const part = partOf(diagram, { nodes: new Set(), edges: new Set(['b--c']) });
    expect(part.edges.map(({ id }) => id)).toEqual(['b--c']);
  });
});

describe('names and sizes of files', () => {
  it('are safe on every system, in every script', () => {
    expect(safeName('Checkout: v2 / "new"?')).toBe('Checkout- v2 - -new');
    expect(safeName('../../etc/passwd')).toBe('etc-passwd');
    expect(safeName('  Über 注文 🚀. ')).toBe('Über 注文 🚀');
    expect(safeName('con')).toBe('con-');
    expect(safeName('\u202egnp.exe')).toBe('gnp.exe');
    expect(safeName('///')).toBe('Workspace');
    expect([...safeName('x'.repeat(300))]).toHaveLength(80);
  });

  it('offer the largest that fits where none of the usual ones does', () => {
    expect(pixelSizes({ width: 800, height: 600 }).map(({ factor, fits }) => [factor, fits])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
    const [largest, ...others] = pixelSizes({ width: 40_000, height: 2000 });
    expect(largest?.fits).toBe(true);
    expect(largest?.width).toBeGreaterThan(MAX_SIDE * 0.95);
    expect(others.every(({ fits }) => !fits)).toBe(true);
  });
});

describe('an exported page', () => {
  const content = {
    name: '</title><script>alert(1)</script>',
    revision: 12,
    isUnsaved: false,
    date: { words: 'November 22, 2026', iso: '2026-11-22T00:00:00.000Z' },
    facts: '2 nodes',
    picture: { svg: '<svg></svg>', width: 800, height: 600 },
    headings: [],
    prose: '<h1>Plan</h1>',
  };

  it('says what it is of, holds both, and allows no script', () => {
    const page = new DOMParser().parseFromString(pageOf(content), 'text/html');
    expect(page.title).toBe(content.name);
    expect(page.querySelectorAll('script, link, iframe, form')).toHaveLength(0);
    const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(page.querySelector('main.both .diagram svg')).not.toBeNull();
    expect(page.querySelector('.prose h1')?.textContent).toBe('Plan');
    expect(page.querySelector('footer')?.textContent).toContain('revision 12 · November 22, 2026');
  });

  it('says where it holds more than the revision that it names', () => {
    expect(pageOf({ ...content, isUnsaved: true })).toContain(
      'revision 12, with changes that are not saved yet ·',
    );
  });

  it('has a wide diagram above the document, and a narrow one beside it', () => {
    const layoutWith = (width: number) => {
      const picture = { svg: '<svg></svg>', width, height: 300 };
      const page = new DOMParser().parseFromString(pageOf({ ...content, picture }), 'text/html');
      return page.querySelector('main')?.className;
    };
    expect(layoutWith(600)).toBe('both beside');
    expect(layoutWith(1300)).toBe('both stacked');
  });

  it('leaves out what is empty', () => {
    const page = new DOMParser().parseFromString(pageOf({ ...content, picture: null }), 'text/html');
    expect(page.querySelector('.diagram')).toBeNull();
    expect(page.querySelector('main.one .prose')).not.toBeNull();
  });
});

describe('a page on paper', () => {
  const list = (text: string) =>
    new DOMParser().parseFromString(contentsHtml(headingsOf(text)), 'text/html').querySelector('nav');

  it('lists the sections, three levels deep, with links to them', () => {
    const nav = list(
      '## One & `<b>`\n\n### Two\n\n#### Three\n\n##### Four\n\n> # Quoted\n\n## One & `<b>`\n',
    );
    expect([...(nav?.querySelectorAll('li') ?? [])].map(({ className }) => className)).toEqual([
      'level-1',
      'level-2',
      'level-3',
      'level-1',
    ]);
    const links = [...(nav?.querySelectorAll('a') ?? [])];
    expect(links.map((link) => link.textContent)).toEqual(['One & <b>', 'Two', 'Three', 'One & <b>']);
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '#one--b',
      '#two',
      '#three',
      '#one--b-1',
    ]);
  });

  it('lists nothing where that is seen at a glance', () => {
    expect(list('# One\n\n## Two\n\nText\n')).toBeNull();
  });

  it('lies where a diagram is drawn larger then', () => {
    expect(isDrawnWide({ width: 1_800, height: 300 })).toBe(true);
    expect(isDrawnWide({ width: 900, height: 600 })).toBe(true);
    expect(isDrawnWide({ width: 600, height: 200 })).toBe(false);
    expect(isDrawnWide({ width: 800, height: 2_000 })).toBe(false);
  });

  it('takes any name as a running title', () => {
    const styles = printStyles('</style>"\\\n}', null);
    expect(styles).toContain('content:"\\3c \\2f style\\3e \\22 \\5c \\a \\7d ";');
    expect(styles).not.toContain('</');
    expect(printStyles('x'.repeat(200), null)).toMatch(/content:"x{80}\\2026 "/);
  });
});
