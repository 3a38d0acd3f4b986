/** Visits of workspaces, kept in this browser: which revision was in sight, and when. Nothing of what is in them. */
import { seenAt, type Visit } from '../model/history/since';
import { remember, stored } from './preferences';

const KEY = 'draftsmith.visits';
const MOST = 100;

/** Notes that a revision of a workspace is in sight now. */
export function noteVisit(workspace: string, revision: number, now: number): void {
  const { [workspace]: kept, ...others } = visits();
  const newest = Object.entries(others).sort(([, one], [, other]) => other.at - one.at);
  const all = { ...Object.fromEntries(newest.slice(0, MOST - 1)), [workspace]: seenAt(kept, revision, now) };
  remember(KEY, JSON.stringify(all));
}

/** The revision at the end of the visit before this one; null where none is known. */
export const visitBefore = (workspace: string): number | null => visits()[workspace]?.before ?? null;

function visits(): Record<string, Visit> {
  try {
    const kept: unknown = JSON.parse(stored(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, visit]) => isVisit(visit)));
  } catch {
    return {};
  }
}

const isVisit = (value: unknown): value is Visit => {
  const visit = value as Visit | null;
  return typeof visit?.last === 'number' && typeof visit.at === 'number' && visit.before !== undefined;
};
