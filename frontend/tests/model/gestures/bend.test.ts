import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap } from '../../../src/model/drawing/boxes';
import { segmentsOf } from '../../../src/model/drawing/polyline';
import { cornersOf } from '../../../src/model/drawing/shapes/lineShapes';
import {
  bent,
  drawnAnew,
  type EndBoxes,
  endGrips,
  FINGER_SIDE,
  GRIP_SIDE,
  type Grip,
  gripBox,
  gripsOf,
  inShape,
  lineWith,
  placedGrips,
  shareNear,
} from '../../../src/model/gestures/bend';
import type { LineShape, Point } from '../../../src/protocol/types';
import { edge } from '../../builders';

const box = (x: number, y: number): Box => ({ x, y, width: 180, height: 72 });
const ENDS: EndBoxes = [box(0, 0), box(500, 200)];
const BENDS = [
  { x: 300, y: 36 },
  { x: 300, y: 236 },
];
const at = (x: number, y: number): Point => ({ x, y });
const drawn = (points: readonly Point[], shape: LineShape = '') => ({
  edge: edge('a', 'b', { shape }),
  points: [...points],
});
const lineOf = (bends: readonly Point[], ends: EndBoxes, shape: LineShape = '') =>
  lineWith(drawn([at(0, 0), at(9, 9)], shape), bends, ends);
const LINE = lineOf(BENDS, ENDS);
const grip = (kind: Grip['kind'], segment: number, points = LINE): Grip => {
  const found = gripsOf(points).find((one) => one.kind === kind && one.segment === segment);
  if (!found) throw new Error(`no ${kind} ${segment}`);
  return found;
};
const offLine = (points: readonly Point[], { x, y }: Point) =>
  Math.min(
    ...segmentsOf(points).map(({ from, to }) => {
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const share = Math.min(
        1,
        Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)),
      );
      return Math.hypot(from.x + dx * share - x, from.y + dy * share - y);
    }),
  );
const isRightAngled = (points: readonly Point[]) =>
  segmentsOf(points).every(({ from, to }) => from.x === to.x || from.y === to.y);
const isOnBorder = ({ x, y, width, height }: Box, point: Point) =>
  point.x >= x &&
  point.x <= x + width &&
  point.y >= y &&
  point.y <= y + height &&
  (point.x === x || point.x === x + width || point.y === y || point.y === y + height);

describe('the grips of a line', () => {
  it('are one for each segment, and one for a bend where there is room', () => {
    expect(gripsOf(LINE).map(({ kind, segment, axis }) => `${kind} ${segment} ${axis}`)).toEqual([
      'segment 0 y',
      'bend 0 y',
      'segment 1 x',
      'bend 1 x',
      'segment 2 y',
      'bend 2 y',
    ]);
    // From far away only long segments have them, and none is there twice.
    expect(gripsOf(LINE, 0.4).map(({ kind, segment }) => `${kind} ${segment}`)).toEqual([
      'segment 0',
      'segment 1',
      'bend 1',
      'segment 2',
      'bend 2',
    ]);
    expect(gripsOf(LINE, 0.05)).toEqual([]);
  });

  it('of a slanted segment only add a bend', () => {
    const [only] = gripsOf([at(0, 0), at(100, 80)]);
    expect(only).toEqual({ kind: 'bend', segment: 0, at: at(50, 40), axis: null });
    expect(bent([at(0, 0), at(100, 80)], only as Grip, at(20.4, 70), ENDS)).toEqual([at(20, 70)]);
  });
});

