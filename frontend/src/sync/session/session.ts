/**
 * The core of a live page: the server's state, the local changes that are not settled, and the view of both. Sans-I/O:
 * messages, time and ids are passed in, messages and changes are taken out; no sockets, timers, storage or randomness.
 * Not here: connecting and storing (`sync/client/client.ts`), the order of messages (`outbox.ts`).
 *
 * receive: undo predictions → apply commits → predict anew → notify
 *
 * Rules: docs/protocol.md; reasons: ADR 0012.
 */
import { type Changes, check, lengthBefore } from '../../model/core/changes';
import type { WorkspaceState } from '../../model/core/workspace';
import {
  type Bye,
  type ClientMessage,
  type Commit,
  type Committed,
  type Frame,
  type Hello,
  type Operation,
  PROTOCOL_VERSION,
  type Rejected,
  type ServerMessage,
  type State,
  type Submit,
  type Template,
  type TypedCommit,
  type Welcome,
} from '../../protocol/live';
import { RecentText } from './carets';
import { ChangeCollector } from './change';
import { deletedMeanwhile } from './deletedMeanwhile';
import { type Draft, draftsOf } from './drafts';
import { isSameStatus, type Status, statusOf } from './liveStatus';
import { wordsForOperations } from './operationWords';
import { Outbox } from './outbox';
import { committed, drafted, type Outcome, rejected, type Settled, whyOf, withdrawn } from './outcome';
import type { Kept } from './pendingRecord';
import { Presence } from './presence';
import { Replica } from './replica';
import { type NewItem, putBack, refusedBatch, Tray, type TrayItem, UNCERTAIN } from './tray';
import { isCut, Typing } from './typing';
import { type KeptWrite, type PendingWrite, type WriteMessage, Writes } from './writes';

const MAX_PENDING_SENT = 2_000;

/** A batch that waits for the server and can be taken back. */
export interface TakeBackTarget {
  /** What it was to do, in words. */
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  operations: readonly Operation[];
  /** It may have reached the server. */
  isSent: boolean;
}

export class Session {
  readonly replica = new Replica();
  readonly writes = new Writes();
  readonly tray = new Tray();
  readonly presence = new Presence();
  readonly typing: Typing;
  readonly outbox: Outbox;
  status: Status = statusOf({ connection: 'connecting', pending: 0, refusing: '', gone: '', notice: '' });
  /** The longest silence of the server; null until it has said so. */
  silenceMs = 0;
  /** The number of welcomes, one for each connection. */
  welcomes = 0;
  /** The server's last message on this connection. */
  lastBye: Bye | null = null;
  private readonly changes = new ChangeCollector();
  private readonly recent = new RecentText();
  /** What typed commits have in common, by number. */
  private readonly templates: Template[] = [];
  private settled: Settled[] = [];
  private connection: Status['connection'] = 'connecting';
  /** The local state does not fit what the server sent; a full state is awaited. */
  private hasDiverged = false;
  private divergence: string | null = null;
  /** Why the server may be out of reach although the connection is open; empty while it answers. */
  private suspectReason = '';
  private isHeld = false;
  private gone = '';
  private notice = '';
  private version = 0;
  private now = 0;

  constructor(newId: () => string) {
    this.typing = new Typing({
      newId,
      textChanged: (changes) => this.changes.addTextChange(changes),
      addToTray: (item) => this.addToTray(item),
      diverged: (why) => this.markDiverged(why),
    });
    this.outbox = new Outbox(this.replica, this.writes, this.typing, newId);
  }

  get view(): WorkspaceState {
    return this.replica.workspace;
  }

  /** Whether the connection is open and the server has sent its `welcome` on it. */
  get isWelcomed(): boolean {
    return this.connection === 'live';
  }

  /** Whether there is a state and an open connection. */
  get isLive(): boolean {
    return this.isWelcomed && !this.isHeld && this.replica.isKnown;
  }

  /** Increases with every change of what is to be persisted. */
  get keptVersion(): number {
    return this.version + this.outbox.version;
  }

