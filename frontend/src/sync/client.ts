/**
 * `LiveClient`: a workspace as it is now, for editors and programs. The shell around `Session`: a WebSocket, timers,
 * the store of what is pending, and who wants to know of changes. No React. See docs/embedding.md.
 */
import type { Changes } from '../model/changes';
import type { WorkspaceState } from '../model/workspace';
import type {
  Caret,
  ClientMessage,
  Me,
  Member,
  Operation,
  PresenceState,
  ServerMessage,
} from '../protocol/live';
import { Adoption, SIGN_OF_LIFE_MS } from './adoption';
import type { ViewChange } from './change';
import { type Clock, systemClock } from './clock';
import { Connection, type SocketLike } from './connection';
import type { Status } from './liveStatus';
import { Mirror } from './mirror';
import type { Outcome } from './outcome';
import { defaultPending, MemoryPending, type PendingStore } from './pending';
import { Session } from './session';
import type { TrayItem } from './tray';
import type { RunListener } from './watches';
import type { WriteMessage } from './writes';

export type { ViewChange } from './change';
export type { Clock } from './clock';
export type { SocketLike } from './connection';
export type { Status } from './liveStatus';
export type { Outcome } from './outcome';
export { IndexedPending, MemoryPending, type PendingStore, type TabRecord } from './pending';
export type { TrayItem } from './tray';
export type { RunListener } from './watches';

export interface ClientOptions {
  /** Id of the workspace. */
  workspace: string;
  /** Where the server is; default: where the page comes from. */
  origin?: string;
  /** Asked before each connection, for pages of another origin. */
  ticket?: () => Promise<string>;
  /** Where pending work is kept; default IndexedDB where there is one, null for memory. */
  store?: PendingStore | null;
  socket?: (url: string) => SocketLike;
  clock?: Clock;
  /** Default `navigator.locks` where there are any. */
  locks?: LockManager | null;
}

export interface UndoOptions {
  scope?: 'mine' | 'all';
  /** Refused if it is not this revision that would be taken back. */
  expect?: number;
  /** Overwrite what others have set since. */
  force?: boolean;
}

// What the server passes on at most.
const BETWEEN_PRESENCE_MS = 50;
// What closes a connection for good, unless the server has said otherwise before.
const FINAL_CODES = new Set([4401, 4403, 4404, 4409, 4410]);
const UNREADABLE_CODES: Readonly<Record<number, string>> = {
  1009: 'message_too_large',
  4400: 'invalid_message',
};
// Operations that read the document: what was typed before goes before them.
const DOCUMENT = /_section$|_text$|_document$/;
const NOT_KEPT = 'This browser has no storage: what is not saved yet would be lost with this page.';

export class LiveClient {
  private readonly clock: Clock;
  private readonly session: Session;
  private readonly connection: Connection;
  private readonly store: PendingStore;
  private readonly mirror: Mirror;
  private readonly adoption: Adoption;
  private readonly hasLocks: boolean;
  private readonly listeners = new Set<(change: ViewChange) => void>();
  private readonly asked = new Map<string, (outcome: Outcome) => void>();
  private isTelling = false;
  private isPumping = false;
  private isPumpWanted = false;
  private timer: unknown;
  private presenceTimer: unknown;
  private signTimer: unknown;
  private presentAt = Number.NEGATIVE_INFINITY;
  private isStarted = false;

  constructor(private readonly options: ClientOptions) {
    const { workspace } = options;
    this.clock = options.clock ?? systemClock;
    this.session = new Session(() => this.clock.newId());
    this.store = options.store === undefined ? defaultPending() : (options.store ?? new MemoryPending());
    const tab = this.clock.newId();
    const locks = options.locks === undefined ? (globalThis.navigator?.locks ?? null) : options.locks;
    this.hasLocks = locks !== null;
    this.mirror = new Mirror(this.session, this.store, workspace, tab, this.clock, (trouble) => {
      this.session.remarkOn(trouble);
      this.tell();
    });
    this.adoption = new Adoption(
      this.session,
      this.mirror,
      this.store,
      workspace,
      tab,
      this.clock,
      locks,
      () => this.moved(),
    );
    const make = options.socket ?? ((url: string) => new WebSocket(url) as SocketLike);
    this.connection = new Connection(() => this.address(), make, this.clock, {
      opened: () => this.connection.send([this.session.hello()]),
      heard: (text) => this.heard(text),
      gone: (code, reason) => this.gone(code, reason),
    });
    if (options.store === undefined && typeof document !== 'undefined' && typeof indexedDB === 'undefined')
      this.session.remarkOn(NOT_KEPT);
  }

  // -- what there is -------------------------------------------------------------------------------------------------

  /** The workspace with everything done here; another object after a whole state. Not to be changed. */
  get view(): WorkspaceState {
    return this.session.view;
  }

  /** The revision told last; the view may be ahead of it by what is pending. */
  get revision(): number {
    return this.session.rev;
  }

