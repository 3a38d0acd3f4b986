/**
 * The document with typed text that is not in the log yet: base, then the push in flight, then the text that waits.
 * Pure.
 *
 * *Attached*: view = base ∘ flight ∘ waiting, and remote changes are mapped through. A full state in place of commits
 * breaks that; then the text is *detached*: the view stays as it was, the server settles the push in flight, and the
 * rest is merged (ADR 0012). Not here: when anything is sent (`sync/session/session.ts`), and what the server does with
 * a push (`transform/steps/rebase.py` there).
 */
import {
  applyTo,
  type Changes,
  compose,
  deletedBy,
  invert,
  isEmpty,
  mapOffset,
  mapped,
  ofParts,
  stretches,
} from '../../model/core/changes';
import { type Conflict, merge, wordChanges } from './merge';

/** A push without an answer. */
export interface Flight {
  id: string;
  epoch: string;
  base: number;
  /** The log's hash at `base`. */
  h: string;
  /** As it was sent; a repeat must be identical. */
  sent: Changes;
  /** The same, mapped to the current base. */
  now: Changes;
  /** Whether it is in flight over this connection. */
  isSent: boolean;
  /** Whether it was sent before, so that the server may have it. */
  wasSent: boolean;
  /** The log was cut since it was sent: the server may have it without knowing its id any more. */
  isDoubtful: boolean;
  /** It is durable as this revision; only its commit has not arrived yet. */
  told: number | null;
}

/** A position in the log. */
export interface LogPosition {
  epoch: string;
  rev: number;
  h: string;
}

/** A text and its position in the log, which resumes or settles what was typed on top of it. */
export interface TextBase extends LogPosition {
  text: string;
}

/** Typed text that is not in the log, as it is persisted. */
export interface KeptText extends TextBase {
  flight: Flight | null;
  waiting: Changes | null;
}

/** Text that was not applied: inserted and deleted pieces, and what preceded them. */
export interface UnappliedText {
  inserted: string[];
  deleted: string[];
  near: string;
}

/** A change of the view's text (null for none), and the conflicts of the merge. */
export interface AttachResult {
  change: Changes | null;
  conflicts: Conflict[];
}

// Alone, a push is sent this long after the last keystroke, at the latest this long after the first; in company at once.
// It is never sent sooner than this after the previous push.
const QUIET_MS = 250;
const LATEST_MS = 1_000;
const BETWEEN_MS = 250;
// Among many pages, a page that has pushed waits for the next commit to arrive, so that many push at the same time and their
// commits come back in one frame. It pushes at the earliest this long after its last push, and after twice as long even if no
// commit came.
const MANY_PAGES = 6;
const TOGETHER_MS = 200;

export class PendingText {
  /** The document at the session's revision. */
  base = '';
  view = '';
  flight: Flight | null = null;
  waiting: Changes | null = null;
  /** The base of `flight` and `waiting` while detached. */
  detachedBase: TextBase | null = null;
  /** How often something was typed, and how much of that was sent. */
  typed = 0;
  pushed = 0;
  /** How many pages have the workspace open. */
  pages = 1;
  /** When a commit came last. */
  remoteTextAt = Number.NEGATIVE_INFINITY;
  private firstAt = 0;
  private lastAt = 0;
  private pushedAt = Number.NEGATIVE_INFINITY;

  get isPending(): boolean {
    return this.flight !== null || this.waiting !== null;
  }

  /** Adds typed text, for the current view. */
  type(changes: Changes, now: number): void {
    if (isEmpty(changes)) return;
    const view = applyTo(this.view, changes);
    if (!this.waiting) this.firstAt = now;
    this.lastAt = now;
    this.typed++;
    this.wait(this.waiting ? compose(this.waiting, changes) : changes);
    this.view = view;
  }

  /** Applies a remote change. Returns the change of the view. `base` is the new base where the caller has it. */
  applyRemote(step: Changes, base: string = applyTo(this.base, step)): Changes | null {
    this.base = base;
    if (this.detachedBase) return null;
    let over = step;
    if (this.flight) {
      const now = mapped(this.flight.now, over);
      over = mapped(over, this.flight.now, true);
      this.flight.now = now;
    }
    return this.under(over);
  }

  /**
   * The flight is in the log as `step`, which leads to `base`. Returns the change of the view.
   *
   * The log has a change without what its two sides share. What leads to the same text is no change here: rewritten, the
   * text would come back into the editor's history, and what waits within it would move to its edge.
   */
  acknowledge(step: Changes, base: string = applyTo(this.base, step)): Changes | null {
    const flight = this.flight as Flight;
    const before = this.base;
    this.base = base;
    if (this.detachedBase) return null;
    this.flight = null;
    if (JSON.stringify(step) === JSON.stringify(flight.now) || applyTo(before, flight.now) === base)
      return null;
    return this.under(compose(invert(flight.now, deletedBy(before, flight.now)), step));
  }

  /** Removes the flight. Returns the change of the view. Attached only. */
  drop(): Changes | null {
    const { now } = this.flight as Flight;
    this.flight = null;
    if (applyTo(this.base, now) === this.base) return null;
    return this.under(invert(now, deletedBy(this.base, now)));
  }

  /** The flight was not applied and will not be under its id: its text waits to be sent again. Attached only. */
  requeue(): void {
    const { now } = this.flight as Flight;
    this.flight = null;
    this.firstAt = this.lastAt = Number.NEGATIVE_INFINITY;
    this.wait(this.waiting ? compose(now, this.waiting) : now);
  }

