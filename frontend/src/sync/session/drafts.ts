/** The draft of a person who may propose changes but not make them, as a list of its batches. Pure. */
import type { Operation } from '../../protocol/live';
import { wordsForOperations } from './operationWords';
import type { PendingWrite } from './writes';

/** A batch of a draft. */
export interface Draft {
  id: string;
  /** What it does, in words. */
  label: string;
  operations: readonly Operation[];
  /** Whether it is shown; not where only the server can tell what it does, or where it no longer fits. */
  isShown: boolean;
}

export function draftsOf(writes: readonly PendingWrite[]): Draft[] {
  return writes.flatMap(({ message, steps }) => {
    if (message.t !== 'submit') return [];
    const operations = message.operations as unknown as Operation[];
    return [{ id: message.id, label: wordsForOperations(operations), operations, isShown: steps !== null }];
  });
}
