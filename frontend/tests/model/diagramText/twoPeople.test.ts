/**
 * Two people at one diagram, at random: one writes lines, the other one draws. After each edit text, diagram and a naive model
 * agree; ids and places stay.
 */
import { expect, it } from 'vitest';
import { DiagramView } from '../../../src/model/core/diagramView';
import { predict } from '../../../src/model/core/predict';
import { WorkspaceState } from '../../../src/model/core/workspace';
import { isNodeKey } from '../../../src/model/diagramText/projection';
import { TextSession } from '../../../src/model/diagramText/session';
import { indentOf, readLine } from '../../../src/model/diagramText/syntax';
import { FreeIds } from '../../../src/model/gestures/ids';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { Operation } from '../../../src/protocol/live';
import { type Random, seeds } from '../../sync/random';
import { Naive, type NaiveEdge, type NaiveNode, seenIn } from './naive';

const SEEDS = 10;
const EDITS = 500;
const MOST_NODES = 30;

const TYPES = ['service', 'database', 'queue', 'load_balancer', 'other', 'cache'];
const KINDS = ['sync', 'async', 'data', 'dependency'];
const DIRECTIONS = ['forward', 'both', 'none'];
const ODD = [
  'a -> b',
  'Cache (Redis)',
  'x: y',
  '#1 shop',
  '"Quoted"',
  'Größe [neu]',
  'tail (x',
  'w ..',
  'back\\slash',
];
/** By kind and direction, written out once more. */
const ARROWS: Readonly<Record<string, string>> = {
  'sync forward': '->',
  'sync both': '<->',
  'sync none': '--',
  'async forward': '~>',
  'async both': '<~>',
  'async none': '~~',
  'data forward': '=>',
  'data both': '<=>',
  'data none': '==',
  'dependency forward': '..>',
  'dependency both': '<..>',
  'dependency none': '..',
};
const quoted = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** What one of the two may leave alone while the other one is in the middle of a line. */
interface Meanwhile {
  untouched: ReadonlySet<string>;
}

class World {
  readonly workspace = new WorkspaceState();
  readonly naive = new Naive();
  readonly session = new TextSession(typeOfName);
  private readonly view = new DiagramView();
  private readonly ids = new FreeIds([], () => String(this.next()));
  private count = 0;
  /** What was done last, for the message of a failure. */
  last = '';

  constructor(readonly random: Random) {}

  next(): number {
    this.count += 1;
    return this.count;
  }

  name(): string {
    const { random } = this;
    if (random.below(6) === 0) return `${random.pick(ODD)} ${this.next()}`;
    return `${random.pick(['Orders', 'Mail queue', 'Users DB', 'redis', 'Web'])} ${this.next()}`;
  }

  /** As the server does it: new nodes get a place. */
  apply(operations: readonly Operation[]): void {
    if (operations.length === 0) return;
    const placed = operations.map((operation) =>
      operation.op === 'add_node' && !operation.position
        ? { ...operation, position: { x: this.random.below(2000), y: this.random.below(2000) } }
        : operation,
    );
    predict(placed as Operation[], this.workspace);
  }

  /** Sends the lines that are open, and shows what came of it. */
  send(): Operation[] {
    const { sent } = this.session.take(undefined, this.ids);
    this.apply(sent.operations);
    this.session.answered(sent, null, this.view.of(this.workspace));
    return sent.operations;
  }

  draw(operations: readonly Operation[]): void {
    this.apply(operations);
    this.session.show(this.view.of(this.workspace));
  }

  // -- lines
  // -------------------------------------------------------------------------------------------------------

  lineOf(key: string): number {
    return this.session.lines.findIndex((line) => line.key === key);
  }

  /** Writes over a line, at once or sign by sign. */
  rewrite(key: string, text: string): void {
    const at = this.lineOf(key);
    if (this.random.below(4) === 0)
      for (let size = 1; size < text.length; size++) this.session.splice(at, 1, [text.slice(0, size)]);
    this.session.splice(at, 1, [text]);
  }