  // -- the connection
  // ------------------------------------------------------------------------------------------------

  /** The first message on a new connection. */
  hello(): Hello {
    this.lastBye = null;
    const pending = this.sentIds().slice(0, MAX_PENDING_SENT);
    const resume = this.hasDiverged ? null : this.replica.resume();
    return { t: 'hello', v: PROTOCOL_VERSION, resume, pending };
  }

  /** The ids of what the server may know of. */
  private sentIds(): string[] {
    const sent = [...this.writes.all()].filter((write) => write.sentAt).map((write) => write.message.id);
    return [...this.typing.sentIds(), ...sent];
  }

  /** The connection is closed, for now or (`isClosed`) until somebody starts it again. */
  disconnected(why: string, isClosed: boolean): void {
    this.connection = isClosed ? 'closed' : 'offline';
    this.gone = why;
    this.clearSuspicion();
    this.outbox.recall();
    this.divergence = null;
    this.presence.clearMembers();
    this.changes.mark('members');
  }

  /**
   * The server may be out of reach: that is shown, and where `isHeld` nothing is sent, until it has answered a ping or
   * the connection is replaced.
   */
  suspectConnection(why: string, { isHeld }: { isHeld: boolean }): void {
    if (this.connection !== 'live') return;
    this.suspectReason = why;
    this.isHeld ||= isHeld;
  }

  private clearSuspicion(): void {
    this.suspectReason = '';
    this.isHeld = false;
  }

  /** The messages to send now; writes among them count as sent. */
  outgoing(now: number): ClientMessage[] {
    const out: ClientMessage[] = [];
    if (this.connection !== 'live' || this.isHeld) return out;
    if (this.divergence !== null) out.push({ t: 'resync', why: this.divergence.slice(0, 500) });
    this.divergence = null;
    out.push(...this.presence.runSubscriptions.take());
    return this.isLive && !this.hasDiverged ? [...out, ...this.outbox.take(now)] : out;
  }

  /** When the next message is due without any other event; Infinity for never. */
  due(now: number): number {
    return this.isLive && !this.hasDiverged ? this.outbox.due(now) : Number.POSITIVE_INFINITY;
  }

  /** Handles a frame, in order. */
  receive(frame: Frame, now: number): void {
    this.now = now;
    for (const message of frame) this.take(Array.isArray(message) ? this.spelledOut(message) : message);
    this.show();
  }

  /** The commit that a typed commit stands for. */
  private spelledOut([rev, h, at_ms, template, c, d]: TypedCommit): Commit {
    return { ...(this.templates[template] as Template), rev, h, at_ms, steps: [{ k: 'text', c, d }] };
  }

  private take(message: ServerMessage): void {
    switch (message.t) {
      case 'welcome':
        this.welcome(message);
        break;
      case 'state':
        this.state(message);
        break;
      case 'commit':
        this.commit(message);
        break;
      case 'templates':
        this.templates.splice(message.start, Number.POSITIVE_INFINITY, ...message.templates);
        break;
      case 'committed':
        this.committed(message);
        break;
      case 'rejected':
        this.rejected(message);
        break;
      case 'store':
        this.outbox.store(message);
        this.changes.mark('members');
        break;
      case 'bye':
        this.bye(message);
        break;
      case 'pong':
        this.clearSuspicion();
        break;
      default: {
        const flag = this.presence.handle(message);
        this.typing.text.pages = this.presence.members.length;
        if (flag) this.changes.mark(flag);
      }
    }
  }

  private welcome(message: Welcome): void {
    const { me } = this.presence;
    if (me && me.id !== message.me.id) this.releasePending();
    this.presence.welcome(message);
    this.silenceMs = message.silence_s * 1000;
    this.connection = 'live';
    this.gone = '';
    this.clearSuspicion();
    this.welcomes++;
    for (const flag of ['members', 'runs', 'proposals'] as const) this.changes.mark(flag);
  }

