/**
 * The conversation with the assistant as one list, put together from what is known of it: what the workspace keeps,
 * the runs of the last days, what goes on now, what waits for a yes. Pure. Not here: where each of them comes from
 * (`sync/assistant/assistant.ts`), what a turn looks like.
 */
import type { Proposal, Run, RunStatus, Talk } from '../../protocol/types';
import type { Turn } from './card';
import type { RunProgress } from './runProgress';

export interface ConversationParts {
  /** Turns that the workspace keeps, in any order. */
  talks: readonly Talk[];
  /** All runs that are known, by id. */
  records: ReadonlyMap<string, Run>;
  /** Those of them that are turns before the workspace keeps them: they go on, or this page saw them go on. */
  current: ReadonlySet<string>;
  progress: ReadonlyMap<string, RunProgress>;
  /** The open ones. */
  proposals: readonly Proposal[];
  /** Id of the person at this page. */
  me: string | null;
}

/** All turns, oldest first; those that are as they were `before` are the same objects. */
export function turnsOf(known: ConversationParts, before: readonly Turn[]): Turn[] {
  const talks = new Map(known.talks.map((talk) => [talk.run, talk]));
  const proposals = new Map(known.proposals.map((proposal) => [proposal.run, proposal]));
  const earlier = new Map(before.map((turn) => [turn.run, turn]));
  const runs = new Set([...talks.keys(), ...known.current, ...proposals.keys()]);
  return [...runs]
    .map((run): Turn => {
      const talk = talks.get(run) ?? null;
      const record = known.records.get(run) ?? null;
      const proposal = proposals.get(run) ?? null;
      const progress = known.progress.get(run) ?? null;
      const asker = talk?.actor.id ?? record?.actor.id ?? proposal?.actor.id;
      const turn = { run, talk, record, progress, proposal, isMine: asker === known.me };
      const same = earlier.get(run);
      return same && isSame(same, turn) ? same : turn;
    })
    .sort((one, other) => begun(one) - begun(other));
}

const isSame = (one: Turn, other: Turn): boolean =>
  one.talk === other.talk &&
  one.record === other.record &&
  one.progress === other.progress &&
  one.proposal === other.proposal &&
  one.isMine === other.isMine;

/** When somebody asked for it; where only its end is known, then. */
function begun({ record, proposal, talk }: Turn): number {
  return Date.parse(record?.created_at ?? proposal?.created_at ?? talk?.at ?? '') || 0;
}

/** What has come of a turn so far, as the newest of its parts knows it. */
export function statusOf({ talk, record, progress, proposal }: Turn): RunStatus {
  if (progress?.end) return progress.end.status;
  if (talk) return talk.status;
  return record?.status ?? (proposal ? 'proposed' : 'running');
}

export const isRunning = (turn: Turn): boolean => statusOf(turn) === 'running';
