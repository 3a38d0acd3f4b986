/**
 * Unsettled writes in order, and what of them is shown before the server has answered. Pure.
 *
 * A write is kept until its commit is in the base, or until it was refused. Its prediction is shown on top of the base:
 * before the base changes all predictions are undone, and afterwards made anew. Not here: typing (`sync/text/text.ts`),
 * when anything is sent (`session.ts`).
 */
import { predict } from '../../model/core/predict';
import { takeBack } from '../../model/core/steps';
import type { WorkspaceState } from '../../model/core/workspace';
import type { Operation, Redo, Revert, Step, Submit, Undo } from '../../protocol/live';
import type { LogPosition } from '../text/text';
import { type Names, namesIn } from './deletedMeanwhile';
import type { Outcome } from './outcome';

export type WriteMessage = Submit | Undo | Redo | Revert;

/** A write as it is persisted. */
export interface KeptWrite {
  message: WriteMessage;
  /** Milliseconds since 1970. */
  at: number;
  /** The page's position in the log when it was sent first; null if it was never sent. */
  sentAt: Pick<LogPosition, 'epoch' | 'rev'> | null;
  /**
   * For an undo of a write that may have been sent: the id of that write. The undo waits until the revision is known
   * that it became, and goes with it if it became none.
   */
  follows?: string;
  /** It is part of a draft: shown here, and never sent but as part of a proposal. */
  isDraft?: true;
}

export interface PendingWrite extends KeptWrite {
  /** Whether it is in flight over this connection. */
  isSent: boolean;
  /**
   * `open`: it may have been applied longer ago than the server remembers, which is queried before it is sent again.
   * `answered`: the server does remember so far back, as long as this connection lasts.
   */
  doubt: 'none' | 'open' | 'answered';
  /** Text typed up to here is sent before it. */
  afterTyping: number;
  /** The steps that it shows now; null where it cannot be predicted. */
  steps: Step[] | null;
  /** The names of what it refers to, as they were then. */
  names: Names;
  /** It is durable as this revision; only its commit has not arrived yet. */
  ack: { rev: number; outcome: Outcome } | null;
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

  /** Adds a write and shows it. */
  add(write: KeptWrite, afterTyping: number, workspace: WorkspaceState): PendingWrite {
    const item: PendingWrite = {
      ...write,
      afterTyping,
      isSent: false,
      doubt: 'none',
      steps: null,
      names: namesIn(write.message.t === 'submit' ? write.message.operations : [], workspace),
      ack: null,
    };
    this.items.set(write.message.id, item);
    if (this.isShown) item.steps = predicted(item.message, workspace);
    return item;
  }

  /** Removes settled writes. Only while nothing is shown. */
  remove(id: string): void {
    this.items.delete(id);
  }

  /** The newest batch that is not durable and that no undo follows. */
  newestBatch(isWanted: (batch: Submit) => boolean): PendingWrite | null {
    const taken = this.takenBack();
    for (const item of [...this.items.values()].reverse()) {
      const { message, ack } = item;
      if (message.t === 'submit' && !ack && !taken.has(message.id) && isWanted(message)) return item;
    }
    return null;
  }

  /** Batches that wait to be proposed, in order. */
  drafts(): PendingWrite[] {
    return [...this.items.values()].filter(({ isDraft }) => isDraft);
  }

  /** How many are on their way to the server. */
  get pending(): number {
    return this.items.size - this.drafts().length;
  }

  /** The undo that follows a write, if there is one. */
  followerOf(id: string): PendingWrite | undefined {
    return [...this.items.values()].find(({ follows }) => follows === id);
  }

  private takenBack(): ReadonlySet<string> {
    return new Set([...this.items.values()].flatMap(({ follows }) => follows ?? []));
  }

  /** Undoes everything that is shown; returns the steps. */
  hide(workspace: WorkspaceState): Step[] {
    if (!this.isShown) return [];
    this.isShown = false;
    const steps = [...this.items.values()].flatMap((item) => item.steps ?? []);
    takeBack(steps, workspace);
    for (const item of this.items.values()) item.steps = null;
    return steps;
  }

  /** Forgets what was shown, for a workspace that was replaced. */
  forgetSteps(): void {
    this.isShown = false;
    for (const item of this.items.values()) item.steps = null;
  }

  /** Shows all predictions on the current workspace; returns the steps. */
  show(workspace: WorkspaceState): Step[] {
    if (this.isShown) return [];
    this.isShown = true;
    const steps: Step[] = [];
    const taken = this.takenBack();
    for (const item of this.items.values()) {
      item.steps = taken.has(item.message.id) ? null : predicted(item.message, workspace);
      if (item.steps) steps.push(...item.steps);
    }
    return steps;
  }

  /** The connection is closed: nothing is in flight any more. */
  recall(): void {
    for (const item of this.items.values()) {
      item.isSent = false;
      if (item.doubt === 'answered') item.doubt = 'open';
    }
  }

  kept(): KeptWrite[] {
    return [...this.items.values()].map(({ message, at, sentAt, follows, isDraft }) => ({
      ...{ message, at, sentAt },
      ...(follows !== undefined && { follows }),
      ...(isDraft && { isDraft }),
    }));
  }
}

/** Applies the steps of a write; null, and nothing changed, where only the server can tell. */
function predicted(message: WriteMessage, workspace: WorkspaceState): Step[] | null {
  if (message.t !== 'submit') return null;
  try {
    return predict(message.operations as unknown as Operation[], workspace);
  } catch {
    // Refused, not predictable, or of an invalid form: the server decides.
    return null;
  }
}
