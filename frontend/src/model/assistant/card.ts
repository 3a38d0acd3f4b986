/**
 * A request to the assistant as a card of the conversation: it has one state, never a mix of applied and not applied.
 * Pure.
 *
 * Not here: progress of a run (`runProgress.ts`), the meaning of codes (`model/words/codeWords.ts`), what was refused of
 * a request (`refusedParts.ts`), which operations of a proposal are selected (`proposalSelection.ts`).
 */

import type { NextStep } from '../../protocol/codes';
import type { LiveProposal } from '../../protocol/live';
import type {
  Finding,
  Problem,
  ProposalFull,
  Run,
  RunOutcome,
  RunStatus,
  Talk,
  ToolCall,
} from '../../protocol/types';
import { codeWords } from '../words/codeWords';
import { plannedSentence } from './plannedSentences';
import { partsWords, type RefusedPart, refusedParts } from './refusedParts';
import type { RunProgress } from './runProgress';
import { appliesNothing } from './workflows';

/** Codes of what the built-in commands did not understand. */
export const OF_COMMANDS: ReadonlySet<string> = new Set(['not_understood', 'name_unclear']);

/** What this page knows of a request; each part may be missing. */
export interface Turn {
  run: string;
  /** From the conversation that the workspace keeps. */
  talk: Talk | null;
  /** From the runs, which are kept for 7 days. */
  record: Run | null;
  /** If this page watched it. */
  progress: RunProgress | null;
  /** The open proposal. */
  proposal: LiveProposal | null;
  isMine: boolean;
}

export type CardState =
  | 'running'
  | 'applied'
  | 'proposed'
  | 'not-applied'
  | 'cancelled'
  | 'undone'
  | 'partly-undone'
  | 'answered';

/** The revision that undid a commit, and how many of its changes it had to leave out. */
export interface Undone {
  revision: number;
  left_out: number;
  of: number;
}

/** The result of a request after its run ended, as far as it has been read. */
export interface RunResult {
  /** Its proposal as the server has it; 'gone' where it is no longer kept. */
  decided: ProposalFull | 'gone' | null;
  /** The revision that undid its commit; null while the commit is in effect. */
  undone: Undone | null;
}

export interface CardOperation {
  index: number;
  /** A sentence. */
  what: string;
}

/** A failure, and what can be done about it. */
export interface CardFailure {
  /** Empty where nothing failed: the request was discarded, say. */
  code: string;
  /** The failure in words for a person. */
  sentence: string;
  /** The details of this case; empty where there are none. */
  detail: string;
  problems: readonly Problem[];
  steps: readonly NextStep[];
}

export interface Card {
  state: CardState;
  /** The state in words. */
  words: string;
  /** The revision of its commit; null where it has none. */
  revision: number | null;
  /** “3 of 5 accepted”, where only a part was accepted; else empty. */
  part: string;
  /** What was not accepted of it, each as a plan. */
  leftOut: readonly CardOperation[];
  /** “1 of 2 parts”, where some of it was refused and not corrected; else empty. */
  share: string;
  /** What was refused and not corrected. */
  refused: readonly RefusedPart[];
  /** What it did or would do. */
  operations: readonly CardOperation[];
  /** What the assistant said. */
  message: string;
  /** Why it was left as a proposal. */
  reason: string;
  failure: CardFailure | null;
  /** Commands similar to one that was not understood. */
  suggestions: readonly string[];
  tools: readonly string[];
  /** The calls of tools in order; empty for runs that were stored before they were kept. */
  calls: readonly ToolCall[];
  /** How many more calls there were than are kept. */
  callsLeftOut: number;
  /** The places that an answer rests on; null where none were reported. */
  findings: readonly Finding[] | null;
  /** Why what was reported last was not taken; else empty. */
  findingsRefused: string;
}

