/**
 * The images of a workspace that this browser has and the server does not: shown from here at once, sent one after the
 * other, again after failures and in later pages, and kept until the server has them or a person removes them. Tabs send
 * nothing twice. Not here: where the bytes are kept (`imageStore.ts`), what is said of it on the page.
 */
import type { ImageType } from '../../model/text/images';
import { ApiError } from '../../protocol/http';
import type { Upload } from '../../protocol/upload';
import type { Clock } from '../client/clock';
import { Backoff } from '../session/backoff';
import { type ImageStore, type KeptImage, TooMuchKept } from './imageStore';

/** `waiting` for its turn or a connection; `refused` by the server, until it is tried again. */
export type UploadState = 'waiting' | 'sending' | 'sent' | 'refused';

export interface LocalImage extends Omit<KeptImage, 'workspace'> {
  bytes: ArrayBuffer;
  state: UploadState;
  /** The part that is sent, from 0 to 1. */
  part: number;
  /** Why the server refused it. */
  reason: string;
  /** Whether it outlives this page. */
  isKept: boolean;
}

export interface NewImage {
  sha256: string;
  type: ImageType;
  name: string;
  bytes: ArrayBuffer;
}

/** What tabs tell each other. */
interface Told {
  workspace: string;
  sha256: string;
  what: 'kept' | 'sent' | 'removed';
}

/** A channel to the other tabs of this browser. */
export interface TabChannel {
  postMessage(told: Told): void;
  onmessage: ((event: MessageEvent<Told>) => void) | null;
}

export interface UploadParts {
  store: ImageStore;
  send: (upload: Upload) => Promise<void>;
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** Null where a browser has none. */
  locks: LockManager | null;
  channel: TabChannel | null;
}

const FIRST_AGAIN_MS = 1_000;
const LAST_AGAIN_MS = 30_000;

export class Uploads {
  private readonly images = new Map<string, LocalImage>();
  private readonly listeners = new Set<() => void>();
  private isRunning = false;
  private readonly backoff = new Backoff(FIRST_AGAIN_MS, LAST_AGAIN_MS);
  private timer: unknown = null;
  /** Resolves once what earlier pages have left is known. */
  readonly ready: Promise<void>;

  constructor(
    private readonly workspace: string,
    private readonly parts: UploadParts,
  ) {
    this.ready = this.readKept();
    const { channel } = parts;
    if (channel) channel.onmessage = ({ data }) => void this.hear(data);
  }

  /** What is known of an image here; null where its bytes are not here. */
  get(sha256: string): LocalImage | null {
    return this.images.get(sha256) ?? null;
  }

  /** All whose bytes are here, the oldest first. */
  all(): LocalImage[] {
    return [...this.images.values()];
  }

  /** Subscribes to changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Keeps an image and sends it. Resolves once it is kept; throws `TooMuchKept` where there is no more room. */
  async add({ bytes, ...image }: NewImage): Promise<LocalImage> {
    await this.ready;
    const known = this.images.get(image.sha256);
    if (known && known.state !== 'refused') return known;
    const kept = { ...image, size: bytes.byteLength };
    const isKept = await this.keep(kept, bytes);
    const local: LocalImage = { ...kept, bytes, isKept, state: 'waiting', part: 0, reason: '' };
    this.images.set(image.sha256, local);
    this.changed();
    if (isKept) this.tell(image.sha256, 'kept');
    this.retry();
    return local;
  }

  /** Tries everything again that waits, at once: there is a connection, or a person asked for it. */
  retry(sha256?: string): void {
    const image = sha256 === undefined ? null : this.images.get(sha256);
    if (image?.state === 'refused') this.set(image, { state: 'waiting', reason: '' });
    this.backoff.reset();
    void this.run();
  }

  /** Gives the bytes up. */
  async remove(sha256: string): Promise<void> {
    await this.parts.store.delete(this.workspace, sha256).catch(() => undefined);
    this.images.delete(sha256);
    this.tell(sha256, 'removed');
    this.changed();
  }

