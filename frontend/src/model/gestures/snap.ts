/** Snapping of dragged boxes: to neighbours, else to the grid. Pure. */
import type { Point } from '../../protocol/types';
import type { Box } from '../drawing/boxes';

export const GRID = 8;

/** An alignment guide: from `from` to `to` across the given position on its axis. */
export interface Guide {
  axis: 'x' | 'y';
  at: number;
  from: number;
  to: number;
}

export interface Snapped {
  by: Point;
  guides: Guide[];
}

interface Options {
  /** The snapping distance, in pixels of the diagram. */
  reach: number;
  /** Neither grid nor neighbours. */
  isFree?: boolean;
}

/** Snaps the offset `by` of a box. */
export function snapped(box: Box, by: Point, others: readonly Box[], { reach, isFree }: Options): Snapped {
  if (isFree) return { by: { x: Math.round(by.x), y: Math.round(by.y) }, guides: [] };
  const there = { ...box, x: box.x + by.x, y: box.y + by.y };
  const [x, y] = (['x', 'y'] as const).map((axis) => aligned(there, others, axis, reach));
  const end = {
    x: x ? by.x + x.by : onGrid(there.x) - box.x,
    y: y ? by.y + y.by : onGrid(there.y) - box.y,
  };
  const final = { ...box, x: box.x + end.x, y: box.y + end.y };
  const guides = [x && guideOf(final, x, 'x'), y && guideOf(final, y, 'y')].filter((one) => one != null);
  return { by: end, guides };
}

export const onGrid = (value: number): number => Math.round(value / GRID) * GRID;

interface Match {
  by: number;
  at: number;
  other: Box;
}

const EXTENT = { x: 'width', y: 'height' } as const;
const ACROSS = { x: 'y', y: 'x' } as const;

/** The positions of a box that can be aligned: both edges and the middle. */
const placesOf = (box: Box, axis: 'x' | 'y'): [number, number, number] => {
  const extent = box[EXTENT[axis]];
  return [box[axis], box[axis] + extent / 2, box[axis] + extent];
};

/** The nearest position to align with; of two equally near the one in the nearer box. */
function aligned(box: Box, others: readonly Box[], axis: 'x' | 'y', reach: number): Match | null {
  let best: Match | null = null;
  let least = Number.POSITIVE_INFINITY;
  const mine = placesOf(box, axis);
  const across = ACROSS[axis];
  for (const other of others) {
    const theirs = placesOf(other, axis);
    const away = Math.abs(other[across] - box[across]) / 1e5;
    for (const [index, place] of mine.entries())
      for (const [at, goal] of theirs.entries()) {
        // A middle is in line with a middle, an edge with an edge.
        if ((index === 1) !== (at === 1)) continue;
        const by = goal - place;
        if (Math.abs(by) > reach || Math.abs(by) + away >= least) continue;
        least = Math.abs(by) + away;
        best = { by, at: goal, other };
      }
  }
  return best;
}

function guideOf(box: Box, { at, other }: Match, axis: 'x' | 'y'): Guide {
  const across = ACROSS[axis];
  const ends = [box, other].flatMap((one) => [one[across], one[across] + one[EXTENT[across]]]);
  return { axis, at, from: Math.min(...ends), to: Math.max(...ends) };
}