/** Builds the card: the newest information decides, and a final state wins over others. */
export function cardOf(turn: Turn, { decided, undone }: RunResult): Card {
  const { talk, record, progress, proposal } = turn;
  const status = statusOf(turn);
  const outcome = progress?.end?.outcome ?? record?.outcome ?? null;
  const full = decided === 'gone' ? null : decided;
  const message = outcome?.summary ?? proposal?.summary ?? full?.summary ?? talk?.summary ?? '';
  const card: Card = {
    state: 'running',
    words: 'Working…',
    revision: null,
    part: '',
    leftOut: [],
    share: partsWords(outcome),
    refused: refusedParts(outcome),
    operations: operationsOf(outcome, full ?? proposal),
    message: SILENT.test(message) ? '' : message,
    reason: '',
    failure: null,
    suggestions: outcome?.suggestions ?? [],
    tools: outcome?.tools_used ?? [],
    calls: outcome?.tool_calls ?? [],
    callsLeftOut: outcome?.tool_calls_left_out ?? 0,
    findings: outcome?.findings ?? null,
    findingsRefused: outcome?.findings_refused ?? '',
  };
  switch (status) {
    case 'running':
      return progress?.gone ? notApplied(card, { ...NO_TROUBLE, ...lost(progress.gone) }) : card;
    case 'applied':
      return applied(
        outcome ? card : fromTalk(card, talk),
        outcome?.revision ?? talk?.revision ?? null,
        undone,
      );
    case 'proposed':
      return afterProposal(turn, { ...card, reason: reasonOf(turn, outcome, full) }, decided, undone);
    case 'answered':
      return answered(outcome ? card : fromTalk(card, talk), turn, outcome);
    case 'unchanged':
      return notApplied(card, { ...NO_TROUBLE, sentence: card.refused.length > 0 ? PARTLY_SO : ALREADY_SO });
    case 'cancelled':
      return {
        ...card,
        state: 'cancelled',
        words: 'Cancelled (nothing changed)',
        message: '',
        refused: [],
        operations: [],
        // What a plugin was called for before stays, and the server says so.
        failure: { ...NO_TROUBLE, sentence: outcome?.reason ?? '', steps: AGAIN },
      };
    case 'failed':
      // The text of a failed run is not shown, and its failure names what did not fit.
      return outcome?.error && OF_COMMANDS.has(outcome.error.code)
        ? notUnderstood(card, outcome.error, turn)
        : notApplied({ ...card, message: '', refused: [] }, failure(outcome, talk));
  }
}

/** The status of the run, as the newest information has it. A run that ended does not start again. */
export function statusOf({ talk, record, progress, proposal }: Turn): RunStatus {
  const known = [progress?.end?.status, talk?.status, record?.status];
  return known.find((one) => one && one !== 'running') ?? (proposal ? 'proposed' : 'running');
}

/** After 7 days the conversation alone knows, in a sentence, what was not done. */
const fromTalk = (card: Card, talk: Talk | null): Card =>
  talk?.detail ? { ...card, share: 'not all of it', reason: talk.detail } : card;

function applied(card: Card, revision: number | null, undone: Undone | null): Card {
  const stands: Card = {
    ...card,
    state: 'applied',
    words: withShare(revision === null ? 'Applied' : `Applied r${revision}`, card),
    revision,
  };
  // An undo that had to leave out everything undid nothing.
  if (!undone || (undone.of > 0 && undone.left_out >= undone.of)) return stands;
  if (undone.left_out === 0) return { ...stands, state: 'undone', words: 'Undone' };
  const words = `Partly undone ${undone.of - undone.left_out} of ${undone.of}`;
  return { ...stands, state: 'partly-undone', words };
}

function afterProposal(
  { proposal }: Turn,
  card: Card,
  decided: RunResult['decided'],
  undone: Undone | null,
): Card {
  const isPersons = proposal?.origin === 'person';
  // What a person suggested cannot be asked of the assistant again.
  const steps = isPersons ? [] : AGAIN;
  if (decided === 'gone')
    return notApplied(card, { ...NO_TROUBLE, sentence: 'Nobody accepted it within 14 days.', steps });
  const outcome = decided?.outcome;
  if (decided?.status === 'rejected') {
    const isOwn = isPersons && outcome?.by.id === decided.actor.id;
    const sentence = isOwn ? 'Withdrawn.' : `Discarded by ${outcome?.by.name ?? 'somebody'}.`;
    return { ...notApplied(card, { ...NO_TROUBLE, sentence, steps }), operations: card.operations };
  }
  if (decided?.status === 'withdrawn')
    return { ...notApplied(card, { ...NO_TROUBLE, sentence: INSTEAD }), words: 'Not chosen' };
  if (decided?.status !== 'accepted') {
    const operations = card.operations.map((one) => ({ ...one, what: plannedSentence(one.what) }));
    return { ...card, state: 'proposed', words: withShare('Proposed', card), operations };
  }
  const taken = outcome?.operations ?? card.operations.map(({ index }) => index);
  const isPart = taken.length < decided.count;
  const rest = {
    ...card,
    reason: '',
    part: isPart ? `${taken.length} of ${decided.count} accepted` : '',
    operations: card.operations.filter(({ index }) => taken.includes(index)),
    leftOut: card.operations
      .filter(({ index }) => !taken.includes(index))
      .map((one) => ({ ...one, what: plannedSentence(one.what) })),
  };
  return applied(rest, outcome?.revision ?? null, undone);
}

