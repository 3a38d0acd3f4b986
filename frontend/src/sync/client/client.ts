/**
 * `LiveClient`: the live state of a workspace, for editors and programs. It is the I/O shell around `Session`:
 * WebSocket, timers, storage, listeners. No React. See docs/embedding.md.
 */

import type { Changes } from '../../model/core/changes';
import type { WorkspaceState } from '../../model/core/workspace';
import type {
  Bye,
  Caret,
  LiveProposal,
  LiveRun,
  Me,
  Member,
  Operation,
  PresenceState,
  Role,
  ServerMessage,
  StoreRisk,
  Submit,
} from '../../protocol/live';
import { ROOT_PATH } from '../../protocol/root';
import type { ViewChange } from '../session/change';
import type { Draft } from '../session/drafts';
import type { Status } from '../session/liveStatus';
import { type AppliedAgain, type Outcome, withdrawn } from '../session/outcome';
import type { RunListener } from '../session/runSubscriptions';
import { Session, type TakeBackTarget } from '../session/session';
import type { TrayItem } from '../session/tray';
import type { WriteMessage } from '../session/writes';
import { type Clock, systemClock } from './clock';
import { Connection, type SocketLike } from './connection';
import type { ClientOptions, RedoOptions, UndoOptions } from './options';
import { PageLifecycle } from './pageLifecycle';
import { defaultPending, MemoryPending, type PendingStore } from './pendingStore';
import { Persister } from './persister';
import { Sender } from './sender';
import { TabTakeover } from './takeover';

export type { ViewChange } from '../session/change';
export type { Draft } from '../session/drafts';
export type { Status } from '../session/liveStatus';
export type { AppliedAgain, Outcome } from '../session/outcome';
export type { TabRecord } from '../session/pendingRecord';
export type { RunListener } from '../session/runSubscriptions';
export type { TakeBackTarget } from '../session/session';
export type { TrayItem } from '../session/tray';
export type { Clock } from './clock';
export type { SocketLike } from './connection';
export type { ClientOptions, RedoOptions, UndoOptions } from './options';
export { IndexedPending, MemoryPending, type PendingStore } from './pendingStore';

// Close codes after which the client does not reconnect, unless the server has said otherwise before.
const FINAL_CODES = new Set([4401, 4403, 4404, 4409, 4410]);
const UNREADABLE_CODES: Readonly<Record<number, string>> = {
  1009: 'message_too_large',
  4400: 'invalid_message',
};
// Operations that read the document: typed text is sent before them.
const DOCUMENT = /_section$|_text$|_document$/;
/** How long `finish` waits for the server. */
const FINISHES_WITHIN_MS = 3_000;
const NO_NETWORK = 'This browser has no network.';
const NOT_KEPT = 'This browser has no storage: what is not saved yet would be lost with this page.';

export class LiveClient {
  private readonly clock: Clock;
  private readonly session: Session;
  private readonly connection: Connection;
  private readonly sender: Sender;
  private readonly store: PendingStore;
  private readonly persister: Persister;
  private readonly takeover: TabTakeover;
  private readonly lifecycle: PageLifecycle;
  private readonly listeners = new Set<(change: ViewChange) => void>();
  private readonly asked = new Map<string, (outcome: Outcome) => void>();
  private isNotifying = false;
  private isStarted = false;

