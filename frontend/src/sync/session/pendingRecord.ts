/** What a page has not brought to the server yet, in the form in which it is stored. Not here: where (`sync/client/pendingStore.ts`). */
import type { KeptText } from '../text/text';
import type { TrayItem } from './tray';
import type { KeptWrite } from './writes';

/** Everything of a page that is persisted. */
export interface Kept {
  /** The person; null if the page never learned it. */
  actor: string | null;
  writes: KeptWrite[];
  texts: KeptText[];
  tray: readonly TrayItem[];
}

/** The record of one tab for one workspace. */
export interface TabRecord extends Kept {
  workspace: string;
  tab: string;
  /** Milliseconds since 1970; when it was written. */
  at: number;
  /** The tab has released it on closing. */
  isReleased: boolean;
}
