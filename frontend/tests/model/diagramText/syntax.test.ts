/** The grammar of a diagram as text: each form of a line, and that what is printed reads as what it was printed of. */
import { describe, expect, it } from 'vitest';
import { GROUPS, LINES } from '../../../e2e/boutique';
import { project } from '../../../src/model/diagramText/projection';
import {
  folded,
  indentOf,
  oneLine,
  printEdge,
  printNode,
  readLine,
  spansOf,
} from '../../../src/model/diagramText/syntax';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { Diagram, DiagramEdge, DiagramNode } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { type Random, seeds } from '../../sync/random';
import { templates } from '../templates';

const bare = { form: 'node', type: null, technology: '', id: null };
const line = { form: 'edge', label: '', kind: 'sync', direction: 'forward' };

describe('a line of a node', () => {
  it.each([
    ['Orders', { label: 'Orders' }],
    ['  Orders  ', { label: 'Orders' }],
    ['Orders (database)', { label: 'Orders', type: 'database' }],
    ['Orders [Go]', { label: 'Orders', technology: 'Go' }],
    [
      'Orders (load balancer) [nginx 1.25]',
      { label: 'Orders', type: 'load_balancer', technology: 'nginx 1.25' },
    ],
    ['Orders [nginx] (Load_Balancer)', { label: 'Orders', type: 'load_balancer', technology: 'nginx' }],
    ['Orders (ML model)', { label: 'Orders', type: 'ml_model' }],
    ['Orders (Web app)', { label: 'Orders', type: 'web' }],
    ['Orders #orders-x7k2', { label: 'Orders', id: 'orders-x7k2' }],
    ['"Cache (Redis)" (cache) #c', { label: 'Cache (Redis)', type: 'cache', id: 'c' }],
    ['"say \\"hi\\" \\\\"', { label: 'say "hi" \\' }],
    ['Orders [a \\[b\\] \\\\]', { label: 'Orders', technology: 'a [b] \\' }],
    ['redis-cart', { label: 'redis-cart' }],
    ['Orders - old', { label: 'Orders - old' }],
    ['Wait ... what', { label: 'Wait ... what' }],
    ['C# service', { label: 'C# service' }],
    ['Orders: v2', { label: 'Orders: v2' }],
  ])('%s', (text, said) => expect(readLine(text)).toEqual({ ...bare, ...said }));
});

describe('a line of a connection', () => {
  const ends = { source: { name: 'A' }, target: { name: 'B' } };
  it.each([
    ['A -> B', ends],
    ['A->B', ends],
    ['A --> B', ends],
    ['B <- A', ends],
    ['A -> B: place order', { ...ends, label: 'place order' }],
    ['A -> B: see: this -> that', { ...ends, label: 'see: this -> that' }],
    ['A <-> B', { ...ends, direction: 'both' }],
    ['A -- B', { ...ends, direction: 'none' }],
    ['A ~> B', { ...ends, kind: 'async' }],
    ['A <~> B', { ...ends, kind: 'async', direction: 'both' }],
    ['A ~~ B', { ...ends, kind: 'async', direction: 'none' }],
    ['A => B', { ...ends, kind: 'data' }],
    ['A == B', { ...ends, kind: 'data', direction: 'none' }],
    ['A ..> B', { ...ends, kind: 'dependency' }],
    ['A .. B', { ...ends, kind: 'dependency', direction: 'none' }],
    ['"a: -> b" -> "c: \\"d\\"": e', { source: { name: 'a: -> b' }, target: { name: 'c: "d"' }, label: 'e' }],
    ['#a-1 -> #b_2: c', { source: { id: 'a-1' }, target: { id: 'b_2' }, label: 'c' }],
    ['redis-cart -> Orders DB', { source: { name: 'redis-cart' }, target: { name: 'Orders DB' } }],
  ])('%s', (text, said) => expect(readLine(text)).toEqual({ ...line, ...said }));
});

