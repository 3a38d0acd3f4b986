/** Where groups form a cycle: which of them comes first, and what leads back. */
import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { placeNodes } from '../../../src/model/drawing/boxes';
import { hasSeparateParts, leadingBack, longestChain } from '../../../src/model/layout/elk/flow';
import { layoutGraph } from '../../../src/model/layout/elk/graph';
import type { LayoutGraph } from '../../../src/model/layout/elk/libraryGraph';
import { withLayout } from '../../../src/model/layout/elk/result';
import { wholeScope } from '../../../src/model/layout/scope';
import { arrange, type RunLayout } from '../../../src/model/layout/search/arrange';
import { edge, node } from '../../builders';

const elk = new ELK();
const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;

/** Groups of three nodes each, `a0` to `a2` in `a`, and lines between the nodes named. */
function diagramOf(groups: readonly string[], pairs: readonly string[]) {
  const nodes = groups.flatMap((id) => [
    node(id, { type: 'group' }),
    ...[0, 1, 2].map((at) => node(`${id}${at}`, { parent: id })),
  ]);
  const edges = pairs.map((pair) => edge(...(pair.split(' ') as [string, string])));
  return { nodes, edges };
}

const back = ({ nodes, edges }: ReturnType<typeof diagramOf>) =>
  [...leadingBack(edges, nodes)].map((id) => {
    const found = edges.find((one) => one.id === id);
    return `${found?.source} ${found?.target}`;
  });

/** Channels call the edge, the edge services, services data; two lines lead back. */
const PLATFORM = diagramOf(
  ['services', 'data', 'edge', 'channels'],
  [
    ...['channels0 edge0', 'channels1 edge0', 'channels2 edge1', 'channels2 services0', 'edge2 channels0'],
    ...['edge0 services0', 'edge1 services1', 'edge1 services2', 'edge2 data2'],
    ...['services0 data0', 'services1 data0', 'services1 data1', 'services2 data1', 'services2 data2'],
    ...['data0 services0', 'services0 data1', 'services0 data2'],
  ],
);

describe('what leads back', () => {
  it('is the smaller part of the lines between two groups', () => {
    expect(back(diagramOf(['a', 'b'], ['a0 b0', 'a1 b1', 'b2 a2']))).toEqual(['b2 a2']);
    expect(back(diagramOf(['a', 'b'], ['b0 a0', 'b1 a1', 'a2 b2']))).toEqual(['a2 b2']);
  });

  it('follows an order of all groups, whichever is named first', () => {
    expect(back(PLATFORM).sort()).toEqual(['data0 services0', 'edge2 channels0']);
  });

  it('is nothing without a cycle of groups; cycles of nodes are left to the library', () => {
    expect(back(diagramOf(['a', 'b'], ['a0 b0', 'a1 b1']))).toEqual([]);
    expect(back(diagramOf(['a'], ['a0 a1', 'a1 a2', 'a2 a0']))).toEqual([]);
    const plain = { nodes: [node('x'), node('y')], edges: [edge('x', 'y'), edge('y', 'x')] };
    expect(leadingBack(plain.edges, plain.nodes).size).toBe(0);
  });
});

describe('a layout of groups in a cycle', () => {
  it('has the groups in their order, from left to right or downwards', async () => {
    const request = { diagram: PLATFORM, mode: 'scratch' as const, ids: null, room: null, variants: null };
    const { operation, after } = await arrange(request, { run });
    const { positions = {} } = operation ?? {};
    const order = ['channels', 'edge', 'services', 'data'].map((id) => positions[id] ?? { x: 0, y: 0 });
    const axis = (order[3]?.x ?? 0) > (order[0]?.x ?? 0) + 400 ? 'x' : 'y';
    const places = order.map((place) => place[axis]);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(after).toMatchObject({ overlaps: 0, linesThroughNodes: 0, coincident: 0 });
  });

  it('gives what leads back a route from its source to its target', async () => {
    const scope = wholeScope(PLATFORM);
    if (scope.reason !== undefined) throw new Error(scope.reason);
    const [part] = scope.parts;
    if (!part) throw new Error('There is nothing to lay out.');
    const graph = await run(layoutGraph(PLATFORM, part, { direction: 'RIGHT', shape: 1.6, turns: true }));
    const { nodes, edges } = withLayout(PLATFORM, [{ part, graph }]);
    const boxes = placeNodes(nodes);
    for (const { source, target, route } of edges) {
      const [first, last] = [route?.[0], route?.at(-1)];
      const [from, to] = [boxes.get(source)?.box, boxes.get(target)?.box];
      if (!first || !last || !from || !to) throw new Error('There is no route.');
      expect(first.y).toBeGreaterThanOrEqual(from.y);
      expect(first.y).toBeLessThanOrEqual(from.y + from.height);
      expect(last.y).toBeGreaterThanOrEqual(to.y);
      expect(last.y).toBeLessThanOrEqual(to.y + to.height);
    }
  });
});

describe('a chain of siblings', () => {
  const chainIn = (groups: readonly string[], ...pairs: string[]) => {
    const { nodes, edges } = diagramOf(groups, pairs);
    return longestChain(edges, nodes);
  };

  it('is as long as the lines lead on', () => {
    expect(chainIn(['a'])).toBe(0);
    expect(chainIn(['a'], 'a0 a1')).toBe(2);
    expect(chainIn(['a'], 'a0 a1', 'a1 a2', 'a0 a2')).toBe(3);
  });

  it('is counted between groups by what is in them, and ends where it leads back', () => {
    expect(chainIn(['a', 'b', 'c', 'd'], 'a0 b0', 'b1 c1', 'c2 d0')).toBe(4);
    expect(chainIn(['a', 'b'], 'a0 b0', 'b1 a1', 'a a0')).toBe(2);
  });
});

describe('the parts of a group', () => {
  const isSeparate = (groups: readonly string[], ...pairs: string[]) => {
    const { nodes, edges } = diagramOf(groups, pairs);
    return hasSeparateParts(edges, nodes);
  };

  it('are separate where no lines in it connect them', () => {
    expect(isSeparate(['a'])).toBe(true);
    expect(isSeparate(['a'], 'a0 a1')).toBe(true);
    expect(isSeparate(['a'], 'a0 a1', 'a2 a1')).toBe(false);
  });

  it('are not connected by lines that leave it, and what is in no group does not count', () => {
    expect(isSeparate(['a', 'b'], 'a0 a1', 'a1 a2', 'b0 b1', 'b2 b1')).toBe(false);
    expect(isSeparate(['a', 'b'], 'a0 a1', 'a2 b0', 'b0 b1', 'b2 b1')).toBe(true);
  });
});
