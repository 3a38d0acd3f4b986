/** The built engine (`make setup` builds it) in a world with nothing but the language: no DOM, no workers, no timers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { scoreOf } from '../../src/model/layout/score/judge';
import { type Attempt, type Outline, takeSteps } from '../../src/model/layout/search/steps';
import type { Diagram } from '../../src/protocol/types';
import { edge, node } from '../builders';
import { templates } from '../model/templates';

const BUILT = process.env.EDITOR_DIR ?? path.resolve(import.meta.dirname, '../../dist');

type Answer = Record<string, unknown>;
let ask: (request: object) => Promise<Answer>;
const asked = async <T>(request: object): Promise<T> => (await ask(request)) as T;

beforeAll(() => {
  const world = vm.createContext({});
  vm.runInContext(readFileSync(path.join(BUILT, 'engine/layout.js'), 'utf8'), world);
  ask = async (request) => JSON.parse(await world.draftsmithLayout.run(JSON.stringify(request)));
});

const nodes = [node('g', { type: 'group' }), node('a', { parent: 'g' }), node('b'), node('c')];
const heap: Diagram = { nodes, edges: [edge('a', 'b'), edge('b', 'c')] };

describe('the engine', () => {
  it('lays out: one operation, with the score after it', async () => {
    const { score } = await ask({ task: 'judge', diagram: heap });
    expect(score).toMatchObject({ overlaps: 3, strangersInFrames: 2 });
    const { operation, after, note } = await ask({ task: 'arrange', diagram: heap });
    expect(operation).toMatchObject({ op: 'move_nodes' });
    expect(after).toMatchObject({ overlaps: 0, strangersInFrames: 0, crossings: 0, coincident: 0 });
    expect(note).toBeNull();
  });

  it('takes diagrams that leave out what layouts do not need', async () => {
    const bare = {
      nodes: heap.nodes.map(({ id, type, parent, position }) => ({ id, type, parent, position })),
      edges: heap.edges.map(({ id, source, target }) => ({ id, source, target })),
    };
    const [one, other] = [
      await ask({ task: 'arrange', diagram: bare }),
      await ask({ task: 'arrange', diagram: heap }),
    ];
    expect(one.operation).toMatchObject({ op: 'move_nodes' });
    expect(Object.keys((one.operation as { positions: object }).positions)).toEqual(
      Object.keys((other.operation as { positions: object }).positions),
    );
  });

  it('says in words why there is nothing to change', async () => {
    const locked = { ...heap, nodes: nodes.map((one) => ({ ...one, locked: true })) };
    const answer = await ask({ task: 'arrange', diagram: locked });
    expect(answer).toMatchObject({ operation: null, note: 'Everything is locked. Unlock what may move.' });
  });

  it('answers the same to the same question', async () => {
    const [, sample] = templates().find(([name]) => name === 'sample') as [string, Diagram];
    const request = { task: 'arrange', diagram: sample, room: { width: 1376, height: 710 } };
    expect(await ask(request)).toEqual(await ask(request));
  });

  it.each(['scratch', 'gentle'] as const)('can be asked for each step apart, %s', async (mode) => {
    const given = { diagram: heap, mode };
    const { outline } = await asked<{ outline: Outline }>({ task: 'plan', ...given });
    const tried = await takeSteps(outline, null, {
      attempt: (index) => asked<Attempt>({ task: 'attempt', ...given, index }),
      finish: (attempt) => asked<Attempt>({ task: 'finish', ...given, attempt }),
    });
    expect(await ask({ task: 'choose', ...given, tried })).toEqual(await ask({ task: 'arrange', ...given }));
  });

  it('routes what is new, and leaves the rest', async () => {
    const at = (x: number, y: number) => ({ position: { x, y } });
    const bend = [{ x: 90, y: 300 }];
    const diagram = {
      nodes: [node('a', at(0, 0)), node('new', at(300, 0)), node('b', at(600, 0)), node('c', at(0, 500))],
      edges: [
        edge('a', 'b', { id: 'through' }),
        edge('a', 'new', { id: 'in' }),
        edge('a', 'c', { id: 'far', route: bend }),
      ],
    };
    const routed = {
      ...diagram,
      edges: diagram.edges.map((one) =>
        one.id === 'through' ? { ...one, route: [{ x: 390, y: 36 }] } : one,
      ),
    };
    const answer = await ask({ task: 'route', diagram: routed, edges: ['in'], around: ['new'] });
    const { routes } = (answer as { operation: { routes: Record<string, unknown[]> } }).operation;
    expect(Object.keys(routes).sort()).toEqual(['in', 'through']);
    const after = {
      ...routed,
      edges: routed.edges.map((one) => ({ ...one, route: (routes[one.id] ?? one.route) as never })),
    };
    expect(scoreOf(after)).toMatchObject({ linesThroughNodes: 0, coincident: 0, crossings: 0 });
  });

  it('judges, and lays out plainly', async () => {
    const { score } = await ask({ task: 'judge', diagram: heap, before: heap });
    expect(score).toMatchObject({ overlaps: 3, moved: 0 });
    for (const direction of ['RIGHT', 'DOWN'])
      expect(await ask({ task: 'plain', diagram: heap, direction })).toMatchObject({
        operation: { op: 'move_nodes' },
        score: { overlaps: 0, crossings: 0 },
      });
  });

  it('rejects what it cannot read', async () => {
    await expect(ask({ task: 'plain', diagram: heap, direction: 'UP' })).rejects.toThrow('no direction UP');
  });
});
