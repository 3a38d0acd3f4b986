/** A diagram edited as text: what lines become, what stays, and what happens beside others. */
import { beforeEach, describe, expect, it } from 'vitest';
import { TextSession } from '../../../src/model/diagramText/session';
import { typeOfName } from '../../../src/model/words/typeOfName';
import type { Operation } from '../../../src/protocol/live';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const at = (x: number) => ({ position: { x, y: 0 } });

const DIAGRAM: Diagram = {
  nodes: [
    node('web', { label: 'Web', type: 'web', ...at(0) }),
    node('core', { label: 'Core', type: 'group', ...at(100) }),
    node('orders', { label: 'Orders', parent: 'core', technology: 'Go', description: 'kept', ...at(0) }),
    node('db', { label: 'Orders DB', type: 'database', parent: 'core', ...at(50) }),
    node('mail', { label: 'Mail', ...at(300) }),
  ],
  edges: [edge('web', 'orders', { label: 'buys' }), edge('orders', 'db')],
};
const TEXT = [
  'Web',
  'Core',
  '  Orders [Go]',
  '  Orders DB',
  'Mail',
  '',
  'Web -> Orders: buys',
  'Orders -> Orders DB',
];

let session: TextSession;

const text = () => session.lines.map((line) => line.text);
const keys = () => session.lines.map((line) => line.key);
const lineOf = (words: string) => text().findIndex((line) => line.includes(words));
const rewrite = (words: string, ...texts: string[]) => session.splice(lineOf(words), 1, texts);
const write = (...texts: string[]) => session.splice(session.lines.length, 0, texts);
const sent = (): Operation[] => session.take().sent.operations;
const onlyProblem = () => [...session.problems().values()];

beforeEach(() => {
  session = new TextSession(typeOfName, DIAGRAM);
});

describe('the text of a diagram', () => {
  it('has nodes with what they hold, then connections', () => {
    expect(text()).toEqual(TEXT);
    expect(session.isEdited).toBe(false);
    expect(sent()).toEqual([]);
  });

  it('is one empty line for an empty diagram', () => {
    expect(new TextSession(typeOfName).lines.map((line) => line.text)).toEqual(['']);
  });
});

describe('a line that is edited', () => {
  it('changes the fields that it says otherwise, and no other', () => {
    rewrite('Orders [Go]', '  Ordering [Rust]');
    expect(sent()).toEqual([{ op: 'update_node', id: 'orders', label: 'Ordering', technology: 'Rust' }]);
    expect(text()).toContain('Ordering -> Orders DB');
  });

  it('clears what it says no longer', () => {
    rewrite('Orders [Go]', '  Orders');
    rewrite('Web -> Orders', 'Web -> Orders');
    expect(sent()).toEqual([
      { op: 'update_node', id: 'orders', technology: null },
      { op: 'update_edge', id: 'web--orders', label: null },
    ]);
  });

  it('keeps the type where it is renamed, and says it then', () => {
    rewrite('Mail', 'Mail queue');
    expect(sent()).toEqual([{ op: 'update_node', id: 'mail', label: 'Mail queue' }]);
    expect(text()).toContain('Mail queue (service)');
    rewrite('Mail queue', 'Mail queue');
    expect(sent()).toEqual([{ op: 'update_node', id: 'mail', type: 'queue' }]);
    expect(text()).toContain('Mail queue');
  });

  it('changes the ends, the kind and the direction of a connection', () => {
    rewrite('Web -> Orders', 'Mail <~> Orders: buys');
    expect(sent()).toEqual([
      { op: 'rewire_edge', id: 'web--orders', new_source: 'mail' },
      { op: 'update_edge', id: 'web--orders', kind: 'async', direction: 'both' },
    ]);
  });

  it('changes first what keeps a connection from being like another one on the way', () => {
    const edges = [edge('web', 'orders', { label: 'buys' }), edge('web', 'mail', { label: 'buys' })];
    session = new TextSession(typeOfName, { ...DIAGRAM, edges });
    rewrite('Web -> Orders', 'Web -> Mail: tells');
    expect(sent().map(({ op }) => op)).toEqual(['update_edge', 'rewire_edge']);
  });

  it('that only spells it otherwise is printed again and sends nothing', () => {
    rewrite('Web -> Orders', 'orders <- "web": buys');
    rewrite('Orders DB', '  Orders DB (Database)');
    session.splice(0, 0, ['', '']);
    expect(sent()).toEqual([]);
    expect(text()).toEqual(['', '', ...TEXT]);
  });

  it('sends what was asked for alone', () => {
    rewrite('Web', 'Shop');
    rewrite('Mail', 'Post');
    const wanted = lineOf('Post');
    const { operations } = session.take({
      isWanted: (line) => line === wanted,
      caret: null,
      isDeleting: true,
    }).sent;
    expect(operations).toEqual([{ op: 'update_node', id: 'mail', label: 'Post' }]);
    expect(session.isOpen(lineOf('Shop'))).toBe(true);
    expect(text()[0]).toBe('Shop');
  });
});

