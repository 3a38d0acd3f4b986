/**
 * Keeps a tab's record in the store as its session moves. One write at a time, each of the newest state; what is sent
 * waits for it (`settled`), so that nothing reaches the server of which a page after this one would not know.
 */

import type { TabRecord } from '../session/pendingRecord';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { PendingStore } from './pendingStore';

// A store that is slower than this is not waited for: sending late helps nobody.
const MAX_WAIT_MS = 300;
const NEVER = -1;

export class Persister {
  private failure = '';
  private written = 0;
  private writing: Promise<void> | null = null;
  private takenOver: string[] = [];
  private hasRecord = false;

  constructor(
    private readonly session: Session,
    private readonly store: PendingStore,
    private readonly place: { workspace: string; tab: string },
    private readonly clock: Clock,
    /** Told why what is kept does not outlive this page; empty when it does again. */
    private readonly onFailure: (words: string) => void,
  ) {}

  get isClean(): boolean {
    return this.written === this.session.keptVersion && this.writing === null;
  }

  /** Write what has moved, until nothing has. */
  schedule(): void {
    if (this.writing || this.written === this.session.keptVersion) return;
    this.writing = this.write(false).finally(() => {
      this.writing = null;
      this.schedule();
    });
  }

  /** Also take away the record of a tab that this one has taken over; settles when that is done. */
  async takeOver(tab: string): Promise<void> {
    this.takenOver.push(tab);
    this.written = NEVER;
    this.schedule();
    await this.drained();
  }

  /** Write at once, also while a write is under way: there may be no later. Writes end in the order of their beginning. */
  flush(): void {
    const record = this.isClean ? null : this.record(false);
    if (record) this.store.leave?.(record);
    if (this.written !== this.session.keptVersion) void this.write(false);
  }

  /** Wait until everything so far is kept, or that takes too long. */
  async whenPersisted(): Promise<void> {
    this.schedule();
    if (!this.writing) return;
    let timer: unknown;
    const late = new Promise<void>((resolve) => {
      timer = this.clock.setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([this.drained(), late]);
    this.clock.clearTimeout(timer);
  }

  /** Write the last state, as one that nobody holds any more. */
  async release(): Promise<void> {
    await this.drained();
    if (this.hasRecord || !this.isClean) await this.write(true);
  }

  /** Write again what has not moved, to show that somebody is there. */
  touch(): void {
    if (this.hasRecord) this.written = NEVER;
    this.schedule();
  }

  private async drained(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async write(isReleased: boolean): Promise<void> {
    const version = this.session.keptVersion;
    const record = this.record(isReleased);
    this.written = version;
    if (!record && !this.hasRecord && this.takenOver.length === 0) return;
    const { workspace, tab } = this.place;
    const takenOver = this.takenOver.splice(0);
    try {
      await this.store.put(workspace, tab, record, takenOver);
      this.hasRecord = record !== null;
      this.report('');
    } catch (error) {
      this.takenOver.push(...takenOver);
      const why = error instanceof Error ? error.message : String(error);
      this.report(
        `What is not saved yet would be lost with this page: the browser does not keep it (${why}).`,
      );
    }
  }

  private record(isReleased: boolean): TabRecord | null {
    const kept = this.session.kept();
    return kept && { ...kept, ...this.place, at: this.clock.now(), isReleased };
  }

  private report(words: string): void {
    if (this.failure === words) return;
    this.failure = words;
    this.onFailure(words);
  }
}
