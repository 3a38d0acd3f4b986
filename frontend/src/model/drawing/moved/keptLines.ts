/** Lines that stay as they were shown when what they end at was dropped, and ports beside those of such lines. Pure. */
import type { DiagramEdge, Point } from '../../../protocol/types';
import { type Box, holds, isSameBox } from '../boxes';
import { boxesOf, type Drawing } from '../drawing';
import { isHorizontal, type Port, portOn, SIDES } from '../polyline';
import type { Draft, Sharer, StayingLines } from './stayingLines';

/** Between two ports on a side, and what is left free at its corners. */
const GAP = 26;
const CORNER = 8;

/** A line between two boxes that was shown. */
export interface KeptLine {
  points: Point[];
  from: Box;
  to: Box;
}

/** Lines by edge that stay as they are. */
export const stayingAmong = (kept: ReadonlyMap<string, KeptLine>): StayingLines => ({
  draftAlong: (edge, from, to) => draftAlong(edge, from, to, kept.get(edge.id)),
  keepApart,
});

/** Notes the lines that stay after the drag that a drawing shows, in place of earlier ones. */
export function keepFound({ nodes, edges }: Drawing, kept: Map<string, KeptLine>): void {
  const boxes = boxesOf(nodes);
  for (const { edge, points, found } of edges) {
    const [from, to] = [boxes.get(edge.source), boxes.get(edge.target)];
    if (found !== undefined && from && to) kept.set(edge.id, { points, from, to });
  }
}

/** A line that stays between its ports; null where its ends are elsewhere. */
export function draftAlong(edge: DiagramEdge, from: Box, to: Box, line: KeptLine | undefined): Draft | null {
  if (!line || !isSameBox(line.from, from) || !isSameBox(line.to, to)) return null;
  const { points } = line;
  const [start, end] = [portAt(from, points[0]), portAt(to, points.at(-1))];
  return start && end && { edge, from, to, sides: [start.side, end.side], ports: [start, end], points };
}

function portAt(box: Box, point: Point | undefined): Port | null {
  if (!point || !holds(box, point)) return null;
  const side = SIDES.find((one) => {
    const axis = isHorizontal(one) ? 'x' : 'y';
    return portOn(box, one)[axis] === point[axis];
  });
  return side ? { ...point, side } : null;
}

function keepApart(sharers: readonly Sharer[]): void {
  const [first] = sharers;
  if (!first || !sharers.some(({ draft }) => draft.points)) return;
  const box = first.end === 0 ? first.draft.from : first.draft.to;
  const side = first.draft.sides[first.end];
  const [axis, room] = isHorizontal(side) ? (['y', box.height] as const) : (['x', box.width] as const);
  const apart = Math.min(GAP, (room - 2 * CORNER) / sharers.length) / 2;
  let low = box[axis] + CORNER;
  sharers.forEach(({ draft, end }, index) => {
    const port = draft.ports[end];
    if (!draft.points) {
      const high = Math.min(
        box[axis] + room - CORNER,
        ...sharers
          .slice(index)
          .flatMap((other) => (other.draft.points ? other.draft.ports[other.end][axis] - apart : [])),
      );
      // Where there is no room, between the two.
      port[axis] = low > high ? (low + high) / 2 : Math.min(high, Math.max(low, port[axis]));
    }
    low = Math.max(low, port[axis] + apart);
  });
}
