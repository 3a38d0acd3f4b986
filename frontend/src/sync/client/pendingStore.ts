/**
 * Storage for pending changes that outlives the page, one record for each tab: IndexedDB, with copies in `localStorage`
 * of what a page writes while it is closed; or memory where there is none. Not here: when records are written (`persister.ts`) and who takes over whose (`takeover.ts`).
 */
import type { TabRecord } from '../session/pendingRecord';
import type { KeptText } from '../text/text';
import { answerTo, endOf, IndexedDatabase } from './indexedDatabase';

export interface PendingStore {
  /** All records of a workspace. */
  all(workspace: string): Promise<TabRecord[]>;
  /** Writes a tab's record (null deletes it) and deletes those that it has taken over, in one transaction. */
  put(workspace: string, tab: string, record: TabRecord | null, takenOver?: readonly string[]): Promise<void>;
  /** Writes a record synchronously, because the page may be closed in a moment. */
  leave?(record: TabRecord): void;
  close(): void;
}

/** A store that is lost with its page. */
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
/** The base texts of pending typing: large, and unchanged over many keystrokes. */
const BASES = 'bases';

/** Records in IndexedDB, keyed by workspace and tab. Every method rejects if the browser refuses storage. */
export class IndexedPending implements PendingStore {
  private readonly database: IndexedDatabase;
  /** The base texts written last, by tab. */
  private readonly written = new Map<string, string[]>();
  private turn = 0;
  /** The turn in which a tab wrote its unload copy; a write that began before it is older. */
  private readonly leftAt = new Map<string, number>();

  constructor(
    factory: IDBFactory = indexedDB,
    private readonly copies = new UnloadCopies(),
  ) {
    this.database = new IndexedDatabase(
      factory,
      DATABASE,
      VERSION,
      (made) => {
        made.createObjectStore(TABS, { keyPath: ['workspace', 'tab'] });
        made.createObjectStore(BASES);
      },
      () => this.written.clear(),
    );
  }

  async all(workspace: string): Promise<TabRecord[]> {
    const database = await this.database.open();
    const transaction = database.transaction([TABS, BASES], 'readonly');
    const range = IDBKeyRange.bound([workspace], [workspace, []]);
    const [records, bases] = await Promise.all([
      answerTo<TabRecord[]>(transaction.objectStore(TABS).getAll(range)),
      answerTo<string[][]>(transaction.objectStore(BASES).getAll(range)),
    ]);
    const copies = this.copies.all(workspace);
    const isCopied = ({ tab }: TabRecord) => copies.some((copy) => copy.tab === tab);
    const whole = records.map((record, at) => ({
      ...record,
      texts: withBases(record.texts, bases[at] ?? []),
    }));
    // The tab was closed when it wrote the copy: nothing else that it wrote is newer.
    return [...whole.filter((record) => !isCopied(record)), ...copies];
  }

  async put(
    workspace: string,
    tab: string,
    record: TabRecord | null,
    takenOver: readonly string[] = [],
  ): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    const database = await this.database.open();
    const transaction = database.transaction([TABS, BASES], 'readwrite');
    const [tabs, bases] = [transaction.objectStore(TABS), transaction.objectStore(BASES)];
    const key = `${workspace} ${tab}`;
    const texts = record?.texts.map(({ text }) => text) ?? [];
    for (const gone of record ? takenOver : [...takenOver, tab]) {
      tabs.delete([workspace, gone]);
      bases.delete([workspace, gone]);
    }
    if (record) tabs.put({ ...record, texts: record.texts.map((text) => ({ ...text, text: '' })) });
    if (record && !isSame(texts, this.written.get(key))) bases.put(texts, [workspace, tab]);
    this.written.delete(key);
    transaction.commit(); // Commit at once: a browser aborts transactions that are open when the page closes.
    await endOf(transaction);
    for (const gone of takenOver) this.copies.drop(workspace, gone);
    if (turn > (this.leftAt.get(key) ?? 0)) this.copies.drop(workspace, tab);
    if (record) this.written.set(key, texts);
  }

  leave(record: TabRecord): void {
    this.turn += 1;
    this.leftAt.set(`${record.workspace} ${record.tab}`, this.turn);
    this.copies.keep(record);
  }

  close(): void {
    this.database.close();
  }
}

/** The default store of this browser; in memory where it has none. */
export function defaultPending(): PendingStore {
  return typeof indexedDB === 'undefined' ? new MemoryPending() : new IndexedPending();
}

function withBases(texts: readonly KeptText[], bases: readonly string[]): KeptText[] {
  return texts.map((text, at) => ({ ...text, text: bases[at] ?? '' }));
}

function isSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return other !== undefined && one.length === other.length && one.every((text, at) => text === other[at]);
}

const PREFIX = 'draftsmith.left ';

/**
 * Copies of pending records in `localStorage`, written while a page is being closed: a browser drops IndexedDB writes
 * that are still queued then, and only `localStorage` is written synchronously.
 *
 * A copy is deleted once its tab, or the tab that takes over, has written to IndexedDB.
 */
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
