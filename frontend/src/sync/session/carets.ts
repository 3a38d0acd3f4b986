/**
 * Maps other people's carets to the current text. A caret is given for the document at a revision; recent changes are
 * kept to map it. Pure.
 */
import { type Changes, mapOffset } from '../../model/core/changes';

// Carets are sent anew with every move; an older one is of no use.
const KEPT = 400;

export class RecentText {
  private changes: { rev: number; changes: Changes }[] = [];
  /** Positions given for earlier revisions cannot be mapped any more. */
  private from = 0;

  /** The document at `rev` replaced the previous one. */
  restart(rev: number): void {
    this.changes = [];
    this.from = rev;
  }

  add(rev: number, changes: Changes): void {
    this.changes.push({ rev, changes });
    if (this.changes.length > KEPT) this.from = (this.changes.shift() as { rev: number }).rev;
  }

  /**
   * Maps a position in the document at `rev` to the newest revision; null if that is too old.
   *
   * An insertion at the position goes before it, because it is usually what the owner of the caret has just typed. A
   * revision that has not arrived yet counts as the newest.
   */
  follow(at: number, rev: number): number | null {
    if (rev < this.from) return null;
    let place = at;
    for (const step of this.changes) if (step.rev > rev) place = mapOffset(step.changes, place, 1);
    return place;
  }
}
