/**
 * Decides what is sent to the server, when, and in which order: everything once, again after a reconnect, later where
 * the server says so, and one by one where a message broke the connection. Sans-I/O.
 *
 * one push of typing · writes in the order in which they were made
 */
import type { StoreMessage, StoreRisk, Write } from '../../protocol/live';
import { Backoff } from './backoff';
import type { Replica } from './replica';
import type { Typing } from './typing';
import type { PendingWrite, Writes } from './writes';

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 10_000;
// What takes longer is asked for again over another connection, under its id: the server goes on with it meanwhile.
const ANSWER_MS = 30_000;
const UNREADABLE = new Set(['invalid_message', 'message_too_large']);

export class Outbox {
  /** Why the server accepts no writes now; empty if it does. */
  refusing = '';
  isStoreDown = false;
  /** What the store may lose as it is set. */
  storeRisks: readonly StoreRisk[] = [];
  /** Increases with every change of what is to be persisted. */
  version = 0;
  private flushTo = 0;
  /** Something is to be sent again; everything in flight behind it is awaited first. */
  private isStalled = false;
  private isOneByOne = false;
  /** The query about a write of which it is not known whether it was applied. */
  private question: { id: string; base: number; write: PendingWrite } | null = null;
  /** Since when messages in flight are unanswered. */
  private silentSince = 0;
  private readonly backoff = new Backoff(RETRY_FIRST_MS, RETRY_MOST_MS);

  constructor(
    private readonly replica: Replica,
    private readonly writes: Writes,
    private readonly typing: Typing,
    private readonly newId: () => string,
  ) {}

  // -- what to send
  // --------------------------------------------------------------------------------------------------

  /** Returns the messages to send now, and marks them as sent. */
  take(now: number): Write[] {
    if (now < this.backoff.retryAt || this.isHeldBack()) return [];
    if (this.outstanding() === 0) this.silentSince = now;
    this.isStalled = false;
    const out: Write[] = this.push(now);
    for (const write of this.unsent()) {
      if ((this.isOneByOne && this.outstanding() > 0) || this.hasToWait(write)) break;
      if (write.doubt === 'open') {
        out.push(this.inquire(write));
        break;
      }
      out.push(this.sending(write));
    }
    return out;
  }

  /** When the next message is due without any other event; Infinity for never. */
  due(now: number): number {
    if (this.isHeldBack()) return Number.POSITIVE_INFINITY;
    const [first] = this.unsent();
    const isBehind = first !== undefined && !this.hasToWait(first);
    const due = isBehind ? now : this.typing.due(this.isUrgent());
    return due === Number.POSITIVE_INFINITY ? due : Math.max(due, this.backoff.retryAt, now);
  }

  /** When an answer is overdue; Infinity if nothing is in flight. */
  overdue(): number {
    return this.outstanding() > 0 ? this.silentSince + ANSWER_MS : Number.POSITIVE_INFINITY;
  }

  /** Since when messages in flight are unanswered; Infinity if nothing is. */
  unansweredSince(): number {
    return this.outstanding() > 0 ? this.silentSince : Number.POSITIVE_INFINITY;
  }

  /** Sends typed text without waiting for a pause. */
  flush(): void {
    this.flushTo = this.typing.text.typed;
  }

  /** Whether text that was typed before a write was not sent yet, or its query would be a second push. */
  private hasToWait({ afterTyping, doubt, follows }: PendingWrite): boolean {
    if (follows !== undefined) return true;
    const { flight, pushed } = this.typing.text;
    const isOnItsWay = !flight || flight.told !== null || flight.isSent;
    if (afterTyping > 0 && (afterTyping > pushed || !isOnItsWay)) return true;
    return doubt === 'open' && this.typing.outstanding().length > 0;
  }

  private push(now: number): Write[] {
    const push = this.typing.next(this.replica, now, this.isUrgent());
    if (!push) return [];
    this.version++;
    return [push];
  }

  private sending(write: PendingWrite): Write {
    write.isSent = true;
    if (!write.sentAt) {
      write.sentAt = { epoch: this.replica.epoch, rev: this.replica.rev };
      this.version++;
    }
    return write.message;
  }

