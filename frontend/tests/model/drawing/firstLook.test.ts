/** What is read of a diagram at first sight: names in little room, titles of groups from afar, the legend. */
import { describe, expect, it } from 'vitest';
import { boxesOverlap } from '../../../src/model/drawing/boxes';
import { briefName } from '../../../src/model/drawing/briefName';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { frameTitles } from '../../../src/model/drawing/frameTitles';
import { isUnder } from '../../../src/model/drawing/legend';
import { edge, node } from '../../builders';

describe('a name in little room', () => {
  const ROOM = { width: 168, height: 66 };
  const parts = (name: string, zoom = 0.2) => briefName(name, ROOM, zoom).text.split('\u00AD');

  it('breaks inside long words only, in front of a syllable, and only where it must', () => {
    expect(parts('Orders')).toEqual(['Orders']);
    expect(parts('Commerce', 0.25)).toEqual(['Com', 'merce']);
    expect(parts('Commerce', 0.6)).toEqual(['Commerce']);
    expect(parts('Recommendations', 0.32)).toEqual(['Recommen', 'dations']);
    for (const name of ['Recommendations', 'Strengthsss', 'Größenrechnung', '日本語日本語日本語日本語'])
      for (const part of parts(name)) expect([...part].length).toBeGreaterThanOrEqual(3);
    expect(parts('Payment orchestrator').join('')).toBe('Payment orchestrator');
  });

  it('is as large as the longest part fits across, and all lines fit below one another', () => {
    const size = (name: string, room = ROOM, zoom = 0.4) => briefName(name, room, zoom).size;
    expect(size('Web')).toBeGreaterThan(size('Notification gateway'));
    expect(size('Web', ROOM, 0.69) * 0.69).toBeCloseTo(10.5);
    expect(size('a b c d e', { width: 30, height: 66 }, 0.5)).toBeLessThan(
      size('a b', { width: 30, height: 66 }, 0.5),
    );
    expect(size('')).toBeGreaterThan(8);
  });

  it('can be read, and is cut rather than smaller', () => {
    for (const zoom of [0.34, 0.4, 0.5, 0.69]) {
      for (const name of ['Commerce DB', 'Event stream', 'Payment provider'])
        expect(briefName(name, ROOM, zoom).size * zoom).toBeGreaterThanOrEqual(8.9);
      const endless = 'Recommendation personalisation engine for returning customers';
      expect(briefName(endless, ROOM, zoom).size * zoom).toBeGreaterThanOrEqual(7.9);
    }
  });
});

describe('titles of groups from afar', () => {
  const drawn = (nodes: ReturnType<typeof node>[]) => drawingOf({ nodes, edges: [] });
  const inside = (id: string, parent: string, x: number, y: number) =>
    node(id, { parent, position: { x, y } });
  const group = (id: string, more = {}) => node(id, { type: 'group', ...more });

  it('stand on their frames, and in the corner where something is above', () => {
    const free = drawn([group('g'), inside('a', 'g', 0, 0)]);
    const frame = free.nodes.find(({ node }) => node.id === 'g')?.box;
    const [title] = frameTitles(free, 0.2);
    expect(title?.place.y).toBeLessThan(frame?.y ?? 0);
    const below = drawn([group('g'), inside('a', 'g', 0, 0), node('b', { position: { x: 0, y: -140 } })]);
    const box = below.nodes.find(({ node }) => node.id === 'g')?.box;
    expect(frameTitles(below, 0.2)[0]?.place.y).toBe(box?.y);
  });

  it('never cover each other, and those of outer groups come first', () => {
    const nodes = Array.from({ length: 30 }, (_, at) => [
      group(`o${at}`, {
        label: `Outer domain ${at}`,
        position: { x: (at % 6) * 420, y: Math.floor(at / 6) * 400 },
      }),
      group(`i${at}`, { label: `Inner domain ${at}`, parent: `o${at}` }),
      inside(`n${at}`, `i${at}`, 0, 0),
    ]).flat();
    const drawing = drawn(nodes);
    let shownInner = 0;
    for (const zoom of [0.29, 0.2, 0.1]) {
      const titles = frameTitles(drawing, zoom);
      titles.forEach(({ place }, at) => {
        for (const other of titles.slice(at + 1)) expect(boxesOverlap(place, other.place)).toBe(false);
      });
      const ids = new Set(titles.map(({ drawn: { node } }) => node.id));
      for (const id of ids) if (id.startsWith('i')) expect(ids.has(id.replace('i', 'o'))).toBe(true);
      shownInner += [...ids].filter((id) => id.startsWith('i')).length;
    }
    expect(shownInner).toBeGreaterThan(0);
  });

  it('are as wide as their text, or their frame, and left out where hardly a letter fits', () => {
    const drawing = drawn([
      group('g', { label: 'A very long name of one small group' }),
      inside('a', 'g', 0, 0),
    ]);
    const frame = drawing.nodes.find(({ node }) => node.id === 'g')?.box;
    expect(frameTitles(drawing, 0.25)[0]?.place.width).toBeCloseTo(frame?.width ?? 0);
    expect(frameTitles(drawing, 0.05)).toEqual([]);
  });
});

describe('the legend', () => {
  const drawing = drawingOf({
    nodes: [node('a', { position: { x: 0, y: 0 } }), node('b', { position: { x: 900, y: 0 } })],
    edges: [edge('a', 'b')],
  });
  const legend = { width: 400, height: 40, room: 1200 };

  it('has something under it where a node is drawn in its corner', () => {
    expect(isUnder(drawing, { x: 20, y: 100, zoom: 1 }, legend)).toBe(false);
    expect(isUnder(drawing, { x: 20, y: 20, zoom: 1 }, legend)).toBe(true);
    expect(isUnder(drawing, { x: 20, y: 20, zoom: 0.5 }, legend)).toBe(false);
    expect(isUnder(drawing, { x: 20, y: -200, zoom: 1 }, legend)).toBe(false);
  });

  it('opens only by hand in a narrow canvas', () => {
    expect(isUnder(drawing, { x: 20, y: 300, zoom: 1 }, { ...legend, room: 690 })).toBe(true);
  });
});
