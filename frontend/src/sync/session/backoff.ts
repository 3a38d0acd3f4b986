/** Exponential backoff: each failure doubles the wait. Pure; times are milliseconds. */
export class Backoff {
  private tries = 0;
  /** The next attempt is not made before this time. */
  retryAt = 0;

  constructor(
    private readonly first: number,
    private readonly most: number,
  ) {}

  get isWaiting(): boolean {
    return this.tries > 0;
  }

  /**
   * After a failure: waits longer. `chance` in [0, 1) shortens a wait by up to a half, so that pages do not reconnect
   * all at once.
   */
  failed(now: number, chance = 0): number {
    const wait = Math.min(this.most, this.first * 2 ** this.tries) * (1 - chance / 2);
    this.tries = Math.min(this.tries + 1, 16);
    this.retryAt = now + wait;
    return wait;
  }

  /** After a success, or with reason to expect one. */
  reset(): void {
    this.tries = 0;
    this.retryAt = 0;
  }
}
