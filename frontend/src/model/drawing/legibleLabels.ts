/**
 * Where the labels of lines stand at a zoom: in letters that can be read, on their line, and on nothing else. Pure.
 *
 * Everything but the labels is as large as it is on the screen, so that they find their places as at zoom 1. Which of them
 * found none is told as well: those are drawn on request alone.
 */
import { type Box, boxAround, boxBetween, inflated } from './boxes';
import { BoxIndex } from './boxIndex';
import { type Drawing, isFrame, occupiedBy } from './drawing';
import { frameTitles } from './frameTitles';
import { boxOf, type MeasureText, type PlacedLabel, placeLabels } from './labels';
import type { LetterWidth } from './legible';
import { segmentsOf } from './polyline';
import { MARGIN } from './viewport';

/** Its centre is in pixels of the diagram, its shape in pixels of the screen. */
export interface LegibleLabel extends PlacedLabel {
  /** Whether it lies on nothing but its line. */
  isFree: boolean;
}

/** From further away labels are drawn on request alone: there is hardly a place for them. */
const FROM = 0.29;
/** A label that hides more of other lines says of too many what it says. */
const MOST_CROSSED = 1;
/** Labels are placed with three pixels around them, and may lose as much of their padding. */
const AIR = 6;
/** As wide as labels are at most. */
const FAR = 200;

/**
 * What is out of sight where everything is shown (`viewport.ts`), beside boxes that are drawn. A label may be there, but goes
 * elsewhere on its line if it can.
 */
function outOfSight(boxes: readonly Box[]): Box[] {
  const all = boxAround(boxes);
  if (!all) return [];
  const { x, y, width, height } = inflated(all, MARGIN + AIR);
  return [
    { x: x - FAR, y, width: FAR, height },
    { x: x + width, y, width: FAR, height },
    { x, y: y - FAR, width, height: FAR },
    { x, y: y + height, width, height: FAR },
  ];
}

/**
 * @param step of the zoom, at most 1 (`legible.ts`)
 * @param others labels that are drawn already
 */
export function labelsAt(
  drawing: Drawing,
  step: number,
  measure: MeasureText,
  letterWidth?: LetterWidth,
  others: Iterable<LegibleLabel> = [],
): Map<string, LegibleLabel> {
  const { nodes, edges, routing } = drawing;
  const scaled = ({ x, y, width, height }: Box): Box => ({
    x: x * step,
    y: y * step,
    width: width * step,
    height: height * step,
  });
  const avoid =
    step < 1
      ? [
          ...nodes.filter((one) => !isFrame(one)).map(({ box }) => inflated(scaled(box), 2)),
          ...frameTitles(drawing, step, letterWidth).map(({ place }) => scaled(place)),
        ]
      : occupiedBy(nodes);
  const requests = edges.map(({ edge: { id, label: text, label_at: at }, points }) => ({
    id,
    text,
    at,
    points: points.map(({ x, y }) => ({ x: x * step, y: y * step })),
  }));
  for (const other of others)
    if (other.isFree) avoid.push(boxOf({ ...other, x: other.x * step, y: other.y * step }));
  const taken = new BoxIndex<string>();
  for (const [at, box] of avoid.entries()) taken.add(box, `${at}`);
  const places =
    step < 1
      ? placeLabels(requests, [...avoid, ...outOfSight(nodes.map(({ box }) => scaled(box)))], measure)
      : keptLabels();
  const lines = new BoxIndex<string>();
  for (const { id, points } of requests)
    for (const { from, to } of segmentsOf(points)) lines.add(inflated(boxBetween(from, to), 1), id);
  const labels = new Map<string, LegibleLabel>();
  for (const { id, at } of requests) {
    const place = places.get(id);
    if (!place) continue;
    const box = boxOf(place);
    const others = step < 1 ? [...lines.over(box)].filter((line) => line !== id).length : 0;
    // Where somebody has put it, it is shown.
    const isFree = step >= FROM && (at != null || (taken.over(box).size === 0 && others <= MOST_CROSSED));
    if (isFree) taken.add(box, `label ${id}`);
    labels.set(id, { ...place, x: place.x / step, y: place.y / step, isFree });
  }
  return labels;

  /** Where they are, but for those under something that is no part of the diagram yet. */
  function keptLabels(): Map<string, PlacedLabel> {
    const kept = new Map(edges.flatMap(({ edge, label }) => (label ? [[edge.id, label] as const] : [])));
    if (routing === 'quick') return kept;
    const covered = requests.filter(({ id }) => {
      const label = kept.get(id);
      return label && taken.over(boxOf(label)).size > 0;
    });
    for (const { id } of covered) kept.delete(id);
    const anew = placeLabels(covered, [...avoid, ...[...kept.values()].map(boxOf)], measure);
    return new Map([...kept, ...anew]);
  }
}