  constructor(private readonly options: ClientOptions) {
    const clock = options.clock ?? systemClock;
    const session = new Session(() => clock.newId());
    const place = { workspace: options.workspace, tab: clock.newId() };
    const store = options.store === undefined ? defaultPending() : (options.store ?? new MemoryPending());
    const locks = options.locks === undefined ? (globalThis.navigator?.locks ?? null) : options.locks;
    const make = options.socket ?? ((url: string) => new WebSocket(url) as SocketLike);
    this.clock = clock;
    this.session = session;
    this.store = store;
    this.persister = new Persister(session, store, place, clock, (failure) => this.notice(failure));
    this.takeover = new TabTakeover(session, this.persister, store, place, clock, locks, (isSent) =>
      this.tookOver(isSent),
    );
    this.connection = new Connection(() => this.address(), make, clock, {
      opened: () => this.connection.send([session.hello()]),
      handleMessage: (text) => this.receive(text),
      handleClose: (code, reason) => this.gone(code, reason),
    });
    this.sender = new Sender(session, this.connection, this.persister, clock, () => this.tell());
    this.lifecycle = new PageLifecycle({
      onResume: () => this.connection.check(),
      onLeave: () => this.leave(),
      onOffline: () => this.suspectConnection(),
    });
    const isPage = typeof document !== 'undefined';
    if (isPage && options.store === undefined && typeof indexedDB === 'undefined')
      session.setNotice(NOT_KEPT);
  }

  // -- state
  // ---------------------------------------------------------------------------------------------------------

  /** The workspace with all local changes; a new object after a full state. Read-only. */
  get view(): WorkspaceState {
    return this.session.view;
  }

  /** The last revision from the server; the view may be ahead of it by pending changes. */
  get revision(): number {
    return this.session.replica.rev;
  }

  get status(): Status {
    return this.session.status;
  }

  get me(): Me | null {
    return this.session.presence.me;
  }

  /** The role of this person; null until it is known. */
  get role(): Role | null {
    return this.session.presence.role;
  }

  /** Why the workspace accepts no writes from anybody; null where it does. */
  get frozen(): string | null {
    return this.session.presence.frozen;
  }

  /** What the server's store may lose as it is set. */
  get storeRisks(): readonly StoreRisk[] {
    return this.session.outbox.storeRisks;
  }

  /** The server's last message before it closed the connection for good; null while the connection is not closed. */
  get bye(): Bye | null {
    return this.session.status.connection === 'closed' ? this.session.lastBye : null;
  }

  /** The id of this page among the members. */
  get member(): string {
    return this.session.presence.member;
  }

  get members(): readonly Member[] {
    return this.session.presence.members;
  }

  /** Changes that did not fit, oldest first. */
  get tray(): readonly TrayItem[] {
    return this.session.tray.all();
  }

  get runs(): readonly LiveRun[] {
    return this.session.presence.runs;
  }

  get proposals(): readonly LiveProposal[] {
    return this.session.presence.proposals;
  }

  /** The batches of this page that wait to be proposed, in order; of a person who may not write. */
  get drafts(): readonly Draft[] {
    return this.session.drafts;
  }

  // -- connection
  // ----------------------------------------------------------------------------------------------------

  /** Connects, and reconnects after failures. Also after the server has closed the connection for good. */
  start(): void {
    if (!this.isStarted) {
      this.isStarted = true;
      this.lifecycle.listen();
      this.takeover.start();
    }
    this.connection.start();
  }

  /** Reconnects at once instead of waiting for the next attempt. Also after the connection was closed for good. */
  retry(): void {
    if (!this.isStarted) return;
    this.connection.start();
    this.connection.check();
  }

  /** Closes once pending changes are saved, or after a timeout: nobody may open this workspace again for a while. */
  async finish(): Promise<void> {
    this.leave();
    await this.saved();
    await this.close();
  }

  /** Disconnects; pending changes stay in storage. */
  async close(): Promise<void> {
    this.isStarted = false;
    this.lifecycle.stop();
    this.sender.stop();
    this.connection.stop();
    this.session.disconnected('', true);
    this.tell();
    await this.persister.release();
    this.takeover.stop();
    this.store.close();
  }

