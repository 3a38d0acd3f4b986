import { describe, expect, it } from 'vitest';
import { drawingOf, isFrame } from '../../../src/model/drawing/drawing';
import { ghostBoxes, ghostDrawing } from '../../../src/model/drawing/ghostDrawing';
import { areNoGhosts, ghostsOf } from '../../../src/model/drawing/ghosts';
import type { EdgeStep, NodeStep, Step } from '../../../src/protocol/live';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const diagram: Diagram = {
  nodes: [
    node('web', { label: 'Web' }),
    node('orders', { label: 'Orders', position: { x: 400, y: 0 } }),
    node('data', {
      type: 'group',
      label: 'Data',
      position: { x: 0, y: 200 },
      size: { width: 300, height: 200 },
    }),
    node('db', { label: 'Store', parent: 'data', position: { x: 40, y: 60 } }),
  ],
  edges: [edge('web', 'orders', { label: 'calls' }), edge('orders', 'db')],
};

const add = (id: string, n: object = {}): NodeStep => ({
  k: 'node+',
  id,
  b: 9,
  n: { type: 'service', label: id, position: { x: 700, y: 0 }, ...n },
});
const remove = (id: string): NodeStep => ({ ...add(id), k: 'node-' });
const set = (id: string, v: Record<string, [unknown, unknown]>): Step => ({ k: 'node=', id, b: 1, v });
const join = (s: string, t: string, e: object = {}): EdgeStep => ({
  k: 'edge+',
  id: `${s}--${t}`,
  b: 9,
  s,
  t,
  eb: [1, 1],
  e: { ...e },
});
const cut = (s: string, t: string): EdgeStep => ({ ...join(s, t), k: 'edge-' });
const setEdge = (id: string, v: Record<string, [unknown, unknown]>): Step => ({ k: 'edge=', id, b: 1, v });
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id);
const entries = (some: ReadonlyMap<string, string>) => Object.fromEntries(some);

const NONE = new Set<string>();
const drawn = (steps: Step[], collapsed: ReadonlySet<string> = NONE) =>
  ghostDrawing(ghostsOf(diagram, steps), drawingOf(diagram), collapsed);

describe('ghosts of a diagram', () => {
  it('adds nodes and edges whose ends may be ghosts themselves', () => {
    const found = ghostsOf(diagram, [add('cache', { technology: 'Redis' }), join('orders', 'cache')]);
    expect(found.nodes).toMatchObject([{ id: 'cache', technology: 'Redis', notes: '', parent: null }]);
    expect(ids(found.edges)).toEqual(['orders--cache']);
    expect([...found.marks.nodes, ...found.marks.edges]).toEqual([]);
  });

  it('marks what would be removed, with the edges that go along', () => {
    const found = ghostsOf(diagram, [cut('web', 'orders'), remove('web')]);
    expect(entries(found.marks.nodes)).toEqual({ web: 'removed' });
    expect(entries(found.marks.edges)).toEqual({ 'web--orders': 'removed' });
    expect(ids(found.all.nodes)).toContain('web');
  });

  it('says what would change in words', () => {
    const { marks, words } = ghostsOf(diagram, [
      set('orders', { label: ['Orders', 'Basket'] }),
      set('db', { technology: [null, 'PostgreSQL 16'], 'properties.tier': [null, 'gold'] }),
      setEdge('web--orders', { label: ['calls', 'asks'], kind: [null, 'async'] }),
    ]);
    expect(entries(marks.nodes)).toEqual({ orders: 'changed', db: 'changed' });
    expect(entries(words)).toEqual({
      orders: 'Orders → Basket',
      db: 'technology: PostgreSQL 16, tier: gold',
      'web--orders': 'calls → asks, Asynchronous message',
    });
  });

  it('says which look a line or a node would get, and draws a new line in it', () => {
    const { words, edges } = ghostsOf(diagram, [
      set('orders', { style: [null, 'muted'] }),
      setEdge('web--orders', { color: [null, 'red'], style: [null, 'bold'] }),
      join('web', 'db', { color: 'teal' }),
    ]);
    expect(entries(words)).toEqual({ orders: 'style: muted', 'web--orders': 'color: red, style: bold' });
    expect(edges).toMatchObject([{ color: 'teal', style: '' }]);
  });

  it('says what would become of an image, without its address', () => {
    const [one, other] = ['a', 'b'].map((letter) => `images/${letter.repeat(64)}.png`) as [string, string];
    const nodes = diagram.nodes.map((node) => (node.id === 'db' ? { ...node, image: other } : node));
    const { words } = ghostsOf({ ...diagram, nodes }, [
      set('orders', { image: [null, one] }),
      set('db', { image: [other, null] }),
    ]);
    expect(entries(words)).toEqual({ orders: 'new image', db: 'no image' });
  });

  it('takes several steps on one thing for their net change', () => {
    const found = ghostsOf(diagram, [
      add('cache'),
      set('cache', { label: ['cache', 'Catalogue cache'] }),
      set('web', { label: ['Web', 'Shop'] }),
      set('web', { label: ['Shop', 'Web'] }),
      add('gone'),
      remove('gone'),
    ]);
    expect(found.nodes).toMatchObject([{ id: 'cache', label: 'Catalogue cache' }]);
    expect([...found.marks.nodes]).toEqual([]);
  });

  it('copies what would stand elsewhere, and not what only comes along', () => {
    const { moved, words } = ghostsOf(diagram, [
      set('data', {
        position: [
          { x: 0, y: 200 },
          { x: 0, y: 400 },
        ],
      }),
      set('web', {
        position: [
          { x: 0, y: 0 },
          { x: 40, y: 60 },
        ],
        parent: [null, 'data'],
      }),
    ]);
    expect(ids(moved)).toEqual(['web', 'data']);
    expect(words.get('web')).toBe('into “Data”');
    expect(words.get('data')).toBe('moved');
  });

  it('copies nothing that changes its group and stays in its place', () => {
    const { moved, marks } = ghostsOf(diagram, [
      set('db', {
        parent: ['data', null],
        position: [
          { x: 40, y: 60 },
          { x: 40, y: 260 },
        ],
      }),
    ]);
    expect(moved).toEqual([]);
    expect(entries(marks.nodes)).toEqual({ db: 'changed' });
  });

  it('passes over what fits no more', () => {
    const found = ghostsOf(diagram, [
      add('web'),
      add('lost', { parent: 'nowhere' }),
      remove('nobody'),
      remove('data'),
      set('nobody', { label: ['a', 'b'] }),
      set('web', { label: ['Web site', 'Shop'] }),
      set('data', { parent: [null, 'data'] }),
      join('web', 'nobody'),
      { ...join('orders', 'db'), id: 'again' },
      setEdge('web--orders', { target: ['orders', 'nobody'] }),
      { k: 'text', c: [3, [0, 'x']], d: [''] },
      { k: 'name', v: ['One', 'Other'] },
      { k: 'what is this' } as unknown as Step,
    ]);
    expect(areNoGhosts(found)).toBe(true);
    expect(found.all).toEqual(diagram);
  });

  it('leaves the diagram as it was', () => {
    const before = structuredClone(diagram);
    ghostsOf(diagram, [add('cache'), set('web', { label: ['Web', 'Shop'] }), cut('web', 'orders')]);
    expect(diagram).toEqual(before);
  });
});

