import { describe, expect, it } from 'vitest';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { routableEdges } from '../../../src/model/layout/moves';
import { rerouted } from '../../../src/model/layout/route/reroute';
import { neatLine, straightened } from '../../../src/model/layout/route/straighten';
import { scoreOf } from '../../../src/model/layout/score/judge';
import { worseOn } from '../../../src/model/layout/score/scores';
import type { Diagram, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { nestedDiagram } from './nestedDiagram';

const p = (x: number, y: number): Point => ({ x, y });
const box = (x: number, y: number) => ({ x, y, width: 180, height: 72 });

describe('a neat line', () => {
  it('has no jog of a few pixels: an end moves, or a piece between two bends', () => {
    const jog = [p(180, 36), p(250, 36), p(250, 42), p(400, 42)];
    expect(neatLine(jog, box(0, 0), box(400, 0))).toEqual([p(180, 42), p(400, 42)]);
    const inner = [p(90, 72), p(90, 200), p(200, 200), p(200, 205), p(400, 205), p(400, 300)];
    expect(neatLine(inner, box(0, 0), box(310, 300))).toHaveLength(4);
    const step = [p(180, 36), p(250, 36), p(250, 50), p(400, 50)];
    expect(neatLine(step, box(0, 0), box(400, 0))).toEqual(step);
  });

  it('does not end at a corner of a node', () => {
    const line = [p(180, 70), p(300, 70), p(300, 300)];
    expect(neatLine(line, box(0, 0), box(210, 300))).toEqual([p(180, 60), p(300, 60), p(300, 300)]);
    const straight = [p(180, 3), p(400, 3)];
    expect(neatLine(straight, box(0, 0), box(400, -20))).toEqual([p(180, 12), p(400, 12)]);
  });

  it('has ends that are long enough for an arrow, and shares what room there is', () => {
    const line = [p(180, 36), p(190, 36), p(190, 300), p(400, 300)];
    expect(neatLine(line, box(0, 0), box(400, 264))[1]).toEqual(p(196, 36));
    const narrow = [p(180, 36), p(184, 36), p(184, 300), p(204, 300)];
    expect(neatLine(narrow, box(0, 0), box(204, 264))[1]).toEqual(p(192, 36));
    const bend = [p(180, 36), p(196, 36), p(196, 300)];
    expect(neatLine([p(180, 36), p(186, 36), p(186, 300)], box(0, 0), box(110, 300))).toEqual(bend);
  });

  it('stays as it is where it is slanted or has nothing to better', () => {
    for (const line of [
      [p(180, 36), p(400, 80)],
      [p(180, 36), p(400, 36)],
    ])
      expect(neatLine(line, box(0, 0), box(400, 0))).toEqual(line);
  });
});

describe('straightening a diagram', () => {
  const at = (x: number, y: number) => ({ position: p(x, y) });
  const all = (diagram: Diagram): Diagram =>
    straightened(diagram, routableEdges(diagram), scoreOf(diagram), undefined);

  it('leaves a line alone where the other place is taken', () => {
    const small = (x: number) => ({ ...at(x, 150), size: { width: 40, height: 40 } });
    const nodes = [node('a', at(0, 0)), node('b', at(400, 0)), node('c', small(210)), node('d', small(330))];
    const jogged = edge('a', 'b', { id: 'jog', route: [p(250, 36), p(250, 42)] });
    const beside = edge('c', 'd', { route: [p(230, 47), p(350, 47)] });
    expect(all({ nodes, edges: [jogged] }).edges[0]?.route).toHaveLength(1);
    expect(all({ nodes, edges: [jogged, beside] }).edges[0]?.route).toHaveLength(2);
  });

  it('leaves lines of locked nodes alone', () => {
    const nodes = [node('a', { ...at(0, 0), locked: true }), node('b', at(400, 0))];
    const diagram = { nodes, edges: [edge('a', 'b', { route: [p(250, 36), p(250, 42)] })] };
    expect(all(diagram)).toBe(diagram);
  });

  it.each([1, 2, 3])('made by chance, seed %i, makes nothing worse, and ends longer', (seed) => {
    const scattered = nestedDiagram(30, seed, true);
    const diagram = rerouted(scattered, new Set(scattered.edges.map(({ id }) => id)), { left: 1e6 });
    const after = all(diagram);
    expect(worseOn(scoreOf(after), scoreOf(diagram))).toEqual([]);
    expect(stubsIn(after)).toBeLessThanOrEqual(stubsIn(diagram));
    expect(after).not.toEqual(diagram);
  });
});

/** Ends that are shorter than an arrow needs. */
const stubsIn = (diagram: Diagram): number =>
  drawingOf(diagram).edges.filter(({ points }) => {
    const [first, second] = points as [Point, Point];
    return points.length > 2 && Math.abs(first.x - second.x) + Math.abs(first.y - second.y) < 16;
  }).length;
