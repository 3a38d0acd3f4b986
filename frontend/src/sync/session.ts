/**
 * The core of a live page: what the server has told, what was done here and is not settled, and what the two show
 * together. Sans-I/O: messages, time and ids are passed in, messages and changes are taken out; no sockets, timers,
 * storage or randomness. Not here: when to connect and what to keep (`client.ts`), what goes out when (`outbox.ts`).
 *
 *     receive: take back what is predicted → follow commits → predict anew → tell what changed
 *
 * Rules: docs/protocol.md; why it is made like this: ADR 0012.
 */
import { type Changes, check, lengthBefore } from '../model/changes';
import { apply } from '../model/steps';
import { WorkspaceState } from '../model/workspace';
import {
  type Bye,
  type Commit,
  type Committed,
  type Hello,
  type Me,
  type Operation,
  PROTOCOL_VERSION,
  type Rejected,
  type ServerMessage,
  type State,
  type Welcome,
} from '../protocol/live';
import { RecentText } from './carets';
import { Gathered } from './change';
import { isSameStatus, type Status, statusOf } from './liveStatus';
import { Outbox } from './outbox';
import { committed, type Outcome, rejected, type Settled, whyOf } from './outcome';
import { People, Whereabouts } from './people';
import type { KeptText } from './text';
import { type NewItem, putBack, refusedBatch, Tray, type TrayItem } from './tray';
import { Typing } from './typing';
import { Watches } from './watches';
import { type KeptWrite, type PendingWrite, type WriteMessage, Writes } from './writes';

/** Everything of a page that is to outlive it. */
export interface Kept {
  /** Whose it is; null if the page never learned. */
  actor: string | null;
  writes: KeptWrite[];
  texts: KeptText[];
  tray: ReturnType<Tray['all']>;
}

const MOST_PENDING_TOLD = 2_000;
const UNCERTAIN =
  'Whether this was carried out is not known any more. Look whether it is there before you apply it again.';

export class Session {
  view = new WorkspaceState();
  epoch = '';
  rev = 0;
  me: Me | null = null;
  member = '';
  silenceMs = 0;
  runs: readonly Record<string, unknown>[] = [];
  proposals: readonly Record<string, unknown>[] = [];
  status: Status = statusOf({ connection: 'connecting', pending: 0, refusing: '', gone: '', remark: '' });
  /** The last word of the server on this connection. */
  farewell: Bye | null = null;
  /** How many connections have been welcomed. */
  welcomes = 0;
  /** Moves with everything that is to be kept. */
  keptVersion = 0;
  readonly writes = new Writes();
  readonly typing: Typing;
  readonly tray = new Tray();
  readonly people = new People();
  readonly whereabouts = new Whereabouts();
  readonly watches = new Watches();
  readonly outbox: Outbox;
  private readonly changes = new Gathered();
  private readonly recent = new RecentText();
  private settled: Settled[] = [];
  private h = '';
  /** Whether there is a state, and it is the server's. */
  private hasState = false;
  private connection: Status['connection'] = 'connecting';
  private gone = '';
  private remark = '';
  private now = 0;

  constructor(newId: () => string) {
    this.typing = new Typing({
      newId,
      changed: (changes) => this.changes.changeText(changes),
      putAside: (item) => this.putAside(item),
    });
    this.outbox = new Outbox(this, newId);
  }

  get isReady(): boolean {
    return this.connection === 'live' && this.hasState;
  }

  // -- the connection ------------------------------------------------------------------------------------------------

  /** What to say first on a new connection. */
  hello(): Hello {
    this.farewell = null;
    const sent = [...this.writes.all()].filter((write) => write.sentAt).map((write) => write.message.id);
    const pending = [...this.typing.ids(), ...sent].slice(0, MOST_PENDING_TOLD);
    const resume =
      this.hasState && !this.outbox.isAstray ? { epoch: this.epoch, rev: this.rev, h: this.h } : null;
    return { t: 'hello', v: PROTOCOL_VERSION, resume, pending };
  }

  /** The connection is gone, for now or (`isClosed`) until somebody starts it again. */
  disconnected(why: string, isClosed: boolean): void {
    this.connection = isClosed ? 'closed' : 'offline';
    this.gone = why;
    this.writes.recall();
    this.typing.recall();
    this.outbox.recall();
    this.people.roster([]);
    this.changes.mark('members');
  }

  /** Say something more in the status. */
  remarkOn(words: string): void {
    this.remark = words;
  }

