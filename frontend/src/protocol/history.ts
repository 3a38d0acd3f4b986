/** The calls of the API that the history makes. Undo and redo themselves go over the live connection, in order with what else was done. */
import { at, params } from './api';
import { ask } from './http';
import type {
  Checkpoint,
  CommitFull,
  CommitList,
  Comparison,
  OutlineItem,
  SectionOut,
  UndoState,
  Workspace,
  WriteAnswer,
} from './types';

/** Which rows of the history; what is not given leaves nothing out. */
export interface HistoryFilter {
  /** Id of a person. */
  actor?: string | undefined;
  by?: 'assistant' | 'agent' | undefined;
  node?: string | undefined;
  /** Path as the outline gives it. */
  section?: string | undefined;
}

const PAGE = 40;

/** A page of rows; with a filter it may hold few, or none, and still say where to go on. */
export async function listRows(
  id: string,
  filter: HistoryFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<CommitList> {
  const query = params({ limit: PAGE, grouped: true, ...filter, cursor });
  return (await ask<CommitList>(`${at(id)}/commits${query}`, { signal })).body;
}

export async function readCommit(id: string, revision: number, signal?: AbortSignal): Promise<CommitFull> {
  return (await ask<CommitFull>(`${at(id)}/commits/${revision}`, { signal })).body;
}

/** The workspace as it was. */
export async function readRevision(id: string, revision: number, signal?: AbortSignal): Promise<Workspace> {
  return (await ask<Workspace>(`${at(id)}/revisions/${revision}`, { signal })).body;
}

export async function compare(
  id: string,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Comparison> {
  return (await ask<Comparison>(`${at(id)}/compare${params({ from, to })}`, { signal })).body;
}

export async function readUndo(id: string): Promise<UndoState> {
  return (await ask<UndoState>(`${at(id)}/undo`)).body;
}

/** What taking a commit back, or a range of what one person typed, would do. Nothing is done. */
export async function tryRevert(
  id: string,
  { rev, upto }: { rev: number; upto: number | null },
  signal?: AbortSignal,
): Promise<WriteAnswer> {
  const body = { dry_run: true, ...(upto !== null && { upto }) };
  return (await ask<WriteAnswer>(`${at(id)}/commits/${rev}/revert`, { method: 'POST', body, signal })).body;
}

export async function restore(id: string, revision: number): Promise<WriteAnswer> {
  return (await ask<WriteAnswer>(`${at(id)}/revisions/${revision}/restore`, { method: 'POST' })).body;
}

export async function listCheckpoints(id: string, signal?: AbortSignal): Promise<Checkpoint[]> {
  return (await ask<{ items: Checkpoint[] }>(`${at(id)}/checkpoints`, { signal })).body.items;
}

/** Name a revision, the newest if none is given. */
export async function addCheckpoint(id: string, name: string, revision: number | null): Promise<void> {
  const body = { name, ...(revision !== null && { revision }) };
  await ask(`${at(id)}/checkpoints`, { method: 'POST', body });
}

export async function dropCheckpoint(id: string, checkpoint: string): Promise<void> {
  await ask(`${at(id)}/checkpoints/${encodeURIComponent(checkpoint)}`, { method: 'DELETE' });
}

/** A section with its text; the empty path is the text before the first heading. */
export async function readSection(id: string, path: string, signal?: AbortSignal): Promise<SectionOut> {
  return (await ask<SectionOut>(`${at(id)}/section${params({ path })}`, { signal })).body;
}

/** The sections of the document, with the paths that `HistoryFilter` takes. */
export async function listSections(id: string, signal?: AbortSignal): Promise<OutlineItem[]> {
  return (await ask<{ items: OutlineItem[] }>(`${at(id)}/outline`, { signal })).body.items;
}