const INSTEAD = 'Another alternative was accepted.';
const NO_TROUBLE: CardFailure = { code: '', sentence: '', detail: '', problems: [], steps: [] };
const AGAIN: readonly NextStep[] = ['retry', 'edit'];

const notApplied = (card: Card, trouble: CardFailure | null): Card => ({
  ...card,
  state: 'not-applied',
  words: 'Not applied',
  operations: [],
  failure: trouble,
});

/** An edit that ends with words alone has changed nothing, whatever they claim. */
function answered(card: Card, turn: Turn, outcome: RunOutcome | null): Card {
  if (isRefusal(turn, card.suggestions, outcome))
    return notUnderstood(card, { code: 'not_understood', detail: card.message }, turn);
  const isQuestion = isAsked(turn);
  if (card.message.trim() !== '' || card.refused.length > 0)
    return { ...card, state: 'answered', words: isQuestion ? 'Answered' : 'Answered · nothing changed' };
  const sentence = isQuestion
    ? 'The assistant gave no answer.'
    : 'The assistant said nothing and changed nothing.';
  const silent = notApplied(card, { ...NO_TROUBLE, sentence, steps: AGAIN });
  return { ...silent, words: isQuestion ? 'Not answered' : 'Nothing changed' };
}

/** A sentence that the built-in commands could not read as one of theirs, or not as one alone, and why. */
const notUnderstood = (card: Card, { code, detail }: { code: string; detail: string }, turn: Turn): Card => ({
  ...notApplied(
    { ...card, message: '' },
    { ...NO_TROUBLE, code, sentence: detail, detail: FIXED, steps: ['edit', 'connect'] },
  ),
  words: isAsked(turn) ? 'Not understood' : 'Not understood · nothing changed',
});

const isAsked = ({ record, talk }: Turn): boolean => appliesNothing((record ?? talk)?.workflow);

const withShare = (words: string, { share }: Card): string => (share ? `${words} · ${share}` : words);

/** What the server writes in place of a message that was empty. */
const SILENT = /^The model gave no answer\./;
const ALREADY_SO = 'Everything is as this would make it already.';
const PARTLY_SO = 'What fits of this is there already; the rest does not fit.';
const FIXED = 'Built-in commands know fixed sentences only; a model understands others.';

const lost = ({ code, detail }: { code: string; detail: string }) => ({ code, detail, ...codeWords(code) });

function failure(outcome: RunOutcome | null, talk: Talk | null): CardFailure {
  const error = outcome?.error;
  // After 7 days only the sentence is kept.
  if (!error) return { ...NO_TROUBLE, sentence: talk?.detail || 'It failed.', steps: AGAIN };
  const { code, detail, problems } = error;
  return { code, detail, problems: problems ?? [], ...codeWords(code) };
}

function operationsOf(outcome: RunOutcome | null, proposal: LiveProposal | null): CardOperation[] {
  const sentences = proposal?.what ?? outcome?.operations?.map(({ op, what }) => what || opWords(op)) ?? [];
  return sentences.map((what, index) => ({ index, what }));
}

/** `edit_section` as “Edit section”, where no sentence was kept. */
const opWords = (op: string): string => {
  const words = op.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const reasonOf = ({ talk, proposal }: Turn, outcome: RunOutcome | null, full: LiveProposal | null): string =>
  outcome?.reason ?? proposal?.reason ?? full?.reason ?? talk?.detail ?? '';

/**
 * Whether an answer is a refusal in words of the built-in commands. Runs that were stored before such a refusal was a
 * failure of its own are like that; newer ones keep their calls.
 */
function isRefusal(
  { record, talk }: Turn,
  suggestions: readonly string[],
  outcome: RunOutcome | null,
): boolean {
  if (outcome?.tool_calls) return false;
  // An answer to a question has no suggestions.
  if ((record ?? talk)?.workflow === 'ask') return suggestions.length > 0;
  return record ? record.provider === 'builtin' : (talk?.label.startsWith('Built-in') ?? false);
}
