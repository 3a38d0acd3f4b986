/** The full state at an older revision, fetched once. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { withTypes } from '../../model/core/withTypes';
import * as api from '../../protocol/history';
import { useEditorContext } from './EditorContext';

/** A state is large; a few are kept for going back and forth. */
const KEPT_MS = 120_000;

export function useRevision(revision: number | null) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['revision', id, revision],
    queryFn: async ({ signal }) => {
      const state = await api.readRevision(id, revision ?? 0, signal);
      return { ...state, diagram: withTypes(state.diagram) };
    },
    enabled: revision !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    placeholderData: revision === null ? undefined : keepPreviousData,
  });
}
