/**
 * The conversation with the assistant as one list, merged from its sources: the stored conversation, the runs of the
 * last days, running requests, open proposals. Pure. Not here: reading these (`sync/assistant/assistant.ts`), how a
 * turn looks.
 */
import type { LiveProposal } from '../../protocol/live';
import type { Run, Talk } from '../../protocol/types';
import { statusOf, type Turn } from './card';
import type { RunProgress } from './runProgress';

export interface ConversationParts {
  /** The stored turns, in any order. */
  talks: readonly Talk[];
  /** All runs that are known, by id. */
  records: ReadonlyMap<string, Run>;
  /**
   * Runs that are shown although they are not stored turns yet: they are running, or ended while this page was open.
   */
  current: ReadonlySet<string>;
  progress: ReadonlyMap<string, RunProgress>;
  /** The open ones. */
  proposals: readonly LiveProposal[];
  /** What people have suggested themselves, also what is closed. */
  suggestions: readonly LiveProposal[];
  /** Id of the person at this page. */
  me: string | null;
}

/** All turns, oldest first; unchanged ones keep their identity from `before`. */
export function turnsOf(known: ConversationParts, before: readonly Turn[]): Turn[] {
  const talks = new Map(known.talks.map((talk) => [talk.run, talk]));
  // An open one is newer than what was read.
  const proposals = new Map([...known.suggestions, ...known.proposals].map((one) => [keyOf(one), one]));
  const previous = new Map(before.map((turn) => [turn.run, turn]));
  const runs = new Set([...talks.keys(), ...known.current, ...proposals.keys()]);
  return [...runs]
    .map((run): Turn => {
      const talk = talks.get(run) ?? null;
      const record = known.records.get(run) ?? null;
      const proposal = proposals.get(run) ?? null;
      const progress = known.progress.get(run) ?? null;
      const asker = talk?.actor.id ?? record?.actor.id ?? proposal?.actor.id;
      const turn = { run, talk, record, progress, proposal, isMine: asker === known.me };
      const same = previous.get(run);
      return same && isSame(same, turn) ? same : turn;
    })
    .sort((one, other) => begun(one) - begun(other));
}

/** The run that made a proposal; a suggestion has none and stands for itself. */
const keyOf = ({ run, id }: LiveProposal): string => run || id;

const isSame = (one: Turn, other: Turn): boolean =>
  one.talk === other.talk &&
  one.record === other.record &&
  one.progress === other.progress &&
  one.proposal === other.proposal &&
  one.isMine === other.isMine;

/** When it was requested; where that is not known, when it ended. */
function begun({ record, proposal, talk }: Turn): number {
  return Date.parse(record?.created_at ?? proposal?.created_at ?? talk?.at ?? '') || 0;
}

/** Whether it was proposed by a person, without asking the assistant. */
export const isSuggestion = ({ proposal }: Turn): boolean => proposal?.origin === 'person';

export const isRunning = (turn: Turn): boolean => statusOf(turn) === 'running';

/** Whether the person at this page may say what they think of it: it is theirs, it is over, and the server has it. */
export const isRateable = ({ isMine, record, talk }: Turn): boolean =>
  isMine && talk !== null && record !== null && record.status !== 'running' && record.status !== 'cancelled';

/** Whether the server offers to write diagram or document anew as a whole, because batches of operations did not fit. */
export const offersWriteAnew = ({ record }: Turn): boolean =>
  record?.outcome?.fallback === 'regenerate' && record.edit_mode !== 'regenerate';
