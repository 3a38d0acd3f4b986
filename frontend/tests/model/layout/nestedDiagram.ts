/** Diagrams made by chance: nested groups, 1.2 edges a node, most of them short and forward; the same for a seed. */
import type { Diagram, DiagramNode } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const NAMES = [
  'Orders',
  'Payment gateway',
  'Customer API',
  'Stock',
  'Shipping worker',
  'Invoices',
  'Search index',
];
const LABELS = ['', '', '', 'reads', 'publishes order placed', 'REST, JSON', 'nightly export'];

/** @param isScattered places by chance, as drawn in a hurry; else all nodes at one place */
export function nestedDiagram(size: number, seed: number, isScattered = false): Diagram {
  const chance = chanceOf(size * 1000 + seed);
  const below = (most: number): number => Math.floor(chance() * most);
  const groups: DiagramNode[] = [];
  for (let at = 0; at < size / 6; at += 1) {
    const around = groups[below(groups.length + 2)]?.id ?? null;
    groups.push(node(`g${at}`, { type: 'group', label: `${NAMES[below(7)]} zone`, parent: around }));
  }
  const nodes = Array.from({ length: size }, (_, at) =>
    node(`n${at}`, {
      label: NAMES[below(7)] as string,
      parent: groups[Math.floor((at / size) * (groups.length + 1))]?.id ?? null,
    }),
  );
  const all = [
    ...groups.filter(({ id }) => [...groups, ...nodes].some(({ parent }) => parent === id)),
    ...nodes,
  ];
  const edges = new Map(
    Array.from({ length: Math.round(size * 1.2) }, () => {
      const from = below(size);
      const to = (from + 1 + below(chance() < 0.75 ? 6 : size - 1)) % size;
      const made = edge(`n${from}`, `n${to}`, { label: LABELS[below(7)] as string });
      return [made.id, made] as const;
    }).filter(([, { source, target }]) => source !== target),
  );
  const place = () => ({ x: below(size * 40), y: below(size * 30) });
  return {
    nodes: all.map((one) => (isScattered ? { ...one, position: place() } : one)),
    edges: [...edges.values()],
  };
}

/** mulberry32, by Tommy Ettinger (public domain). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
