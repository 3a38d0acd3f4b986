/**
 * Where the labels of edges stand: on their line, off nodes, titles and one another where there is room. Pure: how wide a
 * text is, the caller knows (`view/drawing/textWidth.ts`); without that it is estimated.
 */
import type { Point } from '../../protocol/types';
import { type Box, boxesOverlap, inflated } from './boxes';
import { crossesBox, lengthOf, type Segment, segmentsOf } from './polyline';

const LINE_HEIGHT = 15;
const PADDING = { x: 14, y: 5 };
const LETTER_WIDTH = 6.9;
const MAX_WIDTH = 176;
const SECOND_LINE_COST = 26;

/** The width of a text as labels are set, in CSS pixels. */
export type MeasureText = (text: string) => number;

/** What a text takes in a common font, where nothing can be measured. */
export const estimatedWidth: MeasureText = (text) => text.length * LETTER_WIDTH;

/** How a label is set: as wide as `width` at most, over one or two lines. */
export interface LabelShape {
  width: number;
  height: number;
  lines: 1 | 2;
}

/** The ways a text can be set, the flattest first. What is wider than any label may be ends in an ellipsis. */
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

/** The width of the wider of two lines, broken between words so that it is least; null for a single word. */
function evenHalves(text: string, measure: MeasureText): number | null {
  const words = text.trim().split(/\s+/);
  let least: number | null = null;
  for (let at = 1; at < words.length; at += 1) {
    const width = Math.max(measure(words.slice(0, at).join(' ')), measure(words.slice(at).join(' ')));
    if (least === null || width < least) least = width;
  }
  return least;
}

/** Where a label stands, by its centre, and how it is set. */
export interface PlacedLabel extends Point {
  shape: LabelShape;
}

/** A label to place: its edge and the line it belongs to. */
export interface LabelRequest {
  id: string;
  text: string;
  points: readonly Point[];
}

/** Those that stand badly after the first round are tried again, now that all others have a place. */
const ROUNDS = 3;
/** A place that costs this much covers a node or another label. */
const BAD_FROM = 100;

/**
 * Choose place and shape of each label.
 *
 * Longest label first, since it has the least choice. Tried are places along the line, best near its middle; a place
 * costs most where it would cover a node or another label, less where it would cover another line.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  avoid: readonly Box[],
  measure: MeasureText = estimatedWidth,
): Map<string, PlacedLabel> {
  const places = new Map<string, PlacedLabel>();
  const isFullRouting = requests.length * avoid.length <= 120_000;
  const lines = isFullRouting ? requests.map(({ id, points }) => ({ id, segments: segmentsOf(points) })) : [];
  let waiting = requests.filter(({ text }) => text).sort((a, b) => b.text.length - a.text.length);
  for (let round = 0; waiting.length > 0 && round < (isFullRouting ? ROUNDS : 1); round += 1) {
    const bad: LabelRequest[] = [];
    for (const request of waiting) {
      places.delete(request.id);
      const around = isFullRouting
        ? { avoid, used: [...places.values()].map(boxOf), lines: lines.filter(({ id }) => id !== request.id) }
        : { avoid: [], used: [], lines: [] };
      const { place, cost } = bestPlace(request, around, measure, isFullRouting);
      places.set(request.id, place);
      if (cost >= BAD_FROM) bad.push(request);
    }
    // Whoever is in the way of a label may have more room to give than the label itself.
    waiting = round === 0 ? withNeighbours(bad, requests, places) : bad;
  }
  return places;
}

interface LabelObstacles {
  avoid: readonly Box[];
  used: readonly Box[];
  lines: readonly { segments: Segment[] }[];
}

function bestPlace(
  { text, points }: LabelRequest,
  around: LabelObstacles,
  measure: MeasureText,
  isFullRouting: boolean,
): { place: PlacedLabel; cost: number } {
  let best: PlacedLabel | undefined;
  let least = Number.POSITIVE_INFINITY;
  const candidates = placesAlong(points);
  const shapes = labelShapes(text, measure);
  for (const shape of shapes) {
    for (const { point, offMiddle } of isFullRouting ? candidates : candidates.slice(0, 1)) {
      const box = inflated(boxOf({ ...point, shape }), 3);
      const extra = (shape.lines - 1) * SECOND_LINE_COST;
      const cost = offMiddle * 20 + extra + covered(box, around);
      if (cost < least) [least, best] = [cost, { ...point, shape }];
    }
  }
  const middle = points[0] ?? { x: 0, y: 0 };
  return { place: best ?? { ...middle, shape: shapes[0] as LabelShape }, cost: least };
}

/** These and the labels that stand on them, the latter first. */
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

/** The room a label takes. */
export const boxOf = ({ x, y, shape: { width, height } }: PlacedLabel): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

function covered(box: Box, { avoid, used, lines }: LabelObstacles): number {
  const nodes = avoid.filter((other) => boxesOverlap(box, other)).length;
  const labels = used.filter((other) => boxesOverlap(box, other)).length;
  const crossed = lines.filter(({ segments }) => segments.some((piece) => crossesBox(piece, box))).length;
  return 100 * nodes + 120 * labels + 12 * crossed;
}

/** Points along a line every 12 pixels or so, the very middle first; `offMiddle` is 0 at the middle and 1 at an end. */
function placesAlong(points: readonly Point[]): { point: Point; offMiddle: number }[] {
  const total = lengthOf(points);
  const steps = 2 * Math.min(24, Math.max(1, Math.round(total / 24)));
  const places: { point: Point; offMiddle: number }[] = [];
  for (let step = 1; step < steps; step += 1) {
    const share = step / steps;
    places.push({ point: pointAt(points, share * total), offMiddle: Math.abs(share - 0.5) * 2 });
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