describe('the line of the caret', () => {
  const pause = (caret: number) =>
    session.take({ isWanted: () => true, caret, isDeleting: true }).sent.operations;

  it('is sent after a pause where it changes something', () => {
    rewrite('Mail', 'Mailing  ');
    expect(pause(lineOf('Mailing'))).toEqual([{ op: 'update_node', id: 'mail', label: 'Mailing' }]);
    expect(text()).toContain('Mailing  ');
    expect(session.isEdited).toBe(false);
  });

  it('waits where it would add or delete something, and is left as it is spelled', () => {
    write('New');
    expect(pause(lineOf('New'))).toEqual([]);
    rewrite('New', 'Web --> Or');
    expect(pause(lineOf('--> Or'))).toEqual([]);
    rewrite('--> Or', '');
    rewrite('Web -> Orders', 'Web --> Orders: buys');
    expect(pause(lineOf('--> Orders'))).toEqual([]);
    expect(text()).toContain('Web --> Orders: buys');
    const mail = lineOf('Mail');
    rewrite('Mail', '');
    expect(pause(mail)).toEqual([]);
    expect(keys()[mail]).toBe('node:mail');
    session.splice(mail, 1, ['Post']);
    expect(pause(mail)).toEqual([{ op: 'update_node', id: 'mail', label: 'Post' }]);
  });
});

describe('a new line', () => {
  it('adds a node, of the type that its name says, in the group that it stands under', () => {
    session.splice(4, 0, ['  Audit log topic [Kafka]']);
    const [operation] = sent();
    expect(operation).toMatchObject({
      op: 'add_node',
      type: 'stream',
      label: 'Audit log topic',
      technology: 'Kafka',
      parent: 'core',
    });
    expect(operation).not.toHaveProperty('position');
    expect(text()[4]).toBe('  Audit log topic [Kafka]');
    expect(keys()[4]).toBe(`node:${(operation as { id: string }).id}`);
  });

  it('adds a connection, with the nodes whose names nobody has', () => {
    write('Mail ~> Outbox queue: sends');
    const operations = sent();
    expect(operations).toMatchObject([
      { op: 'add_node', type: 'queue', label: 'Outbox queue' },
      { op: 'add_edge', source: 'mail', label: 'sends', kind: 'async' },
    ]);
    const [added, line] = operations as unknown as [{ id: string }, { id: string; target: string }];
    expect(line.target).toBe(added.id);
    expect(text()).toEqual([
      ...TEXT.slice(0, 5),
      'Outbox queue',
      ...TEXT.slice(5),
      'Mail ~> Outbox queue: sends',
    ]);
    expect(keys()).toContain(`edge:${line.id}`);
  });

  it('adds a whole text in one batch, groups by what stands under them', () => {
    session = new TextSession(typeOfName);
    session.splice(0, 1, [
      'Shop',
      '  Cart [Go]',
      '  Deep',
      '    Cart DB',
      'Shop -> User: serves',
      'Cart -> Cart DB',
    ]);
    const operations = sent();
    const idOf = (label: string) =>
      (operations.find((one) => 'label' in one && one.label === label) as { id: string }).id;
    expect(operations).toMatchObject([
      { op: 'add_node', label: 'Shop', type: 'group' },
      { op: 'add_node', label: 'Cart', parent: idOf('Shop'), technology: 'Go' },
      { op: 'add_node', label: 'Deep', type: 'group', parent: idOf('Shop') },
      { op: 'add_node', label: 'Cart DB', type: 'database', parent: idOf('Deep') },
      { op: 'add_node', label: 'User', type: 'user' },
      { op: 'add_edge', source: idOf('Shop'), target: idOf('User') },
      { op: 'add_edge', source: idOf('Cart'), target: idOf('Cart DB') },
    ]);
    expect(session.isEdited).toBe(false);
  });

  it('under a node makes a group of that, unless its line says a type', () => {
    session.splice(5, 0, ['  Inbox']);
    expect(sent()).toMatchObject([
      { op: 'update_node', id: 'mail', type: 'group' },
      { op: 'add_node', label: 'Inbox', parent: 'mail' },
    ]);
    session = new TextSession(typeOfName, {
      nodes: [node('a', { label: 'A', type: 'database' })],
      edges: [],
    });
    session.splice(1, 0, ['  Inner']);
    expect(sent()).toEqual([]);
  });

  it('with an arrow behind the name of a node is a new connection, and the node stays', () => {
    rewrite('Mail', 'Mail -> Web: tells');
    expect(sent()).toMatchObject([{ op: 'add_edge', source: 'mail', target: 'web', label: 'tells' }]);
    expect(text()).toContain('Mail');
    expect(text()).toContain('Mail -> Web: tells');
  });
});

