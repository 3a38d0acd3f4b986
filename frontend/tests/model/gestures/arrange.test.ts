/** Aligning, distributing and sizing a selection. */
import { describe, expect, it } from 'vitest';
import {
  type Arrangement,
  arranged,
  inOneSize,
  ofSameColor,
  ofSameKind,
} from '../../../src/model/gestures/arrange';
import { isRefusal } from '../../../src/model/gestures/connect';
import { Scene } from '../../../src/model/gestures/scene';
import type { DiagramNode, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

/** Cards are 180 × 72 where no size is given. */
const card = (id: string, x: number, y: number, more: Partial<DiagramNode> = {}) =>
  node(id, { position: { x, y }, ...more });

const sceneWith = (...nodes: DiagramNode[]) => new Scene({ nodes, edges: [] });
const align = (axis: 'x' | 'y', side: 'start' | 'middle' | 'end'): Arrangement => ({
  kind: 'align',
  axis,
  side,
});

function positions(scene: Scene, ids: string[], how: Arrangement): Record<string, Point> {
  const answer = arranged(scene, ids, how);
  if (isRefusal(answer)) throw new Error(answer.refusal);
  const [operation, ...more] = answer;
  if (operation?.op !== 'move_nodes' || more.length > 0) throw new Error('not one move_nodes');
  return operation.positions as Record<string, Point>;
}

const advice = (answer: object): string => (isRefusal(answer) ? answer.advice : 'not refused');

describe('aligning', () => {
  const scene = sceneWith(
    card('a', 0, 0),
    card('b', 100, 200),
    card('c', 50, 400, { size: { width: 280, height: 72 } }),
  );
  const all = ['a', 'b', 'c'];

  it.each([
    ['left edges', align('x', 'start'), { b: { x: 0, y: 200 }, c: { x: 0, y: 400 } }],
    ['right edges', align('x', 'end'), { a: { x: 150, y: 0 }, b: { x: 150, y: 200 } }],
    ['centres', align('x', 'middle'), { a: { x: 75, y: 0 }, b: { x: 75, y: 200 }, c: { x: 25, y: 400 } }],
  ])('moves what has to, by its %s, and nothing else', (_, how, expected) => {
    expect(positions(scene, all, how)).toEqual(expected);
  });

  it('moves on what would lie on another one', () => {
    const row = sceneWith(card('a', 0, 0), card('b', 300, 10), card('c', 600, 300));
    expect(positions(row, all, align('x', 'start'))).toEqual({ b: { x: 0, y: 96 }, c: { x: 0, y: 300 } });
  });

  it('counts in the diagram what stands in different groups', () => {
    const group = node('zone', {
      type: 'group',
      position: { x: 1000, y: 0 },
      size: { width: 400, height: 300 },
    });
    const mixed = sceneWith(group, card('in', 50, 60, { parent: 'zone' }), card('out', 0, 200));
    expect(positions(mixed, ['in', 'out'], align('x', 'end'))).toEqual({ out: { x: 1050, y: 200 } });
  });

  it('takes a group by its frame, and what it holds along', () => {
    // The frame reaches beyond the stored corner, to hold the card.
    const group = node('zone', {
      type: 'group',
      position: { x: 400, y: 300 },
      size: { width: 400, height: 300 },
    });
    const mixed = sceneWith(group, card('in', -76, 60, { parent: 'zone' }), card('out', 0, 0));
    expect(positions(mixed, ['zone', 'in', 'out'], align('x', 'start'))).toEqual({
      zone: { x: 100, y: 300 },
    });
  });

  it.each<[string, Scene, string[], RegExp]>([
    ['one node', sceneWith(card('a', 0, 0)), ['a'], /at least two/],
    [
      'what is locked',
      sceneWith(card('a', 0, 0), card('b', 9, 90, { locked: true })),
      ['a', 'b'],
      /Unlock it/,
    ],
    ['what is aligned', sceneWith(card('a', 0, 0), card('b', 0, 90)), ['a', 'b'], /already/],
  ])('refuses %s and says what to do', (_, refused, ids, expected) => {
    expect(advice(arranged(refused, ids, align('x', 'start')))).toMatch(expected);
  });
});

describe('equal gaps', () => {
  const how: Arrangement = { kind: 'distribute', axis: 'x' };

  it('keep the first and the last where they are, whatever the order of the selection', () => {
    const scene = sceneWith(card('c', 1000, 0), card('a', 0, 50), card('b', 200, 0));
    expect(positions(scene, ['c', 'a', 'b'], how)).toEqual({ b: { x: 500, y: 0 } });
  });

  it('reach beyond the last where there is no room', () => {
    const scene = sceneWith(card('a', 0, 0), card('b', 100, 0), card('c', 200, 0));
    expect(positions(scene, ['a', 'b', 'c'], how)).toEqual({ b: { x: 204, y: 0 }, c: { x: 408, y: 0 } });
  });

  it('need three', () => {
    expect(advice(arranged(sceneWith(card('a', 0, 0), card('b', 300, 0)), ['a', 'b'], how))).toMatch(/three/);
  });
});

it('a row has equal gaps and one middle, in the order in which its nodes stand', () => {
  const scene = sceneWith(card('a', 0, 0), card('b', 300, 40), card('c', 760, 20));
  const how: Arrangement = { kind: 'line', axis: 'x' };
  expect(positions(scene, ['a', 'b', 'c'], how)).toEqual({
    a: { x: 0, y: 20 },
    b: { x: 380, y: 20 },
  });
});

describe('one size', () => {
  it('is that of the largest, for those that are smaller', () => {
    const scene = sceneWith(card('a', 0, 0), card('b', 300, 0, { size: { width: 200, height: 50 } }));
    expect(inOneSize(scene, ['a', 'b'])).toEqual(
      new Map([
        ['a', { x: 0, y: 0, width: 200, height: 72 }],
        ['b', { x: 300, y: 0, width: 200, height: 72 }],
      ]),
    );
  });

  it('is not made of groups and nodes', () => {
    const group = node('zone', { type: 'group', size: { width: 400, height: 300 } });
    expect(advice(inOneSize(sceneWith(group, card('a', 900, 0)), ['zone', 'a']))).toMatch(/groups alone/);
  });
});

it('all of one kind are the nodes of its type, or the connections of its kind', () => {
  const nodes = [
    card('a', 0, 0, { type: 'database' }),
    card('b', 0, 0, { type: 'database' }),
    card('c', 0, 0),
  ];
  const edges = [
    edge('a', 'b', { id: 'one', kind: 'async' }),
    edge('b', 'c', { id: 'two', kind: 'async' }),
    edge('a', 'c', { id: 'three' }),
  ];
  const scene = new Scene({ nodes, edges });
  expect(ofSameKind(scene, { nodes: new Set(['a']), edges: new Set() })).toEqual({
    nodes: ['a', 'b'],
    edges: [],
  });
  expect(ofSameKind(scene, { nodes: new Set(), edges: new Set(['two']) })).toEqual({
    nodes: [],
    edges: ['one', 'two'],
  });
});

it('selects all of the same colour, lines among them, and nothing where there is none', () => {
  const scene = new Scene({
    nodes: [
      node('a', { color: 'red' }),
      node('b', { type: 'group', color: 'red' }),
      node('c', { color: 'teal' }),
      node('d'),
    ],
    edges: [edge('a', 'c', { color: 'red' }), edge('c', 'd')],
  });
  const red = { nodes: ['a', 'b'], edges: ['a--c'] };
  expect(ofSameColor(scene, { nodes: new Set(['a', 'd']), edges: new Set() })).toEqual(red);
  expect(ofSameColor(scene, { nodes: new Set(), edges: new Set(['a--c']) })).toEqual(red);
  expect(ofSameColor(scene, { nodes: new Set(['d']), edges: new Set(['c--d']) })).toEqual({
    nodes: [],
    edges: [],
  });
});