  /** The server takes this page for another person now: ids of earlier messages are void. */
  private releasePending(): void {
    for (const write of [...this.writes.all()]) if (write.sentAt && !write.ack) this.giveUp(write);
    this.typing.refuseAll('uncertain', UNCERTAIN);
    this.version++;
  }

  /** Where the server cannot read a message, it is found by sending one by one; the others go through. */
  private bye(message: Bye): void {
    const suspect = this.outbox.suspect(message.code, message.id);
    this.lastBye = suspect ? { ...message, again_ms: message.again_ms ?? 0 } : message;
    if (suspect?.id) this.rejected({ ...message, t: 'rejected', id: suspect.id, problems: [], retry: false });
  }

  /** A commit does not fit the local state: the server's full state replaces it. */
  markDiverged(reason: string): void {
    this.hasDiverged = true;
    this.divergence = reason;
  }

  // -- messages of the server
  // ----------------------------------------------------------------------------------------

  private state(message: State): void {
    const { epoch, rev, h } = this.replica;
    const isSameLine = epoch === message.epoch && message.why !== 'diverged';
    this.writes.forgetSteps();
    this.replica.replace(message);
    this.hasDiverged = false;
    this.recent.restart(message.rev);
    this.changes.markAll();
    this.typing.state({ epoch, rev, h }, message);
    for (const write of this.writes.all()) {
      // What was sent to another log does not hold for this one: it is sent again.
      if (!isSameLine) Object.assign(write, { ack: null, isSent: false });
      // The log may have been trimmed past this page's position, and past the ids of what it sent.
      if (!isSameLine || isCut(message.why)) write.doubt = !write.ack && write.sentAt ? 'open' : 'none';
    }
    this.settleConfirmed();
    this.version++;
  }

  private commit(message: Commit): void {
    const { replica } = this;
    if (!replica.isKnown || this.hasDiverged || message.rev <= replica.rev) return;
    this.hide();
    try {
      replica.follow(message);
    } catch (error) {
      this.markDiverged(error instanceof Error ? error.message : String(error));
      return;
    }
    const texts = message.steps.flatMap((step) => (step.k === 'text' ? [step.c as Changes] : []));
    for (const text of texts) this.recent.add(message.rev, text);
    this.typing.text.remoteTextAt = this.now;
    this.typing.commit(message.rev, texts, this.view.text);
    this.changes.addCommit(message);
    this.settleConfirmed();
  }

  private committed(message: Committed): void {
    const { id, rev, changed } = message;
    const { replica } = this;
    this.outbox.wentWell(this.now);
    if (this.outbox.answered(id, '', false)) return;
    const write = this.writes.get(id);
    if (this.typing.committed(id, rev, changed, replica)) this.version++;
    else if (write && (!changed || rev <= replica.rev)) this.settle(write, committed(message));
    else if (write) write.ack = { rev, outcome: committed(message) };
  }

  private rejected(message: Rejected): void {
    const { id, code, retry, detail } = message;
    const doubtful = this.outbox.answered(id, code, retry);
    const write = this.writes.get(id);
    // Behind a write that has to be sent again nothing can be judged: it may build on that.
    const isRetried = retry || (write !== undefined && this.outbox.hasRecalledBefore(write));
    if (isRetried) this.outbox.wentBadly(retry ? detail : '', this.now);
    else this.outbox.wentWell(this.now);
    if (doubtful?.doubt === 'open' && !retry) this.giveUp(doubtful);
    if (this.typing.rejected({ ...message, retry: isRetried })) this.version++;
    if (write && isRetried) write.isSent = false;
    else if (write) this.refuse(write, rejected(message));
  }

  /** Settles writes whose commit has arrived. */
  private settleConfirmed(): void {
    for (const write of [...this.writes.all()])
      if (write.ack && write.ack.rev <= this.replica.rev) this.settle(write, write.ack.outcome);
  }