  nodeLine(id: string, fields: Partial<NaiveNode> = {}): string {
    const node = { ...(this.naive.nodes.get(id) as NaiveNode), ...fields };
    const parts = [quoted(node.label), `(${node.type})`];
    if (node.technology) parts.push(`[${node.technology}]`);
    return '  '.repeat(this.naive.depthOf(id)) + parts.join(this.random.pick([' ', '  ']));
  }

  end(id: string): string {
    const { label } = this.naive.nodes.get(id) as NaiveNode;
    return this.naive.isAlone(label) && this.random.below(3) > 0 ? quoted(label) : `#${id}`;
  }

  edgeLine({ source, target, label, kind, direction }: NaiveEdge): string {
    const arrow = ARROWS[`${kind} ${direction}`];
    return `${this.end(source)} ${arrow} ${this.end(target)}${label ? `: ${label}` : ''}`;
  }

  // -- what is there
  // -----------------------------------------------------------------------------------------------

  node(isWanted: (id: string, node: NaiveNode) => boolean = () => true): string | null {
    const found = [...this.naive.nodes].filter(([id, node]) => isWanted(id, node));
    return found.length > 0 ? (this.random.pick(found)[0] as string) : null;
  }

  group(): string | null {
    return this.random.below(3) === 0 ? null : this.node((_, { type }) => type === 'group');
  }

  edge(): string | null {
    return this.naive.edges.size > 0 ? this.random.pick([...this.naive.edges.keys()]) : null;
  }

  newEdge(): NaiveEdge | null {
    const [source, target] = [this.node(), this.node()];
    if (source === null || target === null || source === target) return null;
    const edge = this.edgeFields();
    return this.naive.isConnected({ ...edge, source, target }) ? null : { ...edge, source, target };
  }

  edgeFields(): Pick<NaiveEdge, 'label' | 'kind' | 'direction'> {
    const { random } = this;
    return {
      label: random.pick(['', 'reads', 'a: b -> c', `flows ${this.next()}`]),
      kind: random.pick(KINDS),
      direction: random.pick(DIRECTIONS),
    };
  }

  /** The id of what was added that the naive model does not know. */
  added(operations: readonly Operation[], op: 'add_node' | 'add_edge'): string {
    const found = operations.filter((one) => one.op === op);
    expect(found, this.last).toHaveLength(1);
    return (found[0] as { id: string }).id;
  }

  noteNode(id: string, node: Omit<NaiveNode, 'x' | 'y' | 'color'>): void {
    const { x, y } = seenIn(this.workspace).nodes.get(id) ?? { x: Number.NaN, y: Number.NaN };
    this.naive.nodes.set(id, { ...node, color: '', x, y });
  }
}

/** Something that a person does; null where there is nothing to do it with. What it returns is done once all is sent. */
type Edit = (world: World) => { untouched: string[]; note: (operations: Operation[]) => void } | null;

