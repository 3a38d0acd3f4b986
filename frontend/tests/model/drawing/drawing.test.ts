import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap } from '../../../src/model/drawing/boxes';
import { drawingOf, lockedNodes } from '../../../src/model/drawing/drawing';
import { boxOf } from '../../../src/model/drawing/labels';
import {
  crossesBox,
  elbow,
  portOn,
  roundedPath,
  SIDES,
  segmentsOf,
} from '../../../src/model/drawing/polyline';
import { searchNodes } from '../../../src/model/words/search';
import { edge, node } from '../../builders';
import { largestDiagram } from '../../large';

const at = (x: number, y: number) => ({ position: { x, y } });

describe('lines', () => {
  it('joins two nodes side by side with one straight line', () => {
    const drawing = drawingOf({
      nodes: [node('a', at(0, 0)), node('b', at(400, 0))],
      edges: [edge('a', 'b')],
    });
    expect(drawing.edges[0]?.points).toEqual([
      { x: 180, y: 36 },
      { x: 400, y: 36 },
    ]);
  });

  it('goes around a node that stands between its ends', () => {
    const nodes = [node('a', at(0, 0)), node('wall', at(300, 0)), node('b', at(600, 0))];
    const { edges } = drawingOf({ nodes, edges: [edge('a', 'b')] });
    const wall: Box = { x: 300, y: 0, width: 180, height: 72 };
    expect(segmentsOf(edges[0]?.points ?? []).some((piece) => crossesBox(piece, wall))).toBe(false);
  });

  it('goes straight past a node that stands in the way of its middle piece alone', () => {
    const nodes = [node('a', at(0, 0)), node('beside', at(96, 264)), node('b', at(-40, 464))];
    const points = drawingOf({ nodes, edges: [edge('a', 'b')] }).edges[0]?.points ?? [];
    expect([points[0]?.y, points.at(-1)?.y]).toEqual([72, 464]);
  });

  it('has only horizontal and vertical pieces, whatever the sides', () => {
    const from: Box = { x: 0, y: 0, width: 180, height: 72 };
    for (const [x, y] of [
      [400, 300],
      [-400, 300],
      [400, -300],
      [-400, -300],
      [20, 300],
      [400, 10],
    ] as const) {
      for (const start of SIDES) {
        for (const end of SIDES) {
          const points = elbow(portOn(from, start), portOn({ x, y, width: 180, height: 72 }, end));
          for (const piece of segmentsOf(points)) {
            expect(piece.from.x === piece.to.x || piece.from.y === piece.to.y).toBe(true);
          }
        }
      }
    }
  });

  it('keeps two edges between the same nodes apart', () => {
    const nodes = [node('a', at(0, 0)), node('b', at(400, 0))];
    const edges = [edge('a', 'b', { id: 'one' }), edge('a', 'b', { id: 'two', kind: 'async' })];
    const [one, two] = drawingOf({ nodes, edges }).edges;
    expect(one?.points).not.toEqual(two?.points);
  });

  it('follows a stored route from border to border', () => {
    const nodes = [node('a', at(0, 0)), node('b', at(400, 400))];
    const route = [
      { x: 90, y: 200 },
      { x: 490, y: 200 },
    ];
    const { edges } = drawingOf({ nodes, edges: [edge('a', 'b', { route })] });
    expect(edges[0]?.points).toEqual([{ x: 90, y: 72 }, ...route, { x: 490, y: 400 }]);
  });

  it('leaves out an edge whose end is not there', () => {
    expect(drawingOf({ nodes: [node('a')], edges: [edge('a', 'ghost')] }).edges).toEqual([]);
  });

  it('draws 5,000 nodes and 10,000 edges', () => {
    expect(drawingOf(largestDiagram()).nodes).toHaveLength(5000);
  });

  it('rounds corners and ends exactly at the ends', () => {
    const path = roundedPath([
      { x: 0, y: 0 },
      { x: 50, y: 0 },
      { x: 50, y: 40 },
    ]);
    expect(path).toBe('M0,0L42,0Q50,0 50,8L50,40');
  });
});

describe('labels', () => {
  it('cover neither nodes nor one another where there is room', () => {
    const nodes = [
      node('a', at(0, 0)),
      node('b', at(500, 0)),
      node('c', at(0, 300)),
      node('d', at(500, 300)),
    ];
    const edges = [
      edge('a', 'b', { label: 'asks' }),
      edge('a', 'd', { label: 'tells the other' }),
      edge('c', 'b', { label: 'writes' }),
      edge('c', 'd', { label: 'reads' }),
    ];
    const drawing = drawingOf({ nodes, edges });
    const boxes = drawing.edges.flatMap(({ label }) => (label ? [boxOf(label)] : []));
    expect(boxes).toHaveLength(4);
    boxes.forEach((box, index) => {
      for (const { box: body } of drawing.nodes) expect(boxesOverlap(box, body)).toBe(false);
      for (const other of boxes.slice(index + 1)) expect(boxesOverlap(box, other)).toBe(false);
    });
  });

  it('take two lines where one would cover a node', () => {
    const nodes = [node('a'), node('b', at(180 + 130, 0))];
    const edges = [edge('a', 'b', { label: 'outbox inserts (WAL)' })];
    const label = drawingOf({ nodes, edges }).edges[0]?.label;
    expect(label?.shape.lines).toBe(2);
    expect(label?.shape.width).toBeLessThan(130);
    expect(label).toMatchObject({ x: 245, y: 36 });
  });

  it('are not placed for edges without one', () => {
    const drawing = drawingOf({ nodes: [node('a'), node('b', at(400, 0))], edges: [edge('a', 'b')] });
    expect(drawing.edges[0]?.label).toBeNull();
  });
});

describe('nodes', () => {
  it('count their connections', () => {
    const nodes = [node('a'), node('b', at(400, 0)), node('c', at(800, 0))];
    const { nodes: drawn } = drawingOf({ nodes, edges: [edge('a', 'b'), edge('b', 'c')] });
    expect(drawn.map(({ node: { id }, connections }) => [id, connections])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
  });

  it('are locked by any group around them', () => {
    const nodes = [
      node('outer', { type: 'group', locked: true }),
      node('inner', { type: 'group', parent: 'outer' }),
      node('leaf', { parent: 'inner' }),
      node('free'),
    ];
    expect([...lockedNodes(nodes)]).toEqual(['outer', 'inner', 'leaf']);
  });

  it('put outer groups before what stands in them', () => {
    const nodes = [node('leaf', { parent: 'g' }), node('g', { type: 'group' })];
    expect(drawingOf({ nodes, edges: [] }).nodes.map(({ node: { id } }) => id)).toEqual(['g', 'leaf']);
  });

  it('are found by label, type and technology, best first', () => {
    const nodes = [
      node('queue-db', { label: 'Job database', type: 'database' }),
      node('orders', { label: 'Orders', technology: 'PostgreSQL' }),
      node('db', { label: 'Database of orders', type: 'database' }),
    ];
    expect(searchNodes(nodes, 'database').map(({ id }) => id)).toEqual(['db', 'queue-db']);
    expect(searchNodes(nodes, 'orders postgres').map(({ id }) => id)).toEqual(['orders']);
    expect(searchNodes(nodes, '  ')).toEqual([]);
  });
});
