/** Pictures as the server makes them: the widths of letters, and the built script in a world with nothing but the language. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { glyphWidths } from '../../../scripts/glyphs.mjs';
import { faceOf, labelWidth, textWidth } from '../../../src/model/export/letterWidths';
import { partOf } from '../../../src/model/export/part';
import { drawingForPicture, type PictureRequest, pictureFor } from '../../../src/model/export/picture';
import { type Picture, svgOf } from '../../../src/model/export/svg';
import { imageAddress } from '../../../src/model/text/images';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { longChain } from '../../large';
import { templates } from '../templates';

const BUILT = process.env.EDITOR_DIR ?? path.resolve(import.meta.dirname, '../../../dist');
const TABLE = path.resolve(import.meta.dirname, '../../../src/model/export/glyphWidths.ts');

const letters = (size: number, weight = 400) => ({ size, weight });
const request = (diagram: Diagram, more: Partial<PictureRequest> = {}): PictureRequest => ({
  diagram,
  nodes: null,
  title: 'Shop & <more>',
  theme: 'light',
  scale: 1,
  ...more,
});

describe('widths of letters', () => {
  it('are those of the font in package.json', () => {
    expect(readFileSync(TABLE, 'utf8')).toBe(glyphWidths());
  });

  it('are those of the face that CSS takes for a weight', () => {
    expect(textWidth('A', letters(1000))).toBe(690);
    expect(textWidth('A', letters(1000, 620))).toBe(728);
    expect([400, 450, 500, 550, 620, 650].map(faceOf)).toEqual([400, 400, 400, 600, 600, 600]);
    expect(labelWidth('AA')).toBe(textWidth('A', letters(23, 600)));
  });

  it('are estimated where the font lacks a letter, and nothing for what is drawn on another', () => {
    expect(textWidth('漢字', letters(10))).toBe(20);
    expect(textWidth('e\u0301', letters(10))).toBe(textWidth('e', letters(10)));
    expect(textWidth('👩‍👩‍👧‍👦', letters(10))).toBe(textWidth('👩', letters(10)));
    expect(textWidth('👍🏽', letters(10))).toBe(textWidth('👍', letters(10)));
    expect(textWidth('🇫🇷', letters(10))).toBe(13);
    expect(textWidth('ಠ', letters(10))).toBeGreaterThan(5);
    expect(textWidth('', letters(10))).toBe(0);
  });
});

/** Names in many scripts, with lines of every kind, in a heap that leaves labels little room. */
function crowded(seed: number): Diagram {
  const names = [
    'Bestellungen',
    'Καλάθι',
    'Заказы',
    '注文サービス',
    '🚀 Launch',
    'fi-ligature AVAST',
    'x'.repeat(60),
  ];
  const types = ['service', 'database', 'queue', 'user', 'group', 'no such type'];
  const nodes = Array.from({ length: 6 + seed }, (_, at) =>
    node(`n${at}`, {
      label: `${names[(at + seed) % names.length]} ${at}`,
      type: types[(at * 7 + seed) % types.length] as 'service',
      technology: at % 3 === 0 ? 'PostgreSQL 16' : '',
      position: { x: ((at * 7919 + seed * 104729) % 13) * 90.5, y: ((at * 104729 + seed) % 9) * 70.25 },
    }),
  );
  const edges = nodes.slice(1).map(({ id }, at) =>
    edge(`n${(at * (seed + 1)) % (at + 1)}`, id, {
      label: at % 4 === 0 ? '' : `${names[(at * 3) % names.length]} to ${at}`,
      kind: (['sync', 'async', 'data', 'dependency'] as const)[at % 4] as 'sync',
    }),
  );
  return { nodes, edges };
}

const DIAGRAMS: [string, Diagram][] = [
  ...templates(),
  ...Array.from({ length: 20 }, (_, seed): [string, Diagram] => [`crowded ${seed}`, crowded(seed)]),
  ['1,000 nodes', longChain()],
  ['nothing', { nodes: [], edges: [] }],
];

describe('the script for the server', () => {
  const world = vm.createContext({});
  vm.runInContext(readFileSync(path.join(BUILT, 'picture/picture.js'), 'utf8'), world);
  const made = (asked: PictureRequest): Picture =>
    JSON.parse(world.draftsmithPicture.run(JSON.stringify(asked)));

  it.each(DIAGRAMS)('draws %s as the page does, to the byte, in both themes', (_, diagram) => {
    for (const theme of ['light', 'dark'] as const) {
      const { svg } = made(request(diagram, { theme }));
      const own = svgOf(drawingForPicture(diagram), { theme, title: 'Shop & <more>' });
      if (diagram.nodes.length > 0) expect(svg).toBe(own?.svg);
      else expect(svg).toContain('Nothing is drawn here yet.');
    }
  });

  it('draws a part as the page exports a selection', () => {
    const [, diagram] = templates()[1] as [string, Diagram];
    const group = diagram.nodes.find(({ type }) => type === 'group')?.id as string;
    const part = partOf(diagram, { nodes: new Set([group]), edges: new Set() });
    expect(part.nodes.length).toBeLessThan(diagram.nodes.length);
    const own = svgOf(drawingForPicture(part), { title: 'Shop & <more>' });
    expect(made(request(diagram, { nodes: [group] }))).toEqual(own);
  });

  it('draws images of nodes as the page does, to the byte', () => {
    const [one, two] = ['a', 'b'].map((letter) => imageAddress(letter.repeat(64), 'image/png')) as [
      string,
      string,
    ];
    const nodes = [node('x', { image: one }), node('y', { image: two, position: { x: 300, y: 0 } })];
    const images = { [one]: 'data:image/png;base64,AAAA' };
    const own = svgOf(drawingForPicture({ nodes, edges: [] }), { title: 'Shop & <more>', images });
    expect(own?.svg).toContain('href="data:image/png;base64,AAAA"');
    expect(made(request({ nodes, edges: [] }, { images }))).toEqual(own);
  });

  it('draws icons of technologies as the page does, to the byte', () => {
    const nodes = [
      node('x', { technology: 'Postgres' }),
      node('y', { technology: '__proto__', position: { x: 300, y: 0 } }),
    ];
    const more = {
      images: { 'icons/pg': 'data:image/svg+xml;base64,AAAA' },
      icons: { Postgres: 'icons/pg' },
    };
    const own = svgOf(drawingForPicture({ nodes, edges: [] }), { title: 'Shop & <more>', ...more });
    expect(own?.svg.match(/<use /g)).toHaveLength(1);
    expect(made(request({ nodes, edges: [] }, more))).toEqual(own);
  });

  it('gives another size the same content', () => {
    const asked = request(crowded(3));
    const [one, two] = [made(asked), made({ ...asked, scale: 2 })];
    expect([two.width, two.height]).toEqual([2 * one.width, 2 * one.height]);
    const inside = ({ svg }: Picture) => svg.slice(svg.indexOf('viewBox'));
    expect(inside(two)).toBe(inside(one));
    expect(two.svg).toContain(`width="${2 * one.width}" height="${2 * one.height}"`);
  });

  it('throws at what is no request', () => {
    expect(() => world.draftsmithPicture.run('{}')).toThrow();
  });

  it('escapes the title', () => {
    const { svg } = pictureFor(request({ nodes: [], edges: [] }));
    expect(svg).toContain('<title>Shop &amp; &lt;more&gt;</title>');
  });
});
