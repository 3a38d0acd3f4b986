/** Straight and curved lines: where they lead, that labels lie on them, and that every drawing of them is the same. */
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { folded } from '../../../src/model/drawing/folding';
import { movedDrawing, updatedDrawing } from '../../../src/model/drawing/incremental';
import { pointAt } from '../../../src/model/drawing/labels';
import { lengthOf, segmentsOf } from '../../../src/model/drawing/polyline';
import { cornersOf, pathAlong, shaped, startLineShapes } from '../../../src/model/drawing/shapes/lineShapes';
import { svgOf } from '../../../src/model/export/svg';
import type { Diagram, DiagramEdge, LineShape, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const at = (x: number, y: number): Point => ({ x, y });
const NODES = [
  node('a', { position: at(0, 0) }),
  node('b', { position: at(500, 300) }),
  // On the way of a straight line.
  node('c', { position: at(250, 150) }),
];
const diagramWith = (...edges: DiagramEdge[]): Diagram => ({ nodes: NODES, edges });
const one = (given: Partial<DiagramEdge>): Diagram => diagramWith(edge('a', 'b', { id: 'e', ...given }));
const lineOf = (diagram: Diagram, routing: 'full' | 'quick' = 'full', id = 'e'): Point[] =>
  drawingOf(diagram, { routing }).edges.find((drawn) => drawn.edge.id === id)?.points ?? [];
const isOnBorder = ({ x, y, width, height }: Box, point: Point) =>
  Math.min(
    Math.abs(point.x - x),
    Math.abs(point.x - x - width),
    Math.abs(point.y - y),
    Math.abs(point.y - y - height),
  ) < 1e-9;
const BOX = { a: { x: 0, y: 0, width: 180, height: 72 }, b: { x: 500, y: 300, width: 180, height: 72 } };

startLineShapes();

describe.each(['full', 'quick'] as const)('with %s routing', (routing) => {
  it('a straight line leads from border to border, in the way from middle to middle, through what is between', () => {
    const line = lineOf(one({ shape: 'straight' }), routing);
    expect(line).toHaveLength(2);
    const [from, to] = line as [Point, Point];
    expect([isOnBorder(BOX.a, from), isOnBorder(BOX.b, to)]).toEqual([true, true]);
    for (const { x, y } of line) expect((y - 36) / (x - 90)).toBeCloseTo(300 / 500);
  });

  it('straight lines between the same two nodes lie beside one another, whichever way they lead', () => {
    const ids = ['e', 'f', 'g'];
    const diagram = diagramWith(
      edge('a', 'b', { id: 'e', shape: 'straight' }),
      edge('b', 'a', { id: 'f', shape: 'straight' }),
      edge('a', 'b', { id: 'g', shape: 'straight', kind: 'data' }),
    );
    const places = ids.map((id) => {
      const [from, to] = lineOf(diagram, routing, id) as [Point, Point];
      // How far off the way between the middles.
      return ((from.x + to.x) / 2 - 340) * 300 - ((from.y + to.y) / 2 - 186) * 500;
    });
    const sorted = [...places].sort((left, right) => left - right) as [number, number, number];
    expect(sorted[1]).toBeCloseTo(0);
    expect(sorted[2] / Math.hypot(300, 500)).toBeGreaterThan(12);
    expect(sorted[0]).toBeCloseTo(-sorted[2]);
    expect(places.indexOf(sorted[1])).toBe(1);
  });

  it('a straight line keeps bends by hand, and a route that was found says nothing', () => {
    const bend = at(300, 400);
    expect(lineOf(one({ shape: 'straight', route: [bend], route_by: 'hand' }), routing)).toContainEqual(bend);
    expect(lineOf(one({ shape: 'straight', route: [bend] }), routing)).toHaveLength(2);
  });

  it('between a group and what stands in it a straight line is right-angled', () => {
    const nodes = [
      node('g', { type: 'group', size: { width: 600, height: 400 } }),
      node('in', { parent: 'g', position: at(300, 200) }),
    ];
    const [straight, usual] = (['straight', ''] as const).map((shape) =>
      lineOf({ nodes, edges: [edge('g', 'in', { id: 'e', shape })] }, routing),
    );
    expect(straight).toEqual(usual);
  });

  it('a curve leads along the right-angled line, from and to the same places, and smoothly', () => {
    const usual = lineOf(one({}), routing);
    const curve = lineOf(one({ shape: 'curved' }), routing);
    expect(usual.length).toBeGreaterThan(2);
    expect([curve[0], curve.at(-1)]).toEqual([usual[0], usual.at(-1)]);
    const back = cornersOf(edge('a', 'b', { shape: 'curved' }), curve);
    back.forEach((corner, place) => {
      expect(corner.x).toBeCloseTo(usual[place]?.x as number);
      expect(corner.y).toBeCloseTo(usual[place]?.y as number);
    });
    for (const turn of turnsOf(curve)) expect(turn).toBeLessThan(Math.PI / 3);
  });

  it.each(['straight', 'curved'] as const)(
    'the label of a %s line stands on it, where it was put',
    (shape) => {
      const diagram = one({ shape, label: 'calls', label_at: 0.4 });
      const [drawn] = drawingOf(diagram, { routing }).edges;
      const points = drawn?.points ?? [];
      expect(drawn?.label).toMatchObject(pointAt(points, lengthOf(points) * 0.4));
    },
  );

  it.each(['straight', 'curved'] as const)(
    'a %s line is the same after a move as drawn from nothing',
    (shape) => {
      const diagram = one({ shape });
      const before = drawingOf(diagram, { routing });
      const to = at(500, 700);
      const nodes = NODES.map((each) => (each.id === 'b' ? { ...each, position: to } : each));
      const anew = lineOf({ ...diagram, nodes }, routing);
      expect(movedDrawing(before, new Map([['b', to]])).edges[0]?.points).toEqual(anew);
      const later = updatedDrawing(drawingOf(one({}), { routing }), one({ shape }));
      expect(later.edges[0]?.points).toEqual(before.edges[0]?.points);
    },
  );
});

/** The angles by which a line turns, in radians. */
const turnsOf = (points: readonly Point[]): number[] => {
  const ways = segmentsOf(points)
    .filter(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) > 1e-6)
    .map(({ from, to }) => Math.atan2(to.y - from.y, to.x - from.x));
  return ways.slice(1).map((way, place) => {
    const turn = Math.abs(way - (ways[place] as number)) % (2 * Math.PI);
    return Math.min(turn, 2 * Math.PI - turn);
  });
};

