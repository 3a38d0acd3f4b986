/**
 * Which operations of a proposal are selected for acceptance: dependencies are selected along, and an operation that no
 * longer fits cannot be selected. Pure.
 */
import type { ProposedOperation } from '../../protocol/types';

export interface ProposalRow {
  index: number;
  isChecked: boolean;
  /** Whether it can be selected: it fits the current workspace, and so do all its dependencies. */
  isEnabled: boolean;
  /** Why it cannot be selected; empty where it can. */
  why: string;
  /** The selected operations that depend on it. */
  neededBy: readonly number[];
  /** All its dependencies, transitive ones included. */
  needs: readonly number[];
}

/** Operations as rows; `chosen` are the selected indexes. */
export function proposalRows(
  operations: readonly ProposedOperation[],
  chosen: ReadonlySet<number>,
): ProposalRow[] {
  const byIndex = new Map(operations.map((one) => [one.index, one]));
  return operations.map(({ index, fits, why, depends_on }) => {
    const fallen = depends_on.map((other) => byIndex.get(other)).find((one) => one && !one.fits);
    const isEnabled = fits && !fallen;
    const reason = fits ? (fallen ? `needs “${fallen.what}”, which no longer fits` : '') : why;
    const isChecked = isEnabled && chosen.has(index);
    const neededBy = operations
      .filter((other) => chosen.has(other.index) && other.depends_on.includes(index))
      .map((other) => other.index);
    return { index, isChecked, isEnabled, why: reason, neededBy, needs: depends_on };
  });
}

/** All indexes: an operation that does not fit now is selected once it fits again, unless somebody deselected it. */
export const allIndexes = (operations: readonly ProposedOperation[]): Set<number> =>
  new Set(operations.map(({ index }) => index));

export interface Selection {
  chosen: Set<number>;
  /** Further operations that were selected or deselected along with it, without those that do not fit. */
  also: number[];
}

/** Toggles an operation: selecting one selects its dependencies, deselecting one deselects its dependents. */
export function toggled(
  operations: readonly ProposedOperation[],
  before: ReadonlySet<number>,
  index: number,
): Selection {
  const chosen = new Set(before);
  const isOff = chosen.delete(index);
  const own = operations.find((one) => one.index === index);
  const also = isOff
    ? operations.filter((one) => chosen.has(one.index) && one.depends_on.includes(index))
    : operations.filter((one) => own?.depends_on.includes(one.index) && !chosen.has(one.index));
  for (const one of also) {
    if (isOff) chosen.delete(one.index);
    else chosen.add(one.index);
  }
  if (!isOff) chosen.add(index);
  // An operation that does not fit was not shown as selected.
  return { chosen, also: also.filter((one) => one.fits).map((one) => one.index) };
}
