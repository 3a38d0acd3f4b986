/**
 * Spreads a drawing as far as labels and titles need room, and no further: sideways, then downwards; and draws it
 * together where more is left free than anything needs. Pure.
 *
 * Nothing changes sides, so lines cross as before; only lengths grow. Everything here speaks of sideways: a drawing that
 * is spread downwards has its axes swapped before and after.
 */
import type { Diagram, Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import { type Drawing, type DrawnEdge, drawingOf, isFrame } from '../../drawing/drawing';
import type { MeasureText } from '../../drawing/labels';
import { withBoxes } from '../elk/result';
import { type Axis, type Item, type Items, itemsOf, leaderOf, type Purpose } from './spreadItems';

const ROUNDS = 60;

/** Labels are placed anew where there is more room, which may cover something else; in a large drawing once is enough. */
const TIMES = 3;
const LARGE = 80;

/** The diagram with room for labels and titles; the same one where there is enough, or none can be made. */
export function spread(diagram: Diagram, measure?: MeasureText): Diagram {
  let best = diagram;
  let drawing = drawingOf(best, { measure });
  const times = diagram.nodes.length > LARGE ? 1 : TIMES;
  for (let time = 0; time < times; time += 1) {
    const wider = movedAlong(best, drawing, 'x', 'spread', measure);
    if (wider !== best) drawing = drawingOf(wider, { measure });
    const next = movedAlong(wider, drawing, 'y', 'spread', measure);
    if (next === best) break;
    if (next !== wider && time + 1 < times) drawing = drawingOf(next, { measure });
    best = next;
  }
  return best;
}

/** The diagram as small as it can be drawn with everything on its side of what is beside it. */
export function drawnTogether(diagram: Diagram, measure?: MeasureText): Diagram {
  const along = (before: Diagram, axis: Axis) =>
    movedAlong(before, drawingOf(before, { measure }), axis, 'together', measure);
  return along(along(diagram, 'x'), 'y');
}

function movedAlong(
  diagram: Diagram,
  drawn: Drawing,
  axis: Axis,
  purpose: Purpose,
  measure?: MeasureText,
): Diagram {
  const drawing = swapAxes(drawn, axis);
  const found = itemsOf(drawing, axis, measure, purpose);
  const shifts = purpose === 'spread' ? shiftsFor(found) : shiftsTogether(found);
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
const shiftsFor = (found: Items): number[] | null =>
  settled(
    found,
    found.items.map(() => 0),
  );

/**
 * How far each item moves in the narrowest drawing: as far to the right of where it has to be as to the left of where it
 * may be. All distances are kept in the middle of two ways to keep them.
 */
function shiftsTogether(found: Items): number[] | null {
  const first = firstPlaces(found);
  const second = first && firstPlaces(mirrored(found));
  if (!first || !second) return null;
  const width = widthOf(found, first);
  return first.map((shift, index) => {
    const last = width - (second[index] as number);
    return leftOf(found) + Math.floor((shift + last) / 2);
  });
}

/** Relative to a drawing that starts at nothing. */
function firstPlaces(found: Items): number[] | null {
  const leaders = found.items.map((_, index) => leaderOf(found.items, index));
  const lefts = new Map<number, number>();
  found.items.forEach(({ left }, index) => {
    const leader = leaders[index] as number;
    lefts.set(leader, Math.min(left, lefts.get(leader) ?? left));
  });
  return settled(
    found,
    leaders.map((leader) => -(lefts.get(leader) as number)),
  );
}

const leftOf = ({ items }: Items): number => Math.min(...items.map(({ left }) => left));

const widthOf = ({ items }: Items, shifts: readonly number[]): number =>
  Math.max(...items.map(({ right }, index) => right + (shifts[index] as number)));

/** What is left is right. */
const mirrored = ({ items, distances, ...rest }: Items): Items => ({
  ...rest,
  items: items.map((item) => ({ ...item, left: -item.right, right: -item.left })),
  distances: distances.map(({ from, to, gap }) => ({ from: to, to: from, gap })),
});

/** The least shifts from some on that keep all distances; null where these contradict one another. */
function settled({ items, distances }: Items, start: readonly number[]): number[] | null {
  const leaders = items.map((_, index) => leaderOf(items, index));
  const shifts = [...start];
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

/** The same drawing for x. */
function swapAxes(drawing: Drawing, axis: Axis): Drawing {
  if (axis === 'x') return drawing;
  return {
    ...drawing,
    nodes: drawing.nodes.map((drawn) => ({ ...drawn, box: swapBox(drawn.box, axis) })),
    edges: drawing.edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map((point) => swapPoint(point, axis)),
      label: label && {
        ...swapPoint(label, axis),
        shape: { ...label.shape, width: label.shape.height, height: label.shape.width },
      },
    })),
  };
}

const swapPoint = ({ x, y }: Point, axis: Axis): Point => (axis === 'x' ? { x, y } : { x: y, y: x });

const swapBox = ({ x, y, width, height }: Box, axis: Axis): Box =>
  axis === 'x' ? { x, y, width, height } : { x: y, y: x, width: height, height: width };
