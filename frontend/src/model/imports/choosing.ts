/**
 * Rows of an import into a workspace that are ticked to be taken over. Pure. A row brings along what it needs, and goes with
 * it. Not here: the comparison itself, which the server makes.
 */
import type { ImportRow, OpenImport } from '../../protocol/imports';
import type { Operation } from '../../protocol/live';

/** The ids of ticked rows. */
export type Ticked = ReadonlySet<string>;

/** All rows, in the order in which their operations are sent. */
export const rowsOf = (found: OpenImport): ImportRow[] => [...found.new, ...found.changed, ...found.missing];

/** What is new and what has changed; what is gone stays unless somebody ticks it. */
export const tickedAtFirst = (found: OpenImport): Ticked =>
  new Set(
    [...found.new, ...found.changed].filter(({ operations }) => operations.length > 0).map(({ id }) => id),
  );

/** With a row and what it needs, and what that needs in turn. */
export function withRow(ticked: Ticked, rows: readonly ImportRow[], row: ImportRow): Ticked {
  const next = new Set(ticked);
  const waiting = [row];
  for (const one of waiting) {
    if (one.operations.length > 0) next.add(one.id);
    waiting.push(...rows.filter(({ id }) => one.needs.includes(id) && !next.has(id)));
  }
  return next;
}

/** Without a row, and without those that need it, or one of these. */
export function withoutRow(ticked: Ticked, rows: readonly ImportRow[], row: ImportRow): Ticked {
  const next = new Set(ticked);
  const waiting = [row.id];
  for (const gone of waiting) {
    next.delete(gone);
    waiting.push(...rows.filter(({ id, needs }) => next.has(id) && needs.includes(gone)).map(({ id }) => id));
  }
  return next;
}

/** The operations of the ticked rows, in the order of the lists. */
export const operationsOf = (found: OpenImport, ticked: Ticked): Operation[] =>
  rowsOf(found)
    .filter(({ id }) => ticked.has(id))
    .flatMap(({ operations }) => operations) as unknown as Operation[];
