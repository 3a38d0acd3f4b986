// @vitest-environment node
import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap, placeNodes } from '../../../src/model/drawing/boxes';
import { flawsOf } from '../../../src/model/drawing/clarity';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { segmentsOf } from '../../../src/model/drawing/polyline';
import { bestLayout } from '../../../src/model/layout/choice';
import {
  LAYOUT_DIRECTIONS,
  type LayoutDirection,
  type LayoutGraph,
  layoutGraph,
} from '../../../src/model/layout/graph';
import type { RunLayout } from '../../../src/model/layout/levels';
import { type LaidOutPart, layoutOperation, scaleIn, withMoves } from '../../../src/model/layout/result';
import {
  type LayoutPart,
  type LayoutScope,
  selectionScope,
  wholeScope,
} from '../../../src/model/layout/scope';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { templates } from '../templates';

const at = (x: number, y: number) => ({ position: { x, y } });
const elk = new ELK();

const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;

async function tidied(diagram: Diagram, scope: LayoutScope, direction: LayoutDirection): Promise<Diagram> {
  if (scope.reason !== undefined) throw new Error(scope.reason);
  const laidOut: LaidOutPart[] = [];
  for (const part of scope.parts)
    laidOut.push({ part, graph: await run(layoutGraph(diagram, part, direction, 'everywhere')) });
  return withMoves(diagram, layoutOperation(diagram, laidOut));
}

describe('the templates', () => {
  it.each(templates())('%s is drawn clearly', (_, diagram) => {
    expect(flawsOf(drawingOf(diagram))).toEqual([]);
  });

  describe.each(LAYOUT_DIRECTIONS)('laid out %s', (direction) => {
    it.each(templates())('%s is drawn clearly', async (_, diagram) => {
      expect(flawsOf(drawingOf(await tidied(diagram, wholeScope(diagram), direction)))).toEqual([]);
    });
  });

  describe.each([
    ['a wide', { width: 1376, height: 710 }],
    ['an upright', { width: 700, height: 710 }],
  ])('laid out for %s room', (_, room) => {
    it.each(templates())('%s is drawn clearly and large enough to read', async (_name, diagram) => {
      const part: LayoutPart = {
        parent: null,
        units: diagram.nodes.filter(({ parent }) => parent === null).map(({ id }) => id),
        staying: [],
      };
      const graph = await bestLayout(diagram, part, { room, run });
      const after = withMoves(diagram, layoutOperation(diagram, [{ part, graph }]));
      expect(flawsOf(drawingOf(after))).toEqual([]);
      expect(scaleIn(graph, room)).toBeGreaterThan(diagram.nodes.length > 20 ? 0.3 : 0.6);
    });
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
    const diagram = await tidied({ nodes, edges }, wholeScope({ nodes, edges }), 'RIGHT');
    const boxes = [...placeNodes(diagram.nodes).values()].map(({ box }) => box);
    expect(Math.min(...boxes.map(({ x }) => x))).toBe(90);
    expect(Math.min(...boxes.map(({ y }) => y))).toBe(60);
    expect(boxes[0]?.width).toBeLessThan(900);
    // What is stored for a group is where it is drawn.
    expect(diagram.nodes[0]?.position).toMatchObject({ x: boxes[0]?.x, y: boxes[0]?.y });
  });

  it('is as it was after the same again', async () => {
    const once = await tidied({ nodes, edges }, wholeScope({ nodes, edges }), 'RIGHT');
    expect(await tidied(once, wholeScope(once), 'RIGHT')).toEqual(once);
  });

  it('has whole pixels and lines without slants', async () => {
    const { nodes: placed, edges: routed } = await tidied(
      { nodes, edges },
      wholeScope({ nodes, edges }),
      'DOWN',
    );
    for (const { position } of placed) expect([position.x, position.y].every(Number.isInteger)).toBe(true);
    for (const { points } of drawingOf({ nodes: placed, edges: routed }).edges)
      for (const { from, to } of segmentsOf(points)) expect(from.x === to.x || from.y === to.y).toBe(true);
    expect(routed.every(({ route }) => route?.length)).toBe(true);
  });

  it('leaves what is locked, and the groups around it, where they are', async () => {
    const locked = nodes.map((one) => (one.id === 'b' ? { ...one, locked: true } : one));
    const others = [...locked, node('d', at(0, 0)), node('e', { parent: 'g', ...at(40, 310) })];
    const diagram = { nodes: others, edges: [...edges, edge('c', 'd')] };
    const after = await tidied(diagram, wholeScope(diagram), 'DOWN');
    const [before, now] = [placeNodes(others), placeNodes(after.nodes)];
    expect(now.get('b')).toEqual(before.get('b'));
    expect(after.nodes[0]?.position).toEqual(nodes[0]?.position);
    const solid = [...now].filter(([id]) => id !== 'g').map(([, { box }]) => box);
    solid.forEach((box, index) => {
      for (const other of solid.slice(index + 1)) expect(boxesOverlap(box, other)).toBe(false);
    });
    const group = now.get('g')?.box as Box;
    for (const id of ['c', 'd']) expect(boxesOverlap(now.get(id)?.box as Box, group)).toBe(false);
  });

  it('of a selection moves nothing else, and keeps the corner of the selection', async () => {
    const diagram = { nodes: [...nodes, node('d', at(10, 700))], edges };
    const scope = selectionScope(diagram, new Set(['c', 'd']));
    const after = await tidied(diagram, scope, 'RIGHT');
    const moved = after.nodes.filter((one, index) => one.position !== diagram.nodes[index]?.position);
    expect(moved.map(({ id }) => id).every((id) => id === 'c' || id === 'd')).toBe(true);
    const chosen = after.nodes.filter(({ id }) => id === 'c' || id === 'd').map(({ position }) => position);
    expect(Math.min(...chosen.map(({ x }) => x))).toBe(10);
    expect(Math.min(...chosen.map(({ y }) => y))).toBe(60);
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

describe('a large diagram', () => {
  it('is laid out the quick way', () => {
    const nodes = Array.from({ length: 300 }, (_, at) => node(`n${at}`));
    const part: LayoutPart = { parent: null, units: nodes.map(({ id }) => id), staying: [] };
    const { layoutOptions } = layoutGraph({ nodes, edges: [] }, part, 'DOWN', 'sideways');
    expect(layoutOptions?.['elk.layered.nodePlacement.strategy']).toBe('BRANDES_KOEPF');
    expect(layoutOptions).not.toHaveProperty(['elk.layered.considerModelOrder.strategy']);
  });
});
