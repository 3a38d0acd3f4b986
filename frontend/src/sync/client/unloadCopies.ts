/**
 * Copies of pending records in `localStorage`, written while a page is being closed: a browser drops IndexedDB writes
 * that are still queued then, and only `localStorage` is written synchronously.
 *
 * A copy is deleted once its tab, or the tab that takes over, has written to IndexedDB. Not here: storage while the
 * page is open (`pendingStore.ts`).
 */
import type { TabRecord } from '../session/pendingRecord';

const PREFIX = 'draftsmith.left ';

export class UnloadCopies {
  constructor(private readonly storage: Storage | null = browserStorage()) {}

  /** Writes a record synchronously. Without space or permission nothing is written. */
  keep(record: TabRecord): void {
    try {
      this.storage?.setItem(keyOf(record.workspace, record.tab), JSON.stringify(record));
    } catch {
      // What IndexedDB has is then all there is.
    }
  }

  all(workspace: string): TabRecord[] {
    const { storage } = this;
    if (!storage) return [];
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith(keyOf(workspace, '')))
      .flatMap((key) => readable(storage.getItem(key)));
  }

  drop(workspace: string, tab: string): void {
    try {
      this.storage?.removeItem(keyOf(workspace, tab));
    } catch {
      // As above.
    }
  }
}

const keyOf = (workspace: string, tab: string): string => `${PREFIX}${workspace} ${tab}`;

function readable(text: string | null): TabRecord[] {
  try {
    return text === null ? [] : [JSON.parse(text) as TabRecord];
  } catch {
    return [];
  }
}

function browserStorage(): Storage | null {
  try {
    return typeof localStorage === 'undefined' ? null : localStorage;
  } catch {
    return null; // the browser forbids it
  }
}
