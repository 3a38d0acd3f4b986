/** What a page stands on - clock, store, locks - until it is killed; then all of that stops in the middle. */
import type { Clock } from '../../src/sync/client/clock';
import type { MemoryPending, PendingStore } from '../../src/sync/client/pendingStore';
import type { TabRecord } from '../../src/sync/session/pendingRecord';
import type { HandClock } from './handClock';
import type { MadeLocks } from './locks';

export class Killable {
  private isAlive = true;
  private readonly names = new Set<string>();

  constructor(
    private readonly shared: HandClock,
    private readonly kept: MemoryPending,
    private readonly held: MadeLocks,
    private readonly writeMs: () => number,
  ) {}

  kill(): void {
    this.isAlive = false;
    for (const name of this.names) this.held.free(name);
  }

  readonly clock: Clock = {
    now: () => this.shared.now(),
    setTimeout: (run, ms) => this.shared.setTimeout(() => this.isAlive && run(), ms),
    clearTimeout: (timer) => this.shared.clearTimeout(timer),
    random: () => this.shared.random(),
    newId: () => this.shared.newId(),
  };

  readonly store: PendingStore = {
    all: (workspace) => this.kept.all(workspace),
    put: async (workspace: string, tab: string, record: TabRecord | null, takenOver?: readonly string[]) => {
      const shape = structuredClone(record);
      await new Promise<void>((resolve) => this.clock.setTimeout(resolve, this.writeMs()));
      if (this.isAlive) await this.kept.put(workspace, tab, shape, takenOver);
    },
    close: () => undefined,
  };

  readonly locks = {
    request: (name: string, ...rest: unknown[]) => {
      const work = rest.pop() as (lock: Lock | null) => unknown;
      const noted = (lock: Lock | null) => {
        // Who waited for a lock and is dead by now has no turn.
        if (!this.isAlive) return undefined;
        if (lock) this.names.add(name);
        return Promise.resolve(work(lock)).finally(() => lock && this.names.delete(name));
      };
      return this.held.request(name, ...rest, noted);
    },
    query: () => this.held.query(),
  } as LockManager;
}
