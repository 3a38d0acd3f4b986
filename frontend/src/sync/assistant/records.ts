/** Run records that the page makes itself, before or in place of the server's. Pure. */

import { ApiError } from '../../protocol/http';
import type { LiveRun, Me } from '../../protocol/live';
import type { AssistantState, NewRun, Run } from '../../protocol/types';

/** The record that the server will make of a request. */
export function newRecord(
  run: NewRun & { id: string },
  me: Me | null,
  assistant: AssistantState | null,
  now: number,
): Run {
  const at = new Date(now).toISOString();
  const { nodes = [], edges = [], section = null, range = null } = run.focus ?? {};
  return {
    id: run.id,
    status: 'running',
    workflow: run.workflow ?? 'edit',
    mode: run.mode ?? 'auto',
    prompt: run.prompt,
    focus: { nodes, edges, section, range: range as Run['focus']['range'] },
    about: run.about ?? null,
    actor: { id: me?.id ?? '', name: me?.name ?? '', kind: 'human', on_behalf_of: null } as Run['actor'],
    provider: run.provider ?? assistant?.provider ?? '',
    label: assistant?.label ?? '',
    model: assistant?.model ?? '',
    prompt_hash: '',
    base_revision: null,
    outcome: null,
    // What was asked for: sent again, a request has to be the same.
    edit_mode: run.edit_mode ?? 'tools',
    rating: null,
    created_at: at,
    updated_at: at,
  };
}

/** The record of a request that the server refused; unsure where the server may have accepted it nevertheless. */
export function refusedRecord(record: Run, error: unknown): Run {
  const problem = error instanceof ApiError ? error.problem : null;
  const { code = 'internal', detail = String(error), problems = [] } = problem ?? {};
  const isUnsure = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  const runs = (problem as { runs?: string[] } | null)?.runs;
  return {
    ...record,
    status: 'failed',
    outcome: {
      error: { code, detail, problems, is_unsure: isUnsure, ...(runs && { runs }) },
    } as Run['outcome'],
  };
}

/** The record of somebody else's request from the live connection, which leaves out the prompt. */
export function recordFromLive(row: LiveRun): Run {
  const nothing = { nodes: [], edges: [], section: null, range: null };
  return { prompt: '', focus: nothing, about: null, ...row };
}
