/**
 * The assistant as one of those present: there is one for each request that goes on. Pure.
 * Not here: what the request has come to so far (`runProgress.ts`), people (`model/words/people.ts`).
 */
import type { Run } from '../../protocol/types';
import { counted } from '../words/kinds';
import type { Announcement } from '../words/people';

export interface ActiveAssistant {
  run: string;
  /** As history has it. */
  name: string;
  isMine: boolean;
  workflow: Run['workflow'];
}

/** What goes on, the oldest request first. `runs` are those that the live connection tells, newest first. */
export const activeAssistants = (runs: readonly Run[], me: string | undefined): ActiveAssistant[] =>
  runs
    .filter(({ status }) => status === 'running')
    .map(({ id, actor, workflow }) => ({
      run: id,
      name: assistantFor(actor.name),
      isMine: actor.id === me,
      workflow,
    }))
    .reverse();

const assistantFor = (name: string): string => `Assistant · for ${name}`;

/** "is preparing 3 changes". `prepared` is how many stand ready or are being written. */
export function activityText(workflow: Run['workflow'], prepared: number): string {
  if (workflow === 'ask') return 'is looking for an answer';
  if (prepared > 0) return `is preparing ${counted(prepared, 'change')}`;
  return workflow === 'generate' ? 'is drafting' : 'is reading';
}

const ENDS: Partial<Record<Run['status'], string>> = {
  applied: 'has finished',
  unchanged: 'has finished, nothing had to change',
  proposed: 'has made a proposal',
  answered: 'has answered',
  failed: 'could not do it',
  cancelled: 'was stopped',
};

/** What has begun and what has ended since `before`, each told once. */
export function assistantAnnouncements(before: readonly Run[], now: readonly Run[]): Announcement[] {
  const statuses = new Map(before.map(({ id, status }) => [id, status]));
  return [...now].reverse().flatMap(({ id, status, actor }) => {
    const was = statuses.get(id);
    if (was === status || (was === undefined && status !== 'running')) return [];
    const end = status === 'running' ? 'has begun' : ENDS[status];
    return end ? [{ text: `${assistantFor(actor.name)} ${end}`, isChange: false }] : [];
  });
}
