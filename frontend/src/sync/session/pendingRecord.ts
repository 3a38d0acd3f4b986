/** What a page has not brought to the server yet, in the form in which it is stored. Not here: where (`sync/client/pendingStore.ts`). */
import type { KeptText } from '../text/text';
import type { TrayItem } from './tray';
import type { KeptWrite } from './writes';

/** Everything of a page that is to outlive it. */
export interface Kept {
  /** Whose it is; null if the page never learned. */
  actor: string | null;
  writes: KeptWrite[];
  texts: KeptText[];
  tray: readonly TrayItem[];
}

/** What one tab has of one workspace. */
export interface TabRecord extends Kept {
  workspace: string;
  tab: string;
  /** Milliseconds since 1970; when it was written. */
  at: number;
  /** The tab has let go of it by itself. */
  isReleased: boolean;
}