describe('what cannot be read', () => {
  it.each([
    ['Orders (databse)', '“databse” is no type.'],
    ['"Orders', 'The quotation marks are not closed.'],
    ['A -> "B', 'The quotation marks are not closed.'],
    ['"Orders" rest', 'Behind the name stand a type'],
    ['A -> "B" rest', 'after a colon'],
    ['(database)', 'A node needs a name.'],
    ['-> B', 'An arrow stands between the names of two nodes.'],
    ['A ->', 'An arrow stands between the names of two nodes.'],
    ['A -> B -> C', 'A line holds one connection.'],
    ['#A b -> C', 'is no id'],
    ['x'.repeat(121), '120 characters'],
    [`A -> ${'x'.repeat(121)}`, '120 characters'],
    [`A [${'x'.repeat(201)}]`, '200 characters'],
    [`A -> B: ${'x'.repeat(201)}`, '200 characters'],
  ])('%s', (text, problem) => {
    const read = readLine(text);
    expect(read.form).toBe('unread');
    expect((read as { problem: string }).problem).toContain(problem);
  });
});

const PARTS = [
  'Orders',
  'a',
  ' ',
  '  ',
  '->',
  '<-',
  '--',
  '~>',
  '..',
  '=>',
  '#',
  '(',
  ')',
  '[',
  ']',
  '"',
  '\\',
  ':',
];
const MORE = ['(cache)', '[Go]', '#id', 'Größe', '注文', '🦊', '\n', '\t', 'database', '-', '...', '<', '>'];

function words(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(6) }, () => random.pick([...PARTS, ...MORE]));
  return parts.join('').trim() || 'x';
}

/** A forest of groups, with names that grammar and people stumble over. */
function diagramOf(random: Random): Diagram {
  const nodes: DiagramNode[] = [];
  for (let at = 0; at < 12; at++) {
    const groups = nodes.filter(({ type }) => type === 'group').map(({ id }) => id);
    nodes.push(
      node(`n${at}`, {
        label: random.below(4) === 0 && at > 0 ? random.pick(nodes).label : words(random),
        type: random.pick(['group', 'service', 'database', 'load_balancer', 'ml_model', 'other'] as const),
        technology: random.below(2) ? words(random) : '',
        parent: groups.length > 0 && random.below(2) ? random.pick(groups) : null,
        position: { x: random.below(400), y: random.below(400) },
      }),
    );
  }
  const edges = new Map<string, DiagramEdge>();
  for (let at = 0; at < 15; at++) {
    const [source, target] = [random.pick(nodes).id, random.pick(nodes).id];
    if (source === target) continue;
    edges.set(
      `${source} ${target}`,
      edge(source, target, {
        label: random.below(2) ? words(random) : '',
        kind: random.pick(['sync', 'async', 'data', 'dependency'] as const),
        direction: random.pick(['forward', 'both', 'none'] as const),
      }),
    );
  }
  return { nodes, edges: [...edges.values()] };
}