describe('the drawing of ghosts', () => {
  it('places what would be in a group from its top left, and shows how the group would grow', () => {
    const { nodes, grown } = drawn([add('replica', { parent: 'data', position: { x: 40, y: 240 } })]);
    expect(nodes).toMatchObject([
      { box: { x: 40, y: 440, width: 180, height: 72 }, folded: null, isThere: false },
    ]);
    expect(grown).toMatchObject([{ id: 'data', box: { x: 0, y: 200, width: 300, height: 336 } }]);
  });

  it('places ghosts in groups that are ghosts', () => {
    const { nodes } = drawn([
      add('edge', { type: 'group', position: { x: 800, y: 100 }, size: { width: 300, height: 200 } }),
      add('inner', { type: 'group', parent: 'edge', position: { x: 20, y: 50 } }),
      add('cdn', { parent: 'inner', position: { x: 30, y: 60 } }),
    ]);
    expect(nodes.map((drawn) => [drawn.node.id, isFrame(drawn)])).toEqual([
      ['edge', true],
      ['inner', true],
      ['cdn', false],
    ]);
    expect(nodes[2]?.box).toMatchObject({ x: 850, y: 210 });
  });

  it('draws lines from the side of one box to the side of the other', () => {
    const { edges } = drawn([add('cache'), join('orders', 'cache', { label: 'reads' }), join('web', 'db')]);
    expect(edges.map(({ edge: { id } }) => id)).toEqual(['orders--cache', 'web--db']);
    expect(edges[0]?.points[0]).toMatchObject({ x: 580 });
    expect(edges[0]?.points.at(-1)).toMatchObject({ x: 700 });
    expect(edges.every(({ label }) => Number.isFinite(label.x))).toBe(true);
  });

  it('draws an edge anew that would run between other ends', () => {
    const { edges, notes } = drawn([setEdge('web--orders', { target: ['orders', 'db'] })]);
    expect(edges).toMatchObject([{ edge: { source: 'web', target: 'db' }, isThere: true }]);
    expect(notes).toMatchObject([{ id: 'web--orders', of: 'edge', text: 'now Web → Store' }]);
  });

  it('counts at a collapsed group what is in it', () => {
    const folded = new Set(['data']);
    const shown = ghostDrawing(
      ghostsOf(diagram, [
        add('one', { parent: 'data' }),
        add('two', { parent: 'data' }),
        cut('orders', 'db'),
        remove('db'),
      ]),
      { ...drawingOf({ ...diagram, nodes: diagram.nodes.filter(({ id }) => id !== 'db') }) },
      folded,
    );
    expect(shown.nodes).toEqual([]);
    expect(shown.counts).toMatchObject([{ id: 'data', counts: { added: 2, changed: 0, removed: 1 } }]);
  });

  it('knows all there is to bring into sight', () => {
    const boxes = ghostBoxes(drawn([add('cache'), set('web', { label: ['Web', 'Shop'] })]));
    expect(boxes).toHaveLength(2);
    expect(ghostBoxes(drawn([]))).toEqual([]);
  });
});
