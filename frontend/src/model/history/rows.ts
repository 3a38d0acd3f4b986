/**
 * The rows of the history as one list over its pages: grouping by day, and merging a newer first page. Pure. Not here:
 * fetching them (`view/history/useRows`).
 */
import type { CommitItem, CommitList } from '../../protocol/types';

export interface Rows {
  items: readonly CommitItem[];
  /** The cursor of older rows; null at the end. */
  next: string | null;
}

/** Appends a page of older rows. */
export function withOlder(rows: Rows, page: CommitList): Rows {
  return { items: [...rows.items, ...page.items], next: page.next_cursor };
}

/**
 * Merges a newer first page with the existing rows; a new row replaces those whose commits it contains. Where the page
 * does not reach the existing rows it replaces them all.
 */
export function withNewest(rows: Rows, page: CommitList): Rows {
  const pageRevisions = new Set(page.items.flatMap(({ revisions }) => revisions));
  const isOverlapping = rows.items.some(({ revisions }) => revisions.some((one) => pageRevisions.has(one)));
  const oldest = page.items.at(-1);
  // With a filter the newest commits may hold no row, however many there are below.
  if (!oldest && page.next_cursor !== null) return rows;
  if (!oldest || page.next_cursor === null || !isOverlapping)
    return { items: page.items, next: page.next_cursor };
  const older = rows.items.filter(
    ({ revision, revisions }) =>
      revision < oldest.revision && !revisions.some((one) => pageRevisions.has(one)),
  );
  // Nothing below the page: older rows continue from where the page ends.
  return older.length > 0
    ? { items: [...page.items, ...older], next: rows.next }
    : { items: page.items, next: page.next_cursor };
}

export interface Day<T> {
  day: string;
  entries: T[];
}

/** Rows grouped by day, in order. */
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
