/** What a screen reader says of nodes and lines on the canvas. */
import { expect, it } from 'vitest';
import { describeEdge, describeNode } from '../../../src/model/drawing/ariaLabels';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { edge, node } from '../../builders';

it('says that a node has an image', () => {
  const image = `images/${'ab'.repeat(32)}.png`;
  const nodes = [node('orders', { label: 'Orders', image }), node('store', { label: 'Store' })];
  const words = drawingOf({ nodes, edges: [] }).nodes.map((drawn) =>
    describeNode(drawn, { at: 1, count: 2 }),
  );
  expect(words).toEqual([
    'Orders, Service, with an image, 1 of 2, 0 connections',
    'Store, Service, 1 of 2, 0 connections',
  ]);
});
it('says that a line leads straight or in a curve', () => {
  const said = (shape: '' | 'straight' | 'curved') =>
    describeEdge(edge('a', 'b', { label: 'reads', shape }), 'A', 'B');
  expect(said('straight')).toBe('From A to B, reads, straight line, Synchronous call');
  expect(said('curved')).toBe('From A to B, reads, curved line, Synchronous call');
  expect(said('')).toBe('From A to B, reads, Synchronous call');
});
