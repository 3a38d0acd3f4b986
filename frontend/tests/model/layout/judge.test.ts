import { describe, expect, it } from 'vitest';
import type { Drawing, DrawnEdge } from '../../../src/model/drawing/drawing';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { type Score, scoreOf, scoreOfDrawing } from '../../../src/model/layout/score/judge';
import { compareScores, isImprovement, scaleOf, worseOn } from '../../../src/model/layout/score/scores';
import type { Diagram, DiagramNode, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const at = (x: number, y: number) => ({ position: { x, y }, size: { width: 100, height: 50 } });

/** A drawing with lines given by hand. */
function drawn(nodes: DiagramNode[], lines: [string, string, Point[]][] = []): Drawing {
  const { nodes: boxes } = drawingOf({ nodes, edges: [] });
  const edges = lines.map(
    ([source, target, points], index): DrawnEdge => ({
      edge: edge(source, target, { id: `e${index}` }),
      points,
      label: null,
    }),
  );
  return { nodes: boxes, edges, routing: 'full' };
}

const judged = (...given: Parameters<typeof drawn>): Score => scoreOfDrawing(drawn(...given), null);
const p = (x: number, y: number): Point => ({ x, y });
const four = [node('a', at(0, 0)), node('b', at(400, 0)), node('c', at(0, 300)), node('d', at(400, 300))];

describe('nodes and frames', () => {
  const group = (id: string, x: number, y: number, given: Partial<DiagramNode> = {}) =>
    node(id, { type: 'group', position: { x, y }, size: { width: 300, height: 200 }, ...given });

  it('counts pairs of nodes over each other, not those that touch', () => {
    expect(judged([node('a', at(0, 0)), node('b', at(50, 20)), node('c', at(100, 0))]).overlaps).toBe(2);
    expect(judged([node('a', at(0, 0)), node('b', at(100, 0))]).overlaps).toBe(0);
  });

  it('counts nodes on frames that they are not in, at any depth', () => {
    const nodes = [
      group('g', 0, 0),
      group('h', 30, 60, { parent: 'g', size: { width: 200, height: 100 } }),
      node('own', { parent: 'h', ...at(10, 45) }),
      node('stranger', at(50, 110)),
    ];
    const { strangersInFrames, overlaps, framesOverFrames } = judged(nodes);
    expect([strangersInFrames, overlaps, framesOverFrames]).toEqual([2, 1, 0]);
  });

  it('counts frames over frames, but for those around them', () => {
    const nodes = [group('g', 0, 0), group('h', 200, 100), group('inner', 20, 60, { parent: 'g' })];
    expect(judged(nodes)).toMatchObject({ framesOverFrames: 2, strangersInFrames: 0 });
  });

  it('counts frames as they are drawn, grown to what is in them', () => {
    const nodes = [group('g', 0, 0), node('in', { parent: 'g', ...at(600, 60) }), node('x', at(450, 60))];
    expect(judged(nodes).strangersInFrames).toBe(1);
  });
});

describe('lines', () => {
  it('are crossed where each has an end of a piece of the other on both sides', () => {
    const cross = judged(four, [
      ['a', 'd', [p(100, 25), p(250, 25), p(250, 325), p(400, 325)]],
      ['c', 'b', [p(100, 300), p(200, 300), p(200, 160), p(400, 160), p(400, 50)]],
    ]);
    expect(cross).toMatchObject({ crossings: 1, coincident: 0, linesThroughNodes: 0 });
  });

  it('with a common end or a touch do not cross', () => {
    const fork: [string, string, Point[]][] = [
      ['a', 'b', [p(100, 25), p(400, 25)]],
      ['a', 'd', [p(100, 25), p(250, 325), p(400, 325)]],
      ['c', 'b', [p(300, 325), p(300, 25)]],
    ];
    expect(judged(four, fork.slice(0, 2)).crossings).toBe(0);
    expect(judged(four, [fork[0] as never, fork[2] as never]).crossings).toBe(0);
  });

  it('of the same edge do not cross each other', () => {
    const loop: Point[] = [p(100, 25), p(300, 25), p(300, 200), p(200, 200), p(200, 0), p(400, 0)];
    expect(judged(four, [['a', 'b', loop]]).crossings).toBe(0);
  });

  it('coincide over the pixels that they share within two', () => {
    const beside = (y: number): [string, string, Point[]][] => [
      ['a', 'b', [p(100, 25), p(400, 25)]],
      ['c', 'd', [p(150, y), p(390, y)]],
    ];
    expect(judged(four, beside(25)).coincident).toBe(240);
    expect(judged(four, beside(27)).coincident).toBe(240);
    expect(judged(four, beside(28)).coincident).toBe(0);
    expect(judged(four, beside(25)).crossings).toBe(0);
  });

  it('coincide also where they are slanted or run in opposite directions', () => {
    const lines: [string, string, Point[]][] = [
      ['a', 'd', [p(0, 0), p(300, 300)]],
      ['d', 'a', [p(200, 200), p(100, 100)]],
    ];
    expect(judged(four, lines).coincident).toBe(141);
  });

  it('through nodes count once for each node, and their own ends do not', () => {
    const nodes = [...four, node('e', at(150, 0))];
    const through = judged(nodes, [['a', 'b', [p(50, 25), p(300, 25), p(300, 40), p(160, 40)]]]);
    expect(through.linesThroughNodes).toBe(1);
    expect(judged(nodes, [['a', 'b', [p(0, 50), p(400, 50)]]]).linesThroughNodes).toBe(0);
  });

  it('through titles of groups count, beside them they do not', () => {
    const group = node('g', { type: 'group', label: 'Team', position: p(150, 100), size: at(0, 0).size });
    const line = (x: number): [string, string, Point[]][] => [['a', 'c', [p(x, 0), p(x, 300)]]];
    expect(judged([...four, group], line(170)).linesThroughTitles).toBe(1);
    expect(judged([...four, group], line(245)).linesThroughTitles).toBe(0);
    expect(judged([...four, group], [['a', 'g', [p(170, 0), p(170, 140)]]]).linesThroughTitles).toBe(0);
  });

  it('along the border of a frame count as lying on something, from 16 pixels on', () => {
    const group = node('g', { type: 'group', position: p(150, 100), size: { width: 200, height: 100 } });
    const along = (...points: Point[]): number => judged([...four, group], [['a', 'd', points]]).coincident;
    expect(along(p(100, 204), p(400, 204))).toBe(200);
    expect(along(p(100, 205), p(400, 205))).toBe(0);
    expect(along(p(346, 0), p(346, 150))).toBe(50);
    expect(along(p(100, 98), p(166, 98))).toBe(0);
    expect(along(p(100, 98), p(167, 98))).toBe(17);
  });

  it('have bends and a length', () => {
    const { bends, length } = judged(four, [['a', 'd', [p(100, 25), p(250, 25), p(250, 325), p(400, 325)]]]);
    expect([bends, length]).toEqual([2, 600]);
  });
});

describe('labels', () => {
  const shape = { width: 60, height: 20, lines: 1 as const };
  const labelled = (places: Point[]): Drawing => {
    const drawing = drawn(
      four,
      places.map(() => ['a', 'b', [p(100, 25), p(400, 25)]]),
    );
    return {
      ...drawing,
      edges: drawing.edges.map((one, index) => ({ ...one, label: { ...(places[index] as Point), shape } })),
    };
  };

  it('over nodes and over each other count', () => {
    const { labelsHidden, labelsOnLabels } = scoreOfDrawing(
      labelled([p(120, 25), p(250, 25), p(280, 25)]),
      null,
    );
    expect([labelsHidden, labelsOnLabels]).toEqual([1, 1]);
  });
});

describe('the whole', () => {
  it('has an area and a shape', () => {
    expect(judged(four)).toMatchObject({ area: 500 * 350, shape: 1.43, moved: 0 });
    expect(judged([])).toMatchObject({ area: 0, shape: 0 });
  });

  it('knows how far nodes have moved that were there before', () => {
    const before: Diagram = { nodes: [node('a', at(30, 40)), node('b', at(400, 0))], edges: [] };
    expect(scoreOf({ nodes: four, edges: [] }, before).moved).toBe(50);
  });

  it('is counted as drawn: a stored route that runs through a node is not shown', () => {
    const nodes = [node('a', at(0, 0)), node('b', at(600, 0)), node('c', at(300, 0))];
    const edges = [edge('a', 'b', { route: [p(250, 25), p(500, 25)] })];
    expect(scoreOf({ nodes, edges }).linesThroughNodes).toBe(0);
  });
});

describe('of two scores', () => {
  const base = judged(four);
  const room = { width: 1000, height: 700 };

  it('the one with fewer hard flaws is better, then the one with fewer crossings', () => {
    expect(compareScores({ ...base, crossings: 9 }, { ...base, overlaps: 1 }, room)).toBeLessThan(0);
    expect(compareScores({ ...base, crossings: 1 }, { ...base, crossings: 2, area: 1 }, room)).toBeLessThan(
      0,
    );
  });

  it('then the one that can be shown larger, then the one that is clearer', () => {
    const large = { ...base, area: base.area * 100 };
    expect(scaleOf(large, room)).toBeLessThan(0.3);
    expect(compareScores({ ...base, bends: 99 }, large, room)).toBeLessThan(0);
    expect(compareScores(base, { ...base, labelsHidden: 1 }, room)).toBeLessThan(0);
    expect(compareScores(base, { ...base, bends: 1 }, room)).toBeLessThan(0);
  });

  it('one that is worse on any count is no improvement, however much better it is on others', () => {
    const before = { ...base, overlaps: 5, bends: 3 };
    expect(isImprovement({ ...base, bends: 4 }, before)).toBe(false);
    expect(worseOn({ ...base, bends: 4 }, before)).toEqual(['bends']);
    expect(isImprovement({ ...base, bends: 3, area: 1e9, length: 1e9, moved: 1e9 }, before)).toBe(true);
    expect(isImprovement(before, before)).toBe(false);
  });
});
