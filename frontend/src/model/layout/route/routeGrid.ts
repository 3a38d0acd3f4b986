/**
 * The grid on which a line is searched (`routeSearch.ts`): coordinates worth using, and what each step costs. Pure.
 *
 * Coordinates are those beside boxes and other lines, and those of the ports. A step through a node costs infinitely
 * much, one along another line almost as much, one across a line or a title something.
 */
import type { Point } from '../../../protocol/types';
import { type Box, inflated } from '../../drawing/boxes';
import type { Segment } from '../../drawing/polyline';
import type { RoutePort } from './routePorts';

export interface Surroundings {
  /** Nodes that the line must not run through, its ends left out. */
  cards: readonly Box[];
  titles: readonly Box[];
  /** Along whose borders the line should not run. */
  frames: readonly Box[];
  /** Other lines. */
  taken: readonly Segment[];
}

export interface Grid {
  xs: readonly number[];
  ys: readonly number[];
  /** The cost of the step from (column, row) to the right, at `row * xs.length + column`. */
  right: Float64Array;
  /** The same for the step downwards. */
  down: Float64Array;
}

/** How far lines keep from nodes, and from one another. */
const FROM_CARDS = 10;
const FROM_LINES = 12;
export const CROSSING_COST = 160;
const TITLE_COST = 4;
const NEAR_COST = 2;
const COVERING_COST = 60;
const NEAR = 8;
const COVERING = 3;
const FROM_BORDERS = 5;

export function gridFor(
  ends: readonly [Box, Box],
  ports: readonly RoutePort[],
  around: Surroundings,
  window: Box,
): Grid {
  const { cards, taken } = around;
  const boxes = [...cards, ...ends].map((box) => inflated(box, FROM_CARDS));
  const isInside = (low: number, extent: number) => (value: number) => value >= low && value <= low + extent;
  const xs = sorted([
    ...boxes.flatMap(({ x, width }) => [x, x + width]),
    ...taken.flatMap(({ from, to }) => (from.x === to.x ? [from.x - FROM_LINES, from.x + FROM_LINES] : [])),
    ...ports.flatMap(({ x, dx }) => [x, x + dx * FROM_CARDS]),
  ]).filter(isInside(window.x, window.width));
  const ys = sorted([
    ...boxes.flatMap(({ y, height }) => [y, y + height]),
    ...taken.flatMap(({ from, to }) => (from.y === to.y ? [from.y - FROM_LINES, from.y + FROM_LINES] : [])),
    ...ports.flatMap(({ y, dy }) => [y, y + dy * FROM_CARDS]),
  ]).filter(isInside(window.y, window.height));
  const grid = emptyGrid(xs, ys);
  for (const box of ends) block(grid, inflated(box, FROM_CARDS - 1));
  for (const port of ports) open(grid, port);
  for (const box of cards) block(grid, inflated(box, FROM_CARDS / 2));
  for (const box of around.titles) addWithin(grid, box, TITLE_COST);
  for (const segment of taken) addLine(grid, segment);
  for (const border of around.frames.flatMap(bordersOf)) addAlong(grid, border, FROM_BORDERS, COVERING_COST);
  return grid;
}

const sorted = (values: readonly number[]): number[] =>
  [...new Set(values)].sort((one, other) => one - other);

function emptyGrid(xs: readonly number[], ys: readonly number[]): Grid {
  const right = new Float64Array(xs.length * ys.length);
  const down = new Float64Array(xs.length * ys.length);
  for (let row = 0; row < ys.length; row += 1)
    for (let column = 0; column < xs.length; column += 1) {
      const at = row * xs.length + column;
      right[at] = (xs[column + 1] ?? Infinity) - (xs[column] as number);
      down[at] = (ys[row + 1] ?? Infinity) - (ys[row] as number);
    }
  return { xs, ys, right, down };
}

/** The first index whose value is at least (or, `isAbove`, greater than) a number. */
export function firstFrom(values: readonly number[], least: number, isAbove = false): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle] as number;
    if (value < least || (isAbove && value === least)) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Change = (at: number, steps: Float64Array, shared: number) => void;

/** Calls back for each step to the right that runs within a box, with the pixels that it shares with it. */
function stepsRight({ xs, ys, right }: Grid, { x, y, width, height }: Box, change: Change): void {
  const first = Math.max(0, firstFrom(xs, x, true) - 1);
  for (let row = firstFrom(ys, y, true); row < ys.length && (ys[row] as number) < y + height; row += 1)
    for (let column = first; column + 1 < xs.length && (xs[column] as number) < x + width; column += 1) {
      const shared = Math.min(xs[column + 1] as number, x + width) - Math.max(xs[column] as number, x);
      if (shared > 0) change(row * xs.length + column, right, shared);
    }
}

