/** What a large text costs, in counted reads of its lines and of what is there: as much more as it is longer. */
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../src/model/diagramText/batch';
import { expected } from '../../../src/model/diagramText/expected';
import { type KeyedText, withLines } from '../../../src/model/diagramText/keys';
import { project } from '../../../src/model/diagramText/projection';
import { EVERYTHING } from '../../../src/model/diagramText/session';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const typeOf = () => null;
const range = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Counts what is read of some objects. */
class Reads {
  count = 0;

  of<T extends object>(all: readonly T[]): T[] {
    const get = (target: T, name: string | symbol) => {
      this.count += 1;
      return Reflect.get(target, name);
    };
    return all.map((one) => new Proxy(one, { get }));
  }
}

/** A group of that many nodes, each connected with the next. */
function diagramOf(count: number, reads: Reads): Diagram {
  const inside = range(count).map((at) => node(`n${at}`, { label: `Old ${at}`, parent: 'g' }));
  const group = node('g', { label: 'Group', type: 'group' });
  const edges = range(count - 1).map((at) => edge(`n${at}`, `n${at + 1}`, { label: 'calls' }));
  return { nodes: reads.of([group, ...inside]), edges: reads.of(edges) };
}

/** What each thing that is pasted, changed or cut below as many others costs. */
function readsOf(count: number, lines: (diagram: Diagram) => readonly string[]): number {
  const reads = new Reads();
  const diagram = diagramOf(count, reads);
  const { texts } = project(diagram, typeOf);
  const printed = [...texts].map(([key, text]) => ({ key, text, isMoved: false }));
  const cut = new Map(range(count).map((at) => [`node:gone${at}`, `Gone ${at}`]));
  const before: KeyedText = { lines: reads.of(printed), lost: cut };
  reads.count = 0;
  const written = withLines(before, 0, printed.length, lines(diagram));
  const text = { lines: reads.of(written.lines), lost: written.lost };
  const { operations, problems } = batchOf(text, texts, diagram, { choice: EVERYTHING, typeOf });
  expect(problems.size).toBe(0);
  expect(operations.length).toBeGreaterThan(0);
  expected(diagram, operations);
  return reads.count;
}

const printed = (diagram: Diagram) => [...project(diagram, typeOf).texts.values()];

const TEXTS: [string, (diagram: Diagram) => readonly string[]][] = [
  [
    'pasted below what is there',
    (diagram) => [
      ...printed(diagram),
      'Another (group)',
      ...diagram.nodes.map((_, at) => `  New ${at}`),
      ...diagram.nodes.map((_, at) => `New ${at} -> Old 0: calls`),
    ],
  ],
  [
    'changed in each line',
    (diagram) => printed(diagram).map((line) => line.replace(/^ {2}Old (\d+)$/, '  Old $1 [Go]')),
  ],
  [
    'reversed in each connection',
    (diagram) =>
      printed(diagram).map((line) => line.replace(/^(Old \d+) -> (Old \d+): calls$/, '$2 => $1: has')),
  ],
  ['cut but for the group', () => ['Group']],
  ['taken out of the group', (diagram) => printed(diagram).map((line) => line.trim())],
];

describe('a long text', () => {
  it.each(TEXTS)('%s: four times the lines cost at most five times the reads', (_, lines) => {
    expect(readsOf(400, lines)).toBeLessThan(5 * readsOf(100, lines));
  });
});
