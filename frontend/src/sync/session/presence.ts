/**
 * Who else is here, what the assistant does and proposes, as the server tells it; and where oneself is, as it is told
 * to the others. Pure. None of this is in the log.
 */
import type { Caret, Me, Member, PresenceState, Role, ServerMessage, Welcome } from '../../protocol/live';
import type { Flag } from './change';
import { RunSubscriptions } from './runSubscriptions';

// What the server takes; more would close the connection.
const MAX = 200;

type Facts = readonly Record<string, unknown>[];

export class Presence {
  me: Me | null = null;
  /** What oneself may do; null until it is known. */
  role: Role | null = null;
  /** Why the workspace takes no writes from anybody; null where it does. */
  frozen: string | null = null;
  member = '';
  members: readonly Member[] = [];
  runs: Facts = [];
  proposals: Facts = [];
  readonly runSubscriptions = new RunSubscriptions();
  readonly own = new OwnPresence();

  /** There is a new connection, which has heard of nothing. */
  welcome({ me, member, role, frozen }: Welcome): void {
    this.me = me;
    this.role = role;
    this.frozen = frozen;
    this.member = member;
    // What there is of these is told anew; where there is nothing any more, nothing is said.
    this.runs = [];
    this.proposals = [];
    this.runSubscriptions.resubscribe();
    this.own.resend();
  }

  /** Nobody is heard of any more. */
  clearMembers(): void {
    this.members = [];
  }

  /** Take a message; what has changed by it. Kinds that this page does not know are passed over. */
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

/** Where oneself is: told when it has changed, and again on every new connection. */
export class OwnPresence {
  private state: PresenceState | null = null;
  private caret: Caret | null = null;
  private isSent = true;

  /** `toBase` finds a place of the view in the document at the revision that is told. */
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

  /** What is to be told; null for nothing new. */
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

  /** There is a new connection, which has not heard of it. */
  resend(): void {
    this.isSent = this.state === null;
  }
}