describe('a dragged line', () => {
  it('moves an inner segment across, and keeps the others', () => {
    expect(bent(LINE, grip('segment', 1), at(400.4, 999), ENDS)).toEqual([at(400, 36), at(400, 236)]);
  });

  it('slides an end along its border, and gets a bend where the border ends', () => {
    expect(bent(LINE, grip('segment', 0), at(0, 50), ENDS)).toEqual([at(300, 50), at(300, 236)]);
    const beyond = bent(LINE, grip('segment', 0), at(0, 120), ENDS);
    expect(beyond).toEqual([at(200, 36), at(200, 120), at(300, 120), at(300, 236)]);
    expect(lineOf(beyond, ENDS)[0]).toEqual(at(180, 36));
  });

  it('gets a bend where a segment is dragged by its bend', () => {
    expect(bent(LINE, grip('bend', 1), at(340, 0), ENDS)).toEqual([
      at(300, 36),
      at(300, 86),
      at(340, 86),
      at(340, 236),
    ]);
  });

  it('loses bends that bend nothing, but for one', () => {
    const jog = [at(300, 36), at(300, 60), at(400, 60), at(400, 236)];
    const line = lineOf(jog, ENDS);
    expect(bent(line, grip('segment', 2, line), at(0, 36), ENDS)).toEqual([at(400, 36), at(400, 236)]);
    const ends: EndBoxes = [box(0, 0), box(500, 0)];
    const straight = lineOf([at(300, 36)], ends);
    expect(straight).toHaveLength(2);
    expect(bent(straight, grip('segment', 0, straight), at(0, 20), ends)).toEqual([at(340, 20)]);
  });

  it('leads around where a straight one is dragged beyond both borders', () => {
    const ends: EndBoxes = [box(0, 0), box(500, 0)];
    const straight = lineOf([at(300, 36)], ends);
    const around = bent(straight, grip('segment', 0, straight), at(0, -60), ends);
    expect(around).toEqual([at(200, 36), at(200, -60), at(480, -60), at(480, 36)]);
  });

  it('stays right-angled and at its borders, whatever is dragged where', () => {
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let round = 0; round < 300; round += 1) {
      let line = LINE;
      for (let drag = 0; drag < 4; drag += 1) {
        const grips = gripsOf(line);
        const chosen = grips[random(grips.length)];
        if (!chosen) break;
        const to = at(random(1_200) - 300, random(900) - 300);
        const bends = bent(line, chosen, to, ENDS);
        const next = lineOf(bends, ENDS);
        expect(bends.length).toBeGreaterThan(0);
        // A bend may end up under a node of its own, where the line is not drawn.
        if (bends.some((bend) => ENDS.some((end) => holds(end, bend)))) break;
        line = next;
        expect([round, drag, isRightAngled(line)]).toEqual([round, drag, true]);
        expect(isOnBorder(ENDS[0], line[0] as Point)).toBe(true);
        expect(isOnBorder(ENDS[1], line.at(-1) as Point)).toBe(true);
      }
    }
  });
});

const holds = ({ x, y, width, height }: Box, point: Point) =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

describe('a line of straight shape', () => {
  const line = [at(180, 36), at(300, 120), at(500, 236)];

  it('has a grip at each bend, and one that adds a bend in the middle of each segment, level ones too', () => {
    expect(
      gripsOf(line, 1, 'straight').map(({ kind, segment, axis }) => `${kind} ${segment} ${axis}`),
    ).toEqual(['bend 0 null', 'corner 1 null', 'bend 1 null']);
    expect(gripsOf([at(0, 0), at(90, 0)], 1, 'straight').map(({ kind }) => kind)).toEqual(['bend']);
  });

  it('is bent anywhere, and is straight again where a bend is dropped on the way between its neighbours', () => {
    const [first, corner] = gripsOf(line, 1, 'straight') as [Grip, Grip];
    expect(bent(line, first, at(200.4, 150), ENDS, 'straight')).toEqual([at(200, 150), at(300, 120)]);
    expect(bent(line, corner, at(340, 60), ENDS, 'straight')).toEqual([at(340, 60)]);
    // From middle to middle, as it leads without a bend.
    expect(bent(line, corner, at(340, 136), ENDS, 'straight')).toEqual([]);
    expect(lineWith(drawn(line, 'straight'), [], ENDS)).toEqual([at(180, 36), at(500, 236)]);
  });

  it('loses bends by hand when it is chosen, and no others', () => {
    const bend = { route: [at(1, 2)], route_by: 'hand' };
    expect(inShape(edge('a', 'b', { id: 'e', ...bend }), 'straight')).toEqual({
      op: 'update_edge',
      id: 'e',
      shape: 'straight',
      route: null,
    });
    const found = edge('a', 'b', { id: 'e', route: [at(1, 2)] });
    expect(inShape(found, 'straight')).toEqual({ op: 'update_edge', id: 'e', shape: 'straight' });
    expect(inShape(edge('a', 'b', { id: 'e', ...bend }), 'curved')).not.toHaveProperty('route');
    expect(inShape(found, '')).toEqual({ op: 'update_edge', id: 'e', shape: null });
  });

  it('loses bends of a straight line by hand when it gets right angles', () => {
    const straight = edge('a', 'b', { id: 'e', route: [at(1, 2)], route_by: 'hand', shape: 'straight' });
    expect(inShape(straight, '')).toEqual({ op: 'update_edge', id: 'e', shape: null, route: null });
    expect(inShape(straight, 'straight')).not.toHaveProperty('route');
    expect(inShape(straight, 'curved')).not.toHaveProperty('route');
  });
});

