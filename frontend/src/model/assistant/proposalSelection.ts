/**
 * Which operations of a proposal are to be accepted: what others build on comes along, and what no longer fits can
 * not be ticked. Pure. Not here: how it is drawn.
 */
import type { ProposedOperation } from '../../protocol/types';

export interface ProposalRow {
  index: number;
  isChecked: boolean;
  /** Whether it can be ticked: it fits what is there now, and so does everything that it builds on. */
  isEnabled: boolean;
  /** Why not, in words; empty where it can. */
  why: string;
  /** The operations that are ticked and build on it, for which it comes along. */
  neededBy: readonly number[];
  /** What it builds on, directly or not. */
  needs: readonly number[];
}

/** Operations as rows; `chosen` are the indexes that are ticked. */
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

/** All of them: what does not fit now is ticked once it fits again, unless somebody took the tick away. */
export const allIndexes = (operations: readonly ProposedOperation[]): Set<number> =>
  new Set(operations.map(({ index }) => index));

export interface Selection {
  chosen: Set<number>;
  /** What came along or went with it. */
  also: number[];
}

/** After one was ticked or unticked: with one comes what it builds on, without one goes what builds on it. */
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
  // What fits no more was not ticked in sight.
  return { chosen, also: also.filter((one) => one.fits).map((one) => one.index) };
}
