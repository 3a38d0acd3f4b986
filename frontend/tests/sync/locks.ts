/** Web Locks as far as pages use them, in one process. */
export class MadeLocks implements LockManager {
  private readonly held = new Map<string, unknown>();

  async request(name: string, ...rest: unknown[]): Promise<never> {
    const options = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    const callback = rest[rest.length - 1] as (lock: Lock | null) => unknown;
    if (this.held.has(name)) {
      if (options.ifAvailable) return (await callback(null)) as never;
      throw new Error('nobody waits for a lock here');
    }
    const token = {};
    this.held.set(name, token);
    try {
      return (await callback({ name, mode: 'exclusive' })) as never;
    } finally {
      if (this.held.get(name) === token) this.held.delete(name);
    }
  }

  async query(): Promise<LockManagerSnapshot> {
    return { held: [...this.held.keys()].map((name) => ({ name, mode: 'exclusive' })), pending: [] };
  }

  /** As when a page is killed. */
  free(name: string): void {
    this.held.delete(name);
  }
}
