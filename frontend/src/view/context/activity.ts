/**
 * What happens in a workspace, for the announcer, which is loaded after the page: kept until it listens, the newest only.
 * Not here: which words are made of it (`people/Announcer.tsx`).
 */
import type { Commit } from '../../protocol/live';
import type { ViewChange } from '../../sync/client/client';
import type { Snapshot } from '../../sync/editor/snapshot';

/** The state after something has happened, and the commits of others that have come with it. */
export interface Activity {
  commits: readonly Commit[];
  live: Snapshot;
}

const MOST_KEPT = 50;

/** Whether changes are saved, or about to be. */
export const isSafe = ({ status: { saving } }: Snapshot): boolean =>
  saving === 'saved' || saving === 'saving';

export class ActivityFeed {
  private readonly kept: Activity[] = [];
  private listener: ((activity: Activity) => void) | null = null;
  private last: Snapshot | null = null;

  /** Takes the first known state, and from then on what can be announced: one's own changes cannot. */
  add({ commits, runs, members }: ViewChange, live: Snapshot): void {
    if (!live.isKnown) return;
    const { last } = this;
    this.last = live;
    const foreign = commits.filter(({ by, steps }) => by.id !== live.me?.id && steps.length > 0);
    const isOther = !last || runs || members || isSafe(live) !== isSafe(last);
    if (!isOther && foreign.length === 0) return;
    const activity = { commits: foreign, live };
    if (this.listener) this.listener(activity);
    else if (this.kept.push(activity) > MOST_KEPT) this.kept.shift();
  }

  /** Passes on what was kept, and everything from now on. Returns a function that ends that. */
  listen(listener: (activity: Activity) => void): () => void {
    for (const activity of this.kept.splice(0)) listener(activity);
    this.listener = listener;
    return () => {
      this.listener = null;
    };
  }
}
