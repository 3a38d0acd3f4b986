import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap, placeNodes } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { segmentsOf } from '../../../src/model/drawing/polyline';
import { keepsPicture } from '../../../src/model/layout/adjust/gentle';
import { layoutGraph } from '../../../src/model/layout/elk/graph';
import type { LayoutGraph } from '../../../src/model/layout/elk/libraryGraph';
import { withLayout } from '../../../src/model/layout/elk/result';
import { LEVELS_UP_TO, variantsOf } from '../../../src/model/layout/elk/variants';
import { withMoves } from '../../../src/model/layout/moves';
import { type LayoutScope, selectionScope, wholeScope } from '../../../src/model/layout/scope';
import { type Score, scoreOf } from '../../../src/model/layout/score/judge';
import { worseOn } from '../../../src/model/layout/score/scores';
import {
  type ArrangeRequest,
  arrange,
  NOTHING_BETTER,
  type RunLayout,
} from '../../../src/model/layout/search/arrange';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { templates } from '../templates';
import { nestedDiagram } from './nestedDiagram';

const at = (x: number, y: number) => ({ position: { x, y } });
const elk = new ELK();
const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;
const room = { width: 1376, height: 710 };

async function tidied(diagram: Diagram, given: Partial<ArrangeRequest> = {}): Promise<Diagram> {
  const request = { diagram, mode: 'scratch' as const, ids: null, room, variants: null, ...given };
  const { operation, after } = await arrange(request, { run });
  const result = withMoves(diagram, operation);
  if (operation) expect(scoreOf(result, diagram)).toEqual(after);
  return result;
}

/** Crossings of the library's own two layouts, the better one. */
async function plainCrossings(diagram: Diagram): Promise<number> {
  const scope = wholeScope(diagram);
  if (scope.reason !== undefined) throw new Error(scope.reason);
  const [part] = scope.parts;
  if (!part) throw new Error('There is nothing to lay out.');
  const counts: number[] = [];
  for (const variant of variantsOf(room)) {
    const graph = await run(layoutGraph(diagram, part, variant));
    counts.push(scoreOf(withLayout(diagram, [{ part, graph }])).crossings);
  }
  return Math.min(...counts);
}

const FLAWLESS: Partial<Score> = {
  overlaps: 0,
  strangersInFrames: 0,
  framesOverFrames: 0,
  linesThroughNodes: 0,
  coincident: 0,
};

const CLEAR: Partial<Score> = { ...FLAWLESS, labelsHidden: 0, labelsOnLabels: 0 };

async function expectGood(diagram: Diagram): Promise<Score> {
  const score = scoreOf(await tidied(diagram));
  expect(score).toMatchObject(FLAWLESS);
  expect(score.crossings).toBeLessThanOrEqual(await plainCrossings(diagram));
  return score;
}

describe('the templates', () => {
  it.each(templates())('%s is drawn clearly', (_, diagram) => {
    expect(scoreOf(diagram)).toMatchObject(CLEAR);
  });

  it.each(templates())(
    '%s laid out anew is drawn clearly, crossed no more than by the library',
    async (_, diagram) => {
      expect(await expectGood(diagram)).toMatchObject(CLEAR);
    },
  );

  it.each(templates())('%s is never made worse gently', async (_, diagram) => {
    expect(worseOn(scoreOf(await tidied(diagram, { mode: 'gentle' })), scoreOf(diagram))).toEqual([]);
  });
});

describe('nested diagrams made by chance', () => {
  // Two sizes that are laid out in different ways: what is tried by levels and wrapped, and what is too large for that.
  const SIZES = process.env.LAYOUT_SIZES?.split(',').map(Number) ?? [30, 120];
  const SEEDS = SIZES.flatMap((size) => [1, 2, 3].map((seed) => [size, seed] as const));
  const GENTLE = SEEDS.filter(([size]) => size <= LEVELS_UP_TO / 2);

  it.each(SEEDS)('of %i nodes, seed %i, are laid out without flaws', async (size, seed) => {
    await expectGood(nestedDiagram(size, seed));
  });

  it.each(GENTLE)('of %i nodes, seed %i, are never made worse gently', async (size, seed) => {
    const scattered = nestedDiagram(size, seed, true);
    const before = scoreOf(scattered);
    const after = scoreOf(await tidied(scattered, { mode: 'gentle' }));
    expect(worseOn(after, before)).toEqual([]);
  });
});

