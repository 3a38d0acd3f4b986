/** Options of `LiveClient` and of its undo. */
import type { Clock } from './clock';
import type { SocketLike } from './connection';
import type { PendingStore } from './pendingStore';

export interface ClientOptions {
  /** Id of the workspace. */
  workspace: string;
  /** The server's origin; default: that of the page. */
  origin?: string;
  /** Called before each connection, for pages of another origin. */
  ticket?: () => Promise<string>;
  /** Where pending changes are stored; default IndexedDB where available, null for memory. */
  store?: PendingStore | null;
  socket?: (url: string) => SocketLike;
  clock?: Clock;
  /** Default `navigator.locks` where there are any. */
  locks?: LockManager | null;
}

export interface UndoOptions {
  scope?: 'mine' | 'all';
  /**
   * `document` takes one's own newest commit that changed the document, although others may be newer; `typing` (undo
   * only) one's own newest run of typed text that stands.
   */
  touching?: 'document' | 'typing';
  /** Refused unless this is the revision that would be undone. */
  expect?: number;
  /** Overwrites what others have set since. */
  force?: boolean;
}

export interface RedoOptions extends Omit<UndoOptions, 'scope' | 'touching'> {
  /** Takes one's own newest undo that changed the document, although others may be newer. */
  touching?: 'document';
}
