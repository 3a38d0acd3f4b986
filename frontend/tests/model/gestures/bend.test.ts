import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap } from '../../../src/model/drawing/boxes';
import { segmentsOf } from '../../../src/model/drawing/polyline';
import {
  bent,
  drawnAnew,
  type EndBoxes,
  endGrips,
  type Grip,
  gripBox,
  gripsOf,
  lineWith,
  placedGrips,
  shareNear,
} from '../../../src/model/gestures/bend';
import type { Point } from '../../../src/protocol/types';

const box = (x: number, y: number): Box => ({ x, y, width: 180, height: 72 });
const ENDS: EndBoxes = [box(0, 0), box(500, 200)];
const BENDS = [
  { x: 300, y: 36 },
  { x: 300, y: 236 },
];
const LINE = lineWith(BENDS, ENDS);
const at = (x: number, y: number): Point => ({ x, y });
const grip = (kind: Grip['kind'], segment: number, points = LINE): Grip => {
  const found = gripsOf(points).find((one) => one.kind === kind && one.segment === segment);
  if (!found) throw new Error(`no ${kind} ${segment}`);
  return found;
};
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
    expect(lineWith(beyond, ENDS)[0]).toEqual(at(180, 36));
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
    const line = lineWith(jog, ENDS);
    expect(bent(line, grip('segment', 2, line), at(0, 36), ENDS)).toEqual([at(400, 36), at(400, 236)]);
    const ends: EndBoxes = [box(0, 0), box(500, 0)];
    const straight = lineWith([at(300, 36)], ends);
    expect(straight).toHaveLength(2);
    expect(bent(straight, grip('segment', 0, straight), at(0, 20), ends)).toEqual([at(340, 20)]);
  });

  it('leads around where a straight one is dragged beyond both borders', () => {
    const ends: EndBoxes = [box(0, 0), box(500, 0)];
    const straight = lineWith([at(300, 36)], ends);
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
        const next = lineWith(bends, ENDS);
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

  it.each([0.4, 1, 2])('lie on no other and on no label, at zoom %d', (zoom) => {
    const line = [at(0, 0), at(400, 0), at(400, 300), at(640, 300)];
    const ends = endGrips(line, zoom).map((one) => gripBox(one.at, zoom));
    const grips = placedGrips(line, [...ends, LABEL], zoom);
    const boxes = [LABEL, ...ends, ...grips.map((one) => gripBox(one.at, zoom))];
    const meeting = boxes.filter((one, index) =>
      boxes.slice(index + 1).some((other) => boxesOverlap(one, other)),
    );
    expect(meeting).toEqual([]);
    expect(grips.filter(({ kind }) => kind === 'segment').map(({ segment }) => segment)).toEqual([0, 1, 2]);
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
