import { describe, expect, it } from 'vitest';
import { type Drawing, drawingOf } from '../../../src/model/drawing/drawing';
import { folded } from '../../../src/model/drawing/folding';
import { movedDrawing, settled, updatedDrawing } from '../../../src/model/drawing/incremental';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function someDiagram(seed: number): Diagram {
  const some = numbers(seed);
  const nodes = Array.from({ length: 24 }, (_, i) =>
    node(`n${i}`, {
      type: i < 3 ? 'group' : 'service',
      position: { x: some(1500), y: some(1000) },
      parent: i >= 3 && some(4) === 0 ? `n${some(3)}` : null,
    }),
  );
  const edges = Array.from({ length: 36 }, (_, i) => {
    const source = some(24);
    return edge(`n${source}`, `n${(source + 1 + some(22)) % 24}`, {
      id: `e${i}`,
      label: some(2) ? 'asks' : '',
    });
  });
  return { nodes, edges };
}

/** One random change: a node moved, an edge or a node more or less, a name. */
function changed({ nodes, edges }: Diagram, some: (below: number) => number): Diagram {
  const at = some(nodes.length);
  const which = some(edges.length);
  switch (some(5)) {
    case 0:
      return {
        nodes: nodes.map((one, i) =>
          i === at ? { ...one, position: { x: some(1500), y: some(1000) } } : one,
        ),
        edges,
      };
    case 1:
      return { nodes, edges: edges.filter((_, i) => i !== which) };
    case 2:
      return { nodes, edges: [...edges, edge(`n3`, `n${4 + some(10)}`, { id: `x${some(1e6)}` })] };
    case 3:
      return { nodes: [...nodes, node(`y${some(1e6)}`, { position: { x: some(900), y: 40 } })], edges };
    default:
      return { nodes, edges: edges.map((one, i) => (i === which ? { ...one, label: 'tells' } : one)) };
  }
}

const plain = (diagram: Diagram): Drawing => drawingOf(diagram, { routing: 'quick' });

describe('a plain drawing', () => {
  it.each([1, 2, 3, 4, 5])('redrawn after any changes is the one drawn from nothing (seed %i)', (seed) => {
    const some = numbers(seed * 77);
    let diagram = someDiagram(seed);
    let drawing = plain(diagram);
    for (let round = 0; round < 30; round += 1) {
      diagram = changed(diagram, some);
      drawing = updatedDrawing(drawing, diagram);
      expect(drawing).toEqual(plain(diagram));
    }
  });

  it('keeps the objects of what has not changed', () => {
    const before = plain(someDiagram(9));
    const some = before.nodes.find(({ connections }) => connections === 1) ?? before.nodes.at(-1);
    const after = movedDrawing(before, new Map([[some?.node.id ?? '', { x: 2000, y: 2000 }]]));
    const same = after.edges.filter((drawn) => before.edges.includes(drawn)).length;
    expect(after.nodes.filter((drawn) => !before.nodes.includes(drawn))).toHaveLength(1);
    expect(same).toBeGreaterThan(0);
    expect(same).toBeLessThan(before.edges.length);
  });
});

describe('a drawing with full routing', () => {
  it('carries lines and labels along with both their ends', () => {
    const nodes = [node('a'), node('b', { position: { x: 400, y: 0 } })];
    const before = drawingOf({ nodes, edges: [edge('a', 'b', { label: 'asks' })] });
    const after = movedDrawing(
      before,
      new Map([
        ['a', { x: 100, y: 50 }],
        ['b', { x: 500, y: 50 }],
      ]),
    );
    const [was, now] = [before.edges[0], after.edges[0]];
    expect(now?.points).toEqual(was?.points.map(({ x, y }) => ({ x: x + 100, y: y + 50 })));
    expect(now?.label?.x).toBe((was?.label?.x ?? 0) + 100);
  });

  it('is the one drawn from nothing where only one line moves', () => {
    const nodes = [node('a'), node('b', { position: { x: 400, y: 0 } })];
    const before = drawingOf({ nodes, edges: [edge('a', 'b', { label: 'asks' })] });
    const moved = [node('a'), node('b', { position: { x: 400, y: 300 } })];
    const after = updatedDrawing(before, { nodes: moved, edges: before.edges.map((drawn) => drawn.edge) });
    expect(after).toEqual(drawingOf({ nodes: moved, edges: [edge('a', 'b', { label: 'asks' })] }));
  });

  it('made anew keeps the objects that say the same', () => {
    const diagram = someDiagram(3);
    const before = drawingOf(diagram);
    const after = settled(before, drawingOf(diagram));
    expect(after.nodes.every((drawn, at) => drawn === before.nodes[at])).toBe(true);
    expect(after.edges.every((drawn, at) => drawn === before.edges[at])).toBe(true);
  });
});

describe('folded groups', () => {
  const diagram: Diagram = {
    nodes: [
      node('zone', { type: 'group' }),
      node('inner', { type: 'group', parent: 'zone' }),
      node('a', { parent: 'zone' }),
      node('b', { parent: 'inner' }),
      node('out', { position: { x: 900, y: 0 } }),
    ],
    edges: [
      edge('a', 'b'),
      edge('out', 'a', { label: 'asks' }),
      edge('out', 'b', { label: 'tells' }),
      edge('b', 'out', { label: 'answers' }),
    ],
  };

  it('are one card with the number of what stands in them', () => {
    const { diagram: shown, folds, cards } = folded(diagram, new Set(['zone', 'inner']));
    expect(shown.nodes.map(({ id }) => id)).toEqual(['zone', 'out']);
    expect([...folds]).toEqual([['zone', 3]]);
    expect(cards.get('b')).toBe('zone');
  });

  it('have lines that end at the card, those within gone, equal ones merged', () => {
    const { diagram: shown } = folded(diagram, new Set(['zone']));
    expect(shown.edges.map(({ source, target, label }) => [source, target, label])).toEqual([
      ['out', 'zone', '2 connections'],
      ['zone', 'out', 'answers'],
    ]);
  });

  it('are nothing new where nothing is folded', () => {
    expect(folded(diagram, new Set(['gone'])).diagram).toBe(diagram);
  });
});
