/** What the first page lists, as hooks. Apart from `queries.ts`, since a workspace needs none of it. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import * as api from '../../protocol/api';

export function useWorkspaces(request: api.ListRequest) {
  return useInfiniteQuery({
    queryKey: ['workspaces', request],
    queryFn: ({ pageParam, signal }) => api.listWorkspaces(request, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
}

export function useTemplates(isNeeded: boolean) {
  return useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => api.listTemplates(signal),
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
