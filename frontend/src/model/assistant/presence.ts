/**
 * The assistant in the list of who is present: one entry for each running request. Pure. Not here: progress of a run
 * (`runProgress.ts`), people (`model/words/people.ts`).
 */
import type { LiveRun } from '../../protocol/live';
import { counted } from '../words/kinds';
import type { Announcement } from '../words/people';
import { appliesNothing } from './workflows';

export interface ActiveAssistant {
  run: string;
  /** As in the history. */
  name: string;
  isMine: boolean;
  workflow: LiveRun['workflow'];
}

/** The running requests, oldest first. `runs` come from the live connection, newest first. */
export const activeAssistants = (runs: readonly LiveRun[], me: string | undefined): ActiveAssistant[] =>
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

/** "is preparing 3 changes". `prepared` counts operations that are ready or being written. */
export function activityText(workflow: LiveRun['workflow'], prepared: number): string {
  if (workflow === 'ask') return 'is looking for an answer';
  if (workflow === 'investigate') return 'is looking for causes';
  if (workflow === 'recommend') return 'is looking for alternatives';
  if (prepared > 0) return `is preparing ${counted(prepared, 'change')}`;
  return workflow === 'generate' ? 'is drafting' : 'is reading';
}

const ENDS: Partial<Record<LiveRun['status'], string>> = {
  applied: 'has finished',
  unchanged: 'has finished, nothing had to change',
  proposed: 'has made a proposal',
  answered: 'has answered',
  failed: 'could not do it',
  cancelled: 'was stopped',
};

const NOTHING_CHANGED = 'has answered, nothing was changed';

/** The requests that began or ended since `before`, each once. */
export function assistantAnnouncements(before: readonly LiveRun[], now: readonly LiveRun[]): Announcement[] {
  const statuses = new Map(before.map(({ id, status }) => [id, status]));
  return [...now].reverse().flatMap(({ id, status, actor, workflow }) => {
    const was = statuses.get(id);
    if (was === status || (was === undefined && status !== 'running')) return [];
    const isVain = status === 'answered' && !appliesNothing(workflow);
    const end = status === 'running' ? 'has begun' : isVain ? NOTHING_CHANGED : ENDS[status];
    return end ? [{ text: `${assistantFor(actor.name)} ${end}`, isChange: false }] : [];
  });
}