  /** Follow a frame, in order. */
  receive(frame: readonly ServerMessage[], now: number): void {
    this.now = now;
    for (const message of frame) this.take(message);
    this.show();
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
      case 'committed':
        this.committed(message);
        break;
      case 'rejected':
        this.rejected(message);
        break;
      case 'store':
        this.outbox.store(message.ok);
        break;
      case 'bye':
        this.bye(message);
        break;
      default:
        this.hear(message);
    }
  }

  /** What is told of others and of the assistant; kinds that this page does not know yet are passed over. */
  private hear(message: ServerMessage): void {
    switch (message.t) {
      case 'roster':
        this.people.roster(message.members);
        this.changes.mark('members');
        break;
      case 'presence':
        this.people.moved(message.members);
        this.changes.mark('presence');
        break;
      case 'runs':
        this.runs = message.runs;
        this.changes.mark('runs');
        break;
      case 'proposals':
        this.proposals = message.proposals;
        this.changes.mark('proposals');
        break;
      case 'run_event':
        this.watches.event(message.run, message.id, message.event);
        break;
      case 'run_gone':
        this.watches.gone(message.run, message.code, message.detail);
    }
  }

  private welcome({ me, member, silence_s }: Welcome): void {
    if (this.me && this.me.id !== me.id) this.disown();
    this.me = me;
    this.member = member;
    this.silenceMs = silence_s * 1000;
    this.connection = 'live';
    this.gone = '';
    this.welcomes++;
    this.watches.again();
    this.whereabouts.again();
    this.changes.mark('members');
  }

  /** The server takes this page for somebody else now: what was sent before has ids that mean nothing any more. */
  private disown(): void {
    this.hide();
    for (const write of [...this.writes.all()]) if (write.sentAt && !write.told) this.giveUp(write);
    this.typing.refuseAll('uncertain', UNCERTAIN);
    this.keptVersion++;
  }

  private bye(message: Bye): void {
    const culprit = this.outbox.suspect(message.code);
    // Something that was sent is outside what the server reads; sent alone it shows itself, the others go through.
    if (culprit === 'unknown') this.farewell = { ...message, again_ms: message.again_ms ?? 0 };
    else if (culprit) {
      this.farewell = { ...message, again_ms: message.again_ms ?? 0 };
      this.rejected({ ...message, t: 'rejected', id: culprit, problems: [], retry: false });
    } else this.farewell = message;
  }

  // -- what the server tells -----------------------------------------------------------------------------------------

  private state(message: State): void {
    const had = { epoch: this.epoch, rev: this.rev };
    const isSameLine = had.epoch === message.epoch && message.why !== 'diverged';
    this.writes.forgetShown();
    this.view = WorkspaceState.from(message.workspace);
    this.epoch = message.epoch;
    this.rev = message.rev;
    this.h = message.h;
    this.hasState = true;
    this.outbox.isAstray = false;
    this.recent.restart(message.rev);
    this.changes.everything();
    this.typing.state(had, message);
    for (const write of [...this.writes.all()]) {
      // What was said of another log does not hold for this one: it is sent again.
      if (!isSameLine && write.told) Object.assign(write, { told: null, isSent: false });
      if (write.told && write.told.rev <= message.rev) this.settle(write, write.told.outcome);
      // The log has been cut where this page stood, and perhaps the ids of what it sent with it.
      else if (message.why === 'trimmed') write.isDoubtful = !write.told && write.sentAt !== null;
    }
    this.keptVersion++;
  }

  private commit(message: Commit): void {
    if (!this.hasState || this.outbox.isAstray || message.rev <= this.rev) return;
    this.hide();
    try {
      if (message.rev !== this.rev + 1) throw new Error(`revision ${message.rev} came after ${this.rev}`);
      apply(message.steps, this.view);
    } catch (error) {
      // Only the server's word counts: its whole state comes in place of this page's.
      this.outbox.loseFaith(error instanceof Error ? error.message : String(error));
      return;
    }
    this.rev = message.rev;
    this.h = message.h;
    const texts = message.steps.flatMap((step) => (step.k === 'text' ? [step.c as Changes] : []));
    for (const text of texts) this.recent.add(message.rev, text);
    this.typing.commit(message.rev, texts, this.view.text);
    this.changes.commit(message);
    for (const write of [...this.writes.all()])
      if (write.told && write.told.rev <= message.rev) this.settle(write, write.told.outcome);
  }

  private committed(message: Committed): void {
    this.outbox.wentWell();
    const { id, rev, changed } = message;
    if (this.outbox.answered(id, '', false)) return;
    if (this.typing.committed(id, rev, changed, { epoch: this.epoch, rev: this.rev })) {
      this.keptVersion++;
      return;
    }
    const write = this.writes.get(id);
    if (!write) return;
    if (!changed || rev <= this.rev) this.settle(write, committed(message));
    else write.told = { rev, outcome: committed(message) };
  }

  private rejected(message: Rejected): void {
    const { id, code, retry, detail } = message;
    const doubtful = this.outbox.answered(id, code, retry);
    if (doubtful) {
      if (retry) this.outbox.wentBadly(detail, this.now);
      else this.outbox.wentWell();
      if (!retry && doubtful.isDoubtful) this.giveUp(doubtful);
      return;
    }
    const write = this.writes.get(id);
    // Behind a write that has to be sent again nothing can be judged: it may build on that.
    const isRetried = retry || (write !== undefined && this.outbox.hasRecalledBefore(write));
    if (isRetried) this.outbox.wentBadly(retry ? detail : '', this.now);
    else this.outbox.wentWell();
    if (this.typing.rejected({ ...message, retry: isRetried })) this.keptVersion++;
    if (!write) return;
    if (isRetried) write.isSent = false;
    else this.refuse(write, rejected(message));
  }

  private settle(write: PendingWrite, outcome: Outcome): void {
    this.hide();
    this.writes.remove(write.message.id);
    this.settled.push({ id: write.message.id, outcome });
    this.keptVersion++;
  }

  private giveUp(write: PendingWrite): void {
    this.refuse(write, rejected({ code: 'uncertain', detail: UNCERTAIN, problems: [] }));
  }

  /** A refusal: work goes into the tray; an undo that cannot be done is only told to who asked for it. */
  private refuse(write: PendingWrite, outcome: Outcome): void {
    const { message } = write;
    if (message.t === 'submit' && outcome.kind === 'rejected') {
      const operations = message.operations as unknown as Operation[];
      this.putAside(refusedBatch(message.id, operations, outcome.code, whyOf(outcome)));
    }
    this.settle(write, outcome);
  }

  private putAside(item: NewItem): void {
    this.tray.add({ ...item, at: this.now });
    this.changes.mark('tray');
    this.keptVersion++;
  }

  // -- what is done here ---------------------------------------------------------------------------------------------

  /** Ask for something; what the page can predict of it is seen at once. */
  ask(message: WriteMessage, now: number, isAfterTyping: boolean): void {
    this.now = now;
    const afterTyping = isAfterTyping ? this.typing.lane.typed : 0;
    this.addWrite({ message, at: now, sentAt: null }, afterTyping);
    this.keptVersion++;
  }

  private addWrite(write: KeptWrite, afterTyping: number): PendingWrite {
    const added = this.writes.add(write, afterTyping, this.view);
    this.changes.touch(added.steps ?? []);
    return added;
  }

  /**
   * Take what was typed into the view as it is.
   *
   * Throws ChangesRefused: it is for another text, or no ChangeSet that the server would take.
   */
  type(changes: Changes, now: number): void {
    this.now = now;
    const checked = check(changes);
    if (!this.hasState) throw new RangeError('there is no document to type into yet');
    if (lengthBefore(checked) !== this.view.text.length)
      throw new RangeError('the document has another length');
    this.typing.lane.type(checked, now);
    this.view.text = this.typing.lane.view;
    this.keptVersion++;
  }

  /** Put what stands in the tray back into the text; false if it has no place there now. */
  putBack(text: NonNullable<TrayItem['text']>, now: number): boolean {
    const changes = this.hasState ? putBack(this.view.text, text) : null;
    if (!changes) return false;
    this.typing.write(changes, now);
    this.view.text = this.typing.lane.view;
    this.keptVersion++;
    return true;
  }

  discard(id: string): void {
    if (!this.tray.discard(id)) return;
    this.changes.mark('tray');
    this.keptVersion++;
  }

  // -- what outlives the page ----------------------------------------------------------------------------------------

  /** What is to be kept now; null for nothing. */
  kept(): Kept | null {
    const at = { epoch: this.epoch, rev: this.rev };
    const kept = { writes: this.writes.kept(), texts: this.typing.kept(at), tray: this.tray.all() };
    const isEmpty = kept.writes.length + kept.texts.length + kept.tray.length === 0;
    return isEmpty ? null : { actor: this.me?.id ?? null, ...kept };
  }

  /** Take over what another page of the same person has left. */
  adopt(kept: Kept, now: number): void {
    this.now = now;
    for (const write of kept.writes) {
      if (this.writes.get(write.message.id)) continue;
      this.addWrite(write, 0).isDoubtful = write.sentAt !== null;
    }
    for (const text of kept.texts) this.typing.adopt(text);
    for (const item of kept.tray) this.tray.add(item);
    this.changes.mark('tray');
    this.keptVersion++;
  }

  // -- what is to be told --------------------------------------------------------------------------------------------

  /** What has changed since this was asked last; null for nothing. */
  takeChange(): ReturnType<Gathered['take']> {
    const status = statusOf({
      connection: this.connection === 'live' && !this.hasState ? 'connecting' : this.connection,
      pending: this.writes.size + this.typing.pending,
      refusing: this.outbox.refusing,
      gone: this.gone,
      remark: this.remark,
    });
    if (!isSameStatus(status, this.status)) {
      this.status = status;
      this.changes.mark('status');
    }
    return this.changes.take();
  }

  /** What has been settled since this was asked last. */
  takeSettled(): Settled[] {
    return this.settled.splice(0);
  }

  /** Where a place in the document at `rev` lies in the view; null if that is too long ago. */
  placeHere(at: number, rev: number): number | null {
    const place = this.typing.lane.lost ? null : this.recent.follow(at, rev);
    return place === null ? null : Math.min(this.typing.lane.toView(place), this.view.text.length);
  }

  private hide(): void {
    this.changes.touch(this.writes.hide(this.view));
    // Commits change the document as the server has it.
    this.view.text = this.typing.lane.base;
  }

  private show(): void {
    this.changes.touch(this.writes.show(this.view));
    this.view.text = this.typing.lane.view;
  }
}
