/** A database of the browser (IndexedDB), opened when it is first used. Not here: what is kept in it. */

// Some browsers never answer where storage is forbidden.
const OPEN_MS = 5_000;

export class IndexedDatabase {
  private database: Promise<IDBDatabase> | null = null;

  /**
   * @param create makes its object stores
   * @param onOpened is called whenever it is opened; it may be another, empty one if somebody has cleared the browser's storage
   */
  constructor(
    private readonly factory: IDBFactory,
    private readonly name: string,
    private readonly version: number,
    private readonly create: (database: IDBDatabase) => void,
    private readonly onOpened: () => void = () => undefined,
  ) {}

  /** Rejects if the browser refuses storage; the next call tries again. */
  open(): Promise<IDBDatabase> {
    this.database ??= this.opened().catch((error) => {
      this.database = null;
      throw error;
    });
    return this.database;
  }

  close(): void {
    this.database?.then(
      (database) => database.close(),
      () => undefined,
    );
    this.database = null;
  }

  private opened(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the browser does not open its storage')), OPEN_MS);
      const request = this.factory.open(this.name, this.version);
      request.onupgradeneeded = () => this.create(request.result);
      answerTo(request)
        .then((database) => {
          this.onOpened();
          // A newer page wants to upgrade the schema; the next use opens it anew, and fails if it cannot read it.
          database.onversionchange = database.onclose = () => this.close();
          return database;
        })
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
  }
}

export function answerTo<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser has given the write up'));
  });
}