  private settle(write: PendingWrite, outcome: Outcome): void {
    const { id } = write.message;
    this.hide();
    this.writes.remove(id);
    if (write.isDraft) this.changes.mark('drafts');
    this.settled.push({ id, outcome });
    this.version++;
    const follower = this.writes.followerOf(id);
    if (follower) this.release(follower, outcome);
  }

  /** What an undo follows is settled: it takes back the commit of that, if there is one. */
  private release(follower: PendingWrite, outcome: Outcome): void {
    const { message } = follower;
    if (message.t !== 'undo' || outcome.kind === 'rejected' || !outcome.changed) {
      this.settle(follower, withdrawn(this.replica.rev));
      return;
    }
    follower.message = { ...message, expect: outcome.rev };
    delete follower.follows;
  }

  private giveUp(write: PendingWrite): void {
    this.refuse(write, rejected({ code: 'uncertain', detail: UNCERTAIN, problems: [] }));
  }

  /** A refusal: work goes into the tray; an undo that cannot be done is only reported to its caller. */
  private refuse(write: PendingWrite, answer: Outcome): void {
    const { message } = write;
    const outcome = deletedMeanwhile(answer, write.names, this.view);
    if (message.t === 'submit' && outcome.kind === 'rejected') {
      const operations = message.operations as unknown as Operation[];
      this.addToTray(refusedBatch(message.id, operations, outcome.code, whyOf(outcome)));
    }
    this.settle(write, outcome);
  }

  private addToTray(item: NewItem): void {
    this.tray.add({ ...item, at: this.now });
    this.changes.mark('tray');
    this.version++;
  }

  // -- local changes
  // -------------------------------------------------------------------------------------------------

  /** Adds a write; what can be predicted of it is shown at once. */
  ask(message: WriteMessage, now: number, isAfterTyping: boolean): void {
    this.now = now;
    const isDraft = message.t === 'submit' && this.presence.role === 'commenter';
    const write = { message, at: now, sentAt: null, ...(isDraft && { isDraft }) };
    this.addWrite(write, isAfterTyping ? this.typing.text.typed : 0);
    if (isDraft) {
      this.settled.push({ id: message.id, outcome: drafted(this.replica.rev) });
      this.changes.mark('drafts');
    }
    this.version++;
  }

  /** The batches that wait to be proposed, in order. */
  get drafts(): readonly Draft[] {
    return draftsOf(this.writes.drafts());
  }

  /** They were proposed, or are given up. */
  dropDrafts(ids: readonly string[]): void {
    this.hide();
    for (const id of ids) if (this.writes.get(id)?.isDraft) this.writes.remove(id);
    this.show();
    this.changes.mark('drafts');
    this.version++;
  }

  /** What `takeBack` would take back: in words, and since when it waits; null for nothing. */
  takeBackTarget(isWanted: (batch: Submit) => boolean): TakeBackTarget | null {
    const write = this.writes.newestBatch(isWanted);
    if (write?.message.t !== 'submit') return null;
    const operations = write.message.operations as unknown as Operation[];
    return { label: wordsForOperations(operations), at: write.at, operations, isSent: write.sentAt !== null };
  }

  /**
   * Takes the newest pending batch back: one that was never sent is dropped, any other is followed by an undo. Returns
   * the id of the write whose outcome says what became of it; null if there is none.
   */
  takeBack(undoId: string, now: number, isWanted: (batch: Submit) => boolean): string | null {
    const write = this.writes.newestBatch(isWanted);
    if (!write) return null;
    const { id } = write.message;
    this.now = now;
    this.hide();
    if (write.sentAt === null) this.settle(write, withdrawn(this.replica.rev));
    else this.addWrite({ message: { t: 'undo', id: undoId }, at: now, sentAt: null, follows: id }, 0);
    this.show();
    this.version++;
    return write.sentAt === null ? id : undoId;
  }

  private addWrite(write: KeptWrite, afterTyping: number): PendingWrite {
    const added = this.writes.add(write, afterTyping, this.view);
    this.changes.addSteps(added.steps ?? []);
    return added;
  }