const BY_LINES: Record<string, Edit> = {
  rename(world) {
    const id = world.node();
    if (id === null) return null;
    const label = world.name();
    world.rewrite(`node:${id}`, world.nodeLine(id, { label }));
    return { untouched: [id], note: () => Object.assign(world.naive.nodes.get(id) as NaiveNode, { label }) };
  },
  technology(world) {
    const id = world.node();
    if (id === null) return null;
    const technology = world.random.pick(['', 'Go', 'Redis 7', 'C#']);
    world.rewrite(`node:${id}`, world.nodeLine(id, { technology }));
    return {
      untouched: [id],
      note: () => Object.assign(world.naive.nodes.get(id) as NaiveNode, { technology }),
    };
  },
  type(world) {
    const id = world.node((_, { type }) => type !== 'group');
    if (id === null) return null;
    const type = world.random.pick(TYPES);
    world.rewrite(`node:${id}`, world.nodeLine(id, { type }));
    return { untouched: [id], note: () => Object.assign(world.naive.nodes.get(id) as NaiveNode, { type }) };
  },
  addNode(world) {
    const parent = world.group();
    const label = world.name();
    const type = world.random.pick([...TYPES, 'group', 'group']);
    const depth = parent === null ? 0 : world.naive.depthOf(parent) + 1;
    const at =
      parent === null
        ? world.random.below(2) * world.session.lines.length
        : world.lineOf(`node:${parent}`) + 1;
    world.session.splice(at, 0, [`${'  '.repeat(depth)}${quoted(label)} (${type})`]);
    return {
      untouched: parent === null ? [] : [parent],
      note: (operations) =>
        world.noteNode(world.added(operations, 'add_node'), { label, type, technology: '', parent }),
    };
  },
  addEdge(world) {
    const edge = world.newEdge();
    if (!edge) return null;
    const at = world.random.below(world.session.lines.length + 1);
    world.session.splice(at, 0, [world.edgeLine(edge)]);
    return {
      untouched: [edge.source, edge.target],
      note: (operations) => world.naive.edges.set(world.added(operations, 'add_edge'), edge),
    };
  },
  addEdgeToNewNode(world) {
    const source = world.node();
    if (source === null) return null;
    const fields = world.edgeFields();
    const label = `Outbox queue ${world.next()}`;
    world.session.splice(world.session.lines.length, 0, [
      `${world.end(source)} ${ARROWS[`${fields.kind} ${fields.direction}`]} ${label}${fields.label && `: ${fields.label}`}`,
    ]);
    return {
      untouched: [source],
      note: (operations) => {
        const target = world.added(operations, 'add_node');
        world.noteNode(target, { label, type: 'queue', technology: '', parent: null });
        world.naive.edges.set(world.added(operations, 'add_edge'), { ...fields, source, target });
      },
    };
  },
  deleteNode(world) {
    const id = world.node();
    if (id === null || world.naive.nodes.size < 8) return null;
    const at = world.lineOf(`node:${id}`);
    world.session.splice(at, 1, world.random.below(2) ? [] : ['']);
    return { untouched: [id], note: () => world.naive.deleteNode(id) };
  },
  deleteEdge(world) {
    const id = world.edge();
    if (id === null) return null;
    world.session.splice(world.lineOf(`edge:${id}`), 1, []);
    return { untouched: [id], note: () => world.naive.edges.delete(id) };
  },
  changeEdge(world) {
    const id = world.edge();
    if (id === null) return null;
    const edge = world.naive.edges.get(id) as NaiveEdge;
    const wanted = { ...edge, ...world.edgeFields() };
    if (world.random.below(2)) wanted.target = world.node() ?? edge.target;
    if (wanted.source === wanted.target || world.naive.isConnected(wanted)) return null;
    world.rewrite(`edge:${id}`, world.edgeLine(wanted));
    return { untouched: [id, wanted.source, wanted.target], note: () => world.naive.edges.set(id, wanted) };
  },
  cutAndPaste(world) {
    const id = world.node();
    const group = world.group();
    if (id === null || (group !== null && world.naive.inside(id).includes(group))) return null;
    const { text } = world.session.lines[world.lineOf(`node:${id}`)] as { text: string };
    world.session.splice(world.lineOf(`node:${id}`), 1, []);
    const at = group === null ? 0 : world.lineOf(`node:${group}`) + 1;
    const depth = group === null ? 0 : world.naive.depthOf(group) + 1;
    world.session.splice(at, 0, ['  '.repeat(depth) + text.trim()]);
    return {
      untouched: [id, ...(group === null ? [] : [group])],
      note: () => Object.assign(world.naive.nodes.get(id) as NaiveNode, { parent: group }),
    };
  },
  swapConnections(world) {
    const { lines } = world.session;
    const found = [...lines.keys()].filter((at) =>
      [lines[at], lines[at + 1]].every((line) => line?.key?.startsWith('edge:')),
    );
    if (found.length === 0) return null;
    const at = world.random.pick(found);
    world.session.splice(at, 2, [lines[at + 1]?.text ?? '', lines[at]?.text ?? '']);
    return { untouched: [], note: () => undefined };
  },
  emptyLines(world) {
    const { lines } = world.session;
    const empty = [...lines.keys()].filter((at) => lines[at]?.text === '' && lines.length > 1);
    if (empty.length > 4) world.session.splice(world.random.pick(empty), 1, []);
    else world.session.splice(world.random.below(lines.length + 1), 0, ['']);
    return { untouched: [], note: () => undefined };
  },
};

