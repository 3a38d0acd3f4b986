import { describe, expect, it } from 'vitest';
import { placeNodes } from '../../../src/model/drawing/boxes';
import { drawnTogether, spread } from '../../../src/model/layout/adjust/spread';
import { scoreOf } from '../../../src/model/layout/score/judge';
import { worseOn } from '../../../src/model/layout/score/scores';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const at = (x: number, y: number) => ({ position: { x, y } });

describe('a drawing that is spread', () => {
  it.each([2, 3, 5])('has room for the labels of %i lines between the same two nodes', (count) => {
    const nodes = [node('a', at(0, 0)), node('b', at(228, 0))];
    const edges = Array.from({ length: count }, (_, index) =>
      edge('a', 'b', {
        id: `e${index}`,
        label: `808${index}:8080/tcp`,
        route: [{ x: 204, y: 12 * (index + 1) }],
      }),
    );
    const before = { nodes, edges };
    expect(scoreOf(before).labelsOnLabels).toBeGreaterThan(0);
    expect(scoreOf(spread(before))).toMatchObject({ labelsOnLabels: 0, labelsHidden: 0 });
  });

  it('keeps frames apart, and what is in them off their borders', () => {
    const group = (id: string, x: number) => [
      node(id, { type: 'group', ...at(x, 0) }),
      node(`${id}1`, { parent: id, ...at(24, 40) }),
      node(`${id}2`, { parent: id, ...at(244, 40) }),
    ];
    const diagram: Diagram = {
      nodes: [...group('g', 0), ...group('h', 496)],
      edges: [edge('g1', 'g2', { label: 'publishes orders', route: [{ x: 224, y: 76 }] })],
    };
    const placed = placeNodes(spread(diagram).nodes);
    const boxOf = (id: string) => placed.get(id)?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    const [g, h] = [boxOf('g'), boxOf('h')];
    expect(g.width).toBeGreaterThan(448);
    expect(h.x - g.x - g.width).toBeGreaterThanOrEqual(40);
    expect(g.x + g.width - boxOf('g2').x - boxOf('g2').width).toBe(24);
  });
});

describe('a drawing that is drawn together', () => {
  const group = (id: string, x: number, y: number) => [
    node(id, { type: 'group', ...at(x, y) }),
    node(`${id}1`, { parent: id, ...at(24, 40) }),
    node(`${id}2`, { parent: id, ...at(24, 400) }),
  ];
  const loose: Diagram = {
    nodes: [...group('g', 0, 0), ...group('h', 900, 300), node('a', at(2000, 1500))],
    edges: [
      edge('g1', 'h1', {
        id: 'e1',
        label: 'publishes orders',
        route: [
          { x: 600, y: 76 },
          { x: 600, y: 376 },
        ],
      }),
      edge('h2', 'a', { id: 'e2', route: [{ x: 1014, y: 1536 }] }),
    ],
  };

  it('gets smaller, with nothing worse and everything on its side of what is beside it', () => {
    const [before, after] = [scoreOf(loose), scoreOf(drawnTogether(loose))];
    expect(after.area).toBeLessThan(0.5 * before.area);
    expect(worseOn(after, before)).toEqual([]);
    const placed = placeNodes(drawnTogether(loose).nodes);
    const boxOf = (id: string) => placed.get(id)?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    const right = (id: string) => boxOf(id).x + boxOf(id).width;
    expect(right('g')).toBeLessThan(boxOf('h').x);
    expect(boxOf('g1').y - boxOf('g').y).toBeGreaterThanOrEqual(40);
    expect(boxOf('h2').y - boxOf('h1').y - boxOf('h1').height).toBeGreaterThanOrEqual(32);
  });

  it('keeps lines off the sides of frames that they are drawn past', () => {
    // Both rows are as narrow as they can be, so that the line stays beside the frame's left side.
    const diagram: Diagram = {
      nodes: [
        node('a', { ...at(-92, 0), size: { width: 68, height: 72 } }),
        ...group('g', 0, 0),
        node('b', at(-92, 1400)),
        node('c', { ...at(120, 1400), size: { width: 108, height: 72 } }),
      ],
      edges: [
        edge('b', 'a', {
          id: 'e',
          route: [
            { x: -2, y: 900 },
            { x: -58, y: 900 },
          ],
        }),
      ],
    };
    const after = drawnTogether(diagram);
    expect(scoreOf(after).area).toBeLessThan(scoreOf(diagram).area);
    expect(worseOn(scoreOf(after), scoreOf(diagram))).toEqual([]);
  });

  it('stays as it is where nothing can come nearer', () => {
    const once = drawnTogether(drawnTogether(loose));
    expect(scoreOf(drawnTogether(once)).area).toBe(scoreOf(once).area);
  });
});
