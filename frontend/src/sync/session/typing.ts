/**
 * Typed text on its way to the server: that of this page, and *orphans*, which closed pages left behind. One push is in
 * flight at a time. Sans-I/O. Not here: combining texts (`sync/text/text.ts`, `sync/text/merge.ts`), other writes
 * (`writes.ts`).
 */
import { type Change, type Changes, isEmpty, stretches } from '../../model/core/changes';
import type { Rejected, State, Type } from '../../protocol/live';
import { type Conflict, merge } from '../text/merge';
import {
  type Flight,
  flightOf,
  type KeptText,
  keptText,
  type LogPosition,
  PendingText,
  sidesOf,
  unappliedText,
} from '../text/text';
import { type NewItem, overlapping, refusedText, UNCERTAIN } from './tray';

// Text of this length does not occur twice by chance.
const UNIQUE_CHARS = 10;

/** What typing needs of the session. */
export interface TypingHost {
  /** The view's text has changed otherwise than by local typing. */
  textChanged(changes: Changes): void;
  addToTray(item: NewItem): void;
  /** The local state cannot be what the server has. */
  diverged(why: string): void;
  newId(): string;
}

/** Text of a closed page: one push in flight, and what waited behind it. */
interface Orphan extends KeptText {
  flight: Flight;
}

/** Whether a state says, or does not rule out, that commits after this page's position are not kept any more. */
export const isCut = (why: State['why']): boolean => why === 'trimmed' || why === 'fresh';

export class Typing {
  readonly text = new PendingText();
  private orphans: Orphan[] = [];
  /** How often in a row the server did not know the base of a push. */
  private refused = 0;

  constructor(private readonly host: TypingHost) {}

  /** How many pieces of typing are not in the log. */
  get pending(): number {
    return Number(this.text.flight !== null) + Number(this.text.waiting !== null) + this.orphans.length;
  }

  /** Pushes in flight over this connection. */
  outstanding(): Flight[] {
    return this.flights().filter((flight) => flight.isSent && flight.told === null);
  }

  /** The ids of pushes that the server may know of. */
  sentIds(): string[] {
    const sent = this.flights().filter(({ isSent, wasSent }) => isSent || wasSent);
    return sent.map(({ id }) => id);
  }

  /** Takes over the text of another page. */
  takeOver(kept: KeptText): void {
    if (this.flights().some((flight) => flight.id === kept.flight?.id)) return;
    const { epoch, rev, h, waiting } = kept;
    if (kept.flight) {
      // Kept before it was sent: nobody knows whether it was, and the log may have been cut since.
      const { wasSent = true } = kept.flight;
      this.orphans.push({ ...kept, flight: { ...kept.flight, wasSent, isDoubtful: wasSent } });
    } else if (waiting) {
      const id = this.host.newId();
      const flight = flightOf(id, { epoch, rev, h }, waiting);
      this.orphans.push({ ...kept, flight, waiting: null });
    }
  }

  kept(at: LogPosition): KeptText[] {
    const own = this.text.kept(at);
    const orphans = this.orphans.map((orphan) => keptText(orphan, orphan.flight, orphan.waiting));
    return own ? [...orphans, own] : orphans;
  }

  // -- to the server
  // -------------------------------------------------------------------------------------------------

  /** The push to send now, if any. */
  next(at: LogPosition, now: number, isUrgent: boolean): Type | null {
    if (this.outstanding().length > 0) return null;
    const left = this.flights().find((flight) => flight.told === null);
    if (left) return message(left);
    if (this.text.due(isUrgent) > now) return null;
    return message(this.text.push(this.host.newId(), at, now));
  }

  /** When the next push is due. */
  due(isUrgent: boolean): number {
    if (this.outstanding().length > 0) return Number.POSITIVE_INFINITY;
    const isLeft = this.flights().some((flight) => flight.told === null);
    return isLeft ? Number.NEGATIVE_INFINITY : this.text.due(isUrgent);
  }

  /** The connection is closed: nothing is in flight any more. */
  connectionLost(): void {
    for (const flight of this.flights()) recall(flight);
  }

  // -- from the server
  // -----------------------------------------------------------------------------------------------

  /** A commit has changed the text; `base` is the text after its steps. */
  commit(rev: number, steps: readonly Changes[], base: string): void {
    const { text } = this;
    const isOwn = text.flight?.told === rev;
    if (isOwn && !text.detachedBase && steps.length !== 1) this.notify(text.drop());
    for (const step of steps) {
      const result = steps.length === 1 ? base : undefined;
      this.notify(isOwn && text.flight ? text.acknowledge(step, result) : text.applyRemote(step, result));
    }
    this.settleUpTo(rev);
  }

  /** A full state has replaced the commits. */
  state(had: LogPosition, { epoch, rev, why, workspace }: State): void {
    const { text } = this;
    const isSameLine = had.epoch === epoch && why !== 'diverged';
    if (!isSameLine) {
      // What was sent to another log does not hold for this one: it is sent again.
      for (const flight of this.flights()) {
        recall(flight);
        flight.told = null;
      }
    }
    if (had.epoch !== epoch || isCut(why)) {
      for (const flight of this.flights()) flight.isDoubtful ||= flight.wasSent;
    }
    this.notify(text.replace(workspace.text, had));
    // The server may know a push in flight by its id, whatever the log is now; text that only waited needs its base.
    const isBaseGone = had.epoch !== epoch || why === 'trimmed';
    if (text.detachedBase && !text.flight && isBaseGone) this.settleOwn(false);
    this.settleUpTo(rev);
  }

