/** How long to wait before the same is tried again: twice as long each time. Pure; times are milliseconds. */
export class Backoff {
  private tries = 0;
  /** Nothing is tried before. */
  retryAt = 0;

  constructor(
    private readonly first: number,
    private readonly most: number,
  ) {}

  get isWaiting(): boolean {
    return this.tries > 0;
  }

  /** It failed: wait longer. `chance` in [0, 1) shortens a wait by up to a half, so that not all come back at once. */
  failed(now: number, chance = 0): number {
    const wait = Math.min(this.most, this.first * 2 ** this.tries) * (1 - chance / 2);
    this.tries = Math.min(this.tries + 1, 16);
    this.retryAt = now + wait;
    return wait;
  }

  /** It went well, or there is reason to think that it will. */
  reset(): void {
    this.tries = 0;
    this.retryAt = 0;
  }
}