type Drawing = (world: World, meanwhile: Meanwhile) => void;

const BY_HAND: Record<string, Drawing> = {
  rename(world, { untouched }) {
    const id = world.node((one) => !untouched.has(one));
    if (id === null) return;
    const label = world.name();
    world.draw([{ op: 'update_node', id, label }]);
    Object.assign(world.naive.nodes.get(id) as NaiveNode, { label });
  },
  colour(world) {
    const id = world.node();
    if (id === null) return;
    const color = world.random.pick(['red', 'teal'] as const);
    world.draw([{ op: 'update_node', id, color }]);
    Object.assign(world.naive.nodes.get(id) as NaiveNode, { color });
  },
  technology(world, { untouched }) {
    const id = world.node((one) => !untouched.has(one));
    if (id === null) return;
    const technology = world.random.pick(['Rust', 'JVM']);
    world.draw([{ op: 'update_node', id, technology }]);
    Object.assign(world.naive.nodes.get(id) as NaiveNode, { technology });
  },
  move(world) {
    const id = world.node();
    if (id === null) return;
    const { x, y } = (world.workspace.nodes.get(id) as { position: { x: number; y: number } }).position;
    const by = { x: world.random.below(99), y: world.random.below(99) };
    world.draw([{ op: 'move_nodes', positions: { [id]: { x: x + by.x, y: y + by.y } } }]);
    for (const inner of world.naive.inside(id)) {
      const node = world.naive.nodes.get(inner) as NaiveNode;
      Object.assign(node, { x: node.x + by.x, y: node.y + by.y });
    }
  },
  addNode(world) {
    if (world.naive.nodes.size > MOST_NODES) return;
    const parent = world.group();
    const [id, label] = [`drawn-${world.next()}`, world.name()];
    const type = world.random.pick([...TYPES, 'group']);
    world.draw([{ op: 'add_node', id, label, type, ...(parent !== null && { parent }) } as Operation]);
    world.noteNode(id, { label, type, technology: '', parent });
  },
  addEdge(world) {
    const edge = world.newEdge();
    if (!edge) return;
    const id = `drawn-${world.next()}`;
    const { label, ...rest } = edge;
    world.draw([{ op: 'add_edge', id, ...rest, ...(label && { label }) } as Operation]);
    world.naive.edges.set(id, edge);
  },
  changeEdge(world, { untouched }) {
    const id = world.edge();
    if (id === null || untouched.has(id)) return;
    const label = `drawn ${world.next()}`;
    world.draw([{ op: 'update_edge', id, label }]);
    Object.assign(world.naive.edges.get(id) as NaiveEdge, { label });
  },
};

/** Only where nobody is in the middle of a line that may need what these take away. */
const ALONE: Record<string, Drawing> = {
  twin(world) {
    const [id, other] = [world.node(), world.node()];
    const label = other === null ? undefined : world.naive.nodes.get(other)?.label;
    if (id === null || id === other || label === undefined) return;
    world.draw([{ op: 'update_node', id, label }]);
    Object.assign(world.naive.nodes.get(id) as NaiveNode, { label });
  },
  regroup(world) {
    const id = world.node();
    const group = world.group();
    if (id === null || (group !== null && world.naive.inside(id).includes(group))) return;
    world.draw([{ op: 'move_to_group', ids: [id], group }]);
    Object.assign(world.naive.nodes.get(id) as NaiveNode, { parent: group });
  },
  deleteNodes(world) {
    const ids = [world.node(), world.node()].filter((id) => id !== null);
    if (world.naive.nodes.size < 12) return;
    world.draw([{ op: 'delete_nodes', ids: [...new Set(ids)] }]);
    for (const id of new Set(ids)) world.naive.deleteNode(id);
  },
  deleteEdge(world) {
    const id = world.edge();
    if (id === null) return;
    world.draw([{ op: 'delete_edge', id }]);
    world.naive.edges.delete(id);
  },
  rewire(world) {
    const [id, target] = [world.edge(), world.node()];
    const edge = id === null ? undefined : world.naive.edges.get(id);
    if (id === null || target === null || !edge || edge.target === target || edge.source === target) return;
    if (world.naive.isConnected({ ...edge, target })) return;
    world.draw([{ op: 'rewire_edge', id, new_target: target }]);
    edge.target = target;
  },
};

