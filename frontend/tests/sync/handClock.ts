/** A clock that a test moves by hand: timers run in order, and what they set off has run before the next. */
import type { Clock } from '../../src/sync/client/clock';
import { type Random, seeded } from './random';

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

export class HandClock implements Clock {
  private at = 1_000_000;
  private order = 0;
  private readonly timers = new Set<Timer>();
  private ids = 0;

  constructor(private readonly chance: Random = seeded(1)) {}

  now = () => this.at;
  random = () => this.chance.next();
  newId = () => `made-up-${++this.ids}`;

  setTimeout = (run: () => void, ms: number): unknown => {
    const timer = { at: this.at + Math.max(0, ms), order: this.order++, run };
    this.timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: unknown) => {
    this.timers.delete(timer as Timer);
  };

  /** Let time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.at + ms;
    await settled();
    for (let next = this.next(end); next; next = this.next(end)) {
      this.timers.delete(next);
      this.at = Math.max(this.at, next.at);
      next.run();
      await settled();
    }
    this.at = end;
  }

  /** Let time pass until something is so. */
  async until(what: string, isSo: () => boolean, mostMs = 600_000): Promise<void> {
    const end = this.at + mostMs;
    await settled();
    while (!isSo()) {
      const next = this.next(end);
      if (!next) throw new Error(`it never came to this: ${what}`);
      await this.pass(next.at - this.at);
    }
  }

  private next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.timers)
      if (
        timer.at <= end &&
        (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
      )
        first = timer;
    return first;
  }
}

/** All that is promised by now has come. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
