/**
 * What goes to the server, when, and in which order: everything once, again after a new connection, later where the
 * server says so, and one by one where something that was sent broke the connection. Sans-I/O.
 *
 *     resync · watches · one push of typing · writes in the order in which they were made
 */
import type { ClientMessage, Type } from '../protocol/live';
import { Patience } from './patience';
import type { Session } from './session';
import type { PendingWrite } from './writes';

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 10_000;
const UNREADABLE = new Set(['invalid_message', 'message_too_large']);

export class Outbox {
  /** The page's state is not the server's; nothing is sent until that has come. */
  isAstray = false;
  /** Why the server takes no writes now; empty if it does. */
  refusing = '';
  private lostFaith: string | null = null;
  private flushTo = 0;
  /** Something is to be sent again: what is on its way behind it is waited for. */
  private isStalled = false;
  private isCareful = false;
  private readonly patience = new Patience(RETRY_FIRST_MS, RETRY_MOST_MS);

  /** What was asked about a doubtful write. */
  private question: { id: string; write: PendingWrite } | null = null;

  constructor(
    private readonly session: Session,
    private readonly newId: () => string,
  ) {}

  // -- what to send --------------------------------------------------------------------------------------------------

  /** What is to be sent now; it counts as sent. */
  take(now: number): ClientMessage[] {
    const out: ClientMessage[] = this.resync();
    if (!this.session.isReady) return out;
    out.push(...this.session.watches.take());
    if (this.isAstray || now < this.patience.until) return out;
    if (this.isHeldBack()) return out;
    this.isStalled = false;
    const push = this.push(now);
    if (push) out.push(push);
    for (const write of this.unsent()) {
      if ((this.isCareful && this.outstanding() > 0) || this.hasToWait(write)) break;
      if (write.isDoubtful) {
        out.push(this.inquire(write));
        break;
      }
      out.push(this.sending(write));
    }
    return out;
  }

  /** When there will be something to send without anything else happening; Infinity for never. */
  due(now: number): number {
    if (!this.session.isReady || this.isAstray || this.isHeldBack()) return Number.POSITIVE_INFINITY;
    const [first] = this.unsent();
    const { typing } = this.session;
    const isBehind = first !== undefined && !this.hasToWait(first);
    const due = isBehind ? Number.NEGATIVE_INFINITY : typing.due(this.isUrgent());
    return due === Number.POSITIVE_INFINITY ? due : Math.max(due, this.patience.until, now);
  }

  /** Send what was typed up to now without waiting for a pause. */
  flush(): void {
    this.flushTo = this.session.typing.lane.typed;
  }

  /** Whether something that was typed before a write has not been sent, or its question would be the second push. */
  private hasToWait({ afterTyping, isDoubtful }: PendingWrite): boolean {
    const { lane } = this.session.typing;
    const isOnItsWay = !lane.flight || lane.flight.told !== null || lane.flight.isSent;
    if (afterTyping > 0 && (afterTyping > lane.pushed || !isOnItsWay)) return true;
    return isDoubtful && this.session.typing.outstanding().length > 0;
  }

  private sending(write: PendingWrite): ClientMessage {
    write.isSent = true;
    if (!write.sentAt) {
      write.sentAt = { epoch: this.session.epoch, rev: this.session.rev };
      this.session.keptVersion++;
    }
    return write.message;
  }

  /**
   * Ask whether the server remembers everything since a write was first sent: as a push of nothing, for the revision
   * at which the page stood. `base_gone` says that it does not, any other answer that it does.
   */
  private inquire(write: PendingWrite): ClientMessage {
    const { epoch, rev } = write.sentAt ?? this.session;
    this.question = { id: this.newId(), write };
    return { t: 'type', id: this.question.id, epoch, base: rev, changes: [] };
  }

  /** Whether an answer has to come first. */
  private isHeldBack(): boolean {
    return this.question !== null || ((this.isStalled || this.isCareful) && this.outstanding() > 0);
  }

  private push(now: number): Type | null {
    const { session } = this;
    const push = session.typing.next({ epoch: session.epoch, rev: session.rev }, now, this.isUrgent());
    if (push) session.keptVersion++;
    return push;
  }

  private isUrgent(): boolean {
    const wanted = this.unsent().reduce((most, write) => Math.max(most, write.afterTyping), this.flushTo);
    return this.session.typing.lane.pushed < wanted;
  }

  private unsent(): PendingWrite[] {
    return [...this.session.writes.all()].filter((write) => !write.isSent && !write.told);
  }

  private sent(): PendingWrite[] {
    return [...this.session.writes.all()].filter((write) => write.isSent && !write.told);
  }

  private outstanding(): number {
    return this.sent().length + this.session.typing.outstanding().length;
  }

  private resync(): ClientMessage[] {
    if (this.lostFaith === null) return [];
    const why = this.lostFaith.slice(0, 500);
    this.lostFaith = null;
    return [{ t: 'resync', why }];
  }

  // -- what the server makes of it -----------------------------------------------------------------------------------

  /** What was told does not fit what this page holds. */
  loseFaith(why: string): void {
    this.isAstray = true;
    this.lostFaith = why;
  }

  /** The server has judged something: it takes writes. */
  wentWell(): void {
    this.patience.reset();
    this.refusing = '';
    if (this.outstanding() <= 1 && this.unsent().length === 0) this.isCareful = false;
  }

  /** Something has to be sent again later. */
  wentBadly(why: string, now: number): void {
    this.isStalled = true;
    if (!why) return;
    this.refusing = why;
    this.patience.fail(now);
  }

  /** What a question was about, if this answers one. */
  answered(id: string, code: string, retry: boolean): PendingWrite | null {
    if (this.question?.id !== id) return null;
    const { write } = this.question;
    this.question = null;
    if (!retry && code !== 'base_gone') write.isDoubtful = false;
    return write;
  }

  store(isUp: boolean): void {
    if (isUp) {
      this.patience.reset();
      this.refusing = '';
    } else {
      this.refusing ||= 'the store is down';
    }
  }

  /** Whether something that was made before a write has to be sent again. */
  hasRecalledBefore(write: PendingWrite): boolean {
    if (!this.isStalled) return false;
    for (const other of this.session.writes.all()) {
      if (other === write) return false;
      if (!other.isSent && !other.told) return true;
    }
    return false;
  }

  /** Who may have broken the connection: the id of the only one on its way, `unknown` of several, null of none. */
  suspect(code: string): string | 'unknown' | null {
    if (!UNREADABLE.has(code)) return null;
    const ids = [
      ...this.sent().map((write) => write.message.id),
      ...this.session.typing.outstanding().map((f) => f.id),
    ];
    if (ids.length === 0) return null;
    const isSure = this.isCareful && ids.length === 1;
    this.isCareful = true;
    return isSure ? (ids[0] as string) : 'unknown';
  }

  /** The connection is gone. */
  recall(): void {
    this.isStalled = false;
    this.question = null;
    this.lostFaith = null;
    this.patience.reset();
    this.refusing = '';
  }
}