  get status(): Status {
    return this.session.status;
  }

  get me(): Me | null {
    return this.session.me;
  }

  /** Which of the members this page is. */
  get member(): string {
    return this.session.member;
  }

  get members(): readonly Member[] {
    return this.session.people.members;
  }

  /** Changes that did not fit, oldest first. */
  get tray(): readonly TrayItem[] {
    return this.session.tray.all();
  }

  get runs(): readonly Record<string, unknown>[] {
    return this.session.runs;
  }

  get proposals(): readonly Record<string, unknown>[] {
    return this.session.proposals;
  }

  // -- life ----------------------------------------------------------------------------------------------------------

  /** Connect, and stay connected. Also after the server has closed the connection for good. */
  start(): void {
    if (!this.isStarted) {
      this.isStarted = true;
      for (const [target, name, listener] of this.signs()) target.addEventListener(name, listener);
      void this.adoption.hold();
      if (!this.hasLocks) this.showLife();
    }
    this.connection.start();
  }

  /** Disconnect; what is pending stays in the store. */
  async close(): Promise<void> {
    this.isStarted = false;
    for (const [target, name, listener] of this.signs()) target.removeEventListener(name, listener);
    for (const timer of [this.timer, this.presenceTimer, this.signTimer]) this.clock.clearTimeout(timer);
    this.connection.stop();
    this.session.disconnected('', true);
    this.tell();
    await this.mirror.release();
    this.adoption.release();
    this.store.close();
  }

