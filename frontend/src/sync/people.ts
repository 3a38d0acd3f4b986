/** Who is here and where they are, as the server tells it; and where oneself is, as it is told to the others. Pure. */
import type { Caret, Member, PresenceState } from '../protocol/live';

// What the server takes; more would close the connection.
const MOST = 200;

export class People {
  members: readonly Member[] = [];

  roster(members: readonly Member[]): void {
    this.members = members;
  }

  /** Others have moved. */
  moved(states: { [member: string]: { [field: string]: unknown } }): void {
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