describe('a curve', () => {
  const CORNERS = [at(0, 0), at(100, 0), at(100, 200), at(400, 200)];
  const curved = edge('a', 'b', { shape: 'curved' });

  it('touches each inner segment in its middle, and stays between its corners and the chords', () => {
    const curve = shaped(curved, CORNERS);
    expect(curve).toContainEqual(at(100, 100));
    curve.slice(1, 10).forEach(({ x, y }) => {
      expect(x <= 100 && y >= 0 && y <= 2 * (x - 50) + 1e-9).toBe(true);
    });
    curve.slice(10, 19).forEach(({ x, y }) => {
      expect(x >= 100 && y <= 200 && y >= 100 + (x - 100) / 1.5 - 1e-9).toBe(true);
    });
  });

  it('without a bend is a line, and leads over the same corners when it is drawn', () => {
    const straight = [at(0, 0), at(90, 0)];
    expect(shaped(curved, straight)).toEqual(straight);
    expect(pathAlong(curved, straight)).toBe('M0,0L90,0');
    expect(pathAlong(curved, shaped(curved, CORNERS))).toBe(
      'M0,0L50,0Q100,0 100,100L100,100Q100,200 250,200L400,200',
    );
  });
});

describe('pictures', () => {
  it.each(['', 'straight', 'curved'] as const)(
    'draw the path of the canvas, with shape "%s"',
    (shape: LineShape) => {
      const drawing = drawingOf(one({ shape, direction: 'both' }));
      const svg = svgOf(drawing)?.svg ?? '';
      const [, path] = /class="line" d="([^"]+)"/.exec(svg) ?? [];
      const drawn = drawing.edges[0] as (typeof drawing.edges)[0];
      const numbers = (text: string) => text.match(/-?[\d.]+/g)?.map(Number) ?? [];
      const [inPicture, onCanvas] = [numbers(path ?? ''), numbers(pathAlong(drawn.edge, drawn.points))];
      expect(inPicture).toHaveLength(onCanvas.length);
      inPicture.forEach((value, place) => {
        expect(value).toBeCloseTo(onCanvas[place] as number, 1);
      });
      expect(/data-shape="(\w+)"/.exec(svg)?.[1] ?? '').toBe(shape);
    },
  );
});

it('lines of a collapsed group are merged only where they have the same shape', () => {
  const diagram: Diagram = {
    nodes: [
      node('g', { type: 'group' }),
      node('x', { parent: 'g' }),
      node('y', { parent: 'g' }),
      node('out', { position: at(600, 0) }),
    ],
    edges: [edge('x', 'out'), edge('y', 'out', { shape: 'curved' })],
  };
  expect(folded(diagram, new Set(['g'])).diagram.edges.map(({ shape }) => shape)).toEqual(['', 'curved']);
});
