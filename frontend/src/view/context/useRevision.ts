/** A whole state of the workspace at an older revision, read once. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as api from '../../protocol/history';
import { useEditorContext } from './EditorContext';

/** A whole state is large; a few of them are kept for stepping to and fro. */
const KEPT_MS = 120_000;

export function useRevision(revision: number | null) {
  const { id } = useEditorContext();
  return useQuery({
    queryKey: ['revision', id, revision],
    queryFn: ({ signal }) => api.readRevision(id, revision ?? 0, signal),
    enabled: revision !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    placeholderData: revision === null ? undefined : keepPreviousData,
  });
}
