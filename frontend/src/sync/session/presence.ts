/**
 * The other members, running requests and proposals as the server reports them, and the presence of this page as it is
 * sent. Pure. None of this is in the log.
 */
import type {
  Caret,
  LiveProposal,
  LiveRun,
  Me,
  Member,
  PresenceState,
  Role,
  ServerMessage,
  Welcome,
} from '../../protocol/live';
import type { Flag } from './change';
import { RunSubscriptions } from './runSubscriptions';

// The server accepts no more and would close the connection.
const MAX = 200;

export class Presence {
  me: Me | null = null;
  /** The role of this person; null until it is known. */
  role: Role | null = null;
  /** Why the workspace accepts no writes from anybody; null where it does. */
  frozen: string | null = null;
  member = '';
  members: readonly Member[] = [];
  runs: readonly LiveRun[] = [];
  proposals: readonly LiveProposal[] = [];
  readonly runSubscriptions = new RunSubscriptions();
  readonly own = new OwnPresence();

  /** A new connection: everything is sent and received anew. */
  welcome({ me, member, role, frozen }: Welcome): void {
    this.me = me;
    this.role = role;
    this.frozen = frozen;
    this.member = member;
    // The server sends these anew; where there are none any more, it sends nothing.
    this.runs = [];
    this.proposals = [];
    this.runSubscriptions.resubscribe();
    this.own.resend();
  }

  /** Forgets all members, after a disconnect. */
  clearMembers(): void {
    this.members = [];
  }

  /** Handles a message. Returns what has changed. Unknown kinds are ignored. */
  handle(message: ServerMessage): Flag | null {
    switch (message.t) {
      case 'roster':
        this.members = message.members;
        return 'members';
      case 'presence':
        this.updateStates(message.members);
        return 'presence';
      case 'runs':
        this.runs = message.runs;
        return 'runs';
      case 'proposals':
        this.proposals = message.proposals;
        return 'proposals';
      case 'run_event':
        this.runSubscriptions.dispatch(message.run, message.id, message.event);
        return null;
      case 'run_gone':
        this.runSubscriptions.end(message.run, message.code, message.detail);
        return null;
      default:
        return null;
    }
  }

  private updateStates(states: { [member: string]: { [field: string]: unknown } }): void {
    this.members = this.members.map((one) => {
      const state = states[one.member];
      return state ? { ...one, state } : one;
    });
  }
}

/** The presence of this page: sent when it has changed, and again on every new connection. */
export class OwnPresence {
  private state: PresenceState | null = null;
  private caret: Caret | null = null;
  private isSent = true;

  /** `toBase` maps a position in the view to the document at the revision that is sent. */
  set(state: PresenceState, rev: number, toBase: (at: number) => number): void {
    if (!state.caret) this.caret = null;
    else if (state.caret !== this.state?.caret)
      this.caret = { rev, anchor: toBase(state.caret.anchor), head: toBase(state.caret.head) };
    this.state = state;
    this.isSent = false;
  }

  get hasUpdate(): boolean {
    return !this.isSent;
  }

  /** The state to send; null if it is unchanged. */
  take(): PresenceState | null {
    if (this.isSent || !this.state) return null;
    this.isSent = true;
    const { selection, drag } = this.state;
    return {
      ...this.state,
      caret: this.caret,
      selection: selection?.slice(0, MAX) ?? null,
      drag: drag ? Object.fromEntries(Object.entries(drag).slice(0, MAX)) : null,
    };
  }

  /** A new connection: the state is sent again. */
  resend(): void {
    this.isSent = this.state === null;
  }
}
