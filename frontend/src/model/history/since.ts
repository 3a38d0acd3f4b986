/** The starting points that a person can choose for a summary of changes: visits of this browser, checkpoints. Pure. */
import type { Checkpoint } from '../../protocol/types';

/** What is kept of the visits of a workspace. */
export interface Visit {
  /** The revision at the end of the visit before this one; null where there was none. */
  before: number | null;
  /** The newest revision that was in sight. */
  last: number;
  /** When that was, in milliseconds. */
  at: number;
}

/** Away for longer than this is another visit. */
export const APART_MS = 30 * 60_000;

/** The visits once a revision is in sight at a time. */
export function seenAt(kept: Visit | undefined, revision: number, now: number): Visit {
  if (!kept) return { before: null, last: revision, at: now };
  const before = now - kept.at > APART_MS ? kept.last : kept.before;
  return { before, last: revision, at: now };
}

export interface Since {
  revision: number;
  text: string;
}

interface Known {
  newest: number;
  /** The revision at the end of the visit before; null where none is known. */
  visit: number | null;
  checkpoints: readonly Checkpoint[];
  /** A revision that was chosen by its row. */
  chosen: number | null;
}

/** The choices, the likeliest first; each revision once, and none that nothing came after. */
export function sinceChoices({ newest, visit, checkpoints, chosen }: Known): Since[] {
  const all: Since[] = [
    ...(chosen === null ? [] : [{ revision: chosen, text: namedBy(checkpoints, chosen) }]),
    ...(visit === null ? [] : [{ revision: visit, text: 'my last visit' }]),
    ...checkpoints.map(({ name, revision }) => ({ revision, text: `“${name}”` })),
    { revision: 1, text: 'the beginning' },
  ];
  return all.filter(
    ({ revision }, at) =>
      revision >= 1 && revision < newest && all.findIndex((one) => one.revision === revision) === at,
  );
}

const namedBy = (checkpoints: readonly Checkpoint[], revision: number): string => {
  const named = checkpoints.find((one) => one.revision === revision);
  return named ? `“${named.name}”` : `revision ${revision}`;
};