describe('laid out once more', () => {
  // Its longest line runs above all nodes, so the drawing begins higher than its nodes do.
  const arched: Diagram = {
    nodes: ['a', 'b', 'c'].map((id) => node(id)),
    edges: [edge('a', 'b'), edge('a', 'b', { id: 'second', label: 'reads' }), edge('b', 'c'), edge('a', 'c')],
  };
  const some: [string, Diagram][] = [
    ['with a line above it', arched],
    ['of 12 nodes', nestedDiagram(12, 11, true)],
    ['of 30 nodes', nestedDiagram(30, 1, true)],
  ];

  it.each([...templates(), ...some])('%s stays as it is', async (_, diagram) => {
    const once = await tidied(diagram);
    expect(await tidied(once)).toBe(once);
  });
});

describe('nodes without edges', () => {
  it('are packed in about the shape of the room', async () => {
    const nodes = Array.from({ length: 1000 }, (_, index) => node(`n${index}`));
    const { shape, overlaps } = scoreOf(await tidied({ nodes, edges: [] }));
    expect(overlaps).toBe(0);
    expect(shape).toBeGreaterThan(1);
    expect(shape).toBeLessThan(3);
  });

  it('are packed also within a group, beside those with edges', async () => {
    const lonely = Array.from({ length: 20 }, (_, index) => node(`n${index}`, { parent: 'g' }));
    const nodes = [node('g', { type: 'group' }), node('a', { parent: 'g' }), node('b'), ...lonely];
    const after = await tidied({ nodes, edges: [edge('a', 'b')] });
    const { shape, ...score } = scoreOf(after);
    expect(score).toMatchObject(FLAWLESS);
    expect(shape).toBeGreaterThan(0.5);
    expect(shape).toBeLessThan(4);
  });
});

describe('a laid out diagram', () => {
  const nodes = [
    node('g', { type: 'group', ...at(400, 100), size: { width: 900, height: 900 } }),
    node('a', { parent: 'g', ...at(500, 40) }),
    node('b', { parent: 'g', ...at(30, 300) }),
    node('c', at(90, 60)),
  ];
  const edges = [edge('c', 'a', { label: 'asks' }), edge('a', 'b', { label: 'tells' })];

  it('keeps its corner, and groups fit what is in them', async () => {
    const diagram = await tidied({ nodes, edges });
    const boxes = [...placeNodes(diagram.nodes).values()].map(({ box }) => box);
    expect(Math.min(...boxes.map(({ x }) => x))).toBe(90);
    expect(Math.min(...boxes.map(({ y }) => y))).toBe(60);
    expect(boxes[0]?.width).toBeLessThan(900);
    // What is stored for a group is where it is drawn.
    expect(diagram.nodes[0]?.position).toMatchObject({ x: boxes[0]?.x, y: boxes[0]?.y });
  });

  it('is as it was after the same again', async () => {
    const once = await tidied({ nodes, edges });
    expect(await tidied(once)).toEqual(once);
  });

  it('has whole pixels, lines without slants and a route for each line', async () => {
    const inner = [...edges, edge('g', 'b')];
    const { nodes: placed, edges: routed } = await tidied({ nodes, edges: inner });
    for (const { position } of placed) expect([position.x, position.y].every(Number.isInteger)).toBe(true);
    for (const { points } of drawingOf({ nodes: placed, edges: routed }).edges)
      for (const { from, to } of segmentsOf(points)) expect(from.x === to.x || from.y === to.y).toBe(true);
    expect(routed.every(({ route }) => route?.length)).toBe(true);
  });

  it('leaves what is locked, and the groups around it, where they are', async () => {
    const locked = nodes.map((one) => (one.id === 'b' ? { ...one, locked: true } : one));
    const others = [...locked, node('d', at(0, 0)), node('e', { parent: 'g', ...at(40, 310) })];
    const diagram = { nodes: others, edges: [...edges, edge('c', 'd')] };
    const after = await tidied(diagram);
    const [before, now] = [placeNodes(others), placeNodes(after.nodes)];
    expect(now.get('b')).toEqual(before.get('b'));
    expect(after.nodes[0]?.position).toEqual(nodes[0]?.position);
    expect(worseOn(scoreOf(after), scoreOf(diagram))).toEqual([]);
    const solid = [...now].filter(([id]) => id !== 'g').map(([, { box }]) => box);
    solid.forEach((box, index) => {
      for (const other of solid.slice(index + 1)) expect(boxesOverlap(box, other)).toBe(false);
    });
    const group = now.get('g')?.box as Box;
    for (const id of ['c', 'd']) expect(boxesOverlap(now.get(id)?.box as Box, group)).toBe(false);
  });

  it('of a selection moves nothing else, and keeps the corner of the selection', async () => {
    const lying = node('d', at(95, 65));
    const diagram = { nodes: [...nodes, lying], edges };
    const after = await tidied(diagram, { ids: ['c', 'd'] });
    const moved = after.nodes.filter(
      ({ position: { x, y } }, index) =>
        x !== diagram.nodes[index]?.position.x || y !== diagram.nodes[index]?.position.y,
    );
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.map(({ id }) => id).every((id) => id === 'c' || id === 'd')).toBe(true);
    expect(scoreOf(after).overlaps).toBe(0);
  });
});