function stepsDown({ xs, ys, down }: Grid, { x, y, width, height }: Box, change: Change): void {
  const first = Math.max(0, firstFrom(ys, y, true) - 1);
  for (
    let column = firstFrom(xs, x, true);
    column < xs.length && (xs[column] as number) < x + width;
    column += 1
  )
    for (let row = first; row + 1 < ys.length && (ys[row] as number) < y + height; row += 1) {
      const shared = Math.min(ys[row + 1] as number, y + height) - Math.max(ys[row] as number, y);
      if (shared > 0) change(row * xs.length + column, down, shared);
    }
}

function block(grid: Grid, box: Box): void {
  const close: Change = (at, steps) => {
    steps[at] = Infinity;
  };
  stepsRight(grid, box, close);
  stepsDown(grid, box, close);
}

function addWithin(grid: Grid, box: Box, perPixel: number): void {
  const add: Change = (at, steps, shared) => {
    steps[at] = (steps[at] as number) + perPixel * shared;
  };
  stepsRight(grid, box, add);
  stepsDown(grid, box, add);
}

/** The steps from a port to where the line is free of its node. */
function open(grid: Grid, { x, y, dx, dy }: RoutePort): void {
  const { xs, ys, right, down } = grid;
  const far = { x: x + dx * FROM_CARDS, y: y + dy * FROM_CARDS };
  const [left, top] = [Math.min(x, far.x), Math.min(y, far.y)];
  if (dx !== 0) {
    const row = firstFrom(ys, y);
    for (let at = firstFrom(xs, left); (xs[at + 1] ?? Infinity) <= left + FROM_CARDS; at += 1)
      right[row * xs.length + at] = (xs[at + 1] as number) - (xs[at] as number);
  } else {
    const column = firstFrom(xs, x);
    for (let at = firstFrom(ys, top); (ys[at + 1] ?? Infinity) <= top + FROM_CARDS; at += 1)
      down[at * xs.length + column] = (ys[at + 1] as number) - (ys[at] as number);
  }
}

/** Steps along a line, nearer to it than this, cost by the pixel. */
function addAlong(grid: Grid, { from, to }: Segment, near: number, cost: number): void {
  const box = spanOf(from, to, near);
  const add: Change = (at, steps, shared) => {
    steps[at] = (steps[at] as number) + cost * shared;
  };
  if (from.y === to.y) stepsRight(grid, box, add);
  if (from.x === to.x) stepsDown(grid, box, add);
}

function bordersOf({ x, y, width, height }: Box): Segment[] {
  const [a, b, c, d] = [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
  return [a, b, c, d].map((from, at) => ({ from, to: [b, c, d, a][at] as Point }));
}

/** Steps along a line cost by the pixel, steps across it once. */
function addLine(grid: Grid, { from, to }: Segment): void {
  addAlong(grid, { from, to }, NEAR, NEAR_COST);
  addAlong(grid, { from, to }, COVERING, COVERING_COST);
  const { xs, ys, right, down } = grid;
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  const [rightmost, lowest] = [Math.max(from.x, to.x), Math.max(from.y, to.y)];
  if (from.y === to.y) {
    const row = firstFrom(ys, from.y, true) - 1;
    if (row < 0 || row + 1 >= ys.length) return;
    for (
      let column = firstFrom(xs, left);
      column < xs.length && (xs[column] as number) <= rightmost;
      column += 1
    ) {
      const at = row * xs.length + column;
      down[at] = (down[at] as number) + CROSSING_COST;
    }
  } else {
    const column = firstFrom(xs, from.x, true) - 1;
    if (column < 0 || column + 1 >= xs.length) return;
    for (let row = firstFrom(ys, top); row < ys.length && (ys[row] as number) <= lowest; row += 1) {
      const at = row * xs.length + column;
      right[at] = (right[at] as number) + CROSSING_COST;
    }
  }
}

const spanOf = (from: Point, to: Point, by: number): Box =>
  inflated(
    {
      x: Math.min(from.x, to.x) + (from.x === to.x ? 0 : by),
      y: Math.min(from.y, to.y) + (from.y === to.y ? 0 : by),
      width: Math.max(0, Math.abs(from.x - to.x) - (from.x === to.x ? 0 : 2 * by)),
      height: Math.max(0, Math.abs(from.y - to.y) - (from.y === to.y ? 0 : 2 * by)),
    },
    by,
  );