  /**
   * Applies typed text to the current view.
   *
   * Throws ChangesRefused: it is no ChangeSet that the server would accept. Throws RangeError: it is for another text.
   */
  type(changes: Changes, now: number): void {
    this.now = now;
    const checked = check(changes);
    if (!this.replica.isKnown) throw new RangeError('there is no document to type into yet');
    if (lengthBefore(checked) !== this.view.text.length)
      throw new RangeError('the document has another length');
    this.typing.text.type(checked, now);
    this.view.text = this.typing.text.view;
    this.version++;
  }

  /** Inserts the text of a tray item again; false if it has no place now. */
  putBack(text: NonNullable<TrayItem['text']>, now: number): boolean {
    const changes = this.replica.isKnown ? putBack(this.view.text, text) : null;
    if (!changes) return false;
    this.typing.write(changes, now);
    this.view.text = this.typing.text.view;
    this.version++;
    return true;
  }

  discard(id: string): void {
    if (!this.tray.discard(id)) return;
    this.changes.mark('tray');
    this.version++;
  }

  // -- persistence
  // ---------------------------------------------------------------------------------------------------

  /** What is to be persisted now; null for nothing. */
  kept(): Kept | null {
    const kept = { writes: this.writes.kept(), texts: this.typing.kept(this.replica), tray: this.tray.all() };
    const isEmpty = kept.writes.length + kept.texts.length + kept.tray.length === 0;
    return isEmpty ? null : { actor: this.presence.me?.id ?? null, ...kept };
  }

  /**
   * Takes over the record of another page of the same person. Returns whether anything of it may have been sent: a copy
   * may be on its way still, so it must be in a `hello` before it is sent again.
   */
  takeOver(kept: Kept, now: number): boolean {
    this.now = now;
    const claimed = new Set(this.sentIds());
    this.hide(); // what an undo follows is not shown
    for (const write of kept.writes)
      if (!this.writes.get(write.message.id)) this.addWrite(write, 0).doubt = write.sentAt ? 'open' : 'none';
    this.show();
    for (const text of kept.texts) this.typing.takeOver(text);
    for (const item of kept.tray) this.tray.add(item);
    this.changes.mark('tray');
    this.changes.mark('drafts');
    this.version++;
    return this.sentIds().some((id) => !claimed.has(id));
  }

  // -- notifications
  // -------------------------------------------------------------------------------------------------

  /** Sets a notice that is shown with the status. */
  setNotice(words: string): void {
    this.notice = words;
  }

  /** What has changed since the last call; null for nothing. */
  takeChange(): ReturnType<ChangeCollector['take']> {
    const status = this.statusNow();
    if (!isSameStatus(status, this.status)) {
      this.status = status;
      this.changes.mark('status');
    }
    return this.changes.take();
  }

  /** What was settled since the last call. */
  takeSettled(): Settled[] {
    return this.settled.splice(0);
  }

  /** Maps a position in the document at `rev` to the view; null if that is too old. */
  placeHere(at: number, rev: number): number | null {
    const place = this.typing.text.detachedBase ? null : this.recent.follow(at, rev);
    return place === null ? null : Math.min(this.typing.text.toView(place), this.view.text.length);
  }

  private statusNow(): Status {
    const pending = this.writes.pending + this.typing.pending;
    const connection = this.suspectReason ? 'offline' : this.connection;
    return statusOf({
      connection: connection === 'live' && !this.replica.isKnown ? 'connecting' : connection,
      pending,
      refusing: pending > 0 || this.outbox.isStoreDown ? this.outbox.refusing : '',
      gone: this.suspectReason || this.gone,
      notice: this.notice,
    });
  }

  private hide(): void {
    this.changes.addSteps(this.writes.hide(this.view));
    // Commits change the document as the server has it.
    this.view.text = this.typing.text.base;
  }

  private show(): void {
    this.changes.addSteps(this.writes.show(this.view));
    this.view.text = this.typing.text.view;
  }
}