  private async readKept(): Promise<void> {
    const { store } = this.parts;
    // Where the browser has no storage there is nothing to read.
    const kept = await store.all(this.workspace).catch(() => []);
    for (const image of kept) await this.take(image);
    if (kept.length > 0) this.changed();
    void this.run();
  }

  /** Takes what is kept, by this browser's earlier pages or by its other tabs. */
  private async take({ workspace: _workspace, ...image }: KeptImage): Promise<void> {
    const bytes = await this.parts.store.bytesOf(this.workspace, image.sha256).catch(() => null);
    if (!bytes || this.images.has(image.sha256)) return;
    this.images.set(image.sha256, {
      ...image,
      bytes,
      isKept: true,
      state: 'waiting',
      part: 0,
      reason: '',
    });
  }

  /** Returns whether it outlives this page. */
  private async keep(image: Omit<KeptImage, 'workspace'>, bytes: ArrayBuffer): Promise<boolean> {
    try {
      await this.parts.store.put({ ...image, workspace: this.workspace }, bytes);
      return true;
    } catch (error) {
      if (error instanceof TooMuchKept) throw error;
      return false; // The browser refuses storage: it is sent from memory.
    }
  }

  private async hear({ workspace, sha256, what }: Told): Promise<void> {
    if (workspace !== this.workspace) return;
    const image = this.images.get(sha256);
    if (what === 'sent' && image) this.set(image, { state: 'sent', part: 1 });
    if (what === 'removed' && this.images.delete(sha256)) this.changed();
    if (what !== 'kept') return;
    const kept = await this.parts.store.all(workspace).catch(() => []);
    for (const one of kept) await this.take(one);
    this.changed();
    void this.run();
  }

  /** Sends what waits, one after the other, until nothing does or there is no answer. */
  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.parts.clock.clearTimeout(this.timer);
    try {
      for (let next = this.next(); next; next = this.next()) {
        const { sha256 } = next;
        if (!(await this.alone(sha256, () => this.send(sha256)))) return this.later();
      }
    } finally {
      this.isRunning = false;
    }
  }

  private next(): LocalImage | undefined {
    return this.all().find(({ state }) => state === 'waiting');
  }

  private later(): void {
    this.timer = this.parts.clock.setTimeout(() => void this.run(), this.backoff.failed(0));
  }

  /** One tab sends an image at a time. */
  private async alone(sha256: string, run: () => Promise<boolean>): Promise<boolean> {
    const { locks } = this.parts;
    return locks ? await locks.request(`draftsmith image ${this.workspace} ${sha256}`, run) : run();
  }

  /** Returns whether there was an answer. */
  private async send(sha256: string): Promise<boolean> {
    const image = this.images.get(sha256);
    if (image?.state !== 'waiting') return true;
    const { store, send } = this.parts;
    // Another tab may have sent it while this one waited for its turn.
    if (image.isKept && !(await store.bytesOf(this.workspace, sha256).catch(() => image.bytes))) {
      this.set(image, { state: 'sent', part: 1 });
      return true;
    }
    this.set(image, { state: 'sending', part: 0 });
    try {
      await send({
        path: `/workspaces/${encodeURIComponent(this.workspace)}/images/${sha256}`,
        bytes: image.bytes,
        type: image.type,
        onProgress: (part) => this.set(image, { part }),
      });
    } catch (error) {
      return this.fail(image, error);
    }
    await store.delete(this.workspace, sha256).catch(() => undefined);
    this.backoff.reset();
    this.set(image, { state: 'sent', part: 1 });
    this.tell(sha256, 'sent');
    return true;
  }

  /** Returns whether there was an answer. */
  private fail(image: LocalImage, error: unknown): boolean {
    if (error instanceof ApiError && error.isPassing) {
      this.set(image, { state: 'waiting', part: 0 });
      return false;
    }
    this.set(image, { state: 'refused', reason: error instanceof Error ? error.message : String(error) });
    return true;
  }

  private set(image: LocalImage, now: Partial<LocalImage>): void {
    Object.assign(image, now);
    this.changed();
  }

  private tell(sha256: string, what: Told['what']): void {
    this.parts.channel?.postMessage({ workspace: this.workspace, sha256, what });
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
