/**
 * Rows of a comparison with what runs that are chosen to be proposed, each with what is to be done. Pure. A row brings
 * along what it needs, and goes with it. Not here: the comparison itself, which the server makes.
 */
import type { Operation } from '../../protocol/live';
import type { WorkloadRow } from '../../protocol/types';

/** Chosen rows: the id of each → the id of what is to be done. */
export type Chosen = ReadonlyMap<string, string>;

const isUndrawn = ({ kind }: WorkloadRow) => kind === 'not_drawn' || kind === 'line_not_drawn';

/** Everything that runs and is not drawn. */
export const allToDraw = (rows: readonly WorkloadRow[]): Chosen =>
  new Map(
    rows.filter(isUndrawn).flatMap(({ id, choices: [first] }) => (first ? [[id, first.id] as const] : [])),
  );

/** With a row, what it needs, and the lines that all of this makes possible. */
export function withRow(
  chosen: Chosen,
  rows: readonly WorkloadRow[],
  row: WorkloadRow,
  choice = row.choices[0],
): Chosen {
  if (!choice) return chosen;
  const next = new Map(chosen).set(row.id, choice.id);
  const add = (one: WorkloadRow) => {
    const first = one.choices[0];
    if (first && !next.has(one.id)) next.set(one.id, first.id);
  };
  for (const one of rows) if (row.needs.includes(one.id)) add(one);
  const isNew = (id: string) => next.has(id) && !chosen.has(id);
  for (const one of rows) if (one.needs.some(isNew) && one.needs.every((need) => next.has(need))) add(one);
  return next;
}

/** Without a row, and without those that need it. */
export function withoutRow(chosen: Chosen, rows: readonly WorkloadRow[], row: WorkloadRow): Chosen {
  const next = new Map(chosen);
  next.delete(row.id);
  for (const one of rows) if (one.needs.includes(row.id)) next.delete(one.id);
  return next;
}

/**
 * The operations of the chosen rows, in the order of the comparison, each once. A row that needs one that is not among
 * these is left out.
 */
export function operationsOf(rows: readonly WorkloadRow[], chosen: Chosen): Operation[] {
  const there = new Set(rows.map(({ id }) => id).filter((id) => chosen.has(id)));
  const every = rows
    .filter(({ needs }) => needs.every((need) => there.has(need)))
    .flatMap(({ id, choices }) => choices.find((choice) => choice.id === chosen.get(id))?.operations ?? []);
  return [...new Map(every.map((one) => [JSON.stringify(one), one])).values()] as unknown as Operation[];
}

/** Rows of some namespaces; those that belong to none are always there. */
export const inNamespaces = (rows: readonly WorkloadRow[], left: ReadonlySet<string>): WorkloadRow[] =>
  rows.filter(({ namespace }) => namespace === null || !left.has(namespace));

/** Names of namespaces as they are written into a field. */
export const namespacesIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];
