/** How a `LiveClient` is made, and what can be said about undoing. */
import type { Clock } from './clock';
import type { SocketLike } from './connection';
import type { PendingStore } from './pendingStore';

export interface ClientOptions {
  /** Id of the workspace. */
  workspace: string;
  /** Where the server is; default: where the page comes from. */
  origin?: string;
  /** Asked before each connection, for pages of another origin. */
  ticket?: () => Promise<string>;
  /** Where pending work is kept; default IndexedDB where there is one, null for memory. */
  store?: PendingStore | null;
  socket?: (url: string) => SocketLike;
  clock?: Clock;
  /** Default `navigator.locks` where there are any. */
  locks?: LockManager | null;
}

export interface UndoOptions {
  scope?: 'mine' | 'all';
  /** One's own newest that changed the document, although others may be newer. */
  touching?: 'document';
  /** Refused if it is not this revision that would be taken back. */
  expect?: number;
  /** Overwrite what others have set since. */
  force?: boolean;
}
