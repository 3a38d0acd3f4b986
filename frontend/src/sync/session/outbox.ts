/**
 * What is to be written at the server, when, and in which order: everything once, again after a new connection, later
 * where the server says so, and one by one where something that was sent broke the connection. Sans-I/O.
 *
 *     one push of typing · writes in the order in which they were made
 */
import type { Write } from '../../protocol/live';
import { Backoff } from './backoff';
import type { Replica } from './replica';
import type { Typing } from './typing';
import type { PendingWrite, Writes } from './writes';

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 10_000;
// The server gives up within ten seconds; who says nothing for so long has forgotten the question.
const ANSWER_MS = 30_000;
const UNREADABLE = new Set(['invalid_message', 'message_too_large']);

export class Outbox {
  /** Why the server takes no writes now; empty if it does. */
  refusing = '';
  isStoreDown = false;
  /** Moves with everything that is to be kept. */
  version = 0;
  private flushTo = 0;
  /** Something is to be sent again: what is on its way behind it is waited for. */
  private isStalled = false;
  private isOneByOne = false;
  /** What was asked about a doubtful write. */
  private question: { id: string; base: number; write: PendingWrite } | null = null;
  /** Since when no answer has come to what is on its way. */
  private silentSince = 0;
  private readonly backoff = new Backoff(RETRY_FIRST_MS, RETRY_MOST_MS);

  constructor(
    private readonly replica: Replica,
    private readonly writes: Writes,
    private readonly typing: Typing,
    private readonly newId: () => string,
  ) {}

  // -- what to send --------------------------------------------------------------------------------------------------

  /** What is to be sent now; it counts as sent. */
  take(now: number): Write[] {
    if (now < this.backoff.retryAt || this.isHeldBack()) return [];
    if (this.outstanding() === 0) this.silentSince = now;
    this.isStalled = false;
    const out: Write[] = this.push(now);
    for (const write of this.unsent()) {
      if ((this.isOneByOne && this.outstanding() > 0) || this.hasToWait(write)) break;
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
    if (this.isHeldBack()) return Number.POSITIVE_INFINITY;
    const [first] = this.unsent();
    const isBehind = first !== undefined && !this.hasToWait(first);
    const due = isBehind ? now : this.typing.due(this.isUrgent());
    return due === Number.POSITIVE_INFINITY ? due : Math.max(due, this.backoff.retryAt, now);
  }

  /** When the server has been asked for so long that it must have forgotten; Infinity if nothing is on its way. */
  overdue(): number {
    return this.outstanding() > 0 ? this.silentSince + ANSWER_MS : Number.POSITIVE_INFINITY;
  }

  /** Send what was typed up to now without waiting for a pause. */
  flush(): void {
    this.flushTo = this.typing.text.typed;
  }

  /** Whether something that was typed before a write has not been sent, or its question would be a second push. */
  private hasToWait({ afterTyping, isDoubtful }: PendingWrite): boolean {
    const { flight, pushed } = this.typing.text;
    const isOnItsWay = !flight || flight.told !== null || flight.isSent;
    if (afterTyping > 0 && (afterTyping > pushed || !isOnItsWay)) return true;
    return isDoubtful && this.typing.outstanding().length > 0;
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
   * Ask whether the server remembers everything since a write was first sent: as a push of nothing, for the revision
   * at which the page stood (a repaired log keeps its numbers). `base_gone` says that it does not, any other answer
   * that it does.
   */
  private inquire(write: PendingWrite): Write {
    const { epoch, rev } = this.replica;
    const base = Math.min(write.sentAt?.rev ?? rev, rev);
    this.question = { id: this.newId(), base, write };
    return { t: 'type', id: this.question.id, epoch, base, changes: [] };
  }

  /** Whether an answer has to come first. */
  private isHeldBack(): boolean {
    return this.question !== null || ((this.isStalled || this.isOneByOne) && this.outstanding() > 0);
  }

  private isUrgent(): boolean {
    const wanted = this.unsent().reduce((most, write) => Math.max(most, write.afterTyping), this.flushTo);
    return this.typing.text.pushed < wanted;
  }

  private unsent(): PendingWrite[] {
    return [...this.writes.all()].filter((write) => !write.isSent && !write.told);
  }

  private sent(): PendingWrite[] {
    return [...this.writes.all()].filter((write) => write.isSent && !write.told);
  }

  private outstanding(): number {
    return this.sent().length + this.typing.outstanding().length + Number(this.question !== null);
  }

  // -- what the server makes of it -----------------------------------------------------------------------------------

  /** The server has judged something: it takes writes. */
  wentWell(now: number): void {
    this.silentSince = now;
    this.backoff.reset();
    this.refusing = '';
    if (this.outstanding() <= 1 && this.unsent().length === 0) this.isOneByOne = false;
  }

  /** Something has to be sent again: later, or (without a reason of its own) behind what has to be. */
  wentBadly(why: string, now: number): void {
    this.silentSince = now;
    this.isStalled = true;
    if (!why) return;
    this.refusing = why;
    this.backoff.failed(now);
  }

  /** What a question was about, if this answers one. */
  answered(id: string, code: string, retry: boolean): PendingWrite | null {
    if (this.question?.id !== id) return null;
    const { base, write } = this.question;
    this.question = null;
    if (retry || code === 'base_gone') return write;
    // It then remembers what was sent later, too.
    for (const other of this.writes.all()) if ((other.sentAt?.rev ?? base) >= base) other.isDoubtful = false;
    write.isDoubtful = false;
    return write;
  }

  store(isUp: boolean): void {
    this.isStoreDown = !isUp;
    if (isUp) {
      this.backoff.reset();
      this.refusing = '';
    } else {
      this.refusing ||= 'the store is down';
    }
  }

  /** Whether something that was made before a write has to be sent again. */
  hasRecalledBefore(write: PendingWrite): boolean {
    if (!this.isStalled) return false;
    for (const other of this.writes.all()) {
      if (other === write) return false;
      if (!other.isSent && !other.told) return true;
    }
    return false;
  }

  /**
   * The connection is being closed over something that the server could not read: whether that can be one of these,
   * and its id once it was on its way alone. From now on they go one by one.
   */
  suspect(code: string): { id: string | null } | null {
    if (!UNREADABLE.has(code)) return null;
    const writes = this.sent().map((write) => write.message.id);
    const ids = [...writes, ...this.typing.outstanding().map((flight) => flight.id)];
    if (ids.length === 0) return null;
    const isSure = this.isOneByOne && ids.length === 1;
    this.isOneByOne = true;
    return { id: isSure ? (ids[0] as string) : null };
  }

  /** The connection is gone: nothing is on its way any more. */
  recall(): void {
    this.writes.recall();
    this.typing.connectionLost();
    this.isStalled = this.isStoreDown = false;
    this.question = null;
    this.backoff.reset();
    this.refusing = '';
  }
}
