/**
 * The workspace as the server reports it: a full state, and the commits after it. Pure. Not here: local changes
 * (`writes.ts`, `sync/text/text.ts`), which are taken out of `workspace` before a commit is applied.
 */
import { apply } from '../../model/core/steps';
import { WorkspaceState } from '../../model/core/workspace';
import type { Commit, Resume, State } from '../../protocol/live';

export class Replica {
  workspace = new WorkspaceState();
  epoch = '';
  rev = 0;
  /** The log's hash at `rev`. */
  h = '';
  /** Whether a full state was received. */
  isKnown = false;

  /** Replaces everything with a full state. */
  replace({ epoch, rev, h, workspace }: State): void {
    this.workspace = WorkspaceState.from(workspace);
    Object.assign(this, { epoch, rev, h, isKnown: true });
  }

  /**
   * Applies the next commit.
   *
   * Throws Error: it is not the next; StepMisfit, StepUnknown: it does not fit. Nothing has changed then.
   */
  follow(commit: Commit): void {
    if (commit.rev !== this.rev + 1) throw new Error(`revision ${commit.rev} came after ${this.rev}`);
    apply(commit.steps, this.workspace);
    this.rev = commit.rev;
    this.h = commit.h;
  }

  /** The position in the log, for the server to resume from. */
  resume(): Resume | null {
    return this.isKnown ? { epoch: this.epoch, rev: this.rev, h: this.h } : null;
  }
}
