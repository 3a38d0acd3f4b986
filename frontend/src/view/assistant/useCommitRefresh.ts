/**
 * Invalidates cached commits after an undo or redo, also while no card is mounted that shows them, so that none shows
 * an old state later.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Commit } from '../../protocol/live';
import { useEditorContext } from '../context/EditorContext';

/** Several undos in a row are handled as one. */
const RESTED_MS = 250;
/** Failed reads are repeated after this time. */
const AGAIN_MS = 3000;

export function useCommitRefresh(): void {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The cache may be from before this page was connected.
    let upto = Number.POSITIVE_INFINITY;
    const read = async () => {
      const newest = upto;
      upto = 0;
      const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => Number(queryKey[2]) <= newest;
      await queries.invalidateQueries({ queryKey: ['commit', id], predicate });
      const failed = queries.getQueryCache().findAll({ queryKey: ['commit', id], type: 'active', predicate });
      if (failed.some(({ state }) => state.isInvalidated)) readSoon(newest, AGAIN_MS);
    };
    const readSoon = (revision: number, after: number) => {
      upto = Math.max(upto, revision);
      clearTimeout(timer);
      timer = setTimeout(() => void read(), after);
    };
    void read();
    const leave = client.subscribe(({ nodes, commits }) => {
      const newest = nodes === 'all' ? Number.POSITIVE_INFINITY : Math.max(0, ...commits.map(takenBackBy));
      if (newest > 0) readSoon(newest, RESTED_MS);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, client, queries]);
}

/** An undo names the commit that it undid, which may itself be an undo. */
const takenBackBy = ({ kind, ref }: Commit): number =>
  kind === 'undo' || kind === 'redo' || kind === 'revert' ? (ref ?? 0) : 0;
