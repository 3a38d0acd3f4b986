/** Queries of the history. Old revisions do not change and are fetched once. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readSwitch } from '../../protocol/assistant';
import * as api from '../../protocol/history';
import { useEditorContext } from '../context/EditorContext';
import { untilReleased } from './presses';

const KEPT_MS = 120_000;

export function useCommit(revision: number | null) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['commit', id, revision],
    queryFn: ({ signal }) => api.readCommit(id, revision ?? 0, signal),
    enabled: revision !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

export function useComparison(from: number, to: number) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['compare', id, from, to],
    queryFn: ({ signal }) => api.compare(id, from, to, signal),
    enabled: to > 0,
    placeholderData: keepPreviousData,
  });
}

/** The result that a revert would have now; fetched again whenever the workspace has changed. */
export function useTriedRevert(target: { rev: number; upto: number | null }, revision: number) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['revert', id, target.rev, target.upto, revision],
    queryFn: ({ signal }) => api.tryRevert(id, target, signal),
    placeholderData: keepPreviousData,
  });
}

/** The checkpoints; what has changed about them is shown once nothing in the history is pressed. */
export function useCheckpoints() {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['checkpoints', id],
    queryFn: async ({ signal }) => {
      const checkpoints = await api.listCheckpoints(id, signal);
      await untilReleased();
      return checkpoints;
    },
  });
}

/** Who answers in this workspace; null where nobody does. */
export function useWhoAnswers() {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['who-answers', id],
    queryFn: async ({ signal }) => (await readSwitch(id, signal)).answers,
  });
}

export function useSections(isNeeded: boolean) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['sections', id],
    queryFn: ({ signal }) => api.listSections(id, signal),
    enabled: isNeeded,
    staleTime: 10_000,
  });
}

/** A mutation of the checkpoints. */
export function useCheckpointWrite<Input>(write: (id: string, input: Input) => Promise<void>) {
  const { id } = useEditorContext();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => write(id, input),
    onSettled: () => client.invalidateQueries({ queryKey: ['checkpoints', id] }),
  });
}