  /** Replaces the base; pending text keeps the base that it had. */
  replace(text: string, { epoch, rev, h }: LogPosition): Changes | null {
    const old = this.view;
    if (text === this.base) return null;
    if (this.isPending) this.detachedBase ??= { text: this.base, epoch, rev, h };
    else this.view = text;
    this.base = text;
    return this.detachedBase || old === text ? null : wordChanges(old, text);
  }

  /**
   * Attaches again by a merge. `isIn`: the flight is in the base, or is to be left out of the merge.
   *
   * Returns what overlaps with the changes of others as conflicts.
   */
  attach(isIn: boolean): AttachResult {
    const detachedBase = this.detachedBase as TextBase;
    const { ancestor, own } = sidesOf({ ...detachedBase, flight: this.flight, waiting: this.waiting }, isIn);
    const merged = merge(ancestor, own, this.base);
    const old = this.view;
    this.flight = this.detachedBase = null;
    this.firstAt = this.lastAt = Number.NEGATIVE_INFINITY;
    this.wait(merged.changes);
    this.view = merged.text;
    return { change: old === this.view ? null : wordChanges(old, this.view), conflicts: merged.conflicts };
  }

  /** When a push is due; `isUrgent` does not wait for a pause. Infinity while there is nothing to push. */
  due(isUrgent: boolean): number {
    if (this.flight || !this.waiting) return Number.POSITIVE_INFINITY;
    if (isUrgent || this.detachedBase) return Number.NEGATIVE_INFINITY;
    const due = this.pages > 1 ? this.firstAt : Math.min(this.lastAt + QUIET_MS, this.firstAt + LATEST_MS);
    if (this.pages < MANY_PAGES) return Math.max(due, this.pushedAt + BETWEEN_MS);
    const together = this.pushedAt + TOGETHER_MS;
    return Math.max(due, this.remoteTextAt < together ? together + TOGETHER_MS : together);
  }

  /** Makes a push of the waiting text, for the position `at` unless it was typed on another base. */
  push(id: string, at: LogPosition, now: number): Flight {
    const sent = this.waiting as Changes;
    this.flight = flightOf(id, this.detachedBase ?? at, sent);
    this.waiting = null;
    this.pushed = this.typed;
    this.pushedAt = now;
    return this.flight;
  }

  /** What is to be persisted; null for nothing. */
  kept({ epoch, rev, h }: LogPosition): KeptText | null {
    if (!this.isPending) return null;
    const footing = this.detachedBase ?? { text: this.base, epoch, rev, h };
    return keptText(footing, this.flight, this.waiting);
  }

  /** The text of the flight that was not applied. */
  unapplied(): UnappliedText {
    const { now } = this.flight as Flight;
    return unappliedText(this.detachedBase?.text ?? this.base, now);
  }

  /** Maps a position in the view to the base, or to the detached base. */
  toBase(at: number): number {
    const base = this.detachedBase?.text ?? this.base;
    const sent = this.flight?.now;
    const under = sent ? applyTo(base, sent) : base;
    const { waiting } = this;
    const place = waiting ? mapOffset(invert(waiting, deletedBy(under, waiting)), at) : at;
    return sent ? mapOffset(invert(sent, deletedBy(base, sent)), place) : place;
  }

  /** Maps a position in the base to the view. Attached only. */
  toView(at: number): number {
    let place = at;
    if (this.flight) place = mapOffset(this.flight.now, place);
    return this.waiting ? mapOffset(this.waiting, place) : place;
  }

  /** Maps a change of the text below the waiting text to the view. */
  private under(change: Changes): Changes | null {
    let over = change;
    if (this.waiting) {
      over = mapped(change, this.waiting, true);
      this.wait(mapped(this.waiting, change));
    }
    if (isEmpty(over)) return null;
    this.view = applyTo(this.view, over);
    return over;
  }

  private wait(changes: Changes | null): void {
    this.waiting = changes && !isEmpty(changes) ? changes : null;
    if (!this.waiting) this.pushed = this.typed;
  }
}

/** A push that was not sent yet, of changes for the text at a position. */
export function flightOf(id: string, { epoch, rev, h }: LogPosition, sent: Changes): Flight {
  const unsent = { isSent: false, wasSent: false, isDoubtful: false, told: null };
  return { id, epoch, base: rev, h, sent, now: sent, ...unsent };
}

/** As it is persisted: not in flight. */
export function keptText(footing: TextBase, flight: Flight | null, waiting: Changes | null): KeptText {
  const { text, epoch, rev, h } = footing;
  const kept = flight && { ...flight, isSent: false, wasSent: flight.wasSent || flight.isSent, told: null };
  return { text, epoch, rev, h, flight: kept, waiting };
}

/** The base of a merge, and the local changes to it. */
export function sidesOf(
  { text, flight, waiting }: KeptText,
  isIn: boolean,
): { ancestor: string; own: Changes } {
  const between = flight ? applyTo(text, flight.now) : text;
  const later = waiting ?? ofParts([[between.length, null]]);
  return isIn || !flight
    ? { ancestor: between, own: later }
    : { ancestor: text, own: compose(flight.now, later) };
}

/** The text that changes would insert or delete, and where. */
export function unappliedText(text: string, changes: Changes): UnappliedText {
  const found = stretches(changes);
  const from = found[0]?.from ?? 0;
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return {
    inserted: found.map((change) => change.inserted).filter((inserted) => inserted !== ''),
    deleted: deletedBy(text, changes).filter((deleted) => deleted !== ''),
    near: line.trimEnd(),
  };
}