/** The groups and nodes that the lines say, read by indentation alone. */
function expectAgreement({ session, naive, workspace, last }: World): void {
  const seen = seenIn(workspace);
  expect(seen.nodes, last).toEqual(naive.nodes);
  expect(seen.edges, last).toEqual(naive.edges);
  expect(session.isEdited, last).toBe(false);
  expect([...session.problems()], last).toEqual([]);
  const above: { id: string; depth: number }[] = [];
  const read = new Set<string>();
  for (const { key, text } of session.lines) {
    if (text.trim() === '') {
      expect(key, last).toBeNull();
      continue;
    }
    const id = key?.slice(5) ?? '';
    const line = readLine(text);
    expect(read.has(key ?? ''), last).toBe(false);
    read.add(key ?? '');
    if (isNodeKey(key)) {
      const node = naive.nodes.get(id) as NaiveNode;
      while ((above.at(-1)?.depth ?? -1) >= indentOf(text)) above.pop();
      expect(above.at(-1)?.id ?? null, `${last}: ${text}`).toBe(node.parent);
      above.push({ id, depth: indentOf(text) });
      expect(line, last).toMatchObject({ form: 'node', label: node.label, technology: node.technology });
    } else {
      const { source, target, ...fields } = naive.edges.get(id) as NaiveEdge;
      expect(line, `${last}: ${text}`).toMatchObject({ form: 'edge', ...fields });
      if (line.form !== 'edge') continue;
      for (const [end, wanted] of [
        [line.source, source],
        [line.target, target],
      ] as const)
        expect('id' in end ? end.id : namesakes(naive, end.name), last).toEqual(
          'id' in end ? wanted : [wanted],
        );
    }
  }
  expect(read.size, last).toBe(naive.nodes.size + naive.edges.size);
}

const namesakes = (naive: Naive, name: string): string[] =>
  [...naive.nodes].filter(([, { label }]) => label.toLowerCase() === name.toLowerCase()).map(([id]) => id);

/** One edit; of lines often with others at work between the first key and the last. */
function play(world: World): void {
  const { random } = world;
  const pick = (table: object) => random.pick(Object.keys(table));
  const draw = (table: Record<string, Drawing>, untouched: ReadonlySet<string>) => {
    const name = pick(table);
    world.last += ` ${name} by hand`;
    table[name]?.(world, { untouched });
  };
  world.last = `seed ${random.seed}:`;
  if (random.below(3) === 0) {
    draw(random.below(2) ? BY_HAND : ALONE, new Set());
    return;
  }
  const isFull = world.naive.nodes.size > MOST_NODES;
  const name = isFull && random.below(3) === 0 ? 'deleteNode' : pick(BY_LINES);
  if (isFull && name.startsWith('add')) return;
  world.last += ` ${name} by lines`;
  const edit = BY_LINES[name]?.(world);
  if (!edit) return;
  if (random.below(2)) draw(BY_HAND, new Set(edit.untouched));
  const operations = world.send();
  world.last += ` ${JSON.stringify(operations)}`;
  edit.note(operations);
}

it('5,000 edits of lines and of the canvas by two people: text and diagram agree after each, ids and places stay', () => {
  let edits = 0;
  for (const random of seeds(SEEDS)) {
    const world = new World(random);
    for (let count = 0; count < EDITS; count++) {
      play(world);
      expectAgreement(world);
      edits += 1;
    }
  }
  if (!process.env.SYNC_SEED) expect(edits).toBeGreaterThanOrEqual(5000);
});