describe('a line that goes', () => {
  it('deletes its node with its connections; what a group holds goes up', () => {
    session.splice(lineOf('Core'), 1, []);
    session.splice(lineOf('Web'), 1, []);
    expect(sent()).toEqual([{ op: 'delete_nodes', ids: ['web', 'core'] }]);
    expect(text()).toEqual(['Orders [Go]', 'Orders DB', 'Mail', '', 'Orders -> Orders DB']);
  });

  it('deletes its connection, also where nothing is left in it', () => {
    rewrite('Web -> Orders', '');
    expect(sent()).toEqual([{ op: 'delete_edge', id: 'web--orders' }]);
  });

  it('and comes again elsewhere is the same', () => {
    session.splice(lineOf('Mail'), 1, []);
    session.splice(4, 0, ['  Mail']);
    expect(keys()[4]).toBe('node:mail');
    expect(sent()).toEqual([{ op: 'move_to_group', ids: ['mail'], group: 'core' }]);
    expect(text().slice(0, 5)).toEqual(['Web', 'Core', '  Orders [Go]', '  Orders DB', '  Mail']);
  });

  it('with all that stands under it, and comes again, moves only itself', () => {
    const block = text().slice(1, 4);
    session.splice(1, 3, []);
    session.splice(2, 0, block);
    expect(sent()).toEqual([]);
    expect(text().slice(0, 5)).toEqual(['Web', 'Mail', 'Core', '  Orders [Go]', '  Orders DB']);
  });

  it('can wait for where it comes again', () => {
    session.splice(lineOf('Mail'), 1, []);
    expect(session.take({ isWanted: () => true, caret: null, isDeleting: false }).sent.operations).toEqual(
      [],
    );
    session.show({ ...DIAGRAM, nodes: [...DIAGRAM.nodes, node('new', { label: 'New', ...at(900) })] });
    expect(text()).not.toContain('Mail');
    expect(text()).toContain('New');
  });
});