  /** Be told of changes; the answer ends that. */
  subscribe(listener: (change: ViewChange) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  // -- doing ---------------------------------------------------------------------------------------------------------

  /** Change something; seen at once where it can be predicted. Settles with the server's answer, refusals too. */
  edit(operations: readonly Operation[], options: { explanation?: string } = {}): Promise<Outcome> {
    const shape = JSON.parse(JSON.stringify(operations)) as Record<string, unknown>[];
    const explanation = options.explanation ? { explanation: options.explanation } : {};
    const message = { t: 'submit' as const, id: this.clock.newId(), operations: shape, ...explanation };
    return this.ask(
      message,
      operations.some(({ op }) => DOCUMENT.test(op)),
    );
  }

  /** Take what was typed into `view.text`. Throws where that cannot be: another length, CR, half a character. */
  type(changes: Changes): void {
    this.session.type(changes, this.clock.now());
    this.moved();
  }

  undo(options: UndoOptions = {}): Promise<Outcome> {
    return this.ask({ t: 'undo', id: this.clock.newId(), ...options }, true);
  }

  redo(options: Omit<UndoOptions, 'scope'> = {}): Promise<Outcome> {
    return this.ask({ t: 'redo', id: this.clock.newId(), ...options }, true);
  }

  /** Take a commit back, or what one person typed from there up to another. */
  revert(rev: number, options: { upto?: number; force?: boolean } = {}): Promise<Outcome> {
    return this.ask({ t: 'revert', id: this.clock.newId(), rev, ...options }, true);
  }

  /** Tell others where one is. A caret is given in `view.text` as it is now; its revision is not looked at. */
  present(state: PresenceState): void {
    const { session } = this;
    session.whereabouts.set(state, session.typing.lane.lost?.rev ?? session.rev, (at) =>
      session.typing.lane.toBase(at),
    );
    this.sendPresence();
  }

  /** Hear of a run of the assistant from after an event on. A last event `gone` has no id. */
  watchRun(run: string, after: string, listener: RunListener): () => void {
    const end = this.session.watches.add(run, after, listener);
    this.pump();
    return () => {
      end();
      this.pump();
    };
  }

  /** Where somebody's caret lies in `view.text`; null if that cannot be said any more. */
  caretHere(caret: Caret): { anchor: number; head: number } | null {
    const anchor = this.session.placeHere(caret.anchor, caret.rev);
    const head = this.session.placeHere(caret.head, caret.rev);
    return anchor === null || head === null ? null : { anchor, head };
  }

  /** Try again what did not fit: as a new change, for the workspace as it is now. */
  applyAgain(trayId: string): void {
    const item = this.session.tray.get(trayId);
    if (!item) return;
    if (item.text && !this.session.putBack(item.text, this.clock.now())) return;
    this.session.discard(trayId);
    if (item.operations) void this.edit(item.operations);
    this.moved();
  }

  discard(trayId: string): void {
    this.session.discard(trayId);
    this.moved();
  }

  // -- inside --------------------------------------------------------------------------------------------------------

  private ask(message: WriteMessage, isAfterTyping: boolean): Promise<Outcome> {
    const outcome = new Promise<Outcome>((resolve) => this.asked.set(message.id, resolve));
    this.session.ask(message, this.clock.now(), isAfterTyping);
    this.moved();
    return outcome;
  }

  private heard(text: string): void {
    const { session } = this;
    const { welcomes } = session;
    try {
      session.receive(JSON.parse(text) as ServerMessage[], this.clock.now());
    } catch (error) {
      // A defect: what this page holds may be half changed, so it is given up for the server's word.
      session.outbox.loseFaith(String(error));
      guarded(() => {
        throw error;
      });
    }
    if (session.welcomes !== welcomes) {
      this.connection.allowSilence(session.silenceMs);
      void this.adoption.adopt();
    }
    this.moved();
    this.sendPresence();
  }

  /** The connection is gone: say why, and when to come again. */
  private gone(code: number, reason: string): number | null {
    const { session } = this;
    const unreadable = UNREADABLE_CODES[code];
    if (!session.farewell && unreadable)
      session.receive([{ t: 'bye', code: unreadable, detail: reason, again_ms: null }], this.clock.now());
    const { farewell } = session;
    const again = farewell ? farewell.again_ms : FINAL_CODES.has(code) ? null : 0;
    session.disconnected(farewell?.detail ?? reason, again === null);
    this.moved();
    return again;
  }

  private moved(): void {
    this.mirror.note();
    this.tell();
    this.pump();
  }

  /** Tell what has changed, in order, also where a listener changes something again. */
  private tell(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    try {
      for (let change = this.session.takeChange(); change; change = this.session.takeChange())
        for (const listener of [...this.listeners]) guarded(() => listener(change as ViewChange));
      for (const { id, outcome } of this.session.takeSettled()) {
        this.asked.get(id)?.(outcome);
        this.asked.delete(id);
      }
    } finally {
      this.isTelling = false;
    }
  }

  /** Send what is due, once it is kept. */
  private pump(): void {
    this.isPumpWanted = true;
    if (!this.isPumping) void this.sendAll();
  }

  private async sendAll(): Promise<void> {
    const { session } = this;
    this.isPumping = true;
    while (this.isPumpWanted) {
      this.isPumpWanted = false;
      const messages = session.outbox.take(this.clock.now());
      const { welcomes } = session;
      if (messages.some(isWrite)) await this.mirror.settled();
      // What was meant for a connection that is gone is asked for anew by the next.
      if (welcomes === session.welcomes) this.connection.send(messages);
    }
    this.isPumping = false;
    this.waitForDue();
  }

  private waitForDue(): void {
    this.clock.clearTimeout(this.timer);
    const now = this.clock.now();
    const due = this.session.outbox.due(now);
    if (due !== Number.POSITIVE_INFINITY)
      this.timer = this.clock.setTimeout(() => this.moved(), Math.max(0, due - now));
  }

  private sendPresence(): void {
    const now = this.clock.now();
    this.clock.clearTimeout(this.presenceTimer);
    if (!this.session.isReady || !this.session.whereabouts.hasNews) return;
    const wait = this.presentAt + BETWEEN_PRESENCE_MS - now;
    if (wait > 0) {
      this.presenceTimer = this.clock.setTimeout(() => this.sendPresence(), wait);
      return;
    }
    const state = this.session.whereabouts.take();
    this.presentAt = now;
    if (state) this.connection.send([{ t: 'presence', state }]);
  }

  private async address(): Promise<string> {
    const origin = this.options.origin ?? globalThis.location.origin;
    const url = new URL(`/api/v1/workspaces/${encodeURIComponent(this.options.workspace)}/live`, origin);
    url.protocol = url.protocol.replace('http', 'ws');
    if (this.options.ticket) url.searchParams.set('ticket', await this.options.ticket());
    return url.href;
  }

  private showLife(): void {
    this.signTimer = this.clock.setTimeout(() => {
      this.mirror.touch();
      if (this.session.isReady) void this.adoption.adopt();
      this.showLife();
    }, SIGN_OF_LIFE_MS);
  }

  /** What a browser tells a page that bears on its connection. */
  private signs(): [EventTarget, string, () => void][] {
    const { poke, leave } = this;
    const page: [EventTarget, string, () => void][] =
      typeof addEventListener === 'function' && typeof window !== 'undefined'
        ? [
            [window, 'online', poke],
            [window, 'focus', poke],
            [window, 'pageshow', poke],
            [window, 'pagehide', leave],
          ]
        : [];
    if (typeof document !== 'undefined') page.push([document, 'visibilitychange', this.turned]);
    return page;
  }

  private readonly poke = () => this.connection.poke();

  /** The page may be gone in a moment: no pause is waited for. */
  private readonly leave = () => {
    this.session.outbox.flush();
    this.mirror.hurry();
    this.moved();
  };

  private readonly turned = () => (document.visibilityState === 'hidden' ? this.leave() : this.poke());
}

const WRITES: ReadonlySet<string> = new Set(['submit', 'type', 'undo', 'redo', 'revert']);
const isWrite = (message: ClientMessage) => WRITES.has(message.t);

/** Run what others have written; its errors are theirs and stop nothing here. */
function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
