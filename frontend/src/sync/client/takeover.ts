/**
 * Takes over the pending records of closed tabs. An open tab holds a Web Lock with its name; where there are no locks,
 * it writes its record again and again. Not here: what becomes of a record (`sync/session/session.ts`).
 */

import type { TabRecord } from '../session/pendingRecord';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { PendingStore } from './pendingStore';
import type { Persister } from './persister';

/** Without locks a tab counts as closed that has not written for this long; it writes three times as often. */
const GONE_MS = 30_000;
const HEARTBEAT_MS = GONE_MS / 3;

export class TabTakeover {
  private releaseLock: () => void = () => undefined;
  private running: Promise<void> | null = null;
  private timer: unknown;
  /** Open tabs that have a record, each with an `AbortController` for the wait for its lock. */
  private readonly awaited = new Map<string, AbortController>();

  constructor(
    private readonly session: Session,
    private readonly persister: Persister,
    private readonly store: PendingStore,
    private readonly place: { workspace: string; tab: string },
    private readonly clock: Clock,
    private readonly locks: LockManager | null,
    /** `isSent`: some of it may have been sent by the closed tab. */
    private readonly onTakenOver: (isSent: boolean) => void,
  ) {}

  /** Takes the lock, or starts the heartbeat. */
  start(): void {
    if (this.locks) this.hold(this.locks);
    else this.heartbeat();
  }

  stop(): void {
    this.releaseLock();
    this.clock.clearTimeout(this.timer);
    for (const waiting of this.awaited.values()) waiting.abort();
  }

  private hold(locks: LockManager): void {
    const held = new Promise<void>((done) => {
      this.releaseLock = done;
    });
    // Some pages may not use locks; then another tab may send the same again, which changes nothing.
    locks.request(this.lockName(this.place.tab), () => held).catch(() => undefined);
  }

  private heartbeat(): void {
    this.timer = this.clock.setTimeout(() => {
      this.persister.touch();
      if (this.session.isLive) void this.takeOverAll();
      this.heartbeat();
    }, HEARTBEAT_MS);
  }

  /** Takes over all records of this person from closed tabs. */
  takeOverAll(): Promise<void> {
    this.running ??= this.findRecords().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async findRecords(): Promise<void> {
    const { locks } = this;
    for (const { tab } of (await this.records()).filter((record) => this.isOurs(record))) {
      if (!locks) await this.take(tab);
      else await this.takeOrWait(locks, tab);
    }
  }

  private async takeOrWait(locks: LockManager, tab: string): Promise<void> {
    const options = { ifAvailable: true };
    try {
      await locks.request(this.lockName(tab), options, (lock) =>
        lock ? this.take(tab) : this.waitFor(locks, tab),
      );
    } catch (error) {
      // Some pages may not use locks; whether the tab is closed cannot be known then.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /** The tab may be closed soon and nobody else would take over its record: waits for its lock. */
  private waitFor(locks: LockManager, tab: string): void {
    if (this.awaited.has(tab)) return;
    const waiting = new AbortController();
    this.awaited.set(tab, waiting);
    // Without a connection at that moment, `takeOverAll` runs again after the next one.
    const taking = () => (this.session.isLive ? this.take(tab) : undefined);
    locks
      .request(this.lockName(tab), { signal: waiting.signal }, taking)
      .catch(() => undefined)
      .finally(() => this.awaited.delete(tab));
  }

  private async take(tab: string): Promise<void> {
    // Another tab may have taken it meanwhile.
    const record = (await this.records()).find((one) => one.tab === tab && this.isOurs(one));
    if (!record) return;
    const isSent = this.session.takeOver(record, this.clock.now());
    this.onTakenOver(isSent);
    await this.persister.takeOver(tab);
  }

  private isOurs({ tab, actor, at, isReleased }: TabRecord): boolean {
    if (tab === this.place.tab || (actor !== null && actor !== this.session.presence.me?.id)) return false;
    return this.locks !== null || isReleased || this.clock.now() - at > GONE_MS;
  }

  private async records(): Promise<TabRecord[]> {
    try {
      return await this.store.all(this.place.workspace);
    } catch {
      // The persister reports what is wrong with the store when it writes.
      return [];
    }
  }

  private lockName(tab: string): string {
    return `draftsmith ${this.place.workspace} ${tab}`;
  }
}
