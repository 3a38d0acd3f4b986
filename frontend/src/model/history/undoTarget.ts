/**
 * What the undo key takes: in the document the newest of one's own typing and one's own commits that changed the
 * document; elsewhere one's own newest commit. Pure. Not here: carrying it out (`view/history`).
 *
 * Typing that the editor remembers is undone there; typing from before a reload is a run that the server finds. While
 * the server does not answer, undo takes what waits for it here: typing, or the newest batch.
 * Typing and commits have no common clock. So the number of typed groups at the time of each commit is recorded: groups
 * beyond that number are newer than it.
 */
import type { UndoState } from '../../protocol/types';

export type UndoWay = 'undo' | 'redo';
type StackTop = NonNullable<UndoState['undo']>;

export type UndoTarget =
  | { kind: 'typing' }
  | { kind: 'waiting'; label: string }
  | { kind: 'commit'; rev: number; label: string; touching: 'document' | 'typing' | null };

export interface UndoInput {
  way: UndoWay;
  focus: 'canvas' | 'document';
  /** What undo and redo would take on the server; null while it is not known. */
  state: UndoState | null;
  /** Typed groups that the text editor can undo, or redo. */
  typed: number;
  /** How many of these there were when a commit arrived; undefined for one from before this page. */
  typedAt: (rev: number) => number | undefined;
  /** Whether a commit is typing that the text editor of this page remembers, or has undone. */
  isTypedHere: (rev: number) => boolean;
}

export interface OfflineInput extends Pick<UndoInput, 'way' | 'focus' | 'typed'> {
  /** The newest batch that waits, of those that this focus takes; null for none. Milliseconds since 1970. */
  waiting: { label: string; at: number } | null;
  /** When the newest undoable group was typed. */
  lastTypedAt: number | null;
}

/** The target while the server does not answer. Both times are of this computer's clock. */
export function undoTargetOffline({
  way,
  focus,
  typed,
  waiting,
  lastTypedAt,
}: OfflineInput): UndoTarget | null {
  const batch = way === 'undo' ? waiting : null;
  const isTypingNewer = typed > 0 && (batch === null || (lastTypedAt ?? 0) >= batch.at);
  if (focus === 'document' && isTypingNewer) return { kind: 'typing' };
  return batch && { kind: 'waiting', label: batch.label };
}

/** The target, null for nothing. */
export function undoTarget({ way, focus, state, typed, typedAt, isTypedHere }: UndoInput): UndoTarget | null {
  if (focus === 'canvas') return ofCommit(state?.[way] ?? null, null);
  const commit = state?.[way === 'undo' ? 'undo_document' : 'redo_document'] ?? null;
  const older = commit ? (typedAt(commit.rev) ?? 0) : 0;
  if (typed > older) return { kind: 'typing' };
  const run = way === 'undo' ? (state?.undo_typing ?? null) : null;
  return run && !isTypedHere(run.rev) && run.rev > (commit?.rev ?? 0)
    ? ofCommit(run, 'typing')
    : ofCommit(commit, 'document');
}

function ofCommit(top: StackTop | null, touching: 'document' | 'typing' | null): UndoTarget | null {
  return top && { kind: 'commit', rev: top.rev, label: top.label, touching };
}

/** The label of the button. */
export function undoWords(way: UndoWay, choice: UndoTarget | null, focus: UndoInput['focus']): string {
  const verb = way === 'undo' ? 'Undo' : 'Redo';
  if (choice?.kind === 'typing') return `${verb}: your typing`;
  if (choice?.kind === 'waiting') return `${verb}: ${choice.label} (not saved yet)`;
  if (choice) return choice.label ? `${verb}: ${choice.label}` : verb;
  const where = focus === 'document' ? ' in the document' : '';
  return way === 'undo' ? `Nothing of yours to undo${where}` : `Nothing to redo${where}`;
}
