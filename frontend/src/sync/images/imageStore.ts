/**
 * Bytes of images that are not on the server yet, kept in the browser so that they outlive the page: IndexedDB, or memory
 * where there is none. All tabs of a browser share them. Not here: when they are sent (`uploads.ts`).
 */
import type { ImageType } from '../../model/text/images';
import { answerTo, endOf, IndexedDatabase } from '../client/indexedDatabase';

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

/** Every method rejects if the browser refuses storage. */
export class IndexedImages implements ImageStore {
  private readonly database: IndexedDatabase;

  constructor(
    factory: IDBFactory = indexedDB,
    private readonly most = MAX_KEPT_BYTES,
  ) {
    this.database = new IndexedDatabase(factory, DATABASE, VERSION, (made) => {
      made.createObjectStore(IMAGES, { keyPath: ['workspace', 'sha256'] });
      made.createObjectStore(BYTES);
    });
  }

  async all(workspace: string): Promise<KeptImage[]> {
    const images = (await this.database.open()).transaction(IMAGES).objectStore(IMAGES);
    return answerTo<KeptImage[]>(images.getAll(IDBKeyRange.bound([workspace], [workspace, []])));
  }

  async bytesOf(workspace: string, sha256: string): Promise<ArrayBuffer | null> {
    const bytes = (await this.database.open()).transaction(BYTES).objectStore(BYTES);
    return (await answerTo<ArrayBuffer | undefined>(bytes.get([workspace, sha256]))) ?? null;
  }

  async put(image: KeptImage, bytes: ArrayBuffer): Promise<void> {
    const transaction = (await this.database.open()).transaction([IMAGES, BYTES], 'readwrite');
    const images = transaction.objectStore(IMAGES);
    // Within the transaction, as other tabs write, too.
    checkRoom(await answerTo<KeptImage[]>(images.getAll()), image, this.most);
    images.put(image);
    transaction.objectStore(BYTES).put(bytes, [image.workspace, image.sha256]);
    await endOf(transaction);
  }

  async delete(workspace: string, sha256: string): Promise<void> {
    const transaction = (await this.database.open()).transaction([IMAGES, BYTES], 'readwrite');
    for (const name of [IMAGES, BYTES]) transaction.objectStore(name).delete([workspace, sha256]);
    await endOf(transaction);
  }
}
