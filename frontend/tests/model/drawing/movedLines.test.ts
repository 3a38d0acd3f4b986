/** Lines of what is dragged: around nodes and titles, beside other lines, steady, within a budget, and as they stay after the drop. */
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../src/model/drawing/boxes';
import { type Drawing, type DrawnEdge, drawingOf, titleOf } from '../../../src/model/drawing/drawing';
import { movedDrawing, updatedDrawing } from '../../../src/model/drawing/incremental';
import { type KeptLine, keepFound, stayingAmong } from '../../../src/model/drawing/moved/keptLines';
import { mostSearched, STEPS_OF_FRAME, startMovedLines } from '../../../src/model/drawing/moved/searchMoved';
import { crossesBox, type Segment, segmentsOf } from '../../../src/model/drawing/polyline';
import { quickRoutes } from '../../../src/model/drawing/quickRouting';
import type { Diagram, DiagramEdge, DiagramNode, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

startMovedLines();

const CARD = { width: 180, height: 72 };
const at = (x: number, y: number): Point => ({ x, y });
const boxAt = (x: number, y: number): Box => ({ x, y, ...CARD });
const card = (id: string, x: number, y: number, given: Partial<DiagramNode> = {}) =>
  node(id, { position: at(x, y), ...given });
/** So many nodes elsewhere that all lines times all nodes would be too much for a frame. */
const FAR = Array.from({ length: 300 }, (_, i) =>
  card(`far${i}`, (i % 30) * 200, 5_000 + Math.floor(i / 30) * 200),
);
const full = (nodes: DiagramNode[], edges: DiagramEdge[]): Drawing =>
  drawingOf({ nodes, edges }, { routing: 'full' });
const lineIn = ({ edges }: Drawing, id: string): DrawnEdge =>
  edges.find((drawn) => drawn.edge.id === id) as DrawnEdge;
const through = (points: readonly Point[], box: Box): Segment[] =>
  segmentsOf(points).filter((piece) => crossesBox(piece, box));
const moved = (before: Drawing, id: string, to: Point, shown?: Drawing): Drawing =>
  movedDrawing(before, new Map([[id, to]]), undefined, shown);

/** The diagram after a drop, as the workspace has it. */
function dropped({ nodes, edges }: Diagram, places: Record<string, Point>): Diagram {
  const isMoved = ({ source, target }: DiagramEdge) => source in places || target in places;
  return {
    nodes: nodes.map((one) => ({ ...one, position: places[one.id] ?? one.position })),
    edges: edges.map((one) => (isMoved(one) ? { ...one, route: null } : one)),
  };
}

const isUpright = ({ from, to }: Segment): boolean => from.x === to.x;

/** Whether two pieces run along each other, nearer than lines may. */
function areTogether(one: Segment, other: Segment): boolean {
  if (isUpright(one) !== isUpright(other)) return false;
  const [axis, across] = isUpright(one) ? (['y', 'x'] as const) : (['x', 'y'] as const);
  const low = Math.max(Math.min(one.from[axis], one.to[axis]), Math.min(other.from[axis], other.to[axis]));
  const high = Math.min(Math.max(one.from[axis], one.to[axis]), Math.max(other.from[axis], other.to[axis]));
  return high > low && Math.abs(one.from[across] - other.from[across]) < 8;
}

describe('a node that is dragged in a large diagram', () => {
  it('has lines that lead around the nodes in their way, wherever it is', () => {
    const nodes = [card('a', 0, 400), card('b', 800, 0), card('wall', 400, 0), ...FAR];
    const before = full(nodes, [edge('a', 'b', { id: 'e' })]);
    let shown: Drawing | undefined;
    for (let y = 392; y >= 0; y -= 8) {
      shown = moved(before, 'a', at(0, y), shown);
      const { points } = lineIn(shown, 'e');
      expect([y, through(points, boxAt(400, 0))]).toEqual([y, []]);
      expect(points.length).toBeGreaterThan(2);
    }
  });

  it('has lines that lead around the titles of groups', () => {
    const box = { x: 400, y: 100, width: 400, height: 200 };
    const zone = card('zone', 400, 100, { type: 'group', label: 'A zone with a long title', size: box });
    const nodes = [card('a', 0, 600), card('b', 1_000, 400), zone, ...FAR];
    const one = edge('a', 'b', { id: 'e' });
    const after = moved(full(nodes, [one]), 'a', at(0, 0));
    const title = titleOf(box, zone.label);
    const simple = quickRoutes([one], new Map(after.nodes.map((drawn) => [drawn.node.id, drawn.box]))).get(
      'e',
    );
    expect(through(simple ?? [], title)).not.toEqual([]);
    expect(through(lineIn(after, 'e').points, title)).toEqual([]);
  });

  it('has lines that run beside those that share their way', () => {
    const nodes = [card('a', 0, 0), card('b', 600, 300), card('c', 0, 900), card('d', 600, 600), ...FAR];
    const edges = [edge('a', 'b', { id: 'stays' }), edge('c', 'd', { id: 'moves' })];
    const after = moved(full(nodes, edges), 'c', at(0, 100));
    const [stays, moves] = ['stays', 'moves'].map((id) => segmentsOf(lineIn(after, id).points)) as [
      Segment[],
      Segment[],
    ];
    expect(moves.length).toBeGreaterThan(1);
    expect(moves.filter((one) => stays.some((other) => areTogether(one, other)))).toEqual([]);
  });

  it('has lines that end beside those that end at the same side', () => {
    const nodes = [card('hub', 600, 0), card('a', 0, -200), card('b', 0, 200), card('c', 0, 900), ...FAR];
    const edges = ['a', 'b', 'c'].map((id) => edge(id, 'hub', { id }));
    const after = moved(full(nodes, edges), 'c', at(0, 0));
    const ends = ['a', 'b', 'c'].map((id) => lineIn(after, id).points.at(-1) as Point);
    expect(ends.map(({ x }) => x)).toEqual([600, 600, 600]);
    const [a, b, c] = ends.map(({ y }) => y) as [number, number, number];
    expect(Math.min(Math.abs(a - b), Math.abs(a - c), Math.abs(b - c))).toBeGreaterThan(8);
    // In the order of their other ends, so that none crosses another.
    expect(a < c && c < b).toBe(true);
  });

  it('keeps the way of a line while a hand trembles between two that are as good', () => {
    // The wall is in the way; above and below it are equally long ways where all are level.
    const nodes = [card('a', 0, 0), card('b', 800, 0), card('wall', 400, 0), ...FAR];
    const before = full(nodes, [edge('a', 'b', { id: 'e' })]);
    const sidesAt = (y: number, shown?: Drawing) => {
      const drawing = moved(before, 'a', at(0, y), shown);
      return { drawing, sides: lineIn(drawing, 'e').found?.sides.join(' ') };
    };
    const [above, below] = [sidesAt(-4), sidesAt(4)];
    expect(above.sides).not.toBe(below.sides);
    for (const first of [above, below]) {
      let { drawing } = first;
      for (const y of [4, -4, 3, -3, 1, -1, 4]) {
        const next = sidesAt(y, drawing);
        expect(next.sides).toBe(first.sides);
        drawing = next.drawing;
      }
    }
    // Not for good: where the other way is clearly shorter it is taken.
    expect(sidesAt(60, above.drawing).sides).not.toBe(above.sides);
  });
});

describe('the budget of a frame', () => {
  const hub = (lines: number): Drawing => {
    const others = Array.from({ length: lines }, (_, i) => card(`n${i}`, 600 + (i % 2) * 300, i * 60));
    const edges = others.map(({ id }) => edge('hub', id, { id: `to ${id}` }));
    return full([card('hub', 0, 0), ...others], edges);
  };

  it('is of steps that are counted beforehand, and leaves none over for a diagram as large as itself', () => {
    expect(mostSearched(0, 0) * 134).toBeLessThanOrEqual(STEPS_OF_FRAME);
    expect(mostSearched(150, 250)).toBeLessThan(mostSearched(20, 20));
    expect(mostSearched(STEPS_OF_FRAME, 1)).toBe(0);
  });

  it('is for the same lines in every frame; the others are drawn quickly', () => {
    const before = hub(40);
    const boxes = new Map(before.nodes.map(({ node: { id }, box }) => [id, box]));
    const most = mostSearched(before.nodes.length, before.edges.length);
    expect(most).toBeGreaterThan(4);
    let shown: Drawing | undefined;
    for (const y of [8, 400, 1200, 2000]) {
      shown = moved(before, 'hub', at(0, y), shown);
      const found = shown.edges.filter((drawn) => drawn.found !== undefined).map((drawn) => drawn.edge.id);
      expect(found).toEqual(before.edges.slice(0, most).map((drawn) => drawn.edge.id));
      const places = new Map(boxes).set('hub', boxAt(0, y));
      const quick = quickRoutes(
        before.edges.map((drawn) => drawn.edge),
        places,
      );
      for (const { edge: one, points } of shown.edges.slice(most)) expect(points).toEqual(quick.get(one.id));
    }
  });

  it('is not spent on diagrams whose lines are drawn quickly after the drop as well', () => {
    const nodes = [card('a', 0, 400), card('b', 800, 0), card('wall', 400, 0)];
    const diagram = { nodes, edges: [edge('a', 'b', { id: 'e' })] };
    const after = moved(drawingOf(diagram, { routing: 'quick' }), 'a', at(0, 0));
    expect(lineIn(after, 'e')).toEqual(
      lineIn(drawingOf(dropped(diagram, { a: at(0, 0) }), { routing: 'quick' }), 'e'),
    );
  });
});

describe('what is dropped', () => {
  const nodes = [
    card('a', 0, 400),
    card('b', 800, 0),
    card('c', 800, 300),
    card('wall', 400, 0),
    card('d', 0, 900),
  ];
  const edges = [
    edge('a', 'b', { id: 'e', label: 'asks' }),
    edge('a', 'c', { id: 'f' }),
    edge('d', 'c', { id: 'g' }),
    edge('d', 'a', { id: 'routed', route: [at(300, 936), at(300, 436)] }),
  ];
  const diagram = { nodes, edges };
  const points = (drawing: Drawing, ...ids: string[]) => ids.map((id) => lineIn(drawing, id).points);
  const keptOf = (shown: Drawing): Map<string, KeptLine> => {
    const kept = new Map<string, KeptLine>();
    keepFound(shown, kept);
    return kept;
  };

  it('is drawn as it was shown, at once and when everything is drawn anew', () => {
    const before = drawingOf(diagram, { routing: 'full' });
    let shown: Drawing | undefined;
    for (const y of [300, 200, 104]) shown = moved(before, 'a', at(24, y), shown);
    const last = shown as Drawing;
    const after = dropped(diagram, { a: at(24, 104) });
    expect(updatedDrawing(last, after).edges.map((drawn) => drawn.points)).toEqual(
      last.edges.map((drawn) => drawn.points),
    );
    const anew = drawingOf(after, { routing: 'full', kept: stayingAmong(keptOf(last)) });
    expect([...keptOf(last).keys()]).toEqual(['e', 'f', 'routed']);
    expect(points(anew, 'e', 'f', 'routed')).toEqual(points(last, 'e', 'f', 'routed'));
  });

  it('loses routes that fitted where it was, as they are lost by the drop', () => {
    const shown = moved(drawingOf(diagram, { routing: 'full' }), 'a', at(24, 104));
    expect(lineIn(shown, 'routed').edge.route).toBeNull();
    expect(lineIn(shown, 'routed').points).not.toContainEqual(at(300, 936));
  });

  it('carries lines with both their ends, and those stay as they are, too', () => {
    const before = drawingOf(diagram, { routing: 'full' });
    const places = { a: at(80, 480), d: at(80, 980) };
    const shown = movedDrawing(before, new Map(Object.entries(places)));
    const [carried] = points(shown, 'routed');
    expect(carried).toEqual(points(before, 'routed')[0]?.map(({ x, y }) => at(x + 80, y + 80)));
    const after = dropped(diagram, places);
    expect(points(updatedDrawing(shown, after), 'routed')).toEqual([carried]);
    expect(
      points(drawingOf(after, { routing: 'full', kept: stayingAmong(keptOf(shown)) }), 'routed'),
    ).toEqual([carried]);
  });

  it('is drawn anew once an end moves again, or something is put in the way', () => {
    const before = drawingOf(diagram, { routing: 'full' });
    const lines = keptOf(moved(before, 'a', at(24, 104)));
    const kept = stayingAmong(lines);
    const further = dropped(diagram, { a: at(24, 112) });
    expect(drawingOf(further, { routing: 'full', kept })).toEqual(drawingOf(further, { routing: 'full' }));
    const there = dropped(diagram, { a: at(24, 104) });
    const { x, y } = (lines.get('f') as KeptLine).points[1] as Point;
    const blocked = { nodes: [...there.nodes, card('new', x - 90, y - 36)], edges: there.edges };
    const [line] = points(drawingOf(blocked, { routing: 'full', kept }), 'f') as [Point[]];
    expect(line).not.toEqual(lines.get('f')?.points);
  });
});
