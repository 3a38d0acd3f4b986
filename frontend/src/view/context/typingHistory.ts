/**
 * The history of one's own typing in the text editor of the page, for whoever decides what undo takes.
 * It asks the editor that is on the page; without one there is nothing to take back. Not here: the editor.
 */

export interface TypingHistory {
  /** Take back the newest group typed; whether there was one. */
  undo(): boolean;
  redo(): boolean;
  /** How many groups there are to take back, and to do again. */
  depth(): { undo: number; redo: number };
  /** When something was typed last that may still be taken back, in milliseconds of this computer's clock. */
  lastTypedAt(): number | null;
}

let mounted: TypingHistory | null = null;

/** Let an editor answer from now on; the answer ends that. */
export function mountHistory(history: TypingHistory): () => void {
  mounted = history;
  return () => {
    if (mounted === history) mounted = null;
  };
}

export const typingHistory: TypingHistory = {
  undo: () => mounted?.undo() ?? false,
  redo: () => mounted?.redo() ?? false,
  depth: () => mounted?.depth() ?? { undo: 0, redo: 0 },
  lastTypedAt: () => mounted?.lastTypedAt() ?? null,
};
