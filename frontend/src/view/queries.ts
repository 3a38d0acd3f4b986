/** What pages read and write, as hooks over one cache. Addresses and shapes are `protocol`'s. */
import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as api from '../protocol/api';
import { ApiError } from '../protocol/http';

const RETRY_MS = 3000;

/** Ask again by itself while the reason for failing may pass. */
const whilePassing = (error: Error | null): number | false =>
  error instanceof ApiError && error.isPassing ? RETRY_MS : false;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A server on this machine answers also when the browser thinks that it is offline.
      queries: {
        retry: false,
        networkMode: 'always',
        staleTime: 1000,
        refetchOnWindowFocus: true,
        // What failed while the server was away would otherwise stay as it was known before.
        refetchInterval: (query) => whilePassing(query.state.error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => api.readMe(signal), staleTime: 60_000 });
}

/** Warnings about the whole workspace at a revision. */
export function useLint(id: string, revision: number) {
  return useQuery({
    queryKey: ['lint', id, revision],
    queryFn: ({ signal }) => api.readLint(id, signal),
    placeholderData: keepPreviousData,
  });
}

/**
 * A write that makes the lists of workspaces be read anew.
 *
 * Writes to one workspace (`id`) are sent one after the other: what is renamed and then thrown away
 * would else be looked for in the list when the new name arrives, and not be found.
 */
function useWrite<Input, Output>(write: (input: Input) => Promise<Output>, id?: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    scope: id === undefined ? undefined : { id: `workspace ${id}` },
    onSettled: () => client.invalidateQueries({ queryKey: ['workspaces'] }),
  });
}

export const useCreateWorkspace = () => useWrite(api.createWorkspace);
export const useTrashWorkspace = (id: string) => useWrite(() => api.trashWorkspace(id), id);
export const useUndeleteWorkspace = (id: string) => useWrite(() => api.undeleteWorkspace(id), id);
export const useRenameWorkspace = (id: string) =>
  useWrite((name: string) => api.renameWorkspace(id, name), id);

export function useRenameMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: api.renameMe,
    onSuccess: (me) => client.setQueryData(['me'], me),
  });
}