  /** Subscribes to changes. Returns a function that unsubscribes. */
  subscribe(listener: (change: ViewChange) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  // -- writing
  // -------------------------------------------------------------------------------------------------------

  /**
   * Applies operations; shown at once where the result can be predicted. Resolves with the server's answer, also a
   * refusal.
   */
  edit(operations: readonly Operation[], options: { explanation?: string } = {}): Promise<Outcome> {
    const shape = JSON.parse(JSON.stringify(operations)) as Record<string, unknown>[];
    const explanation = options.explanation ? { explanation: options.explanation } : {};
    const message = { t: 'submit' as const, id: this.clock.newId(), operations: shape, ...explanation };
    return this.ask(
      message,
      operations.some(({ op }) => DOCUMENT.test(op)),
    );
  }

  /** Applies typed text to `view.text`. Throws where that is not possible: another length, CR, half a character. */
  type(changes: Changes): void {
    this.session.type(changes, this.clock.now());
    this.moved();
  }

  undo(options: UndoOptions = {}): Promise<Outcome> {
    return this.ask({ t: 'undo', id: this.clock.newId(), ...options }, true);
  }

  redo(options: RedoOptions = {}): Promise<Outcome> {
    return this.ask({ t: 'redo', id: this.clock.newId(), ...options }, true);
  }

  /** Reverts a commit, or a range of commits of one person's typing. */
  revert(rev: number, options: { upto?: number; force?: boolean } = {}): Promise<Outcome> {
    return this.ask({ t: 'revert', id: this.clock.newId(), rev, ...options }, true);
  }

  /** What `takeBack` would take back; null for nothing. */
  takeBackTarget(of: 'document' | null = null): TakeBackTarget | null {
    return this.session.takeBackTarget(isOf(of));
  }

  /**
   * Takes back one's own newest batch that waits for the server, also while disconnected: it is dropped if it was never
   * sent; else an undo follows it. Resolves with the outcome of the undo, at once if it was dropped; null for nothing.
   */
  takeBack(of: 'document' | null = null): Promise<Outcome | null> {
    const undoId = this.clock.newId();
    const outcome = new Promise<Outcome>((resolve) => this.asked.set(undoId, resolve));
    const { rev } = this.session.replica;
    const id = this.session.takeBack(undoId, this.clock.now(), isOf(of));
    if (id !== undoId) this.asked.delete(undoId);
    this.moved();
    return id === null ? Promise.resolve(null) : id === undoId ? outcome : Promise.resolve(withdrawn(rev));
  }

  /** Removes batches of the draft: they were proposed, or are given up. */
  dropDrafts(ids: readonly string[]): void {
    this.session.dropDrafts(ids);
    this.moved();
  }

  /** Sends the presence of this page. A caret is given in `view.text` as it is now; its revision is ignored. */
  present(state: PresenceState): void {
    const { replica, typing, presence } = this.session;
    const { text: lane } = typing;
    presence.own.set(state, lane.detachedBase?.rev ?? replica.rev, (at) => lane.toBase(at));
    this.sender.sendPresence();
  }

  /** Subscribes to the events of a run after a given event. A final event `gone` has no id. */
  watchRun(run: string, after: string, listener: RunListener): () => void {
    const end = this.session.presence.runSubscriptions.add(run, after, listener);
    this.sender.run();
    return () => {
      end();
      this.sender.run();
    };
  }

  /** The position of somebody's caret in `view.text`; null if it is not known any more. */
  caretHere(caret: Caret): { anchor: number; head: number } | null {
    const anchor = this.session.placeHere(caret.anchor, caret.rev);
    const head = this.session.placeHere(caret.head, caret.rev);
    return anchor === null || head === null ? null : { anchor, head };
  }

  /**
   * Applies an item of the tray again, as a new change to the current workspace.
   *
   * Resolves with the outcome of its operations; at once with `typed` where it was text that could be inserted, and
   * with `misplaced` where its text has no place now: then it stays in the tray.
   */
  async applyAgain(trayId: string): Promise<AppliedAgain> {
    const item = this.session.tray.get(trayId);
    if (!item) return 'misplaced';
    if (item.text && !this.session.putBack(item.text, this.clock.now())) return 'misplaced';
    this.session.discard(trayId);
    const outcome = item.operations ? this.edit(item.operations) : ('typed' as const);
    this.moved();
    return outcome;
  }

  discard(trayId: string): void {
    this.session.discard(trayId);
    this.moved();
  }

  // -- internals
  // -----------------------------------------------------------------------------------------------------

  private ask(message: WriteMessage, isAfterTyping: boolean): Promise<Outcome> {
    const outcome = new Promise<Outcome>((resolve) => this.asked.set(message.id, resolve));
    this.session.ask(message, this.clock.now(), isAfterTyping);
    this.moved();
    return outcome;
  }

  private receive(text: string): void {
    const { session } = this;
    const { welcomes } = session;
    try {
      session.receive(JSON.parse(text) as ServerMessage[], this.clock.now());
    } catch (error) {
      // A bug: the local state may be half changed, so the full state is requested from the server.
      session.markDiverged(String(error));
      report(error);
    }
    if (session.welcomes !== welcomes) {
      this.connection.allowSilence(session.silenceMs);
      void this.takeover.takeOverAll();
    }
    this.moved();
    this.sender.sendPresence();
  }

  /** Handles a closed connection. Returns when to reconnect. */
  private gone(code: number, reason: string): number | null {
    const { session } = this;
    const unreadable = UNREADABLE_CODES[code];
    if (!session.lastBye && unreadable)
      session.receive([{ t: 'bye', code: unreadable, detail: reason, again_ms: null }], this.clock.now());
    const { lastBye: bye } = session;
    const again = bye ? bye.again_ms : FINAL_CODES.has(code) ? null : 0;
    session.disconnected(bye?.detail ?? reason, again === null);
    this.moved();
    return again;
  }

  /** What a closed tab has sent may be on its way still. Only what a `hello` names is not carried out from there. */
  private tookOver(isSent: boolean): void {
    if (isSent) this.connection.drop();
    this.moved();
  }

  /** The browser has lost the network. A server on the same machine may answer all the same, so it is asked. */
  private suspectConnection(): void {
    this.session.suspectConnection(NO_NETWORK, { isHeld: true });
    this.connection.check();
    this.moved();
  }

  /** After any change of the session: persists it, notifies listeners, sends messages. */
  private moved(): void {
    this.persister.schedule();
    this.tell();
    this.sender.run();
  }

  /** Notifies listeners of changes, in order, also where a listener makes another change. */
  private tell(): void {
    if (this.isNotifying) return;
    this.isNotifying = true;
    for (let change = this.session.takeChange(); change; change = this.session.takeChange())
      for (const listener of [...this.listeners]) guarded(listener, change);
    this.isNotifying = false;
    for (const { id, outcome } of this.session.takeSettled()) {
      this.asked.get(id)?.(outcome);
      this.asked.delete(id);
    }
  }

  /** Waits until nothing is pending; not while disconnected, and with a timeout. */
  private saved(): Promise<void> {
    const isOver = () => this.status.pending === 0 || this.status.connection !== 'live';
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.clock.clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = this.clock.setTimeout(end, FINISHES_WITHIN_MS);
      const stop = this.subscribe(() => {
        if (isOver()) end();
      });
    });
  }

  private notice(words: string): void {
    this.session.setNotice(words);
    this.tell();
  }

  /** The page may be closed in a moment: persists and sends without waiting. */
  private leave(): void {
    this.session.outbox.flush();
    this.persister.flush();
    this.moved();
  }

  private async address(): Promise<string> {
    const server = this.options.origin ?? globalThis.location.origin + ROOT_PATH;
    const path = `/api/v1/workspaces/${encodeURIComponent(this.options.workspace)}/live`;
    const url = new URL(server.replace(/\/$/, '') + path);
    url.protocol = url.protocol.replace('http', 'ws');
    if (this.options.ticket) url.searchParams.set('ticket', await this.options.ticket());
    return url.href;
  }
}

const isOf = (of: 'document' | null) => (batch: Submit) =>
  of === null || batch.operations.some(({ op }) => DOCUMENT.test(String(op)));

/** Calls a listener; its errors are reported and do not stop the client. */
function guarded(listener: (change: ViewChange) => void, change: ViewChange): void {
  try {
    listener(change);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
