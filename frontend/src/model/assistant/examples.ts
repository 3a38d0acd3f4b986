/**
 * Example requests about the open diagram: sentences that the built-in commands understand, and a model anyway. Pure.
 * Not here: completions while typing, which come from the server.
 */
import type { Diagram, DiagramNode } from '../../protocol/types';

const STORES = new Set(['database', 'storage', 'search']);
const CALLERS = new Set([
  'service',
  'api',
  'gateway',
  'server',
  'worker',
  'function',
  'web',
  'mobile',
  'client',
]);
const PLAIN = /^[\w./+-]+(?: [\w./+-]+)*$/;

export interface Examples {
  edit: string[];
  ask: string[];
  /** For a model alone. */
  investigate: string[];
}

const BEGINNINGS = [
  'add a web app called Shop',
  'add a service called Orders',
  'add a database called Orders database',
];
const STANDING = ['list databases', 'what is unconnected'];

/** A few for each, the most useful first. */
export function examplesOf({ nodes, edges }: Diagram): Examples {
  const solid = nodes.filter(({ type, label }) => type !== 'group' && label.trim() !== '');
  if (solid.length === 0) return { edit: BEGINNINGS, ask: [], investigate: [] };
  const byId = new Map(solid.map((node) => [node.id, node]));
  const ends = edges.flatMap(({ source, target }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    return from && to && from !== to ? [{ from, to }] : [];
  });
  const toStore = ends.find(({ from, to }) => CALLERS.has(from.type) && STORES.has(to.type)) ?? ends[0];
  const between = ends.find(
    ({ from, to }) => from.type === 'service' && to.type === 'service' && to !== toStore?.to,
  );
  const busiest = mostMet(
    solid,
    ends.map(({ to }) => to),
  );
  const queue = solid.find(({ type }) => type === 'queue' || type === 'stream');
  const caller = solid.find(({ type }) => type === 'service') ?? busiest;
  return {
    edit: [
      ...(toStore ? [`put a cache between ${named(toStore.from)} and ${named(toStore.to)}`] : []),
      ...(between ? [`put a queue between ${named(between.from)} and ${named(between.to)}`] : []),
      ...(caller ? [`add a worker called Reports connected to ${named(caller)}`] : []),
    ],
    ask: [
      ...(busiest ? [`what breaks if ${named(busiest)} fails`, `what calls ${named(busiest)}`] : []),
      ...STANDING,
    ].slice(0, 3),
    investigate: [
      ...(queue ? [`what ${named(queue)} carries arrives twice`] : []),
      ...(caller ? [`${named(caller)} is slow at peak times`] : []),
      ...(toStore ? [`${named(toStore.to)} holds old data`] : []),
    ].slice(0, 2),
  };
}

/** A name as a command takes it: in quotes where it could be read as words of the command. */
const named = ({ label }: DiagramNode): string =>
  PLAIN.test(label) && !/\b(and|to|between|from|with|called)\b/i.test(label)
    ? label
    : `"${label.replaceAll('"', '')}"`;

function mostMet(nodes: readonly DiagramNode[], met: readonly DiagramNode[]): DiagramNode | undefined {
  const counts = new Map<DiagramNode, number>();
  for (const node of met) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? nodes[0];
}
