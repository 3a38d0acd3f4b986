/** The call of the API that compares a workspace with what runs. */
import { at } from './api';
import { ask } from './http';
import type { WorkloadComparison } from './types';

/** What of a cluster is read; without namespaces all that the plugin may read. */
export interface ReadingOf {
  plugin: string;
  namespaces: readonly string[];
}

/** Takes as long as the cluster takes; nothing is changed. */
export async function compareWithWhatRuns(
  id: string,
  { plugin, namespaces }: ReadingOf,
  signal?: AbortSignal,
): Promise<WorkloadComparison> {
  const body = { plugin, ...(namespaces.length > 0 && { namespaces }) };
  const path = `${at(id)}/workloads/compare`;
  return (await ask<WorkloadComparison>(path, { method: 'POST', body, ...(signal && { signal }) })).body;
}
