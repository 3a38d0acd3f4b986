/**
 * The progress of a request, as a reducer over the events of its run (docs/assistant.md). Pure. Not here: transport of
 * events (`sync/session/runSubscriptions.ts`), finished runs (`card.ts`).
 */
import type { Step } from '../../protocol/live';
import type { DocumentChange, Problem, RunOutcome, RunStatus } from '../../protocol/types';

/** An operation that is ready or still being written. Nothing of it is applied. */
export interface Prepared {
  index: number;
  op: string;
  /** A sentence. */
  what: string;
  steps: readonly Step[];
  /** The tool call it belongs to; a refused call discards what was being written in it. */
  call: string;
  /** Whether it is ready; else it is still being written, and may be discarded. */
  isReady: boolean;
}

/** A batch that was refused at first, and why. */
export interface Refused {
  problems: readonly Problem[];
}

/** A prepared operation that conflicts with a commit of somebody else. */
export interface Conflicting {
  what: string;
  why: string;
}

/** A call that changes something outside of the workspace, and is made only after a yes. */
export interface WaitingCall {
  id: string;
  plugin: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  until_ms: number;
}

export interface RunProgress {
  phase: 'reading' | 'thinking' | 'commit' | 'propose';
  /** The text so far. */
  text: string;
  /** The summary of the model's thinking so far. */
  thinking: string;
  /** The operations that are ready, in order, then those that are being written. */
  operations: readonly Prepared[];
  /** The changes of all ready operations to the document at `revision`. */
  document: readonly DocumentChange[];
  revision: number | null;
  /** The titles of the alternatives so far. */
  alternatives: readonly string[];
  refused: readonly Refused[];
  overtaken: readonly Conflicting[];
  /** The tools that were called. */
  reads: number;
  /** The provider asked to wait this many seconds; null where it did not. */
  waiting: { seconds: number; code: string } | null;
  /** The stream broke and is tried again; what it had shown is dropped. */
  isRetrying: boolean;
  tokens: { input: number; output: number } | null;
  /** The call of a plugin that waits for a yes; null while none does. */
  approval: WaitingCall | null;
  /** The result; null while it runs. */
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
  alternatives: [],
  refused: [],
  overtaken: [],
  reads: 0,
  waiting: null,
  isRetrying: false,
  tokens: null,
  approval: null,
  end: null,
  gone: null,
};

type Facts = Readonly<Record<string, unknown>>;

/** Events that do not tell that a stream which broke goes on. */
const WHILE_RETRYING = new Set(['waiting', 'phase', 'withdrawn']);

/** The next state; unknown kinds of events change nothing. */
export function withEvent(before: RunProgress, event: Facts): RunProgress {
  const isRetrying = before.isRetrying && WHILE_RETRYING.has(String(event.type));
  const now = { ...before, waiting: null, isRetrying };
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
    case 'option':
      return {
        ...now,
        alternatives: before.alternatives.toSpliced(Number(event.index), 1, String(event.title)),
      };
    case 'refused':
      return {
        ...now,
        operations: before.operations.filter(({ call, isReady }) => isReady || call !== event.call),
        refused: [...before.refused, { problems: event.problems as Problem[] }],
      };
    case 'clash':
      return withClash(now, event);
    case 'withdrawn':
      return withoutBrokenTurn(now, event);
    case 'waiting':
      return { ...now, waiting: { seconds: Number(event.seconds), code: String(event.code) } };
    case 'usage':
      return { ...now, tokens: { input: Number(event.input_tokens), output: Number(event.output_tokens) } };
    case 'approval':
      return { ...now, approval: event.state === 'asked' ? (event.approval as WaitingCall) : null };
    case 'end':
      return { ...now, end: { status: event.status as RunStatus, outcome: event.outcome as RunOutcome } };
    case 'gone':
      return { ...now, gone: { code: String(event.code), detail: String(event.detail) } };
    default:
      return now;
  }
}

/** Drops what a turn that broke off had told: it is tried again. Lengths are in UTF-16 units. */
function withoutBrokenTurn(before: RunProgress, event: Facts): RunProgress {
  const calls = event.calls as string[];
  return {
    ...before,
    text: before.text.slice(0, before.text.length - Number(event.text)),
    thinking: before.thinking.slice(0, before.thinking.length - Number(event.thinking)),
    operations: before.operations.filter(({ call, isReady }) => isReady || !calls.includes(call)),
    isRetrying: true,
  };
}

/** Drops operations that conflict with others' commits; the rest is renumbered. */
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

/** Operations with some more put at their indexes: a ready one replaces the one that was being written. */
function placed(known: readonly Prepared[], more: readonly Prepared[]): Prepared[] {
  const first = Math.min(...more.map(({ index }) => index));
  return [...known.filter(({ index }) => index < first), ...more];
}

/** Tags of the blocks that a model was sent, which it may repeat; at the end also the beginning of one. */
const BLOCK_TAG = /<\/?[a-z]{4,16}-(?:[0-9a-f]{8}(?![0-9a-z-])[^<>\n]{0,200}>?|[0-9a-f]{0,7}$)\n?/g;

/** What the model has said so far, without tags of our own. */
export const spokenText = ({ text }: RunProgress): string => text.replace(BLOCK_TAG, '').trim();