describe('what is printed', () => {
  it('reads as what it was printed of, whatever things are called, and prints the same again', () => {
    for (const random of seeds(300)) {
      const diagram = diagramOf(random);
      const { texts } = project(diagram, typeOfName);
      expect(texts.size, `seed ${random.seed}`).toBe(diagram.nodes.length + diagram.edges.length);
      for (const [key, text] of texts) {
        const read = readLine(text);
        const [, id] = key.split(':');
        const seen = `seed ${random.seed}: ${text}`;
        if (read.form === 'node') {
          const known = diagram.nodes.find((one) => one.id === id) as DiagramNode;
          expect(folded(read.label), seen).toBe(folded(known.label));
          expect(oneLine(read.technology).trim(), seen).toBe(oneLine(known.technology).trim());
          if (read.type !== null) expect(read.type, seen).toBe(known.type);
          if (read.id !== null) expect(read.id, seen).toBe(id);
          expect(printNode(read, indentOf(text) / 2), seen).toBe(text);
        } else if (read.form === 'edge') {
          const { source, target, label, kind, direction } = diagram.edges.find(
            (one) => one.id === id,
          ) as DiagramEdge;
          expect(read, seen).toMatchObject({ kind, direction, label: oneLine(label).trim() });
          for (const [end, wanted] of [
            [read.source, source],
            [read.target, target],
          ] as const) {
            if ('id' in end) expect(end.id, seen).toBe(wanted);
            else
              expect(
                diagram.nodes.filter((one) => folded(one.label) === folded(end.name)).map((one) => one.id),
                seen,
              ).toEqual([wanted]);
          }
          expect(printEdge(read), seen).toBe(text);
        } else expect.fail(`${seen} is ${read.form}`);
      }
    }
  });

  it('leaves a type out where the name says it, and of a group that holds something', () => {
    const { texts } = project(
      {
        nodes: [
          node('a', { label: 'Orders' }),
          node('b', { label: 'Orders DB', type: 'database', position: { x: 1, y: 0 } }),
          node('c', { label: 'Users DB', type: 'service', position: { x: 2, y: 0 } }),
          node('d', { label: 'Platform', type: 'group', position: { x: 3, y: 0 } }),
          node('e', { label: 'redis', type: 'cache', technology: 'Valkey', parent: 'd' }),
          node('f', { label: 'Edge', type: 'group', position: { x: 4, y: 0 } }),
          node('g', { label: 'redis', type: 'cache', parent: 'f' }),
          node('h', { label: 'Empty', type: 'group', position: { x: 5, y: 0 } }),
        ],
        edges: [edge('b', 'e', { label: 'fills', kind: 'async' }), edge('a', 'b', { direction: 'both' })],
      },
      typeOfName,
    );
    expect([...texts.values()]).toEqual([
      'Orders',
      'Orders DB',
      'Users DB (service)',
      'Platform',
      '  redis [Valkey] #e',
      'Edge',
      '  redis #g',
      'Empty (group)',
      'Orders <-> Orders DB',
      'Orders DB ~> #e: fills',
    ]);
  });

  it.each(templates())('has as many lines as the template %s has things', (_name, { nodes, edges }) => {
    const { texts } = project({ nodes, edges }, typeOfName);
    expect(texts.size).toBe(nodes.length + edges.length);
    for (const text of texts.values()) expect(readLine(text).form).not.toBe('unread');
  });

  it('takes at most 40 lines for the Online Boutique', () => {
    const groups = Object.entries(GROUPS);
    const nodes = groups.flatMap(([group, inside]) => [
      node(group.toLowerCase(), { label: group, type: 'group' }),
      ...inside.map(([type, label]) =>
        node(label.toLowerCase(), { label, type, parent: group.toLowerCase() }),
      ),
    ]);
    const edges = LINES.map(([source, target, label]) =>
      edge(source.toLowerCase(), target.toLowerCase(), { label }),
    );
    const lines = [...project({ nodes, edges }, typeOfName).texts.values()];
    // And an empty line between nodes and connections.
    expect(lines.length + 1).toBeLessThanOrEqual(40);
    expect(lines).toContain('  paymentservice');
    expect(lines).toContain('checkoutservice -> paymentservice: charges the card');
  });
});

describe('parts of a line that look otherwise', () => {
  it.each([
    ['  Orders (service) [Go]', ['marks (service) [Go]']],
    ['"Orders (x)" #id', ['marks #id']],
    ['A ~> "b: c": d: e', ['arrow  ~>', 'label : d: e']],
    ['  "A" -> B', ['arrow  ->']],
    ['A (b', []],
    ['', []],
  ])('of “%s”', (text, parts) =>
    expect(spansOf(text).map(({ name, from, to }) => `${name} ${text.slice(from, to)}`)).toEqual(parts),
  );
});
