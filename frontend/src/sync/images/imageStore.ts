/**
 * Bytes of images that are not on the server yet, kept in the browser so that they outlive the page: IndexedDB, or memory
 * where there is none. All tabs of a browser share them. Not here: when they are sent (`uploads.ts`).
 */
import type { ImageType } from '../../model/text/images';

export interface KeptImage {
  workspace: string;
  sha256: string;
  type: ImageType;
  /** The name of its file, for messages. */
  name: string;
  size: number;
}

export interface ImageStore {
  /** The images of a workspace. */
  all(workspace: string): Promise<KeptImage[]>;
  /** The bytes of one; null where they are kept no longer. */
  bytesOf(workspace: string, sha256: string): Promise<ArrayBuffer | null>;
  /** Throws `TooMuchKept` where all that is kept would be more than the bound. */
  put(image: KeptImage, bytes: ArrayBuffer): Promise<void>;
  delete(workspace: string, sha256: string): Promise<void>;
}

/** As much is kept of all workspaces together. */
export const MAX_KEPT_BYTES = 50_000_000;

export class TooMuchKept extends Error {}

function checkRoom(kept: readonly KeptImage[], { workspace, sha256, size }: KeptImage, most: number): void {
  const others = kept.filter((one) => one.workspace !== workspace || one.sha256 !== sha256);
  if (others.reduce((sum, one) => sum + one.size, size) > most) throw new TooMuchKept();
}

/** A store that is lost with its page. */
export class MemoryImages implements ImageStore {
  private readonly kept = new Map<string, { image: KeptImage; bytes: ArrayBuffer }>();

  constructor(private readonly most = MAX_KEPT_BYTES) {}

  async all(workspace: string): Promise<KeptImage[]> {
    return [...this.kept.values()].map(({ image }) => image).filter((image) => image.workspace === workspace);
  }

  async bytesOf(workspace: string, sha256: string): Promise<ArrayBuffer | null> {
    return this.kept.get(`${workspace} ${sha256}`)?.bytes ?? null;
  }

  async put(image: KeptImage, bytes: ArrayBuffer): Promise<void> {
    const kept = [...this.kept.values()].map((one) => one.image);
    checkRoom(kept, image, this.most);
    this.kept.set(`${image.workspace} ${image.sha256}`, { image, bytes });
  }

  async delete(workspace: string, sha256: string): Promise<void> {
    this.kept.delete(`${workspace} ${sha256}`);
  }
}

const DATABASE = 'draftsmith-images';
const VERSION = 1;
/** What is known of each; the bytes are apart, so that lists are cheap. */
const IMAGES = 'images';
const BYTES = 'bytes';
// Some browsers never answer where storage is forbidden.
const OPEN_MS = 5_000;

/** Every method rejects if the browser refuses storage. */
export class IndexedImages implements ImageStore {
  private database: Promise<IDBDatabase> | null = null;

  constructor(
    private readonly factory: IDBFactory = indexedDB,
    private readonly most = MAX_KEPT_BYTES,
  ) {}

  async all(workspace: string): Promise<KeptImage[]> {
    const images = (await this.open()).transaction(IMAGES).objectStore(IMAGES);
    return answerTo<KeptImage[]>(images.getAll(IDBKeyRange.bound([workspace], [workspace, []])));
  }

  async bytesOf(workspace: string, sha256: string): Promise<ArrayBuffer | null> {
    const bytes = (await this.open()).transaction(BYTES).objectStore(BYTES);
    return (await answerTo<ArrayBuffer | undefined>(bytes.get([workspace, sha256]))) ?? null;
  }

  async put(image: KeptImage, bytes: ArrayBuffer): Promise<void> {
    const transaction = (await this.open()).transaction([IMAGES, BYTES], 'readwrite');
    const images = transaction.objectStore(IMAGES);
    // Within the transaction, as other tabs write, too.
    checkRoom(await answerTo<KeptImage[]>(images.getAll()), image, this.most);
    images.put(image);
    transaction.objectStore(BYTES).put(bytes, [image.workspace, image.sha256]);
    await endOf(transaction);
  }

  async delete(workspace: string, sha256: string): Promise<void> {
    const transaction = (await this.open()).transaction([IMAGES, BYTES], 'readwrite');
    for (const name of [IMAGES, BYTES]) transaction.objectStore(name).delete([workspace, sha256]);
    await endOf(transaction);
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
        request.result.createObjectStore(IMAGES, { keyPath: ['workspace', 'sha256'] });
        request.result.createObjectStore(BYTES);
      };
      request.onerror = () => {
        clearTimeout(timer);
        reject(request.error);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        const database = request.result;
        const forget = () => {
          this.database = null;
        };
        // A newer page wants to upgrade the schema; the next use opens it anew, and fails if it cannot read it.
        database.onversionchange = () => {
          forget();
          database.close();
        };
        database.onclose = forget;
        resolve(database);
      };
    });
  }
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
