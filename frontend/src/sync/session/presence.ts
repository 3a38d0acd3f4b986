/**
 * Who else is here, what the assistant does and proposes, as the server tells it; and where oneself is, as it is told
 * to the others. Pure. None of this is in the log.
 */
import type { Caret, Me, Member, PresenceState, Role, ServerMessage, Welcome } from '../../protocol/live';
import type { Flag } from './change';
import { Watches } from './runSubscriptions';

// What the server takes; more would close the connection.
const MOST = 200;

type Facts = readonly Record<string, unknown>[];

export class Company {
  me: Me | null = null;
  /** What oneself may do; null until it is known. */
  role: Role | null = null;
  /** Why the workspace takes no writes from anybody; null where it does. */
  frozen: string | null = null;
  member = '';
  members: readonly Member[] = [];
  runs: Facts = [];
  proposals: Facts = [];
  readonly watches = new Watches();
  readonly whereabouts = new Whereabouts();

  /** There is a new connection, which has heard of nothing. */
  welcome({ me, member, role, frozen }: Welcome): void {
    this.me = me;
    this.role = role;
    this.frozen = frozen;
    this.member = member;
    // What there is of these is told anew; where there is nothing any more, nothing is said.
    this.runs = [];
    this.proposals = [];
    this.watches.again();
    this.whereabouts.again();
  }

  /** Nobody is heard of any more. */
  alone(): void {
    this.members = [];
  }

  /** Take a message; what has changed by it. Kinds that this page does not know are passed over. */
  hear(message: ServerMessage): Flag | null {
    switch (message.t) {
      case 'roster':
        this.members = message.members;
        return 'members';
      case 'presence':
        this.moved(message.members);
        return 'presence';
      case 'runs':
        this.runs = message.runs;
        return 'runs';
      case 'proposals':
        this.proposals = message.proposals;
        return 'proposals';
      case 'run_event':
        this.watches.event(message.run, message.id, message.event);
        return null;
      case 'run_gone':
        this.watches.gone(message.run, message.code, message.detail);
        return null;
      default:
        return null;
    }
  }

  private moved(states: { [member: string]: { [field: string]: unknown } }): void {
    this.members = this.members.map((one) => {
      const state = states[one.member];
      return state ? { ...one, state } : one;
    });
  }
}

/** Where oneself is: told when it has changed, and again on every new connection. */
export class Whereabouts {
  private given: PresenceState | null = null;
  private caret: Caret | null = null;
  private isTold = true;

  /** `toBase` finds a place of the view in the document at the revision that is told. */
  set(state: PresenceState, rev: number, toBase: (at: number) => number): void {
    if (!state.caret) this.caret = null;
    else if (state.caret !== this.given?.caret)
      this.caret = { rev, anchor: toBase(state.caret.anchor), head: toBase(state.caret.head) };
    this.given = state;
    this.isTold = false;
  }

  get hasNews(): boolean {
    return !this.isTold;
  }

  /** What is to be told; null for nothing new. */
  take(): PresenceState | null {
    if (this.isTold || !this.given) return null;
    this.isTold = true;
    const { selection, drag } = this.given;
    return {
      ...this.given,
      caret: this.caret,
      selection: selection?.slice(0, MOST) ?? null,
      drag: drag ? Object.fromEntries(Object.entries(drag).slice(0, MOST)) : null,
    };
  }

  /** There is a new connection, which has not heard of it. */
  again(): void {
    this.isTold = this.given === null;
  }
}
