/**
 * What a page has not brought to the server yet, kept where it outlives the page: one record for each tab. In
 * IndexedDB, or in memory where there is none. Not here: when records are written (`mirror.ts`) and who takes over
 * whose (`adoption.ts`).
 */
import type { KeptText } from './text';
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

export interface PendingStore {
  /** The records of a workspace, of all tabs. */
  all(workspace: string): Promise<TabRecord[]>;
  /** Write a tab's record (null: nothing is left) and take away those that it has taken over, all or nothing. */
  put(workspace: string, tab: string, record: TabRecord | null, takenOver?: readonly string[]): Promise<void>;
  close(): void;
}

/** A store that lives as long as its page. */
export class MemoryPending implements PendingStore {
  private readonly records = new Map<string, TabRecord>();

  async all(workspace: string): Promise<TabRecord[]> {
    const found = [...this.records.values()].filter((record) => record.workspace === workspace);
    return structuredClone(found);
  }

  async put(
    workspace: string,
    tab: string,
    record: TabRecord | null,
    takenOver: readonly string[] = [],
  ): Promise<void> {
    for (const other of takenOver) this.records.delete(`${workspace} ${other}`);
    if (record) this.records.set(`${workspace} ${tab}`, structuredClone(record));
    else this.records.delete(`${workspace} ${tab}`);
  }

  close(): void {}
}

const DATABASE = 'draftsmith-pending';
const VERSION = 1;
const TABS = 'tabs';
// Some browsers never answer where storage is forbidden.
const OPEN_MS = 5_000;

/** Records in IndexedDB, keyed by workspace and tab. Every method fails if the browser refuses storage. */
export class IndexedPending implements PendingStore {
  private database: Promise<IDBDatabase> | null = null;

  constructor(private readonly factory: IDBFactory = indexedDB) {}

  async all(workspace: string): Promise<TabRecord[]> {
    const database = await this.open();
    const tabs = database.transaction(TABS, 'readonly').objectStore(TABS);
    return answerTo(tabs.getAll(IDBKeyRange.bound([workspace], [workspace, []])) as IDBRequest<TabRecord[]>);
  }

  async put(
    workspace: string,
    tab: string,
    record: TabRecord | null,
    takenOver: readonly string[] = [],
  ): Promise<void> {
    const database = await this.open();
    const transaction = database.transaction(TABS, 'readwrite');
    const tabs = transaction.objectStore(TABS);
    for (const other of takenOver) tabs.delete([workspace, other]);
    if (record) tabs.put(record);
    else tabs.delete([workspace, tab]);
    transaction.commit(); // at once: what a page leaves open when it goes is given up
    await endOf(transaction);
  }

  close(): void {
    const opened = this.database;
    this.database = null;
    opened?.then(
      (database) => database.close(),
      () => undefined,
    );
  }

  private open(): Promise<IDBDatabase> {
    this.database ??= this.opened().catch((error) => {
      this.database = null;
      throw error;
    });
    return this.database;
  }

  private opened(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the browser does not open its storage')), OPEN_MS);
      const request = this.factory.open(DATABASE, VERSION);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(TABS, { keyPath: ['workspace', 'tab'] });
      };
      request.onerror = () => {
        clearTimeout(timer);
        reject(request.error);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        const database = request.result;
        // A newer page wants to change the form; the next use opens anew, and fails if it cannot read that.
        database.onversionchange = () => this.close();
        database.onclose = () => {
          this.database = null;
        };
        resolve(database);
      };
    });
  }
}

/** The store of this browser; in memory where it has none. */
export function defaultPending(): PendingStore {
  return typeof indexedDB === 'undefined' ? new MemoryPending() : new IndexedPending();
}

function answerTo<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has given the write up'));
  });
}
