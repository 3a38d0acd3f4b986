/**
 * Typing on its way to the server: the lane of this page, and *strays*, what pages before it left behind. One push is
 * on its way at a time. Sans-I/O. Not here: how texts fit together (`sync/text/text.ts`, `sync/text/merge.ts`), other writes (`writes.ts`).
 */
import { type Change, type Changes, isEmpty, stretches } from '../../model/core/changes';
import type { Rejected, State, Type } from '../../protocol/live';
import { type Conflict, merge } from '../text/merge';
import {
  asideOf,
  type Flight,
  type KeptText,
  keptText,
  type Standing,
  sidesOf,
  TextLane,
} from '../text/text';
import { type NewItem, overlapping, refusedText } from './tray';

// Words of this length are not written twice by chance.
const TELLING_CHARS = 10;

/** What typing does to the rest of the page. */
export interface Surroundings {
  /** The view's text has changed otherwise than by typing. */
  changed(changes: Changes): void;
  putAside(item: NewItem): void;
  /** What this page holds cannot be what the server has. */
  loseFaith(why: string): void;
  newId(): string;
}

/** Text that another page left: all of it on its way, and what waited behind that. */
interface Stray extends KeptText {
  flight: Flight;
}

export class Typing {
  readonly lane = new TextLane();
  private strays: Stray[] = [];
  /** How often in a row the server did not know what a push was for. */
  private refused = 0;

  constructor(private readonly around: Surroundings) {}

  /** How many pieces of typing are not in the log. */
  get pending(): number {
    return Number(this.lane.flight !== null) + Number(this.lane.waiting !== null) + this.strays.length;
  }

  /** Pushes that were sent over this connection and not answered. */
  outstanding(): Flight[] {
    return this.flights().filter((flight) => flight.isSent && flight.told === null);
  }

  ids(): string[] {
    return this.flights().map((flight) => flight.id);
  }

  /** Take on what another page left. */
  adopt(kept: KeptText): void {
    if (this.flights().some((flight) => flight.id === kept.flight?.id)) return;
    const { epoch, rev, h, waiting } = kept;
    if (kept.flight) {
      this.strays.push({ ...kept, flight: { ...kept.flight } });
    } else if (waiting) {
      const id = this.around.newId();
      const flight = { id, epoch, base: rev, h, sent: waiting, now: waiting, isSent: false, told: null };
      this.strays.push({ ...kept, flight, waiting: null });
    }
  }

  kept(at: Standing): KeptText[] {
    const own = this.lane.kept(at);
    const strays = this.strays.map((stray) => keptText(stray, stray.flight, stray.waiting));
    return own ? [...strays, own] : strays;
  }

  // -- to the server -------------------------------------------------------------------------------------------------

  /** The push that is to be sent now, if there is one. */
  next(at: Standing, now: number, isUrgent: boolean): Type | null {
    if (this.outstanding().length > 0) return null;
    const left = this.flights().find((flight) => flight.told === null);
    if (left) return message(left);
    if (this.lane.due(isUrgent) > now) return null;
    return message(this.lane.push(this.around.newId(), at, now));
  }

  /** When there will be a push to send. */
  due(isUrgent: boolean): number {
    if (this.outstanding().length > 0) return Number.POSITIVE_INFINITY;
    const isLeft = this.flights().some((flight) => flight.told === null);
    return isLeft ? Number.NEGATIVE_INFINITY : this.lane.due(isUrgent);
  }

  /** The connection is gone: nothing is on its way any more. */
  recall(): void {
    for (const flight of this.flights()) flight.isSent = false;
  }

  // -- from the server -----------------------------------------------------------------------------------------------

  /** A commit has changed the text; `base` is the text that its steps lead to. */
  commit(rev: number, steps: readonly Changes[], base: string): void {
    const { lane } = this;
    const isOwn = lane.flight?.told === rev;
    if (isOwn && !lane.lost && steps.length !== 1) this.tell(lane.drop());
    for (const step of steps) {
      const result = steps.length === 1 ? base : undefined;
      this.tell(isOwn && lane.flight ? lane.land(step, result) : lane.follow(step, result));
    }
    this.settleUpTo(rev);
  }

  /** A whole state came in place of commits. */
  state(had: Standing, { epoch, rev, why, workspace }: State): void {
    const { lane } = this;
    const isSameLine = had.epoch === epoch && why !== 'diverged';
    if (!isSameLine) {
      // What was sent to or said of another log does not hold for this one: it is sent again.
      for (const flight of this.flights()) Object.assign(flight, { told: null, isSent: false });
    }
    this.tell(lane.replace(workspace.text, had));
    // A push on its way may be known by its id, whatever the log has become; what only waited needs its base.
    const isBaseGone = had.epoch !== epoch || why === 'trimmed';
    if (lane.lost && !lane.flight && isBaseGone) this.settleLane(false);
    this.settleUpTo(rev);
  }

