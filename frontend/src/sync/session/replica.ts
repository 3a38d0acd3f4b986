/**
 * What the server has told of the workspace: a state, and the commits after it. Pure. Not here: what was done on this
 * page (`writes.ts`, `sync/text/text.ts`), which is taken out of `workspace` before a commit is followed.
 */
import { apply } from '../../model/core/steps';
import { WorkspaceState } from '../../model/core/workspace';
import type { Commit, Resume, State } from '../../protocol/live';

export class Replica {
  workspace = new WorkspaceState();
  epoch = '';
  rev = 0;
  /** The log's hash there. */
  h = '';
  /** Whether there is a state at all. */
  isKnown = false;

  /** Take a whole state in place of what there was. */
  replace({ epoch, rev, h, workspace }: State): void {
    this.workspace = WorkspaceState.from(workspace);
    Object.assign(this, { epoch, rev, h, isKnown: true });
  }

  /**
   * Follow the next commit.
   *
   * Throws Error: it is not the next; StepMisfit, StepUnknown: it does not fit. Nothing has changed then.
   */
  follow(commit: Commit): void {
    if (commit.rev !== this.rev + 1) throw new Error(`revision ${commit.rev} came after ${this.rev}`);
    apply(commit.steps, this.workspace);
    this.rev = commit.rev;
    this.h = commit.h;
  }

  /** Where it stands, for the server to go on from. */
  resume(): Resume | null {
    return this.isKnown ? { epoch: this.epoch, rev: this.rev, h: this.h } : null;
  }
}
