/**
 * Positions of edge labels: on their line, avoiding nodes, titles and one another where possible. Pure: the caller
 * measures text (`view/drawing/textWidth.ts`); by default it is estimated.
 */
import type { Point } from '../../protocol/types';
import { type Box, boxesOverlap, holds, inflated } from './boxes';
import { BoxIndex } from './boxIndex';
import { lengthOf, segmentsOf } from './polyline';

const LINE_HEIGHT = 15;
const PADDING = { x: 14, y: 5 };
const LETTER_WIDTH = 6.9;
const MAX_WIDTH = 176;
const SECOND_LINE_COST = 26;
/** Of a line that a label covers beside its own: whose label it is could be asked. */
const LINE_COST = 24;
/** Of a bend of its own line that it covers: where the line goes on could be asked. */
const BEND_COST = 14;

/** The width of a text in the font of labels, in CSS pixels. */
export type MeasureText = (text: string) => number;

/** An estimate for a common font. */
export const estimatedWidth: MeasureText = (text) => text.length * LETTER_WIDTH;

/** The shape of a label: at most `width` wide, in one or two lines. */
export interface LabelShape {
  width: number;
  height: number;
  lines: 1 | 2;
}

/** The possible shapes of a label, the flattest first. A text that is too long ends in an ellipsis. */
export function labelShapes(text: string, measure: MeasureText = estimatedWidth): LabelShape[] {
  const whole = Math.ceil(measure(text)) + PADDING.x;
  const one: LabelShape = {
    width: Math.min(MAX_WIDTH, whole),
    height: LINE_HEIGHT + PADDING.y,
    lines: 1,
  };
  const halves = evenHalves(text, measure);
  if (halves === null) return [one];
  const two: LabelShape = {
    width: Math.min(MAX_WIDTH, Math.ceil(halves) + PADDING.x),
    height: 2 * LINE_HEIGHT + PADDING.y,
    lines: 2,
  };
  return whole > MAX_WIDTH ? [two] : [one, two];
}

/** The smallest width of a text in two lines; null for a single word. */
function evenHalves(text: string, measure: MeasureText): number | null {
  const words = text.trim().split(/\s+/);
  let least: number | null = null;
  for (let at = 1; at < words.length; at += 1) {
    const width = Math.max(measure(words.slice(0, at).join(' ')), measure(words.slice(at).join(' ')));
    if (least === null || width < least) least = width;
  }
  return least;
}

/** The position of a label, by its centre, and its shape. */
export interface PlacedLabel extends Point {
  shape: LabelShape;
}

/** A label to place: its edge and the line it belongs to. One without a text has no label, but its line is in the way. */
export interface LabelRequest {
  id: string;
  text: string;
  points: readonly Point[];
  /** Where on its line it was put, from 0 to 1; without it a place is found. */
  at?: number | null;
}

/** Labels with bad positions are placed again after the first round. */
const ROUNDS = 3;
/** A position of this cost covers a node or another label. */
const BAD_FROM = 100;

/**
 * Chooses position and shape of each label.
 *
 * Longest label first, since it has the least choice. Candidates are positions along the line, best near its middle;
 * covering a node or another label costs most, covering another line less, and a bend of its own line less again.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  avoid: readonly Box[],
  measure: MeasureText = estimatedWidth,
): Map<string, PlacedLabel> {
  const places = new Map<string, PlacedLabel>();
  let waiting = requests.filter(({ text }) => text).sort((a, b) => b.text.length - a.text.length);
  const isFullRouting = waiting.length * avoid.length <= 120_000;
  const [nodes, lines] = [new BoxIndex<number>(), new BoxIndex<string>()];
  if (isFullRouting) {
    avoid.forEach((box, at) => {
      nodes.add(box, at);
    });
    for (const { id, points } of requests)
      for (const { from, to } of segmentsOf(points)) lines.add(spanOf(from, to), id);
  }
  for (let round = 0; waiting.length > 0 && round < (isFullRouting ? ROUNDS : 1); round += 1) {
    const bad: LabelRequest[] = [];
    for (const request of waiting) {
      places.delete(request.id);
      const around = isFullRouting
        ? { id: request.id, nodes, used: [...places.values()].map(boxOf), lines }
        : null;
      const { place, cost } = bestPlace(request, around, measure);
      places.set(request.id, place);
      if (cost >= BAD_FROM) bad.push(request);
    }
    // A label that is in the way may have more alternatives than this one.
    waiting = round === 0 ? withNeighbours(bad, requests, places) : bad;
  }
  return places;
}

interface LabelObstacles {
  /** Of the label's own edge, whose line is no obstacle. */
  id: string;
  nodes: BoxIndex<number>;
  used: readonly Box[];
  lines: BoxIndex<string>;
}

