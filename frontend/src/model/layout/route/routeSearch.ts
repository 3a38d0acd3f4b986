/** The cheapest line between two boxes on a grid (A*), with few bends and crossings. Pure. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import { simplified } from '../../drawing/polyline';
import { firstFrom, type Grid, gridFor, type Surroundings } from './routeGrid';
import { portsOf, type RoutePort } from './routePorts';

const BEND_COST = 45;
const OFF_MIDDLE_COST = 0.3;

/** How many steps may still be looked at, over all lines of a layout. */
export interface Effort {
  left: number;
}

/** What is joined: two boxes, and which of them holds the other. */
export interface Joint {
  from: Box;
  to: Box;
  holder: 'from' | 'to' | null;
}

/** The points of the line, ends included; null where there is none within the window or the effort is spent. */
export function searchLine(joint: Joint, around: Surroundings, window: Box, effort: Effort): Point[] | null {
  const starts = portsOf(joint.from, joint.holder === 'from').filter(isFree(around, window));
  const ends = portsOf(joint.to, joint.holder === 'to').filter(isFree(around, window));
  const solid = ([joint.from, joint.to] as [Box, Box]).map((box, at) =>
    joint.holder === (at === 0 ? 'from' : 'to') ? { ...box, width: 0, height: 0 } : box,
  ) as [Box, Box];
  const grid = gridFor(solid, [...starts, ...ends], around, window);
  return search(grid, starts, ends, joint.to, effort);
}

/** Whether there is room in front of a port. */
const isFree =
  ({ cards }: Surroundings, window: Box) =>
  ({ x, y, dx, dy }: RoutePort): boolean => {
    const [farX, farY] = [x + dx * 10, y + dy * 10];
    if (farX < window.x || farX > window.x + window.width) return false;
    if (farY < window.y || farY > window.y + window.height) return false;
    return !cards.some(
      (box) => farX > box.x && farX < box.x + box.width && farY > box.y && farY < box.y + box.height,
    );
  };

/** Arrays of one search, kept for the next: they are large, and there are many searches. */
let costs = new Float64Array(0);
let before = new Int32Array(0);
let done = new Uint8Array(0);

function makeReady(states: number): void {
  if (costs.length < states) {
    costs = new Float64Array(2 * states);
    before = new Int32Array(2 * states);
    done = new Uint8Array(2 * states);
  }
  costs.fill(Infinity, 0, states);
  before.fill(-1, 0, states);
  done.fill(0, 0, states);
}

/** A state is a point of the grid with the axis along which it was reached: twice its index, plus 1 if vertically. */
function search(
  grid: Grid,
  starts: readonly RoutePort[],
  ends: readonly RoutePort[],
  goal: Box,
  effort: Effort,
): Point[] | null {
  const { xs, ys, right, down } = grid;
  const columns = xs.length;
  const count = columns * ys.length;
  if (count === 0) return null;
  makeReady(2 * count);
  const indexOf = ({ x, y }: Point): number => firstFrom(ys, y) * columns + firstFrom(xs, x);
  const ending = new Map<number, number>();
  for (const port of ends)
    ending.set(2 * indexOf(port) + (port.dx === 0 ? 1 : 0), OFF_MIDDLE_COST * port.offMiddle);
  const across = Float64Array.from(xs, (x) => Math.max(0, goal.x - x, x - goal.x - goal.width));
  const along = Float64Array.from(ys, (y) => Math.max(0, goal.y - y, y - goal.y - goal.height));
  /** At least so much is still to come: the distance, and a bend where the end is not straight ahead. */
  const remaining = (state: number): number => {
    const at = state >> 1;
    const row = (at / columns) | 0;
    const [offset, ahead] = [across[at - row * columns] as number, along[row] as number];
    const bends = offset > 0 ? ahead > 0 || (state & 1) === 1 : ahead > 0 && (state & 1) === 0;
    return offset + ahead + (bends ? BEND_COST : 0);
  };
  const queue = new Queue();
  const reach = (state: number, cost: number, from: number): void => {
    if (cost >= (costs[state] as number)) return;
    costs[state] = cost;
    before[state] = from;
    queue.add(state, cost + remaining(state) + (ending.get(state) ?? 0));
  };
  for (const port of starts)
    reach(2 * indexOf(port) + (port.dx === 0 ? 1 : 0), OFF_MIDDLE_COST * port.offMiddle, -1);
  for (let state = queue.take(); state >= 0; state = queue.take()) {
    if (done[state]) continue;
    done[state] = 1;
    if (ending.has(state) && (before[state] as number) >= 0) return pathTo(state, grid);
    effort.left -= 1;
    if (effort.left < 0) return null;
    const at = state >> 1;
    const isVertical = (state & 1) === 1;
    const cost = costs[state] as number;
    const step = (to: number, length: number, goesDown: boolean): void => {
      if (length === Infinity) return;
      // The first step goes straight away from the box.
      if (goesDown !== isVertical && (before[state] as number) < 0) return;
      reach(2 * to + (goesDown ? 1 : 0), cost + length + (goesDown === isVertical ? 0 : BEND_COST), state);
    };
    const column = at % columns;
    if (column + 1 < columns) step(at + 1, right[at] as number, false);
    if (column > 0) step(at - 1, right[at - 1] as number, false);
    if (at + columns < count) step(at + columns, down[at] as number, true);
    if (at >= columns) step(at - columns, down[at - columns] as number, true);
  }
  return null;
}

function pathTo(last: number, { xs, ys }: Grid): Point[] {
  const points: Point[] = [];
  for (let state = last; state >= 0; state = before[state] as number) {
    const at = state >> 1;
    points.push({ x: xs[at % xs.length] as number, y: ys[Math.floor(at / xs.length)] as number });
  }
  return simplified(points.reverse());
}

/** A priority queue of numbers: a binary heap. Pure. */
class Queue {
  private readonly items: number[] = [];
  private readonly costs: number[] = [];

  add(item: number, cost: number): void {
    let at = this.items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.costs[above] as number) <= cost) break;
      this.put(at, this.items[above] as number, this.costs[above] as number);
      at = above;
    }
    this.put(at, item, cost);
  }

  /** The cheapest item, which is removed; -1 where there is none. */
  take(): number {
    const [first] = this.items;
    const last = this.items.pop();
    const cost = this.costs.pop();
    if (first === undefined || last === undefined || cost === undefined) return -1;
    if (this.items.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.items.length) break;
      if (below + 1 < this.items.length && (this.costs[below + 1] as number) < (this.costs[below] as number))
        below += 1;
      if ((this.costs[below] as number) >= cost) break;
      this.put(at, this.items[below] as number, this.costs[below] as number);
      at = below;
    }
    this.put(at, last, cost);
    return first;
  }

  private put(at: number, item: number, cost: number): void {
    this.items[at] = item;
    this.costs[at] = cost;
  }
}
