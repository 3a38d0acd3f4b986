/**
 * The batches of a request that were refused and never corrected, and those that were corrected on the way. Pure.
 * Not here: the state of the card as a whole (`card.ts`).
 */
import type { Problem, RunOutcome } from '../../protocol/types';
import { codeWords } from '../words/codeWords';
import { counted } from '../words/kinds';
import { batchWords, isRefusedBatch } from '../words/toolWords';
import type { RunProgress } from './runProgress';

/** A part of a request that was not done. */
export interface RefusedPart {
  /** “A change of the diagram (2 operations)”. */
  what: string;
  /** A sentence, where no problems say it. */
  why: string;
  problems: readonly Problem[];
}

export const refusedParts = (outcome: RunOutcome | null): RefusedPart[] =>
  (outcome?.refused ?? []).map(({ tool, operations, why, problems }) => ({
    what: batchWords(tool) + (operations > 0 ? ` (${counted(operations, 'operation')})` : ''),
    why: problems.length > 0 ? '' : why || codeWords('').sentence,
    problems,
  }));

/** “1 of 2 parts”, where not all of them were done; else empty. */
export function partsWords(outcome: RunOutcome | null): string {
  const { parts, refused } = outcome ?? {};
  if (parts) return parts.done < parts.of ? `${parts.done} of ${counted(parts.of, 'part')}` : '';
  return refused?.length ? 'not all of it' : '';
}

/** The fewest turns with a correction: a refused try, another one, and the end. */
const MIN_TURNS = 3;

/**
 * Whether batches that were refused may have been corrected, as far as the outcome alone tells; for runs that were stored
 * without their calls only the number of turns does.
 */
export function mayHaveCorrected({ tool_calls, iterations, refused }: RunOutcome): boolean {
  if (!tool_calls) return (iterations ?? 0) >= MIN_TURNS;
  return tool_calls.filter((call) => isRefusedBatch(call)).length > (refused?.length ?? 0);
}

/** The problems of refused batches that a later one has solved: all but those of the parts that were left out. */
export function solvedProblems({ refused, end }: RunProgress): readonly (readonly Problem[])[] {
  const parts = end?.outcome.refused ?? [];
  // A call that could not be read has a reason and no problems of its own.
  const left = new Set(
    parts.flatMap(({ why, problems }) => [why, ...problems.map(({ message }) => message)]),
  );
  return refused
    .map(({ problems }) => problems.filter(({ message }) => !left.has(message)))
    .filter(({ length }) => length > 0);
}
