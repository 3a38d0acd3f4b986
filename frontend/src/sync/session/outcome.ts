/** The outcome of a write: the server's answer as a value. Pure. */
import type { Committed, LeftOut, Rejected } from '../../protocol/live';

export type Outcome =
  | {
      kind: 'committed';
      rev: number;
      changed: boolean;
      results: Record<string, unknown>[];
      warnings: Record<string, unknown>[];
      leftOut: LeftOut[];
    }
  | { kind: 'rejected'; code: string; detail: string; problems: Record<string, unknown>[] };

/** The outcome of a tray item that was applied again. */
export type AppliedAgain = Outcome | 'typed' | 'misplaced';

/** The outcome of one write. */
export interface Settled {
  id: string;
  outcome: Outcome;
}

export function committed(message: Committed): Outcome {
  const { rev, changed, results, warnings, left_out } = message;
  return { kind: 'committed', rev, changed, results, warnings, leftOut: left_out };
}

/** The outcome of a write that was taken back before it was sent, or of an undo of a write that changed nothing. */
export function withdrawn(rev: number): Outcome {
  return settledHere(rev, false);
}

/** The outcome of a write that was added to a draft. */
export function drafted(rev: number): Outcome {
  return settledHere(rev, true);
}

/** An outcome that no server has told. */
const settledHere = (rev: number, changed: boolean): Outcome => ({
  kind: 'committed',
  rev,
  changed,
  results: [],
  warnings: [],
  leftOut: [],
});

export function rejected({ code, detail, problems }: Omit<Rejected, 't' | 'id' | 'retry'>): Outcome {
  return { kind: 'rejected', code, detail, problems };
}

/** Why a write was refused, as one text: its problems, which say more than their count. */
export function whyOf(outcome: Outcome): string {
  if (outcome.kind === 'committed') return '';
  const problems = outcome.problems
    .map((problem) => problem.message)
    .filter((words) => typeof words === 'string');
  return problems.length > 0 ? problems.join(' ') : outcome.detail;
}