describe('a label', () => {
  it('slides to where its line is nearest, in hundredths', () => {
    expect(shareNear(LINE, LINE[0] as Point)).toBe(0);
    expect(shareNear(LINE, at(310, 136))).toBe(0.42);
    expect(shareNear(LINE, at(900, 240))).toBe(1);
    expect(shareNear([at(0, 0), at(0, 0)], at(5, 5))).toBe(0);
  });

  it('and its line are given back by one operation for each', () => {
    expect(drawnAnew(['e', 'f'])).toEqual([
      { op: 'update_edge', id: 'e', route: null },
      { op: 'update_edge', id: 'f', route: null },
    ]);
  });
});

describe('grips on the screen', () => {
  const LABEL = { x: 130, y: -12, width: 140, height: 26 };

  it.each([
    [0.4, GRIP_SIDE],
    [1, GRIP_SIDE],
    [2, GRIP_SIDE],
    [0.8, FINGER_SIDE],
    [1, FINGER_SIDE],
    [2, FINGER_SIDE],
  ])('lie on no other and on no label, at zoom %d and %d pixels wide', (zoom, side) => {
    const line = [at(0, 0), at(400, 0), at(400, 300), at(640, 300)];
    const ends = endGrips(line, zoom, side).map((one) => gripBox(one.at, zoom, side));
    const grips = placedGrips(drawn(line), [...ends, LABEL], zoom, side);
    const boxes = [LABEL, ...ends, ...grips.map((one) => gripBox(one.at, zoom, side))];
    const meeting = boxes.filter((one, index) =>
      boxes.slice(index + 1).some((other) => boxesOverlap(one, other)),
    );
    expect(meeting).toEqual([]);
    expect(grips.filter(({ kind }) => kind === 'segment').map(({ segment }) => segment)).toEqual([0, 1, 2]);
  });

  it('of a curve lie on it, one for each segment in its middle, which a drag moves as that of a right-angled line', () => {
    const curve = lineOf(BENDS, ENDS, 'curved');
    const grips = placedGrips(drawn(curve, 'curved'), [], 1);
    expect(grips.filter(({ kind }) => kind === 'segment').map((one) => one.at)).toEqual([
      at(240, 36),
      at(300, 136),
      at(400, 236),
    ]);
    for (const { at: place } of grips) expect(offLine(curve, place)).toBeLessThan(2);
    const corners = cornersOf(drawn(curve, 'curved').edge, curve);
    expect(corners).toEqual(LINE);
    const second = grips.find(({ kind, segment }) => kind === 'segment' && segment === 1) as Grip;
    expect(bent(corners, second, at(400, 0), ENDS, 'curved')).toEqual([at(400, 36), at(400, 236)]);
  });

  it('of ends lie beside the border from which a new line is drawn, on the line', () => {
    const [source, target] = endGrips([at(0, 0), at(400, 0)], 1);
    expect([source?.end, target?.end]).toEqual(['source', 'target']);
    expect(gripBox(source?.at as Point, 1).x).toBeGreaterThan(0);
    const last = gripBox(target?.at as Point, 1);
    expect(last.x + last.width).toBeLessThan(400);
  });

  it('of a line too short for two are that of its target', () => {
    expect(endGrips([at(0, 0), at(40, 0)], 1).map(({ end }) => end)).toEqual(['target']);
  });
});