/** A line without extent in one direction covers something all the same. */
const spanOf = (from: Point, to: Point): Box => ({
  x: Math.min(from.x, to.x) - LINE_HALF,
  y: Math.min(from.y, to.y) - LINE_HALF,
  width: Math.abs(from.x - to.x) + 2 * LINE_HALF,
  height: Math.abs(from.y - to.y) + 2 * LINE_HALF,
});

const LINE_HALF = 1e-6;

/** @param around null where nothing is avoided */
function bestPlace(
  { text, points, at }: LabelRequest,
  around: LabelObstacles | null,
  measure: MeasureText,
): { place: PlacedLabel; cost: number } {
  let best: PlacedLabel | undefined;
  let least = Number.POSITIVE_INFINITY;
  const total = lengthOf(points);
  const candidates = at == null ? sharesAlong(total) : [{ share: at, offMiddle: 0 }];
  const shapes = labelShapes(text, measure);
  const bends = points.slice(1, -1);
  for (const shape of shapes) {
    const extra = (shape.lines - 1) * SECOND_LINE_COST;
    for (const { share, offMiddle } of around ? candidates : candidates.slice(0, 1)) {
      // Those that follow are further off the middle, and cost more even where they cover nothing.
      if (offMiddle * 20 + extra >= least) break;
      const point = pointAt(points, share * total);
      const box = inflated(boxOf({ ...point, shape }), 3);
      const cost = offMiddle * 20 + extra + (around ? covered(box, around, bends) : 0);
      if (cost < least) [least, best] = [cost, { ...point, shape }];
    }
  }
  const middle = points[0] ?? { x: 0, y: 0 };
  return { place: best ?? { ...middle, shape: shapes[0] as LabelShape }, cost: least };
}

/** These and the labels that overlap them, the latter first. */
function withNeighbours(
  bad: readonly LabelRequest[],
  requests: readonly LabelRequest[],
  places: ReadonlyMap<string, PlacedLabel>,
): LabelRequest[] {
  const badIds = new Set(bad.map(({ id }) => id));
  const boxes = bad.map(({ id }) => inflated(boxOf(places.get(id) as PlacedLabel), 6));
  const inTheWay = requests.filter(({ id }) => {
    const place = places.get(id);
    return place && !badIds.has(id) && boxes.some((box) => boxesOverlap(box, boxOf(place)));
  });
  return [...inTheWay, ...bad];
}

/** The box of a label. */
export const boxOf = ({ x, y, shape: { width, height } }: PlacedLabel): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

function covered(box: Box, { id, nodes, used, lines }: LabelObstacles, bends: readonly Point[]): number {
  const labels = used.filter((other) => boxesOverlap(box, other)).length;
  const crossed = lines.over(box);
  crossed.delete(id);
  const bent = bends.filter((bend) => holds(box, bend)).length;
  return 100 * nodes.over(box).size + 120 * labels + LINE_COST * crossed.size + BEND_COST * bent;
}

/** Places along a line of this length, as shares of it, every 12 pixels or so, the middle first; `offMiddle` is 0 at the middle and 1 at an end. */
function sharesAlong(total: number): { share: number; offMiddle: number }[] {
  const steps = 2 * Math.min(24, Math.max(1, Math.round(total / 24)));
  const places: { share: number; offMiddle: number }[] = [];
  for (let step = 1; step < steps; step += 1) {
    const share = step / steps;
    places.push({ share, offMiddle: Math.abs(share - 0.5) * 2 });
  }
  return places.sort((a, b) => a.offMiddle - b.offMiddle);
}

/** The point `distance` pixels along a line. */
export function pointAt(points: readonly Point[], distance: number): Point {
  let left = distance;
  for (const { from, to } of segmentsOf(points)) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (left <= length && length > 0) {
      const share = left / length;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= length;
  }
  return points.at(-1) ?? { x: 0, y: 0 };
}
