import { describe, expect, it } from 'vitest';
import { DiagramView } from '../../../src/model/core/diagramView';
import { predict } from '../../../src/model/core/predict';
import { WorkspaceState } from '../../../src/model/core/workspace';
import { clipOf, textOf } from '../../../src/model/gestures/clip';
import {
  addBeside,
  addSibling,
  connect,
  connectToNew,
  isRefusal,
  typeAfter,
} from '../../../src/model/gestures/connect';
import { deletionOf, groupsWithContents } from '../../../src/model/gestures/deletion';
import { groupTogether } from '../../../src/model/gestures/group';
import { FreeIds, freeEdgeId, slugOf } from '../../../src/model/gestures/ids';
import { lockChange } from '../../../src/model/gestures/locks';
import {
  boundsOf,
  clipFrom,
  duplicate,
  type Pasted,
  paste,
  withoutImages,
} from '../../../src/model/gestures/paste';
import { freePlace, type Made, placeNode, sizeOf } from '../../../src/model/gestures/place';
import { Scene } from '../../../src/model/gestures/scene';
import { groupsFor, moveTo, ungroup } from '../../../src/model/gestures/ungroup';
import { TYPE_CATEGORIES } from '../../../src/model/words/kinds';
import { searchTypes, wordFound } from '../../../src/model/words/typeSynonyms';
import type { Content, Operation } from '../../../src/protocol/live';
import { type Diagram, NODE_TYPES } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

/** A group `vpc` at (100, 100) with `api` and `db` in it, the locked group `vault` with `key`, and `web` outside. */
const diagram = (): Diagram => ({
  nodes: [
    node('vpc', {
      type: 'group',
      label: 'VPC',
      position: { x: 100, y: 100 },
      size: { width: 600, height: 300 },
    }),
    node('api', { label: 'API', parent: 'vpc', position: { x: 40, y: 60 } }),
    node('db', { label: 'Orders DB', type: 'database', parent: 'vpc', position: { x: 340, y: 60 } }),
    node('vault', { type: 'group', label: 'Vault', position: { x: 100, y: 600 }, locked: true }),
    node('key', { label: 'Key', parent: 'vault', position: { x: 24, y: 40 } }),
    node('web', { label: 'Web app', type: 'web', position: { x: 0, y: -200 } }),
  ],
  edges: [edge('web', 'api'), edge('api', 'db', { label: 'SQL' })],
});

/** The state that the server would predict from, and that of it once operations are applied. */
function applied(given: Diagram, operations: readonly Operation[]): Diagram {
  const content: Content = { name: 'W', eol: 'lf', text: '', nodes: [], edges: [] };
  for (const { id, size, parent, locked, ...fields } of given.nodes)
    content.nodes.push([
      id,
      { birth: 1, ...fields, ...(size && { size }), ...(parent && { parent }), ...(locked && { locked }) },
    ]);
  for (const { id, source, target, label, kind } of given.edges)
    content.edges.push([id, source, target, { birth: 1, label, kind }]);
  const workspace = WorkspaceState.from(content);
  predict(operations, workspace);
  return new DiagramView().of(workspace);
}

const scene = (given = diagram()): Scene => new Scene(given);
const found = (given: Diagram, id: string) => given.nodes.find((one) => one.id === id);

function made<T extends object>(answer: T): Exclude<T, { refusal: string }> {
  if (isRefusal(answer)) throw new Error(answer.refusal);
  return answer as Exclude<T, { refusal: string }>;
}

