/**
 * What a diagram as text costs in the page's model, as processor time: of 1,000 nodes and 1,500 connections, and of a tenth of
 * that. Not part of the tests. What CodeMirror and React do with the lines is not in it.
 */
import { expect, it } from 'vitest';
import { ghostLines } from '../src/model/diagramText/ghosts';
import { EVERYTHING, TextSession } from '../src/model/diagramText/session';
import { FreeIds } from '../src/model/gestures/ids';
import { typeOfName } from '../src/model/words/typeOfName';
import type { Diagram } from '../src/protocol/types';
import { edge, node } from '../tests/builders';

const SIZES = { large: 1000, small: 100 };
/** A tenth takes a tenth where work grows in proportion. */
const MOST = 20;
const ROUNDS = 31;
const WARM = 60;

/** Groups of ten, names that say types and names that do not, half as many connections more than nodes. */
function diagramOf(count: number): Diagram {
  const nodes = Array.from({ length: count }, (_, at) =>
    node(`n${at}`, {
      label: at % 10 === 0 ? `Area ${at}` : `${['Orders', 'Mail queue', 'paymentservice'][at % 3]} ${at}`,
      type: at % 10 === 0 ? 'group' : 'service',
      technology: at % 4 === 0 ? 'PostgreSQL 17' : '',
      parent: at % 10 === 0 ? null : `n${at - (at % 10)}`,
      position: { x: (at % 40) * 260, y: Math.floor(at / 40) * 140 },
    }),
  );
  const edges = Array.from({ length: count * 1.5 }, (_, at) =>
    edge(`n${at % count}`, `n${(at * 7 + 1) % count}`, { id: `e${at}`, label: `call ${at}` }),
  );
  return { nodes, edges: edges.filter(({ source, target }) => source !== target) };
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** A line that is typed in the middle and left, and what the server answers to it. */
function typed(session: TextSession, diagram: Diagram, round: number): void {
  session.splice(500, 0, [`New service ${round}`]);
  const { sent } = session.take(EVERYTHING, new FreeIds([]));
  expect(sent.operations).toHaveLength(1);
  session.answered(sent, null, diagram);
  session.problems();
}

const CASES: [name: string, (diagram: Diagram) => (round: number) => unknown][] = [
  ['opening', (diagram) => () => new TextSession(typeOfName, diagram)],
  [
    'a line that is typed and left, and its answer',
    (diagram) => {
      const session = new TextSession(typeOfName, diagram);
      return (round) => typed(session, diagram, round);
    },
  ],
  [
    'a node that somebody else renames',
    (diagram) => {
      const session = new TextSession(typeOfName, diagram);
      return (round) =>
        session.show({
          ...diagram,
          nodes: diagram.nodes.map((one) => (one.id === 'n5' ? { ...one, label: `New ${round}` } : one)),
        });
    },
  ],
  ['a proposal beside the lines', (diagram) => () => ghostLines(diagram, [], typeOfName)],
];

it.each(CASES)('%s', (name, prepared) => {
  const times = Object.fromEntries(
    Object.entries(SIZES).map(([size, count]) => {
      const work = prepared(diagramOf(count));
      // Compiled first, for both alike.
      for (let round = -WARM; round < 0; round += 1) work(round);
      return [size, Array.from({ length: ROUNDS }, (_, round) => cpuOf(() => work(round + 1)))];
    }),
  );
  const [large, small] = [median(times.large ?? []), Math.max(median(times.small ?? []), 0.05)];
  console.log(`${name}: ${large.toFixed(1)} / ${small.toFixed(1)} ms, ratio ${(large / small).toFixed(1)}`);
  expect(large / small).toBeLessThan(MOST);
});
