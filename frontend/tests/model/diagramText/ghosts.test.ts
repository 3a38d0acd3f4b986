/** What a proposal would make of the lines of a diagram. */
import { expect, test } from 'vitest';
import { ghostLines } from '../../../src/model/diagramText/ghosts';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { Step } from '../../../src/protocol/live';
import { edge, node } from '../../builders';

const DIAGRAM = {
  nodes: [node('a', { label: 'A' }), node('b', { label: 'B', position: { x: 9, y: 0 } })],
  edges: [edge('a', 'b')],
};

test('a proposal shows lines that would go, read otherwise, and come behind others', () => {
  const steps = [
    { k: 'edge-', id: 'a--b', b: 1, s: 'a', t: 'b', eb: [1, 1], e: {} },
    { k: 'node=', id: 'b', b: 1, v: { label: ['B', 'Bee'] } },
    { k: 'node+', id: 'c', b: 2, n: { type: 'cache', label: 'C', position: { x: 4, y: 0 } } },
    { k: 'edge+', id: 'c--b', b: 2, s: 'c', t: 'b', eb: [2, 1], e: { label: 'fills' } },
  ] as unknown as Step[];
  const { going, below } = ghostLines(DIAGRAM, steps, typeOfName);
  expect([...going]).toEqual(['edge:a--b']);
  expect([...below]).toEqual([
    ['node:a', ['C (cache)']],
    ['node:b', ['Bee', 'C -> Bee: fills']],
  ]);
  expect([...ghostLines({ nodes: [], edges: [] }, steps.slice(2, 3), typeOfName).below]).toEqual([
    ['', ['C (cache)']],
  ]);
});