describe('ids', () => {
  it.each([
    ['Größe (neu)', 'grosse-neu'],
    ['Łódź Ångström', 'lodz-angstrom'],
    ['  --API__v2!  ', 'api-v2'],
    ['注文', ''],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('of %s is %s', (label, id) => expect(slugOf(label)).toBe(id));

  it('are never those of others, nor twice the same', () => {
    const ids = new FreeIds([{ id: 'cache-x' }, { id: 'cache-x-2' }], () => 'x');
    expect([ids.forNode('Cache', 'cache'), ids.forNode('Cache', 'cache')]).toEqual([
      'cache-x-3',
      'cache-x-4',
    ]);
    expect([ids.forNode('注文', 'queue'), ids.forNode('注文', 'queue')]).toEqual(['queue-x', 'queue-x-2']);
    expect(ids.forNode('x'.repeat(100), 'queue')).toHaveLength(64);
    expect(freeEdgeId('a', 'b', (id) => id === 'a--b')).toBe('a--b-2');
  });

  it('are not the same for two people who place the same at the same moment', () => {
    const [one, other] = [
      placeNode(scene(), 'cache', { x: 0, y: 0 }),
      placeNode(scene(), 'cache', { x: 0, y: 0 }),
    ];
    expect(one.id).toMatch(/^cache-[a-z0-9]{4}$/);
    expect(other.id).not.toBe(one.id);
  });
});

describe('the palette', () => {
  it('has every type of the contract once', () => {
    const listed = TYPE_CATEGORIES.flatMap(({ types }) => types);
    expect([...listed].sort()).toEqual([...NODE_TYPES].sort());
    expect(searchTypes('')).toEqual(listed);
  });

  it.each([
    ['redis', 'cache'],
    ['Redis', 'cache'],
    ['postgres', 'database'],
    ['lambda', 'function'],
    ['s3', 'storage'],
    ['keycloak', 'auth'],
    ['login', 'auth'],
    ['nginx', 'gateway'],
    ['cron', 'scheduler'],
    ['elasticsearch', 'search'],
    ['prometheus', 'monitoring'],
    ['stripe', 'external'],
    ['llm', 'ml_model'],
    ['vpc', 'group'],
    ['iphone', 'mobile'],
    ['cloudfront', 'cdn'],
    ['graph database', 'database'],
    ['load', 'load_balancer'],
    ['cache', 'cache'],
    ['queue', 'queue'],
    ['sticky', 'note'],
    ['heading', 'text'],
  ])('finds by "%s" first %s', (query, type) => expect(searchTypes(query)[0]).toBe(type));

  it('finds both kinds of what "kafka" may be, and nothing by nonsense', () => {
    expect(searchTypes('kafka')).toEqual(['queue', 'stream']);
    expect(searchTypes('qwxyz')).toEqual([]);
  });

  it('has the type that fits first among those that match as well', () => {
    expect(searchTypes('kafka', 'stream')).toEqual(['stream', 'queue']);
    expect(searchTypes('redis', 'database')[0]).toBe('cache');
    expect(searchTypes('', 'client')[0]).toBe('client');
    expect([...searchTypes('', 'client')].sort()).toEqual([...NODE_TYPES].sort());
  });

  it('says which word it was found by, unless its name says it', () => {
    expect(wordFound('cache', 'red')).toBe('redis');
    expect(wordFound('cache', 'cach')).toBeNull();
  });
});

describe('placing', () => {
  it('puts the centre there, inside the innermost group', () => {
    const { id, operations } = placeNode(scene(), 'cache', { x: 300, y: 300 });
    const added = found(applied(diagram(), operations), id);
    expect(added).toMatchObject({ id, label: 'Cache', type: 'cache', parent: 'vpc' });
    expect(added?.position).toEqual({ x: 108, y: 164 });
  });

  it('numbers a name that is there already', () => {
    const given = diagram();
    given.nodes.push(node('cache', { label: 'Cache' }));
    expect(placeNode(scene(given), 'cache', { x: 900, y: 0 })).toMatchObject({
      id: expect.stringMatching(/^cache-2-/),
      operations: [{ label: 'Cache 2' }],
    });
  });

  it('gives notes and texts a size of their own', () => {
    for (const type of ['note', 'text']) {
      const { operations } = placeNode(scene(), type, { x: 900, y: 0 });
      expect(operations).toMatchObject([
        { type, size: sizeOf(type), label: type === 'note' ? 'Note' : 'Text' },
      ]);
      expect(sizeOf(type)).not.toEqual(sizeOf('cache'));
    }
  });

  it('puts nothing into locked or closed groups', () => {
    const inVault = { x: 190, y: 640 };
    expect(scene().groupAt(inVault)).toBeNull();
    expect(new Scene(diagram(), new Set(['vpc'])).groupAt({ x: 300, y: 300 })).toBeNull();
  });

  it('finds the nearest free place', () => {
    const size = sizeOf('cache');
    expect(freePlace(scene(), size, { x: 2000, y: 0 })).toEqual({ x: 2000, y: 0 });
    const beside = freePlace(scene(), size, { x: 90, y: -164 });
    const { id, operations } = placeNode(scene(), 'cache', beside);
    const given = applied(diagram(), operations);
    const box = new Scene(given).boxOf(id);
    expect(box && (box.x >= 180 || box.y >= -128 || box.x + 180 <= 0 || box.y + 72 <= -200)).toBe(true);
    expect(Math.hypot(beside.x - 90, beside.y + 164)).toBeLessThan(200);
  });
});

describe('connecting', () => {
  it('draws a line to a note, or from it to a new text, without direction', () => {
    const given = diagram();
    given.nodes.push(node('ask', { type: 'note', label: 'Ask', position: { x: 900, y: 0 } }));
    const about = { op: 'add_edge', kind: 'dependency', direction: 'none' };
    expect(made(connect(scene(given), 'ask', 'web')).operations).toMatchObject([about]);
    const [, line] = connectToNew(scene(), 'web', 'text', { x: 900, y: 0 }).operations;
    expect(line).toMatchObject(about);
    expect(made(connect(scene(), 'web', 'db')).operations[0]).not.toHaveProperty('direction');
  });

  it('refuses loops and exact duplicates in words', () => {
    expect(connect(scene(), 'web', 'web')).toMatchObject({ refusal: expect.stringContaining('itself') });
    expect(connect(scene(), 'web', 'api')).toMatchObject({
      refusal: '“Web app” is already connected to “API”',
    });
  });

  it('adds a second line beside one with a label, under an id of its own', () => {
    const { id, operations } = made(connect(scene(), 'api', 'db'));
    expect(id).toBe('api--db-2');
    expect(applied(diagram(), operations).edges).toHaveLength(3);
  });

  it('adds node and line as one batch', () => {
    const { id, operations } = connectToNew(scene(), 'web', 'queue', { x: 300, y: 320 });
    expect(operations.map(({ op }) => op)).toEqual(['add_node', 'add_edge']);
    expect(applied(diagram(), operations).edges.at(-1)).toMatchObject({ source: 'web', target: id });
  });

  it.each(['left', 'right', 'above', 'below'] as const)('adds beside a node, %s, over nothing', (side) => {
    const { id, operations } = made(addBeside(scene(), 'web', side)) as Made;
    const now = new Scene(applied(diagram(), operations));
    const [web, added] = [now.boxOf('web'), now.boxOf(id)];
    if (!web || !added) throw new Error('not placed');
    const way = { x: Math.sign(added.x - web.x), y: Math.sign(added.y - web.y) };
    const wanted = { left: { x: -1 }, right: { x: 1 }, above: { y: -1 }, below: { y: 1 } }[side];
    expect(way).toMatchObject(wanted);
  });

  it.each([
    ['user', 'client'],
    ['client', 'gateway'],
    ['web', 'gateway'],
    ['mobile', 'gateway'],
    ['gateway', 'service'],
    ['load_balancer', 'service'],
    ['api', 'service'],
    ['service', 'database'],
    ['worker', 'database'],
    ['queue', 'worker'],
    ['stream', 'worker'],
    ['external', 'external'],
  ] as const)('takes it that a %s leads to a %s', (type, fitting) => expect(typeAfter(type)).toBe(fitting));

  it('offers a type that is one, and none that holds others, after each type', () => {
    for (const type of NODE_TYPES) {
      expect(NODE_TYPES, type).toContain(typeAfter(type));
      expect(typeAfter(type)).not.toBe('group');
    }
  });

  it('adds another node that is connected as one is, beside it, in its group', () => {
    const { id, operations } = made(addSibling(scene(), 'db')) as Made;
    const now = applied(diagram(), operations);
    expect(found(now, id)).toMatchObject({ type: 'database', parent: 'vpc' });
    expect(now.edges.at(-1)).toMatchObject({ source: 'api', target: id });
    // What lies beside its source gets the next one below itself, in a column.
    const [db, added] = [new Scene(now).boxOf('db'), new Scene(now).boxOf(id)];
    expect(added).toMatchObject({ x: db?.x });
    expect(added?.y).toBeGreaterThan(db?.y as number);
    const below = new Scene(applied(diagram(), (made(addSibling(scene(), 'api')) as Made).operations));
    expect(below.diagram.nodes.at(-1)).toMatchObject({ type: 'service' });
    // Nothing is connected to that one.
    const alone = (made(addSibling(scene(), 'web')) as Made).operations;
    expect(alone).toEqual([expect.objectContaining({ op: 'add_node', type: 'web' })]);
  });
});

describe('the clipboard', () => {
  it('holds what is selected with all inside and the lines between, as text', () => {
    const clip = clipOf(scene(), ['vpc', 'db']);
    expect(clip?.nodes.map(({ id }) => id)).toEqual(['vpc', 'api', 'db']);
    expect(clip?.edges.map(({ id }) => id)).toEqual(['api--db']);
    const workspace = '01kf0000000000000000000000';
    expect(clipFrom(textOf(clip as Diagram, workspace))).toEqual({ ...clip, workspace });
    expect(clipOf(scene(), [])).toBeNull();
  });

  it.each([
    '',
    'Hello',
    '{}',
    '[1]',
    'null',
    '{"draftsmith-clip":1,"nodes":[],"edges":[]}',
    '{"draftsmith-clip":1}',
  ])('is not %s', (text) => expect(clipFrom(text)).toBeNull());

  it('reads only what is well-formed', () => {
    const text = JSON.stringify({
      'draftsmith-clip': 1,
      nodes: [
        {
          id: 'a',
          label: ' A ',
          type: 'nonsense',
          position: { x: 1, y: 2 },
          parent: 'b',
          properties: { k: 1 },
        },
        { id: 'b', label: 'B', type: 'group', position: { x: 'no', y: 2 } },
        { id: 'a', label: 'Again', position: { x: 1, y: 2 } },
        7,
      ],
      edges: [{ source: 'a', target: 'a' }, { source: 'a', target: 'b' }, null],
    });
    const clip = clipFrom(text);
    expect(clip?.nodes).toEqual([
      node('a', { label: 'A', type: 'other', position: { x: 1, y: 2 }, properties: { k: '' } }),
    ]);
    expect(clip?.edges).toEqual([]);
    expect(clip?.workspace).toBe('');
  });

  it('leaves out images that are said to be missing, and keeps all else', () => {
    const nodes = [node('a', { image: 'images/1.png' }), node('b', { image: 'images/2.png' }), node('c')];
    const { nodes: left } = withoutImages({ nodes, edges: [] }, new Set(['images/2.png']));
    expect(left).toEqual([nodes[0], { ...nodes[1], image: '' }, nodes[2]]);
  });

  it('is put in under new ids, moved, and into the group there', () => {
    const clip = clipOf(scene(), ['api', 'db']) as Diagram;
    expect(boundsOf(clip)).toEqual({ x: 140, y: 160, width: 480, height: 72 });
    const put = made(paste(scene(), clip, { x: 10, y: 20 }, () => 'vpc')) as Pasted;
    const now = applied(diagram(), put.operations);
    const [api = '', db] = put.ids;
    expect(put.ids).toEqual([expect.stringMatching(/^api-/), expect.stringMatching(/^orders-db-/)]);
    expect(found(now, api)).toMatchObject({ parent: 'vpc', position: { x: 50, y: 80 } });
    expect(now.edges.at(-1)).toMatchObject({ source: api, target: db, label: 'SQL' });
  });

  it('duplicates a group with its contents beside it', () => {
    const put = made(duplicate(scene(), ['vpc'], { x: 32, y: 32 }) ?? {}) as Pasted;
    const now = applied(diagram(), put.operations);
    const [copy = '', ...more] = put.ids;
    expect(more).toEqual([]);
    expect(found(now, copy)?.position).toEqual({ x: 132, y: 132 });
    expect(now.nodes.filter(({ parent }) => parent === copy)).toHaveLength(2);
    expect(now.edges).toHaveLength(3);
  });

  it('is refused where it is too much for one batch', () => {
    const nodes = Array.from({ length: 501 }, (_, at) => node(`n${at}`));
    expect(isRefusal(paste(scene(), { nodes, edges: [] }, { x: 0, y: 0 }, () => null))).toBe(true);
  });
});

describe('deleting', () => {
  it('asks about what stands in a group and is not selected itself', () => {
    expect(groupsWithContents(scene(), ['vpc'])?.contents.map(({ id }) => id)).toEqual(['api', 'db']);
    expect(groupsWithContents(scene(), ['vpc', 'api', 'db'])).toBeNull();
    expect(groupsWithContents(scene(), ['web'])).toBeNull();
  });

  it('takes contents along, or leaves them where they are', () => {
    const all = applied(diagram(), made(deletionOf(scene(), ['vpc'], [], 'delete')));
    expect(all.nodes.map(({ id }) => id)).toEqual(['vault', 'key', 'web']);
    const some = applied(diagram(), made(deletionOf(scene(), ['vpc'], [], 'up')));
    expect(found(some, 'api')).toMatchObject({ parent: null, position: { x: 140, y: 160 } });
  });

  it('takes lines along that are selected besides, each once', () => {
    const operations = made(deletionOf(scene(), ['web'], ['web--api', 'api--db'], 'up'));
    expect(operations.map(({ op }) => op)).toEqual(['delete_edge', 'delete_nodes']);
    expect(applied(diagram(), operations).edges).toEqual([]);
  });

  it('names what is locked', () => {
    expect(deletionOf(scene(), ['key'], [], 'up')).toEqual({
      refusal: 'Nothing was deleted: “Vault” is locked',
      advice: 'Unlock it first.',
    });
  });
});

describe('groups', () => {
  it('are made around what stands side by side', () => {
    const { id, operations } = made(groupTogether(scene(), ['api', 'db'])) as Made;
    const now = applied(diagram(), operations);
    expect(found(now, 'api')?.parent).toBe(id);
    expect(found(now, id)?.parent).toBe('vpc');
    expect(new Scene(now).boxOf('api')).toEqual(scene().boxOf('api'));
  });

  it('are not made of what stands in different ones', () => {
    expect(groupTogether(scene(), ['api', 'web'])).toMatchObject({
      refusal: expect.stringContaining('different groups'),
    });
  });

  it('are dissolved, leaving everything where it is', () => {
    const { ids, operations } = made(ungroup(scene(), ['vpc'])) as Pasted;
    const now = applied(diagram(), operations);
    expect(ids).toEqual(['api', 'db']);
    expect(new Scene(now).boxOf('db')).toEqual(scene().boxOf('db'));
  });

  it('are moved into and out of', () => {
    const now = applied(diagram(), made(moveTo(scene(), ['web'], 'vpc')) as Operation[]);
    expect(found(now, 'web')).toMatchObject({ parent: 'vpc', position: { x: 24, y: -28 } });
    expect(made(moveTo(scene(), ['web'], null))).toEqual([]);
    expect(isRefusal(moveTo(scene(), ['web'], 'vault'))).toBe(true);
    expect(groupsFor(scene(), ['vpc']).map(({ id }) => id)).toEqual([]);
    expect(groupsFor(scene(), ['web']).map(({ id }) => id)).toEqual(['vpc']);
  });
});

describe('locks', () => {
  it('close where anything is open, else open, and hold within', () => {
    expect(made(lockChange(scene(), ['vault', 'web']))).toEqual([
      { op: 'update_node', id: 'web', locked: true },
    ]);
    expect(made(lockChange(scene(), ['vault']))).toEqual([{ op: 'update_node', id: 'vault', locked: false }]);
    expect(isRefusal(lockChange(scene(), ['key']))).toBe(true);
  });
});
