/** Web Locks as far as pages use them, in one process. */
export class MadeLocks implements LockManager {
  private readonly held = new Map<string, unknown>();
  /** Who waits for a lock that is held, by its name; first come, first served. */
  private readonly waiting = new Map<string, (() => void)[]>();

  async request(name: string, ...rest: unknown[]): Promise<never> {
    const options = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    const callback = rest[rest.length - 1] as (lock: Lock | null) => unknown;
    if (this.held.has(name)) {
      if (options.ifAvailable) return (await callback(null)) as never;
      await this.turn(name, options.signal);
      return this.request(name, ...rest);
    }
    const token = {};
    this.held.set(name, token);
    try {
      return (await callback({ name, mode: 'exclusive' })) as never;
    } finally {
      if (this.held.get(name) === token) this.free(name);
    }
  }

  private turn(name: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.set(name, [...(this.waiting.get(name) ?? []), resolve]);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  async query(): Promise<LockManagerSnapshot> {
    return { held: [...this.held.keys()].map((name) => ({ name, mode: 'exclusive' })), pending: [] };
  }

  /** As when a page is killed. */
  free(name: string): void {
    this.held.delete(name);
    for (const resolve of this.waiting.get(name)?.splice(0) ?? []) resolve();
  }
}
