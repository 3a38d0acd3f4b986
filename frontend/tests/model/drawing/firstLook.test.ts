/** What is read of a diagram at first sight: titles of groups from afar, the legend. */
import { describe, expect, it } from 'vitest';
import { boxesOverlap } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { frameTitles } from '../../../src/model/drawing/frameTitles';
import { isUnder } from '../../../src/model/drawing/legend';
import { edge, node } from '../../builders';

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

  it('reach out of a narrow frame as far as their first 16 characters need, and are left out of a tiny one', () => {
    const drawing = drawn([
      group('g', { label: 'A very long name of one small group' }),
      inside('a', 'g', 0, 0),
    ]);
    const width = (frameTitles(drawing, 0.25)[0]?.place.width ?? 0) * 0.25;
    expect(width).toBeCloseTo(17 * 0.69 * 11.5 + 14);
    const beside = drawn([
      group('g', { label: 'A very long name' }),
      inside('a', 'g', 0, 0),
      group('h', { position: { x: 300, y: 0 } }),
      inside('b', 'h', 300, 0),
    ]);
    expect(frameTitles(beside, 0.25)).toHaveLength(2);
    expect(frameTitles(drawing, 0.05)).toEqual([]);
  });

  it('stand in the strip of their frame where that is high enough', () => {
    const drawing = drawn([group('g'), inside('a', 'g', 0, 0)]);
    const [frame, card] = ['g', 'a'].map((id) => drawing.nodes.find(({ node }) => node.id === id)?.box);
    const place = frameTitles(drawing, 0.6)[0]?.place;
    expect(place?.y).toBeGreaterThan(frame?.y ?? 0);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(card?.y ?? 0);
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
