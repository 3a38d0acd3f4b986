/**
 * Where other people's carets lie in today's text. They are told for the document at a revision; what was changed
 * since is remembered for a while. Pure.
 */
import { type Changes, mapOffset } from '../../model/core/changes';

// Carets are told anew with every move; one that is older than this is of no use.
const KEPT = 400;

export class RecentText {
  private changes: { rev: number; changes: Changes }[] = [];
  /** Places told for revisions before this one cannot be found any more. */
  private from = 0;

  /** The document at `rev` came in place of what there was. */
  restart(rev: number): void {
    this.changes = [];
    this.from = rev;
  }

  add(rev: number, changes: Changes): void {
    this.changes.push({ rev, changes });
    if (this.changes.length > KEPT) this.from = (this.changes.shift() as { rev: number }).rev;
  }

  /**
   * Where a place in the document at `rev` lies at the newest revision; null if that is too long ago.
   *
   * What is inserted right there comes before it: mostly that is what the owner of the caret has just typed. A
   * revision that has not come yet is taken for the newest.
   */
  follow(at: number, rev: number): number | null {
    if (rev < this.from) return null;
    let place = at;
    for (const step of this.changes) if (step.rev > rev) place = mapOffset(step.changes, place, 1);
    return place;
  }
}
