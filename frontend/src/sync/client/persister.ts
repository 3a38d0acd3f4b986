/**
 * Writes a tab's pending record to the store whenever the session changes. One write at a time, each of the newest
 * state. Messages are sent only after their record was written (`whenPersisted`), so that a page that takes over knows
 * of everything that the server may know of.
 */

import type { TabRecord } from '../session/pendingRecord';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { PendingStore } from './pendingStore';

// A slower store is not waited for.
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
    /** Called with the reason why pending changes would be lost with this page; with '' when that is over. */
    private readonly onFailure: (words: string) => void,
  ) {}

  get isClean(): boolean {
    return this.written === this.session.keptVersion && this.writing === null;
  }

  /** Writes the record until it is up to date. */
  schedule(): void {
    if (this.writing || this.written === this.session.keptVersion) return;
    this.writing = this.write(false).finally(() => {
      this.writing = null;
      this.schedule();
    });
  }

  /** Also deletes the record of a tab that this one has taken over. Resolves when that is done. */
  async takeOver(tab: string): Promise<void> {
    this.takenOver.push(tab);
    this.written = NEVER;
    this.schedule();
    await this.drained();
  }

  /** Writes at once, also while another write is running, because the page may be closed. Writes finish in order. */
  flush(): void {
    const record = this.isClean ? null : this.record(false);
    if (record) this.store.leave?.(record);
    if (this.written !== this.session.keptVersion) void this.write(false);
  }

  /** Waits until the current state is written, or a timeout. */
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

  /** Writes the last state, marked as released. */
  async release(): Promise<void> {
    await this.drained();
    if (this.hasRecord || !this.isClean) await this.write(true);
  }

  /** Writes an unchanged record again, as a heartbeat. */
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
