/**
 * The undo history of the text editor, for the undo commands of the page. It delegates to the mounted editor; without
 * one it is empty. Not here: the editor.
 */

/** The number of groups to undo, and to redo; and how often something was typed, which undo and redo are not. */
export interface TypingDepth {
  undo: number;
  redo: number;
  typed: number;
}

export interface TypingHistory {
  /** Undoes the newest group. Returns whether there was one. */
  undo(): boolean;
  redo(): boolean;
  depth(): TypingDepth;
  /** When the newest undoable group was typed, in milliseconds of this computer's clock. */
  lastTypedAt(): number | null;
}

let mounted: TypingHistory | null = null;

/** Mounts an editor's history. Returns a function that unmounts it. */
export function mountHistory(history: TypingHistory): () => void {
  mounted = history;
  return () => {
    if (mounted === history) mounted = null;
  };
}

export const typingHistory: TypingHistory = {
  undo: () => mounted?.undo() ?? false,
  redo: () => mounted?.redo() ?? false,
  depth: () => mounted?.depth() ?? { undo: 0, redo: 0, typed: 0 },
  lastTypedAt: () => mounted?.lastTypedAt() ?? null,
};
