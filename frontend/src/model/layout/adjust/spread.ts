/**
 * Spreads a drawing as far as labels and titles need room, and no further: sideways, then downwards. Pure.
 *
 * Nothing changes sides, so lines cross as before; only lengths grow. Everything here speaks of sideways: a drawing that
 * is spread downwards has its axes swapped before and after (`swapAxes.ts`).
 */
import type { Diagram, Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import { type Drawing, type DrawnEdge, drawingOf, isFrame } from '../../drawing/drawing';
import type { MeasureText } from '../../drawing/labels';
import { withBoxes } from '../elk/result';
import { type Axis, type Item, type Items, itemsOf, leaderOf } from './spreadItems';
import { swapAxes, swapBox, swapPoint } from './swapAxes';

const ROUNDS = 60;

/** Labels are placed anew where there is more room, which may cover something else; in a large drawing once is enough. */
const TIMES = 3;
const LARGE = 80;

/** The diagram with room for labels and titles; the same one where there is enough, or none can be made. */
export function spread(diagram: Diagram, measure?: MeasureText): Diagram {
  let best = diagram;
  const times = diagram.nodes.length > LARGE ? 1 : TIMES;
  for (let time = 0; time < times; time += 1) {
    const wider = spreadAlong(best, 'x', measure);
    const next = spreadAlong(wider, 'y', measure);
    if (next === best) break;
    best = next;
  }
  return best;
}

function spreadAlong(diagram: Diagram, axis: Axis, measure?: MeasureText): Diagram {
  const drawing = swapAxes(drawingOf(diagram, { measure }), axis);
  const found = itemsOf(drawing, axis, measure);
  const shifts = shiftsFor(found);
  if (!shifts || shifts.every((shift) => shift === 0)) return diagram;
  const boxes = movedBoxes(drawing, found, shifts);
  const routes = movedRoutes(drawing, found, shifts);
  return withBoxes(
    diagram,
    new Map([...boxes].map(([id, box]) => [id, swapBox(box, axis)])),
    new Map([...routes].map(([id, route]) => [id, route.map((point) => swapPoint(point, axis))])),
  );
}

/** How far each item moves to the right; null where the distances contradict one another. */
function shiftsFor({ items, distances }: Items): number[] | null {
  const leaders = items.map((_, index) => leaderOf(items, index));
  const shifts = items.map(() => 0);
  const shiftOf = (index: number): number => shifts[leaders[index] as number] as number;
  const binding = distances
    .filter(({ from, to }) => leaders[from] !== leaders[to])
    .sort((one, other) => (items[one.from] as Item).right - (items[other.from] as Item).right);
  for (let round = 0; round < ROUNDS; round += 1) {
    let isSettled = true;
    for (const { from, to, gap } of binding) {
      const wanted = (items[from] as Item).right + shiftOf(from) + gap - (items[to] as Item).left;
      if (wanted <= shiftOf(to)) continue;
      shifts[leaders[to] as number] = Math.ceil(wanted);
      isSettled = false;
    }
    if (isSettled) return items.map((_, index) => shiftOf(index));
  }
  return null;
}

function movedBoxes(drawing: Drawing, { cards, frames }: Items, shifts: readonly number[]): Map<string, Box> {
  return new Map(
    drawing.nodes.map((drawn) => {
      const { box, node } = drawn;
      if (!isFrame(drawn)) return [node.id, { ...box, x: box.x + (shifts[cards.get(node.id) ?? -1] ?? 0) }];
      const [left, right] = (frames.get(node.id) ?? []).map((side) => shifts[side] ?? 0) as [number, number];
      return [node.id, { ...box, x: box.x + left, width: box.width + right - left }];
    }),
  );
}

function movedRoutes(drawing: Drawing, found: Items, shifts: readonly number[]): Map<string, Point[]> {
  return new Map(
    drawing.edges.flatMap((drawn): [string, Point[]][] => {
      if (!drawn.edge.route?.length) return [];
      return [[drawn.edge.id, routeOf(drawn, found, shifts)]];
    }),
  );
}

/** The bends where they are now; a straight line is kept in place by its middle. */
function routeOf({ edge, points }: DrawnEdge, found: Items, shifts: readonly number[]): Point[] {
  const items = found.points.get(edge.id) ?? [];
  const moved = points.map((point, at) => ({ ...point, x: point.x + (shifts[items[at] ?? -1] ?? 0) }));
  if (points.length > 2) return moved.slice(1, -1);
  const [first, last] = moved as [Point, Point];
  if (first.x === last.x) return [{ x: first.x, y: Math.round((first.y + last.y) / 2) }];
  const ends = [edge.source, edge.target].map((id, at) => {
    const side = found.cards.get(id) ?? found.frames.get(id)?.[first.x < last.x === (at === 0) ? 1 : 0];
    return (at === 0 ? first : last).x + (shifts[side ?? -1] ?? 0);
  }) as [number, number];
  return [{ x: Math.round((ends[0] + ends[1]) / 2), y: first.y }];
}
