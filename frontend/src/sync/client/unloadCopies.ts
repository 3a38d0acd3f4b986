/**
 * What a page wrote down in the moment in which it was left, because IndexedDB may not have come to it: a browser drops
 * writes that wait behind others when their page goes, and only `localStorage` is written before the page is gone.
 *
 * Taken when a page goes with something that is not surely kept, and gone once the tab, or who takes over from it, has
 * written to IndexedDB. Not here: what is kept as work goes on (`pendingStore.ts`).
 */
import type { TabRecord } from '../session/pendingRecord';

const PREFIX = 'draftsmith.left ';

export class UnloadCopies {
  constructor(private readonly storage: Storage | null = browserStorage()) {}

  /** Write a record down at once. Where there is no room, or storage is forbidden, nothing is written. */
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