describe('gently', () => {
  it('nodes on others are moved aside, and who was left or above stays so', async () => {
    const nodes = [node('a', at(0, 0)), node('b', at(90, 10)), node('c', at(400, 300))];
    const after = await tidied({ nodes, edges: [edge('a', 'c'), edge('b', 'c')] }, { mode: 'gentle' });
    const places = new Map(after.nodes.map(({ id, position }) => [id, position]));
    expect(scoreOf(after)).toMatchObject(FLAWLESS);
    expect(places.get('a')?.x).toBeLessThanOrEqual(places.get('b')?.x as number);
    expect(places.get('b')?.y).toBeLessThan(places.get('c')?.y as number);
  });

  it('a second time of the same picture changes nothing', async () => {
    // One way takes its crossings away, and leaves bends that only another one mends.
    const places = [
      [4, 3],
      [303, 28],
      [564, 3],
      [804, 18],
      [31, 173],
      [294, 168],
    ] as const;
    const ends = ['14', '04', '02', '51', '13', '25', '10', '35'];
    const diagram = {
      nodes: places.map(([x, y], index) => node(`n${index}`, at(x, y))),
      edges: ends.map(([source, target]) => edge(`n${source}`, `n${target}`)),
    };
    const after = await tidied(diagram, { mode: 'gentle' });
    expect(worseOn(scoreOf(after), scoreOf(diagram))).toEqual([]);
    expect(keepsPicture(diagram, after)).toBe(true);
    const request = { diagram: after, mode: 'gentle' as const, ids: null, room, variants: null };
    expect(await arrange(request, { run })).toMatchObject({ operation: null, note: NOTHING_BETTER });
  });

  it('what cannot be bettered is left, and that is said', async () => {
    const diagram = { nodes: [node('a', at(0, 0)), node('b', at(300, 0))], edges: [edge('a', 'b')] };
    const request = { diagram, mode: 'gentle' as const, ids: null, room, variants: null };
    expect(await arrange(request, { run })).toMatchObject({ operation: null, note: NOTHING_BETTER });
  });
});

describe('what may be laid out', () => {
  const group = [node('g', { type: 'group' }), node('a', { parent: 'g' }), node('b', { parent: 'g' })];
  const reasonOf = (scope: LayoutScope) => scope.reason;

  it('is said in words where it is nothing', () => {
    const locked = group.map((one) => ({ ...one, locked: true }));
    expect(reasonOf(wholeScope({ nodes: [], edges: [] }))).toBe('There is nothing to arrange yet.');
    expect(reasonOf(wholeScope({ nodes: locked, edges: [] }))).toMatch(/^Everything is locked/);
    expect(reasonOf(selectionScope({ nodes: group, edges: [] }, new Set(['a'])))).toMatch(/^Select several/);
    expect(reasonOf(selectionScope({ nodes: locked, edges: [] }, new Set(['a', 'b'])))).toMatch(/is locked/);
  });

  it('is a selected group with all that is in it, once', () => {
    const scope = selectionScope({ nodes: group, edges: [] }, new Set(['g', 'a']));
    expect(scope).toEqual({ parts: [{ parent: null, units: ['g'], staying: [] }], count: 3 });
  });

  it('is found also where groups stand in one another in a circle', () => {
    const nodes = [
      node('x', { type: 'group', parent: 'y' }),
      node('y', { type: 'group', parent: 'x' }),
      node('a'),
    ];
    expect(wholeScope({ nodes, edges: [] })).toMatchObject({ count: 1 });
    expect(selectionScope({ nodes, edges: [] }, new Set(['x', 'a']))).toMatchObject({ count: 3 });
  });
});