  /** A push is durable; false if the id is not one of these. */
  committed(id: string, rev: number, changed: boolean, at: LogPosition): boolean {
    const flight = this.flights().find((one) => one.id === id);
    if (!flight) return false;
    this.refused = 0;
    if (changed && rev > at.rev) flight.told = rev;
    else this.settle(flight, true);
    return true;
  }

  /** A push was refused; false if the id is not one of these. */
  rejected({ id, code, detail, retry }: Pick<Rejected, 'id' | 'code' | 'detail' | 'retry'>): boolean {
    const flight = this.flights().find((one) => one.id === id);
    if (!flight) return false;
    if (retry) {
      recall(flight);
      return true;
    }
    flight.isSent = false;
    if (code !== 'base_gone' && code !== 'trimmed') this.refuse(flight, code, detail);
    else if (flight === this.text.flight && !this.text.detachedBase) this.resendFlight(code);
    else this.settleForgotten(flight, code);
    return true;
  }

  /** The server knows neither the base of a push nor, perhaps, the push. What may be in already is not sent again. */
  private settleForgotten(flight: Flight, code: string): void {
    const isIn = code === 'trimmed' || this.isProbablyApplied(flight);
    if (!isIn && flight.isDoubtful) this.refuse(flight, 'uncertain', UNCERTAIN);
    else this.settle(flight, isIn);
  }

  /** Moves pushes to the tray whose result nobody can know any more. */
  refuseAll(code: string, why: string): void {
    for (const flight of this.flights()) if (flight.told === null) this.refuse(flight, code, why);
  }

  // -- internals
  // -----------------------------------------------------------------------------------------------------

  private flights(): Flight[] {
    const own = this.text.flight;
    const orphans = this.orphans.map((orphan) => orphan.flight);
    return own ? [...orphans, own] : orphans;
  }

  /** Sends the text again from the current revision; if the server does not know that either, the page has diverged. */
  private resendFlight(code: string): void {
    this.text.requeue();
    if (++this.refused > 1) this.host.diverged(`typing was refused twice: ${code}`);
  }

  /** The base text of a flight. */
  private under(flight: Flight): string {
    const orphan = this.orphans.find((one) => one.flight === flight);
    return orphan?.text ?? this.text.detachedBase?.text ?? this.text.base;
  }

  /** Where the result of a flight is unknown: whether all that it inserted is in the base. */
  private isProbablyApplied(flight: Flight): boolean {
    const before = this.under(flight);
    const { base } = this.text;
    const found = stretches(flight.now).filter(({ inserted }) => inserted.trim() !== '');
    return found.length > 0 && found.every((change) => base.includes(fingerprintOf(before, change)));
  }

  private refuse(flight: Flight, code: string, why: string): void {
    this.host.addToTray(refusedText(flight.id, unappliedText(this.under(flight), flight.now), code, why));
    this.settle(flight, true);
  }

  private settleUpTo(rev: number): void {
    const { flight } = this.text;
    if (flight?.told && flight.told <= rev) this.settle(flight, true);
    for (const orphan of this.orphans)
      if (orphan.flight.told && orphan.flight.told <= rev) this.settle(orphan.flight, true);
  }

  /** A flight is settled: `isIn` says whether it is in the base (or in the tray). */
  private settle(flight: Flight, isIn: boolean): void {
    if (flight !== this.text.flight) this.settleOrphan(flight, isIn);
    else if (this.text.detachedBase) this.settleOwn(isIn);
    else this.notify(this.text.drop());
  }

  private settleOwn(isIn: boolean): void {
    const { change, conflicts } = this.text.attach(isIn);
    this.notify(change);
    this.addToTray(conflicts);
  }

  private settleOrphan(flight: Flight, isIn: boolean): void {
    const orphan = this.orphans.find((one) => one.flight === flight) as Orphan;
    this.orphans = this.orphans.filter((one) => one !== orphan);
    const { ancestor, own } = sidesOf(orphan, isIn);
    const { changes, conflicts } = merge(ancestor, own, this.text.view);
    this.write(changes, Number.NEGATIVE_INFINITY);
    this.addToTray(conflicts);
  }

  /** Types on behalf of somebody else: the editor has to be notified. */
  write(changes: Changes, now: number): void {
    if (isEmpty(changes)) return;
    this.text.type(changes, now);
    this.notify(changes);
  }

  private addToTray(conflicts: readonly Conflict[]): void {
    for (const conflict of conflicts) {
      this.host.addToTray(overlapping(this.host.newId(), conflict));
    }
  }

  private notify(changes: Changes | null): void {
    if (changes) this.host.textChanged(changes);
  }
}

/**
 * A piece of text that identifies an insertion: the whole of it, with its context where it is short or occurred before.
 * A part would not do: others may have inserted that, and the rest would be lost.
 */
function fingerprintOf(text: string, { from, to, inserted }: Change): string {
  if (inserted.trim().length >= UNIQUE_CHARS && !text.includes(inserted)) return inserted;
  return text.slice(Math.max(0, from - UNIQUE_CHARS), from) + inserted + text.slice(to, to + UNIQUE_CHARS);
}

/** It is not in flight any more; the server may have it all the same. */
function recall(flight: Flight): void {
  flight.wasSent ||= flight.isSent;
  flight.isSent = false;
}

function message(flight: Flight): Type {
  flight.isSent = true;
  const { id, epoch, base, h, sent: changes } = flight;
  return { t: 'type', id, epoch, base, h, changes };
}
