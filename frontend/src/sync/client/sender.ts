/**
 * Says what a session has to say: writes once they are kept, typing when it is due, presence not too often; and gives
 * a connection up that answers no more. Not here: what is said and in which order (`sync/session/session.ts`, `sync/session/outbox.ts`).
 */
import type { ClientMessage } from '../../protocol/live';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { Connection } from './connection';
import type { Persister } from './persister';

// What the server passes on at most.
const BETWEEN_PRESENCE_MS = 50;
const WRITES: ReadonlySet<string> = new Set(['submit', 'type', 'undo', 'redo', 'revert']);

export class Sender {
  private isRunning = false;
  private isWanted = false;
  private timer: unknown;
  private presenceTimer: unknown;
  private presentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly session: Session,
    private readonly connection: Connection,
    private readonly persister: Persister,
    private readonly clock: Clock,
  ) {}

  /** Say all that is to be said now, and later what becomes due. */
  run(): void {
    this.isWanted = true;
    if (!this.isRunning) void this.sendAll();
  }

  stop(): void {
    this.clock.clearTimeout(this.timer);
    this.clock.clearTimeout(this.presenceTimer);
  }

  private async sendAll(): Promise<void> {
    const { session } = this;
    this.isRunning = true;
    while (this.isWanted) {
      this.isWanted = false;
      const messages = session.outgoing(this.clock.now());
      const { welcomes } = session;
      // A page that comes after this one must know of everything that the server may know of.
      if (messages.some(isWrite)) await this.persister.whenPersisted();
      // What was meant for a connection that is gone is asked for anew by the next.
      if (welcomes === session.welcomes) this.connection.send(messages);
    }
    this.isRunning = false;
    this.waitForDue();
  }

  private waitForDue(): void {
    this.clock.clearTimeout(this.timer);
    const now = this.clock.now();
    const due = Math.min(this.session.due(now), this.session.outbox.overdue());
    if (due !== Number.POSITIVE_INFINITY)
      this.timer = this.clock.setTimeout(() => this.sendDue(), Math.max(0, due - now));
  }

  private sendDue(): void {
    // Over another connection everything is asked again.
    if (this.clock.now() >= this.session.outbox.overdue()) this.connection.drop();
    this.run();
  }

  /** Tell others where one is: at once, or as soon as it may be told again. */
  sendPresence(): void {
    const { session } = this;
    this.clock.clearTimeout(this.presenceTimer);
    if (!session.isLive || !session.presence.own.hasUpdate) return;
    const now = this.clock.now();
    const wait = this.presentAt + BETWEEN_PRESENCE_MS - now;
    if (wait > 0) {
      this.presenceTimer = this.clock.setTimeout(() => this.sendPresence(), wait);
      return;
    }
    const state = session.presence.own.take();
    this.presentAt = now;
    if (state) this.connection.send([{ t: 'presence', state }]);
  }
}

const isWrite = (message: ClientMessage) => WRITES.has(message.t);