  /** A push is durable; false if it is none of these. */
  committed(id: string, rev: number, changed: boolean, at: Standing): boolean {
    const flight = this.flights().find((one) => one.id === id);
    if (!flight) return false;
    this.refused = 0;
    if (changed && rev > at.rev) flight.told = rev;
    else this.settle(flight, true);
    return true;
  }

  /** A push was not taken; false if it is none of these. */
  rejected({ id, code, detail, retry }: Pick<Rejected, 'id' | 'code' | 'detail' | 'retry'>): boolean {
    const flight = this.flights().find((one) => one.id === id);
    if (!flight) return false;
    flight.isSent = false;
    if (retry) return true;
    if (code === 'base_gone' || code === 'trimmed') {
      if (flight === this.lane.flight && !this.lane.lost) this.recallFlight(code);
      else this.settle(flight, this.seemsIn(flight));
    } else {
      this.refuse(flight, code, detail);
    }
    return true;
  }

  /** Put pushes aside of which nobody can say any more what became of them. */
  refuseAll(code: string, why: string): void {
    for (const flight of this.flights()) if (flight.told === null) this.refuse(flight, code, why);
  }

  // -- inside --------------------------------------------------------------------------------------------------------

  private flights(): Flight[] {
    const own = this.lane.flight;
    const strays = this.strays.map((stray) => stray.flight);
    return own ? [...strays, own] : strays;
  }

  /** Push again from where the page stands; if that is not known to the server either, the page is astray. */
  private recallFlight(code: string): void {
    this.lane.recall();
    if (++this.refused > 1) this.around.loseFaith(`typing was refused twice: ${code}`);
  }

  /** What a flight was for. */
  private under(flight: Flight): string {
    const stray = this.strays.find((one) => one.flight === flight);
    return stray?.text ?? this.lane.lost?.text ?? this.lane.base;
  }

  /** Nobody knows any more whether a flight was carried out: whether all that it wrote stands in the base. */
  private seemsIn(flight: Flight): boolean {
    const before = this.under(flight);
    const { base } = this.lane;
    const found = stretches(flight.now).filter(({ inserted }) => inserted.trim() !== '');
    return found.length > 0 && found.every((change) => base.includes(signOf(before, change)));
  }

  private refuse(flight: Flight, code: string, why: string): void {
    this.around.putAside(refusedText(flight.id, asideOf(this.under(flight), flight.now), code, why));
    this.settle(flight, true);
  }

  private settleUpTo(rev: number): void {
    const { flight } = this.lane;
    if (flight?.told && flight.told <= rev) this.settle(flight, true);
    for (const stray of this.strays)
      if (stray.flight.told && stray.flight.told <= rev) this.settle(stray.flight, true);
  }

  /** A flight is over: it is in the base (or put aside), or it never will be. */
  private settle(flight: Flight, isIn: boolean): void {
    if (flight !== this.lane.flight) this.settleStray(flight, isIn);
    else if (this.lane.lost) this.settleLane(isIn);
    else this.tell(this.lane.drop());
  }

  private settleLane(isIn: boolean): void {
    const { change, conflicts } = this.lane.attach(isIn);
    this.tell(change);
    this.putAside(conflicts);
  }

  private settleStray(flight: Flight, isIn: boolean): void {
    const stray = this.strays.find((one) => one.flight === flight) as Stray;
    this.strays = this.strays.filter((one) => one !== stray);
    const { ancestor, own } = sidesOf(stray, isIn);
    const { changes, conflicts } = merge(ancestor, own, this.lane.view);
    this.write(changes, Number.NEGATIVE_INFINITY);
    this.putAside(conflicts);
  }

  /** Type in the name of somebody who is not at the keys: the editor has yet to be told. */
  write(changes: Changes, now: number): void {
    if (isEmpty(changes)) return;
    this.lane.type(changes, now);
    this.tell(changes);
  }

  private putAside(conflicts: readonly Conflict[]): void {
    for (const conflict of conflicts) {
      this.around.putAside(overlapping(this.around.newId(), conflict));
    }
  }

  private tell(changes: Changes | null): void {
    if (changes) this.around.changed(changes);
  }
}

/**
 * A text that hardly stands there by chance if it was not written: the whole, and with what is around it where that is
 * short or was there before. Part of it would not do: others may have written that, and the rest would be lost.
 */
function signOf(text: string, { from, to, inserted }: Change): string {
  if (inserted.trim().length >= TELLING_CHARS && !text.includes(inserted)) return inserted;
  return text.slice(Math.max(0, from - TELLING_CHARS), from) + inserted + text.slice(to, to + TELLING_CHARS);
}

function message(flight: Flight): Type {
  flight.isSent = true;
  const { id, epoch, base, h, sent: changes } = flight;
  return { t: 'type', id, epoch, base, h, changes };
}
