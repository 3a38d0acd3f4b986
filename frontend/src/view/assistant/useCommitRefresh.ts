/**
 * Sees to it that what is known of a commit is read anew once it may have been taken back or done again: also while no
 * card is in sight that shows it, so that none says later what was so before.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Commit } from '../../protocol/live';
import { useEditorContext } from '../context/EditorContext';

/** Several steps back in a row are looked at as one. */
const RESTED_MS = 250;
/** What could not be read is tried again. */
const AGAIN_MS = 3000;

export function useCommitRefresh(): void {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What is in the cache may be from before this page heard of anything.
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

/** A step back names what it took back, which may itself have been a step back from something before. */
const takenBackBy = ({ kind, ref }: Commit): number =>
  kind === 'undo' || kind === 'redo' || kind === 'revert' ? (ref ?? 0) : 0;
