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
    const look = (entries: readonly Entry<T>[]): void => {
      for (const entry of entries) if (boxesOverlap(entry.box, box)) found.add(entry.item);
    };
    look(this.large);
    if (isLarge(box)) for (const cell of this.cells.values()) look(cell);
    else for (const key of keysOf(box)) look(this.cells.get(key) ?? []);
    return found;
  }
}

const cellOf = (value: number): number => Math.floor(value / CELL);

const isLarge = ({ width, height }: Box): boolean =>
  !((cellOf(width) + 2) * (cellOf(height) + 2) <= MOST_CELLS);

function* keysOf({ x, y, width, height }: Box): Generator<number> {
  for (let column = cellOf(x); column <= cellOf(x + width); column += 1)
    for (let row = cellOf(y); row <= cellOf(y + height); row += 1) yield column * 1_000_003 + row;
}
