/** Places that the page finds itself for what lines add. */
import { expect, test } from 'vitest';
import { withPlaces } from '../../../src/model/diagramText/places';
import { boxesOverlap, placeNodes } from '../../../src/model/drawing/boxes';
import { withMade } from '../../../src/model/gestures/making';
import type { Operation } from '../../../src/protocol/live';
import { node } from '../../builders';

const DIAGRAM = {
  nodes: [
    node('a', { position: { x: 0, y: 0 } }),
    node('g', { type: 'group', position: { x: 600, y: 0 }, size: { width: 480, height: 300 } }),
  ],
  edges: [],
};

test('what is added goes right of what leads to it, into its group, on nothing else', () => {
  const operations = [
    { op: 'add_node', id: 'b', type: 'service', label: 'B' },
    { op: 'add_node', id: 'c', type: 'service', label: 'C' },
    { op: 'add_node', id: 'd', type: 'cache', label: 'D', parent: 'g' },
    { op: 'add_edge', id: 'a--b', source: 'a', target: 'b' },
    { op: 'update_node', id: 'a', label: 'Z' },
  ] as Operation[];
  const placed = withPlaces(operations, DIAGRAM);
  expect(placed.slice(3)).toEqual(operations.slice(3));
  const diagram = withMade(DIAGRAM, { id: '', operations: placed });
  const boxes = placeNodes(diagram.nodes);
  const boxOf = (id: string) => boxes.get(id)?.box as NonNullable<ReturnType<typeof boxes.get>>['box'];
  expect(boxOf('b').x).toBeGreaterThan(boxOf('a').x + boxOf('a').width);
  expect(boxOf('d').x).toBeGreaterThan(boxOf('g').x);
  expect(boxOf('g').width).toBe(480);
  for (const [one, other] of [
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
    ['b', 'g'],
    ['c', 'g'],
  ] as const)
    expect(boxesOverlap(boxOf(one), boxOf(other)), `${one} ${other}`).toBe(false);
});
