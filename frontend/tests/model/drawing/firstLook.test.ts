/** What is read of a diagram at first sight: titles of groups from afar, the legend. */
import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { frameTitles } from '../../../src/model/drawing/frameTitles';
import { isUnder } from '../../../src/model/drawing/legend';
import { isMapInTheWay } from '../../../src/model/drawing/minimap';
import { onScreen, solidOf, viewportFor } from '../../../src/model/drawing/viewport';
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

describe('titles of groups and lines', () => {
  /** A group whose only card is entered from above, under the usual place of a title. */
  const entered = drawingOf({
    nodes: [
      node('g', { type: 'group', label: 'Payments domain', size: { width: 500, height: 220 } }),
      node('a', { parent: 'g', position: { x: 24, y: 40 } }),
      node('b', { position: { x: 24, y: -200 } }),
    ],
    edges: [edge('b', 'a')],
  });
  const tip = entered.edges[0]?.points.at(-1);

  it.each([0.3, 0.45, 0.6, 0.8])('keep off arrow heads at a zoom of %f', (zoom) => {
    const [title] = frameTitles(entered, zoom);
    if (!title || !tip) throw new Error('no title or no line');
    const head = { x: tip.x - 4 / zoom, y: tip.y - 8 / zoom, width: 8 / zoom, height: 8 / zoom };
    expect(boxesOverlap(title.place, head)).toBe(false);
  });

  it('stay in their corner where no arrow head is there', () => {
    const [title] = frameTitles(
      drawingOf({ ...entered, nodes: entered.nodes.map(({ node: one }) => one), edges: [] }),
      0.6,
    );
    expect(title?.place.x).toBeCloseTo(5 / 0.6);
  });
});

describe('titles of groups without a free place', () => {
  it('stand in the corner, not at another end of their frame', () => {
    const drawing = drawingOf({
      nodes: [
        node('above', { position: { x: 0, y: -110 } }),
        node('beside', { position: { x: 220, y: -110 } }),
        node('g', { type: 'group', label: 'Payments', size: { width: 420, height: 140 } }),
        node('a', { parent: 'g', position: { x: 8, y: 4 } }),
        node('b', { parent: 'g', position: { x: 220, y: 4 } }),
      ],
      edges: [],
    });
    const frame = drawing.nodes.find(({ node: { id } }) => id === 'g')?.box;
    expect(frameTitles(drawing, 0.3)[0]?.place.x).toBe(frame?.x);
  });
});

describe('what lies over the canvas', () => {
  const drawing = drawingOf({
    nodes: [node('a', { position: { x: 0, y: 0 } }), node('b', { position: { x: 900, y: 400 } })],
    edges: [
      edge('a', 'b', {
        route: [
          { x: 1150, y: 36 },
          { x: 1150, y: 436 },
        ],
      }),
    ],
  });
  const canvas = { width: 1200, height: 700 };

  it('leaves lines free, too, where everything is shown', () => {
    const controls = [{ x: 800, y: 0, width: 400, height: 55 }];
    const view = viewportFor(
      drawing.nodes.map(({ box }) => box),
      solidOf(drawing),
      { ...canvas, controls },
      { minZoom: 0.1, maxZoom: 1.1 },
    );
    for (const box of solidOf(drawing))
      expect(boxesOverlap(onScreen(box, view), controls[0] as Box)).toBe(false);
  });

  it.each([300, 1100])('leaves a title of a group free, in its frame of %i pixels or on it', (width) => {
    const framed = drawingOf({
      nodes: [
        node('g', {
          type: 'group',
          label: 'Domain',
          position: { x: 0, y: 0 },
          size: { width, height: 2000 },
        }),
        node('a', { parent: 'g', position: { x: 24, y: 300 } }),
      ],
      edges: [],
    });
    const controls = [{ x: 0, y: 0, width: 1200, height: 55 }];
    const view = viewportFor(
      framed.nodes.map(({ box }) => box),
      solidOf(framed),
      { ...canvas, controls },
      { minZoom: 0.1, maxZoom: 1.1 },
    );
    for (const { place } of frameTitles(framed, view.zoom))
      expect(boxesOverlap(onScreen(place, view), controls[0] as Box)).toBe(false);
  });

  it('gives way where it hides a line or a card, the map only of what is all in sight', () => {
    const under = { x: 1000, y: 550, width: 152, height: 100 };
    const view = { x: 40, y: 150, zoom: 1 };
    const small = { ...under, x: 1100, y: 250 };
    expect(isMapInTheWay(drawing, view, canvas, under)).toBe(true);
    expect(isMapInTheWay(drawing, view, canvas, small)).toBe(true);
    expect(isMapInTheWay(drawing, view, canvas, { ...under, x: 100 })).toBe(false);
    expect(isMapInTheWay(drawing, { ...view, x: -40 }, canvas, { ...under, x: 900 })).toBe(false);
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
