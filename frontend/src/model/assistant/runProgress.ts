/**
 * How far a request to the assistant has come, folded from the events of its run (docs/assistant.md). Pure.
 * Not here: how events travel (`sync/session/runSubscriptions.ts`), what a finished run looks like (`card.ts`).
 */
import type { Step } from '../../protocol/live';
import type { DocumentChange, Problem, RunOutcome, RunStatus } from '../../protocol/types';

/** An operation that is being prepared, or stands ready. Nothing of it is applied. */
export interface Prepared {
  index: number;
  op: string;
  /** A sentence. */
  what: string;
  steps: readonly Step[];
  /** The call it belongs to; a call that is refused takes with it what was being written in it. */
  call: string;
  /** Whether it stands ready; else it is still being written, and may not come. */
  isReady: boolean;
}

/** Something that did not fit at first, and why. */
export interface Refused {
  problems: readonly Problem[];
}

/** What others overtook while it was prepared. */
export interface Conflicting {
  what: string;
  why: string;
}

export interface RunProgress {
  phase: 'reading' | 'thinking' | 'commit' | 'propose';
  /** What it has said so far. */
  text: string;
  /** The summary of what it thinks, so far. */
  thinking: string;
  /** What stands ready, in order, and after it what is still being written. */
  operations: readonly Prepared[];
  /** What all that stands ready changes in the document as it was at `revision`. */
  document: readonly DocumentChange[];
  revision: number | null;
  refused: readonly Refused[];
  overtaken: readonly Conflicting[];
  /** What was looked up. */
  reads: number;
  /** The provider asked to wait for so many seconds; null where it did not. */
  waiting: { seconds: number; code: string } | null;
  tokens: { input: number; output: number } | null;
  /** What came of it; null while it runs. */
  end: { status: RunStatus; outcome: RunOutcome } | null;
  /** Why it cannot be watched any more. */
  gone: { code: string; detail: string } | null;
}

export const NO_PROGRESS: RunProgress = {
  phase: 'reading',
  text: '',
  thinking: '',
  operations: [],
  document: [],
  revision: null,
  refused: [],
  overtaken: [],
  reads: 0,
  waiting: null,
  tokens: null,
  end: null,
  gone: null,
};

type Facts = Readonly<Record<string, unknown>>;

/** The progress after one more event; kinds that this page does not know change nothing. */
export function withEvent(before: RunProgress, event: Facts): RunProgress {
  const now = { ...before, waiting: null };
  switch (event.type) {
    case 'phase':
      return { ...now, phase: event.phase as RunProgress['phase'] };
    case 'text':
      return { ...now, text: before.text + String(event.text) };
    case 'thinking':
      return { ...now, thinking: before.thinking + String(event.text) };
    case 'read':
      return { ...now, reads: before.reads + 1 };
    case 'ghost':
      return { ...now, operations: placed(before.operations, prepared(event, [event], false)) };
    case 'staged':
      return {
        ...now,
        operations: placed(before.operations, prepared(event, event.operations as Facts[], true)),
        document: (event.document as DocumentChange[] | undefined) ?? before.document,
        revision: (event.revision as number | undefined) ?? before.revision,
      };
    case 'refused':
      return {
        ...now,
        operations: before.operations.filter(({ call, isReady }) => isReady || call !== event.call),
        refused: [...before.refused, { problems: event.problems as Problem[] }],
      };
    case 'clash':
      return withClash(now, event);
    case 'waiting':
      return { ...now, waiting: { seconds: Number(event.seconds), code: String(event.code) } };
    case 'usage':
      return { ...now, tokens: { input: Number(event.input_tokens), output: Number(event.output_tokens) } };
    case 'end':
      return { ...now, end: { status: event.status as RunStatus, outcome: event.outcome as RunOutcome } };
    case 'gone':
      return { ...now, gone: { code: String(event.code), detail: String(event.detail) } };
    default:
      return now;
  }
}

/** What others have overtaken does not stand ready any more; what is left has other numbers. */
function withClash(before: RunProgress, event: Facts): RunProgress {
  const fallen = event.operations as Conflicting[];
  return {
    ...before,
    operations: prepared({}, (event.left as Facts[] | undefined) ?? [], true),
    document: (event.document as DocumentChange[] | undefined) ?? before.document,
    revision: (event.revision as number | undefined) ?? before.revision,
    overtaken: [...before.overtaken, ...fallen.map(({ what, why }) => ({ what, why }))],
  };
}

const prepared = (event: Facts, operations: readonly Facts[], isReady: boolean): Prepared[] =>
  operations.map(({ index, op, what, steps }) => ({
    index: Number(index),
    op: String(op),
    what: String(what),
    steps: steps as Step[],
    call: String(event.call ?? ''),
    isReady,
  }));

/** Operations with some more put at their indexes: what stands ready takes the place of what was being written. */
function placed(known: readonly Prepared[], more: readonly Prepared[]): Prepared[] {
  const first = Math.min(...more.map(({ index }) => index));
  return [...known.filter(({ index }) => index < first), ...more];
}