  /**
   * Asks whether the server remembers everything since a write was first sent: an empty push, for the revision at which
   * the page was (a repaired log keeps its numbers). `base_gone` says that it does not, any other answer that it does.
   */
  private inquire(write: PendingWrite): Write {
    const { epoch, rev } = this.replica;
    const base = Math.min(write.sentAt?.rev ?? rev, rev);
    this.question = { id: this.newId(), base, write };
    return { t: 'type', id: this.question.id, epoch, base, changes: [] };
  }

  /** Whether an answer is needed first. */
  private isHeldBack(): boolean {
    return this.question !== null || ((this.isStalled || this.isOneByOne) && this.outstanding() > 0);
  }

  private isUrgent(): boolean {
    const wanted = this.unsent().reduce((most, write) => Math.max(most, write.afterTyping), this.flushTo);
    return this.typing.text.pushed < wanted;
  }

  private unsent(): PendingWrite[] {
    return [...this.writes.all()].filter(isUnsent);
  }

  private sent(): PendingWrite[] {
    return [...this.writes.all()].filter((write) => write.isSent && !write.ack);
  }

  private outstanding(): number {
    return this.sent().length + this.typing.outstanding().length + Number(this.question !== null);
  }

  // -- answers of the server
  // -----------------------------------------------------------------------------------------

  /** The server has answered a write: it accepts writes. */
  wentWell(now: number): void {
    this.silentSince = now;
    this.backoff.reset();
    this.refusing = '';
    if (this.unsent().length === 0) this.isOneByOne = false;
  }

  /** Something has to be sent again: later, or (without a reason of its own) behind what has to be. */
  wentBadly(why: string, now: number): void {
    this.silentSince = now;
    this.isStalled = true;
    if (!why) return;
    this.refusing = why;
    this.backoff.failed(now);
  }

  /** The write that a query was about, if this is its answer and the write is not settled by now. */
  answered(id: string, code: string, retry: boolean): PendingWrite | null {
    if (this.question?.id !== id) return null;
    const { base, write } = this.question;
    this.question = null;
    if (!this.writes.get(write.message.id)) return null;
    if (retry || code === 'base_gone') return write;
    // Then it also remembers what was sent later.
    for (const other of this.writes.all())
      if (other.doubt === 'open' && (other.sentAt?.rev ?? base) >= base) other.doubt = 'answered';
    return write;
  }

  store({ ok, reason, risks = [] }: StoreMessage): void {
    this.isStoreDown = !ok;
    this.storeRisks = risks;
    if (ok) {
      this.backoff.reset();
      this.refusing = '';
    } else {
      this.refusing ||= reason ?? 'the store is down';
    }
  }

  /** Whether something that was made before a write has to be sent again. */
  hasRecalledBefore(write: PendingWrite): boolean {
    const first = [...this.writes.all()].find((other) => other === write || isUnsent(other));
    return this.isStalled && first !== write;
  }

  /**
   * The connection is closed over a message that the server could not read. Returns whether it can be one of these, and
   * its id if the server has named it, or once it was in flight alone. From now on they are sent one by one.
   */
  suspect(code: string, named: string | undefined): { id: string | null } | null {
    if (!UNREADABLE.has(code)) return null;
    const writes = this.sent().map((write) => write.message.id);
    const ids = [...writes, ...this.typing.outstanding().map((flight) => flight.id)];
    if (ids.length === 0) return null;
    if (named !== undefined && ids.includes(named)) return { id: named };
    const isSure = this.isOneByOne && ids.length === 1;
    this.isOneByOne = true;
    return { id: isSure ? (ids[0] as string) : null };
  }

  /** The connection is closed: nothing is in flight any more. */
  recall(): void {
    this.writes.recall();
    this.typing.connectionLost();
    this.isStalled = this.isStoreDown = false;
    this.question = null;
    this.backoff.reset();
    this.refusing = '';
  }
}

const isUnsent = (write: PendingWrite) => !write.isSent && !write.ack && !write.isDraft;
