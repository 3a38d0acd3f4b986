/**
 * The result of a request after its run ended: its proposal as the server has it, and whether its commit was undone.
 */
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type RunResult, statusOf, type Turn } from '../../../model/assistant/card';
import { plannedProposal } from '../../../model/assistant/plannedSentences';
import { readProposal } from '../../../protocol/assistant';
import { ApiError } from '../../../protocol/http';
import type { LiveProposal } from '../../../protocol/live';
import type { ProposalFull } from '../../../protocol/types';
import { useEditorContext } from '../../context/EditorContext';
import { useCommit } from '../../history/queries';

/** Where the read proposal differs from the reported one, it is read once more after this time. */
const AGREES_WITHIN_MS = 1500;

export function useRunResult(turn: Turn): RunResult {
  const decided = useDecided(turn);
  const full = decided === 'gone' ? null : decided;
  const status = statusOf(turn);
  const outcome = turn.progress?.end?.outcome ?? turn.record?.outcome;
  const own = status === 'applied' ? (outcome?.revision ?? turn.talk?.revision) : null;
  const revision = own ?? (full?.status === 'accepted' ? full.outcome?.revision : null) ?? null;
  // Refetched after every undo and redo (`useCommitRefresh`).
  const undone = useCommit(revision).data?.undone ?? null;
  return { decided, undone };
}

/** The query key of a proposal; it is refetched when what fits has changed. */
export const proposalKey = (id: string, run: string): string[] => ['proposal', id, run];

function useDecided(turn: Turn): ProposalFull | 'gone' | null {
  const { id } = useEditorContext();
  const queries = useQueryClient();
  const { run, proposal } = turn;
  const isProposal = statusOf(turn) === 'proposed';
  const stand = fitKey(proposal);
  const known = useRef<ProposalFull | null>(null);
  const { data, error } = useQuery({
    queryKey: [...proposalKey(id, run), stand],
    queryFn: async ({ signal }) =>
      rememberDecision(queries, proposalKey(id, run), await readProposal(id, run, signal)),
    enabled: isProposal,
    select: plannedProposal,
    // A decision is final.
    staleTime: ({ state }) => (state.data && state.data.status !== 'open' ? Number.POSITIVE_INFINITY : 0),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    // Also catches changes that were too short to be reported, and failed reads.
    refetchInterval: ({ state }) =>
      isGone(state.error) || (state.data && fitKey(state.data) === stand) ? false : AGREES_WITHIN_MS,
  });
  if (!isProposal) return null;
  if (isGone(error)) return 'gone';
  known.current = data ?? known.current;
  return known.current;
}

/**
 * A proposal that was read, or its decision, which is final, where that is known. The decision is written under all keys
 * of what fits: a card whose key changes must not open again from an earlier read, and take the ghosts of another.
 */
function rememberDecision(queries: QueryClient, queryKey: string[], read: ProposalFull): ProposalFull {
  const known = queries.getQueriesData<ProposalFull>({ queryKey }).map(([, one]) => one);
  const decided = [read, ...known].find((one) => one && one.status !== 'open');
  if (decided) queries.setQueriesData<ProposalFull>({ queryKey }, decided);
  return decided ?? read;
}

const isGone = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'proposal_not_found';

/** A key of what fits: closed, or open with its conflicts. */
const fitKey = (proposal: LiveProposal | null): string =>
  proposal?.status === 'open'
    ? `${proposal.fit} ${JSON.stringify(proposal.conflicts.map(({ index, why }) => [index, why]))}`
    : 'closed';
