/**
 * The rows of the history as one list over its pages: days, and how a newer first page goes with what is there. Pure.
 * Not here: fetching them (`view/history/useRows`).
 */
import type { CommitItem, CommitList } from '../../protocol/types';

export interface Rows {
  items: readonly CommitItem[];
  /** Where older ones are to be had; null at the end. */
  next: string | null;
}

/** Append a page of older rows. */
export function withOlder(rows: Rows, page: CommitList): Rows {
  return { items: [...rows.items, ...page.items], next: page.next_cursor };
}

/**
 * Put a newer first page over the rows that are there; a row that was in none of their commits' hands before replaces
 * those it holds. Where the page does not reach down to what is there it is all that is known.
 */
export function withNewest(rows: Rows, page: CommitList): Rows {
  const told = new Set(page.items.flatMap(({ revisions }) => revisions));
  const isOverlapping = rows.items.some(({ revisions }) => revisions.some((one) => told.has(one)));
  const oldest = page.items.at(-1);
  // Of few among many there may be none among the newest, however many are below.
  if (!oldest && page.next_cursor !== null) return rows;
  if (!oldest || page.next_cursor === null || !isOverlapping)
    return { items: page.items, next: page.next_cursor };
  const older = rows.items.filter(
    ({ revision, revisions }) => revision < oldest.revision && !revisions.some((one) => told.has(one)),
  );
  // Nothing below the page: then what is below is to be had from where the page ends.
  return older.length > 0
    ? { items: [...page.items, ...older], next: rows.next }
    : { items: page.items, next: page.next_cursor };
}

export interface Day<T> {
  day: string;
  entries: T[];
}

/** Rows under the days they belong to, in order. */
export function byDay<T extends { at: string }>(
  items: readonly T[],
  dayOf: (at: string) => string,
): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(item);
    else days.push({ day, entries: [item] });
  }
  return days;
}
