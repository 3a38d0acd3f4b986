/** What is large or hostile: the tests look at what becomes of it, `bench/model.bench.ts` at how long that takes. */
import type { Diagram } from '../src/protocol/types';
import { edge, node } from './builders';

/** Thousands of nodes on a grid and twice as many edges between them. */
export function largestDiagram(): Diagram {
  const nodes = Array.from({ length: 5000 }, (_, i) =>
    node(`n${i}`, { position: { x: (i % 70) * 240, y: Math.floor(i / 70) * 140 } }),
  );
  const edges = Array.from({ length: 10_000 }, (_, i) =>
    edge(`n${i % 5000}`, `n${(i * 7 + 1) % 5000}`, { id: `${i}` }),
  );
  return { nodes, edges };
}

/** A thousand nodes with labels, each connected to the next. */
export function longChain(): Diagram {
  const nodes = Array.from({ length: 1000 }, (_, at) =>
    node(`n${at}`, {
      label: `Service number ${at}`,
      position: { x: (at % 40) * 260, y: Math.floor(at / 40) * 140 },
    }),
  );
  return { nodes, edges: nodes.slice(1).map(({ id }, at) => edge(`n${at}`, id, { label: 'calls' })) };
}

/** Text that looks like many links to nodes and holds none. */
export const ALMOST_LINKS = `#node/ ${'[a'.repeat(3000)}${'](#node/'.repeat(3000)}${'`'.repeat(3001)}`;
