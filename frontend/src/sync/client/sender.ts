/**
 * Sends the messages of a session: writes once they are persisted, typing when it is due, presence throttled. Closes a
 * connection that does not answer. Not here: which messages in which order (`sync/session/session.ts`,
 * `sync/session/outbox.ts`).
 */
import type { ClientMessage } from '../../protocol/live';
import type { Session } from '../session/session';
import type { Clock } from './clock';
import type { Connection } from './connection';
import type { Persister } from './persister';

// The server forwards no more than this.
const BETWEEN_PRESENCE_MS = 50;
/**
 * After so long without an answer to what was sent the server is asked whether it is there; if nothing at all comes, it
 * is said not to be, and after so long the connection is replaced.
 */
const ASK_AFTER_MS = 1_000;
const SUSPECT_AFTER_MS = 2_500;
const GIVE_UP_AFTER_MS = 15_000;
const SILENT = 'The server does not answer.';
const WRITES: ReadonlySet<string> = new Set(['submit', 'type', 'undo', 'redo', 'revert']);

export class Sender {
  private isRunning = false;
  private isWanted = false;
  private timer: unknown;
  private presenceTimer: unknown = null;
  /** The silence over which the server was asked, by its beginning, and what is due over it next. */
  private silence = { since: Number.NEGATIVE_INFINITY, askedAt: 0, next: Number.POSITIVE_INFINITY };
  private presentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly session: Session,
    private readonly connection: Connection,
    private readonly persister: Persister,
    private readonly clock: Clock,
    /** The status has changed. */
    private readonly onStatusChange: () => void,
  ) {}

  /** Sends all messages that are due, and schedules the next ones. */
  run(): void {
    this.isWanted = true;
    if (!this.isRunning) void this.sendAll();
  }

  stop(): void {
    this.clock.clearTimeout(this.timer);
    this.clock.clearTimeout(this.presenceTimer);
    this.presenceTimer = null;
  }

  private async sendAll(): Promise<void> {
    const { session } = this;
    this.isRunning = true;
    while (this.isWanted) {
      this.isWanted = false;
      const messages = session.outgoing(this.clock.now());
      const { welcomes } = session;
      // A page that takes over must know of everything that the server may know of.
      if (messages.some(isWrite)) await this.persister.whenPersisted();
      // Messages for a connection that was lost meanwhile are made anew for the next one, after its `welcome`.
      if (welcomes === session.welcomes && session.isWelcomed) this.connection.send(messages);
    }
    this.isRunning = false;
    this.waitForDue();
  }

  private waitForDue(): void {
    this.clock.clearTimeout(this.timer);
    const now = this.clock.now();
    const due = Math.min(this.session.due(now), this.session.outbox.overdue(), this.silenceDue());
    if (due !== Number.POSITIVE_INFINITY)
      this.timer = this.clock.setTimeout(() => this.sendDue(), Math.max(0, due - now));
  }

  private sendDue(): void {
    // After a timeout everything is sent again over another connection.
    if (this.clock.now() >= this.session.outbox.overdue()) this.connection.drop();
    else if (this.clock.now() >= this.silenceDue()) this.meetSilence();
    this.run();
  }

  /** When something is due for want of an answer to what was sent; Infinity for never. */
  private silenceDue(): number {
    const since = this.session.outbox.unansweredSince();
    return since === this.silence.since ? this.silence.next : since + ASK_AFTER_MS;
  }

  private meetSilence(): void {
    const since = this.session.outbox.unansweredSince();
    const now = this.clock.now();
    if (since !== this.silence.since) {
      this.silence = { since, askedAt: now, next: since + SUSPECT_AFTER_MS };
      this.connection.ask();
    } else if (this.connection.lastReceivedAt >= this.silence.askedAt) {
      this.silence.next = Number.POSITIVE_INFINITY;
    } else if (now < since + GIVE_UP_AFTER_MS) {
      this.silence.next = since + GIVE_UP_AFTER_MS;
      this.session.suspectConnection(SILENT, { isHeld: false });
      this.onStatusChange();
    } else {
      this.connection.drop();
    }
  }

  /** Sends presence: at once, or as soon as the throttle allows. */
  sendPresence(): void {
    const { session } = this;
    if (!session.isLive || !session.presence.own.hasUpdate) return;
    const now = this.clock.now();
    const wait = this.presentAt + BETWEEN_PRESENCE_MS - now;
    if (wait > 0) {
      // One timer, however often this is asked for: a pointer asks at each move.
      this.presenceTimer ??= this.clock.setTimeout(() => {
        this.presenceTimer = null;
        this.sendPresence();
      }, wait);
      return;
    }
    const state = session.presence.own.take();
    this.presentAt = now;
    if (state) this.connection.send([{ t: 'presence', state }]);
  }
}

const isWrite = (message: ClientMessage) => WRITES.has(message.t);
