/** What became of a request after its run ended: its proposal as the server has it, and whether its commit still stands. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Aftermath, Turn } from '../../../model/assistantCard';
import { statusOf } from '../../../model/assistantTurns';
import { plannedProposal } from '../../../model/plannedWords';
import { readProposal } from '../../../protocol/assistant';
import { ApiError } from '../../../protocol/http';
import type { Commit } from '../../../protocol/live';
import type { ProposalFull } from '../../../protocol/types';
import { useDesk } from '../../desk/Desk';
import { useCommit } from '../../history/queries';

/** Several steps back in a row are looked at as one. */
const RESTED_MS = 250;

export function useAftermath(turn: Turn): Aftermath {
  const decided = useDecided(turn);
  const full = decided === 'gone' ? null : decided;
  const status = statusOf(turn);
  const outcome = turn.progress?.end?.outcome ?? turn.record?.outcome;
  const own = status === 'applied' ? (outcome?.revision ?? turn.talk?.revision) : null;
  const revision = own ?? (full?.status === 'accepted' ? full.outcome?.revision : null) ?? null;
  return { decided, undone: useUndone(revision) };
}

/** The key of a proposal in the page's cache; it is read anew when how it fits has changed. */
export const proposalKey = (id: string, run: string): string[] => ['proposal', id, run];

function useDecided(turn: Turn): ProposalFull | 'gone' | null {
  const { id } = useDesk();
  const { run, proposal } = turn;
  const isProposal = statusOf(turn) === 'proposed';
  const stand = proposal ? `${proposal.fit} ${JSON.stringify(proposal.conflicts)}` : 'closed';
  const { data, error } = useQuery({
    queryKey: [...proposalKey(id, run), stand],
    queryFn: ({ signal }) => readProposal(id, run, signal),
    enabled: isProposal,
    select: plannedProposal,
    // What is decided stays decided.
    staleTime: ({ state }) => (state.data && state.data.status !== 'open' ? Number.POSITIVE_INFINITY : 0),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    retry: (count, why) => count < 2 && !(why instanceof ApiError && why.status === 404),
  });
  if (!isProposal) return null;
  if (error instanceof ApiError && error.code === 'proposal_not_found') return 'gone';
  return data ?? null;
}

/** What took a commit back; read anew when something was taken back or done again since. */
function useUndone(revision: number | null): Aftermath['undone'] {
  const { id, client } = useDesk();
  const queries = useQueryClient();
  const commit = useCommit(revision).data;
  useEffect(() => {
    if (revision === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = client.subscribe(({ nodes, commits }) => {
      if (nodes !== 'all' && !commits.some((one) => mayTakeBack(one, revision))) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => void queries.invalidateQueries({ queryKey: ['commit', id, revision] }),
        RESTED_MS,
      );
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, client, queries, revision]);
  return commit?.undone ?? null;
}

/** A step back names what it took back, which may itself have been a step back from this one. */
const mayTakeBack = ({ kind, ref }: Commit, revision: number): boolean =>
  (kind === 'undo' || kind === 'redo' || kind === 'revert') && ref !== null && ref >= revision;