describe('a problem', () => {
  it.each([
    ['Orders (databse)', 'no type'],
    ['Web', 'stands here already'],
    ['Web -> Web', 'connected with itself'],
    ['Web -> Orders: buys', 'connected like that already'],
    ['#nobody -> Web', 'no node #nobody'],
    ['New #web', 'There is a node #web already'],
  ])('is told of “%s”, and nothing of it is sent, but of other lines', (line, problem) => {
    write(line);
    expect(onlyProblem()).toEqual([expect.stringContaining(problem)]);
    rewrite('Mail', 'Post');
    expect(sent()).toEqual([{ op: 'update_node', id: 'mail', label: 'Post' }]);
    expect(text()).toContain(line);
  });

  it('is told where a name is that of several nodes', () => {
    session.splice(1, 0, ['Orders']);
    expect(sent()).toHaveLength(1);
    write('Orders -> Mail');
    expect(onlyProblem()).toEqual([
      expect.stringMatching(/Several nodes are called “Orders”\. Write #\S+ or #\S+\./),
    ]);
    rewrite('Orders -> Mail', '#orders -> Mail');
    expect(sent()).toMatchObject([{ op: 'add_edge', source: 'orders', target: 'mail' }]);
  });

  it('is told where a group would stand in itself, lose what it holds, or where an id is written over', () => {
    session.splice(1, 1, []);
    session.splice(2, 0, ['    Core']);
    expect(sent()).toEqual([]);
    session = new TextSession(typeOfName, DIAGRAM);
    rewrite('Core', 'Core (database)');
    expect(onlyProblem()).toEqual([expect.stringContaining('stays a group')]);
    rewrite('Core (', 'Core #other');
    expect(onlyProblem()).toEqual([expect.stringContaining('id of a node stays')]);
  });

  it('of the server is told where its line stands, which can be written again', () => {
    rewrite('Mail', 'Post');
    write('Later');
    const { sent: batch } = session.take();
    expect(session.isEdited).toBe(false);
    session.answered(batch, 'It is locked.', DIAGRAM);
    expect(text()).toContain('Post');
    expect(text()).toContain('Later');
    expect(onlyProblem()).toEqual(['It is locked.', 'It is locked.']);
    expect(sent()).toEqual([]);
    rewrite('Post', 'Poster');
    expect(sent()).toEqual([{ op: 'update_node', id: 'mail', label: 'Poster' }]);
  });

  it('of the server takes back the nodes that a connection has brought along', () => {
    write('Mail -> Outbox');
    const { sent: batch } = session.take();
    expect(text()).toContain('Outbox');
    session.answered(batch, 'No room.', DIAGRAM);
    expect(text()).toEqual([...TEXT, 'Mail -> Outbox']);
  });
});

describe('beside others', () => {
  const changed = (id: string, fields: object): Diagram => ({
    ...DIAGRAM,
    nodes: DIAGRAM.nodes.map((one) => (one.id === id ? { ...one, ...fields } : one)),
  });

  it('a line that is being edited stays, and sends its own fields alone', () => {
    rewrite('Orders [Go]', '  Ordering [Go]');
    session.show(changed('orders', { technology: 'Rust', parent: null, position: { x: 50, y: 0 } }));
    expect(text()).toContain('Ordering [Go]');
    expect(sent()).toEqual([{ op: 'update_node', id: 'orders', label: 'Ordering' }]);
    expect(text()).toContain('Ordering [Rust]');
  });

  it('what they draw comes as lines, and lines stay where they were put', () => {
    session.splice(0, 0, ['', 'Web -> Mail: tells', '']);
    session.take();
    const nodes = [...DIAGRAM.nodes, node('log', { label: 'Log', parent: 'core', ...at(20) })];
    const edges = [
      ...DIAGRAM.edges,
      edge('web', 'mail', { id: 'web--mail', label: 'tells' }),
      edge('web', 'log'),
    ];
    session.show({ nodes, edges });
    expect(text()).toEqual([
      '',
      'Web -> Mail: tells',
      '',
      'Web',
      'Core',
      '  Orders [Go]',
      '  Log',
      '  Orders DB',
      'Mail',
      '',
      'Web -> Orders: buys',
      'Web -> Log',
      'Orders -> Orders DB',
    ]);
  });

  it('what they delete goes; what is being written over it is a new line', () => {
    rewrite('Orders [Go]', '  Ordering [Go]');
    const without = (...ids: string[]): Diagram => ({
      nodes: DIAGRAM.nodes.filter(({ id }) => !ids.includes(id)),
      edges: [],
    });
    session.show(without('orders', 'mail'));
    expect(text()).toEqual(['Web', 'Core', '  Ordering [Go]', '  Orders DB', '']);
    expect(sent()).toMatchObject([{ op: 'add_node', label: 'Ordering', parent: 'core' }]);
  });

  it('what is on its way is shown until the answer, and then what the server has made of it', () => {
    write('Later');
    const { sent: batch } = session.take();
    session.show(changed('mail', { label: 'Post' }));
    expect(text()).toContain('Later');
    const [operation] = batch.operations as unknown as [{ id: string }];
    const there = changed('mail', { label: 'Post' });
    session.answered(batch, null, {
      ...there,
      nodes: [...there.nodes, node(operation.id, { label: 'Later', ...at(400) })],
    });
    expect(text().filter((line) => line === 'Later')).toHaveLength(1);
    expect(sent()).toEqual([]);
  });
});
