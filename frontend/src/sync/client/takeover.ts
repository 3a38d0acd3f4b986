/**
 * Taking over what tabs have left that are gone. A tab that lives holds a Web Lock with its name; where there are no
 * locks, it writes its record again and again. Not here: what becomes of what is taken over (`sync/session/session.ts`).
 */

import type { TabRecord } from '../session/pendingRecord';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { PendingStore } from './pendingStore';
import type { Persister } from './persister';

/** Without locks a tab counts as gone that has not written for so long; it writes three times as often. */
const GONE_MS = 30_000;
const HEARTBEAT_MS = GONE_MS / 3;

export class TabTakeover {
  private releaseLock: () => void = () => undefined;
  private running: Promise<void> | null = null;
  private timer: unknown;
  /** Tabs that live and have left something; each with a way to wait for it no longer. */
  private readonly awaited = new Map<string, AbortController>();

  constructor(
    private readonly session: Session,
    private readonly persister: Persister,
    private readonly store: PendingStore,
    private readonly place: { workspace: string; tab: string },
    private readonly clock: Clock,
    private readonly locks: LockManager | null,
    private readonly onTakenOver: () => void,
  ) {}

  /** Show from now on that this tab is there. */
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
    // Locks are refused to some pages; then another tab may send the same again, which changes nothing.
    locks.request(this.lockName(this.place.tab), () => held).catch(() => undefined);
  }

  private heartbeat(): void {
    this.timer = this.clock.setTimeout(() => {
      this.persister.touch();
      if (this.session.isLive) void this.takeOverAll();
      this.heartbeat();
    }, HEARTBEAT_MS);
  }

  /** Take over all that the person of this session has left in tabs that are gone. */
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
      // Locks are refused to some pages; whether the tab is gone cannot be known then.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /** It may be about to go, and nobody else would come for what it leaves: take it over as soon as it lets go. */
  private waitFor(locks: LockManager, tab: string): void {
    if (this.awaited.has(tab)) return;
    const waiting = new AbortController();
    this.awaited.set(tab, waiting);
    // Where this page is not connected at that moment, it looks again once it is.
    const taking = () => (this.session.isLive ? this.take(tab) : undefined);
    locks
      .request(this.lockName(tab), { signal: waiting.signal }, taking)
      .catch(() => undefined)
      .finally(() => this.awaited.delete(tab));
  }

  private async take(tab: string): Promise<void> {
    // Somebody else may have been quicker.
    const record = (await this.records()).find((one) => one.tab === tab && this.isOurs(one));
    if (!record) return;
    this.session.takeOver(record, this.clock.now());
    this.onTakenOver();
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
      // The mirror says what is wrong with the store when it writes.
      return [];
    }
  }

  private lockName(tab: string): string {
    return `draftsmith ${this.place.workspace} ${tab}`;
  }
}
