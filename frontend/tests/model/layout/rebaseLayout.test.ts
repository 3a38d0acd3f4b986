import { describe, expect, it } from 'vitest';
import type { MoveNodes } from '../../../src/model/layout/moves';
import type { ArrangeRequest } from '../../../src/model/layout/search/arrange';
import { rebaseLayout } from '../../../src/model/layout/search/rebaseLayout';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const at = (x: number, y: number) => ({ position: { x, y } });
const before: Diagram = {
  nodes: [node('a', at(0, 0)), node('b', at(10, 10)), node('c', at(500, 0))],
  edges: [edge('a', 'b')],
};
const operation: MoveNodes = {
  op: 'move_nodes',
  positions: { b: { x: 300, y: 0 } },
  routes: { 'a--b': [{ x: 240, y: 36 }] },
};

const request = (given: Partial<ArrangeRequest> = {}): ArrangeRequest => ({
  diagram: before,
  mode: 'scratch',
  ids: null,
  room: null,
  variants: null,
  ...given,
});

const withNode = (id: string, given: object): Diagram => ({
  ...before,
  nodes: before.nodes.map((one) => (one.id === id ? { ...one, ...given } : one)),
});

describe('a layout of a diagram that has changed meanwhile', () => {
  it('is as it was where nothing has changed', () => {
    expect(rebaseLayout(request(), operation, before)).toEqual(operation);
  });

  it('fits where only texts have changed', () => {
    expect(rebaseLayout(request({ mode: 'gentle' }), operation, withNode('c', { label: 'Other' }))).toEqual(
      operation,
    );
  });

  it('from scratch overrides moves, also of nodes that it left in place', () => {
    const now = withNode('c', at(520, 90));
    expect(rebaseLayout(request(), operation, now)?.positions).toEqual({
      b: { x: 300, y: 0 },
      c: { x: 500, y: 0 },
    });
  });

  it('that depends on places fits no longer after a move', () => {
    const now = withNode('c', at(520, 90));
    expect(rebaseLayout(request({ mode: 'gentle' }), operation, now)).toBeNull();
    expect(rebaseLayout(request({ ids: ['a', 'b'] }), operation, now)).toBeNull();
    const locked = { ...before, nodes: before.nodes.map((one) => ({ ...one, locked: one.id === 'c' })) };
    const moved = {
      ...locked,
      nodes: locked.nodes.map((one) => (one.id === 'a' ? { ...one, ...at(9, 9) } : one)),
    };
    expect(rebaseLayout(request({ diagram: locked }), operation, moved)).toBeNull();
  });

  it('fits no longer where nodes, lines, labels, sizes or locks have changed', () => {
    for (const now of [
      { ...before, nodes: [...before.nodes, node('new')] },
      { ...before, edges: [] },
      { ...before, edges: [edge('a', 'b', { label: 'asks' })] },
      withNode('a', { size: { width: 400, height: 72 } }),
      withNode('a', { locked: true }),
    ])
      expect(rebaseLayout(request(), operation, now)).toBeNull();
  });
});
