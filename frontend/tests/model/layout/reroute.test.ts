import { describe, expect, it } from 'vitest';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { segmentsOf } from '../../../src/model/drawing/polyline';
import { spread } from '../../../src/model/layout/adjust/spread';
import { improvedLines } from '../../../src/model/layout/route/improve';
import { rerouted } from '../../../src/model/layout/route/reroute';
import { scoreOf } from '../../../src/model/layout/score/judge';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { nestedDiagram } from './nestedDiagram';

const at = (x: number, y: number) => ({ position: { x, y } });
const routed = (diagram: Diagram): Diagram =>
  rerouted(diagram, new Set(diagram.edges.map(({ id }) => id)), { left: 1e6 });

describe('a searched line', () => {
  it('goes around what is between its ends', () => {
    const nodes = [
      node('a', at(0, 0)),
      node('wall', at(250, -200)),
      node('rock', at(300, 0)),
      node('b', at(600, 0)),
    ];
    const after = routed({ nodes, edges: [edge('a', 'b')] });
    expect(scoreOf(after)).toMatchObject({ linesThroughNodes: 0, crossings: 0 });
    expect(after.edges[0]?.route?.length).toBeGreaterThan(1);
  });

  it('is straight where it can be', () => {
    const after = routed({ nodes: [node('a', at(0, 0)), node('b', at(400, 0))], edges: [edge('a', 'b')] });
    expect(drawingOf(after).edges[0]?.points).toHaveLength(2);
  });

  it('from a group to what is in it starts at the frame and stays inside', () => {
    const nodes = [
      node('g', { type: 'group', size: { width: 600, height: 400 } }),
      node('in', { parent: 'g', ...at(200, 150) }),
    ];
    const [drawn] = drawingOf(routed({ nodes, edges: [edge('g', 'in')] })).edges;
    for (const { x, y } of drawn?.points ?? []) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(600);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(400);
    }
    for (const { from, to } of segmentsOf(drawn?.points ?? []))
      expect(from.x === to.x || from.y === to.y).toBe(true);
  });

  it('does not lie on lines between the same nodes', () => {
    const nodes = [node('a', at(0, 0)), node('b', at(0, 300))];
    const edges = [1, 2, 3, 4].map((number) => edge('a', 'b', { id: `e${number}` }));
    expect(scoreOf(routed({ nodes, edges }))).toMatchObject({ coincident: 0, crossings: 0 });
  });

  it('does not run along the border of a frame', () => {
    const nodes = [
      node('a', at(0, 0)),
      node('g', { type: 'group', position: { x: 300, y: 36 }, size: { width: 300, height: 200 } }),
      node('b', at(800, 0)),
    ];
    const edges = [edge('a', 'b', { route: [{ x: 400, y: 36 }] })];
    expect(scoreOf({ nodes, edges }).coincident).toBe(300);
    expect(scoreOf(routed({ nodes, edges }))).toMatchObject({ coincident: 0, linesThroughTitles: 0 });
  });

  it('costs no more steps than are given', () => {
    const effort = { left: 50 };
    const diagram = nestedDiagram(30, 4, true);
    rerouted(diagram, new Set(diagram.edges.map(({ id }) => id)), effort);
    expect(effort.left).toBeGreaterThanOrEqual(-2 * diagram.edges.length);
  });
});

describe('lines improved one by one', () => {
  it('are worse on no count', () => {
    const start = routed(nestedDiagram(15, 5, true));
    const before = scoreOf(start);
    const after = scoreOf(improvedLines(start, new Set(start.edges.map(({ id }) => id)), { left: 1e6 }));
    for (const count of ['crossings', 'bends', 'coincident', 'linesThroughNodes'] as const)
      expect(after[count]).toBeLessThanOrEqual(before[count]);
  });
});

describe('a spread drawing', () => {
  const nodes = [node('a', at(0, 0)), node('b', at(220, 0)), node('c', at(220, 140))];
  const label = 'publishes order placed';

  it('has room for labels, and everything on the same side', () => {
    const diagram = routed({ nodes, edges: [edge('a', 'b', { label }), edge('a', 'c')] });
    expect(scoreOf(diagram).labelsHidden).toBe(1);
    const after = spread(diagram);
    expect(scoreOf(after)).toMatchObject({ labelsHidden: 0, crossings: 0, coincident: 0, overlaps: 0 });
    expect(after.nodes[1]?.position.x).toBeGreaterThan(220);
    expect(after.nodes[2]?.position.y).toBe(140);
  });

  it('is the same diagram where there is room enough', () => {
    const diagram = routed({ nodes, edges: [edge('a', 'c')] });
    expect(spread(diagram)).toBe(diagram);
  });

  it('leads lines past the titles of groups', () => {
    const group = node('g', {
      type: 'group',
      label: 'A long name of a group',
      size: { width: 400, height: 300 },
    });
    const inside = node('in', { parent: 'g', ...at(30, 150) });
    const above = node('top', at(30, -200));
    const edges = [edge('top', 'in', { route: [{ x: 120, y: -50 }] })];
    const diagram = { nodes: [group, inside, above], edges };
    expect(scoreOf(diagram).linesThroughTitles).toBe(1);
    expect(scoreOf(spread(diagram))).toMatchObject({ linesThroughTitles: 0, bends: 0, overlaps: 0 });
  });
});
