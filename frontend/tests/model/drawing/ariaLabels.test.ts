/** What a screen reader says of nodes on the canvas. */
import { expect, it } from 'vitest';
import { describeNode } from '../../../src/model/drawing/ariaLabels';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { node } from '../../builders';

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
