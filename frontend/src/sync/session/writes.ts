/**
 * What was asked and is not settled, in order, and what of it is to be seen before the server has answered. Pure.
 *
 * A write is kept until the commit that it became is in the base, or it was refused. What the page can predict of it
 * is shown on top of the base; before the base moves all of that is taken back, and afterwards predicted anew.
 * Not here: typing (`sync/text/text.ts`), when anything is sent (`session.ts`).
 */
import { predict } from '../../model/core/predict';
import { takeBack } from '../../model/core/steps';
import type { WorkspaceState } from '../../model/core/workspace';
import type { Operation, Redo, Revert, Step, Submit, Undo } from '../../protocol/live';
import type { LogPosition } from '../text/text';
import { type Names, namesIn } from './deletedMeanwhile';
import type { Outcome } from './outcome';

export type WriteMessage = Submit | Undo | Redo | Revert;

/** A write as it outlives the page. */
export interface KeptWrite {
  message: WriteMessage;
  /** Milliseconds since 1970. */
  at: number;
  /** Where the page stood when it was sent first; null if it never was. */
  sentAt: Pick<LogPosition, 'epoch' | 'rev'> | null;
}

export interface PendingWrite extends KeptWrite {
  /** Whether it went out over today's connection and waits for an answer. */
  isSent: boolean;
  /** It may be done, longer ago than the server remembers: that has to be found out before it is sent again. */
  isDoubtful: boolean;
  /** Nothing typed up to here may come after it. */
  afterTyping: number;
  /** What it shows now; null where it cannot be predicted. */
  steps: Step[] | null;
  /** What it speaks of, as that was called when it was asked for. */
  names: Names;
  /** It is durable as this revision; only its commit has not come yet. */
  told: { rev: number; outcome: Outcome } | null;
}

export class Writes {
  private readonly items = new Map<string, PendingWrite>();
  private isShown = true;

  get size(): number {
    return this.items.size;
  }

  get(id: string): PendingWrite | undefined {
    return this.items.get(id);
  }

  all(): IterableIterator<PendingWrite> {
    return this.items.values();
  }

  /** Add a write, and show it. */
  add(write: KeptWrite, afterTyping: number, workspace: WorkspaceState): PendingWrite {
    const item: PendingWrite = {
      ...write,
      afterTyping,
      isSent: false,
      isDoubtful: false,
      steps: null,
      names: namesIn(write.message.t === 'submit' ? write.message.operations : [], workspace),
      told: null,
    };
    this.items.set(write.message.id, item);
    if (this.isShown) item.steps = predicted(item.message, workspace);
    return item;
  }

  /** Take out what is settled. Only while nothing is shown. */
  remove(id: string): void {
    this.items.delete(id);
  }

  /** Take back all that is shown; the steps that were. */
  hide(workspace: WorkspaceState): Step[] {
    if (!this.isShown) return [];
    this.isShown = false;
    const shown = [...this.items.values()].flatMap((item) => item.steps ?? []);
    takeBack(shown, workspace);
    for (const item of this.items.values()) item.steps = null;
    return shown;
  }

  /** Forget what was shown, for a workspace that was replaced. */
  forgetShown(): void {
    this.isShown = false;
    for (const item of this.items.values()) item.steps = null;
  }

  /** Show everything that can be predicted on the workspace as it is now; the steps. */
  show(workspace: WorkspaceState): Step[] {
    if (this.isShown) return [];
    this.isShown = true;
    const shown: Step[] = [];
    for (const item of this.items.values()) {
      item.steps = predicted(item.message, workspace);
      if (item.steps) shown.push(...item.steps);
    }
    return shown;
  }

  /** The connection is gone: nothing is on its way any more. */
  recall(): void {
    for (const item of this.items.values()) item.isSent = false;
  }

  kept(): KeptWrite[] {
    return [...this.items.values()].map(({ message, at, sentAt }) => ({ message, at, sentAt }));
  }
}

/** The steps of a write, applied; null, and nothing changed, where the server has to say. */
function predicted(message: WriteMessage, workspace: WorkspaceState): Step[] | null {
  if (message.t !== 'submit') return null;
  try {
    return predict(message.operations as unknown as Operation[], workspace);
  } catch {
    // Refused, not for the page to say, or nothing that an operation should look like: the server decides.
    return null;
  }
}
