/** Finds what is near a box without looking at everything: a grid of cells. Pure. */
import { type Box, boxesOverlap } from './boxes';

const CELL = 160;
/** What covers more cells is looked at always. */
const MOST_CELLS = 10_000;

interface Entry<T> {
  box: Box;
  item: T;
}

export class BoxIndex<T> {
  private readonly cells = new Map<number, Entry<T>[]>();
  private readonly large: Entry<T>[] = [];

  add(box: Box, item: T): void {
    const entry = { box, item };
    if (isLarge(box)) {
      this.large.push(entry);
      return;
    }
    for (const key of keysOf(box)) {
      const cell = this.cells.get(key);
      if (cell) cell.push(entry);
      else this.cells.set(key, [entry]);
    }
  }

  remove(box: Box, item: T): void {
    const lists = isLarge(box) ? [this.large] : [...keysOf(box)].map((key) => this.cells.get(key) ?? []);
    for (const list of lists) {
      const at = list.findIndex((entry) => entry.item === item);
      if (at >= 0) list.splice(at, 1);
    }
  }

  /** Each item whose box overlaps this one, once. */
  over(box: Box): Set<T> {
    const found = new Set<T>();
    addOver(this.large, box, found);
    if (isLarge(box)) {
      for (const cell of this.cells.values()) addOver(cell, box, found);
      return found;
    }
    // Without `keysOf`: this is asked far more often than anything else of a drawing.
    const [right, bottom] = [cellOf(box.x + box.width), cellOf(box.y + box.height)];
    for (let column = cellOf(box.x); column <= right; column += 1)
      for (let row = cellOf(box.y); row <= bottom; row += 1) {
        const cell = this.cells.get(keyOf(column, row));
        if (cell) addOver(cell, box, found);
      }
    return found;
  }
}

function addOver<T>(entries: readonly Entry<T>[], box: Box, found: Set<T>): void {
  for (const entry of entries) if (boxesOverlap(entry.box, box)) found.add(entry.item);
}

const cellOf = (value: number): number => Math.floor(value / CELL);

const isLarge = ({ width, height }: Box): boolean =>
  !((cellOf(width) + 2) * (cellOf(height) + 2) <= MOST_CELLS);

function* keysOf({ x, y, width, height }: Box): Generator<number> {
  for (let column = cellOf(x); column <= cellOf(x + width); column += 1)
    for (let row = cellOf(y); row <= cellOf(y + height); row += 1) yield keyOf(column, row);
}

const keyOf = (column: number, row: number): number => column * 1_000_003 + row;
