/**
 * Subscriptions to runs of the assistant: each subscriber gets each event once, also over several connections. Pure.
 */
import type { ClientMessage } from '../../protocol/live';

export type RunListener = (id: string, event: Record<string, unknown>) => void;

interface Subscriber {
  seen: string;
  listener: RunListener;
}

export class RunSubscriptions {
  private readonly runs = new Map<string, Set<Subscriber>>();
  private readonly messages: ClientMessage[] = [];

  /** Subscribes to a run after a given event. Returns a function that unsubscribes. */
  add(run: string, after: string, listener: RunListener): () => void {
    const watchers = this.runs.get(run) ?? new Set();
    this.runs.set(run, watchers);
    const watcher = { seen: after, listener };
    watchers.add(watcher);
    // An earlier start makes the server send older events again; the other subscribers skip what they have seen.
    this.messages.push({ t: 'watch', run, after });
    return () => {
      if (!watchers.delete(watcher) || watchers.size > 0 || this.runs.get(run) !== watchers) return;
      this.runs.delete(run);
      this.messages.push({ t: 'unwatch', run });
    };
  }

  dispatch(run: string, id: string, event: Record<string, unknown>): void {
    for (const watcher of [...(this.runs.get(run) ?? [])]) {
      if (!isAfter(id, watcher.seen)) continue;
      watcher.seen = id;
      watcher.listener(id, event);
    }
  }

  /** The run cannot be watched any more: subscribers get a last event without an id. */
  end(run: string, code: string, detail: string): void {
    const watchers = [...(this.runs.get(run) ?? [])];
    this.runs.delete(run);
    for (const watcher of watchers) watcher.listener('', { type: 'gone', code, detail });
  }

  /** A new connection: subscribes again to all runs, each from its slowest subscriber on. */
  resubscribe(): void {
    this.messages.length = 0;
    for (const [run, watchers] of this.runs) {
      const seen = [...watchers].map((watcher) => watcher.seen);
      this.messages.push({ t: 'watch', run, after: seen.reduce((a, b) => (isAfter(a, b) ? b : a)) });
    }
  }

  take(): ClientMessage[] {
    return this.messages.splice(0);
  }
}

/** Whether an event id, `<milliseconds>[-<number>]`, is later than another. */
function isAfter(id: string, other: string): boolean {
  const [ms = '0', n = '0'] = id.split('-');
  const [otherMs = '0', otherN = '0'] = other.split('-');
  if (BigInt(ms) !== BigInt(otherMs)) return BigInt(ms) > BigInt(otherMs);
  return BigInt(n) > BigInt(otherN);
}
