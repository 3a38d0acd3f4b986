/** The calls of the API that the editor makes, one function each. */

import { ask } from './http';
import { ROOT_PATH } from './root';
import type { operations } from './schema';
import type {
  CreatedWorkspace,
  LintList,
  Me,
  NewName,
  NewWorkspace,
  Template,
  TemplateList,
  WorkspaceList,
} from './types';

export type Inbox = 'active' | 'trash';
export type Sort = 'changed' | 'name';

export const at = (id: string): string => `/workspaces/${encodeURIComponent(id)}`;

export const params = (values: Record<string, string | number | boolean | undefined | null>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '' && value !== false)
      search.set(key, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : '';
};

/** Which workspaces, and in which order. */
export interface ListRequest {
  inbox: Inbox;
  q: string;
  sort: Sort;
  /** Only those directly in this folder; `none`: in no folder. Without it those of all. */
  folder?: string;
}

export async function listWorkspaces(
  { inbox, q, sort, folder }: ListRequest,
  cursor: string | null,
  signal?: AbortSignal,
) {
  const query = params({ trash: inbox === 'trash', q, sort, folder, cursor, limit: 50 });
  return (await ask<WorkspaceList>(`/workspaces${query}`, { signal })).body;
}

export async function listTemplates(signal?: AbortSignal): Promise<Template[]> {
  return (await ask<TemplateList>('/templates', { signal })).body.items;
}

export async function createWorkspace(body: NewWorkspace): Promise<CreatedWorkspace> {
  return (await ask<CreatedWorkspace>('/workspaces', { method: 'POST', body })).body;
}

/** But PDF, which the page makes itself where it prints (`view/export/printing.ts`). */
export type ExportFormat = Exclude<
  NonNullable<NonNullable<operations['export_workspace']['parameters']['query']>['format']>,
  'pdf'
>;

/** Where a workspace can be downloaded from. */
export const exportAddress = (id: string, format: ExportFormat): string =>
  `${ROOT_PATH}/api/v1${at(id)}/export${params({ format })}`;

export async function renameWorkspace(id: string, name: string): Promise<void> {
  const body: NewName = { name };
  await ask(at(id), { method: 'PATCH', body });
}

export async function trashWorkspace(id: string): Promise<void> {
  await ask(at(id), { method: 'DELETE' });
}

export async function undeleteWorkspace(id: string): Promise<void> {
  await ask(`${at(id)}/undelete`, { method: 'POST' });
}

export async function readMe(signal?: AbortSignal): Promise<Me> {
  return (await ask<Me>('/me', { signal })).body;
}

export async function renameMe(name: string): Promise<Me> {
  const body: NewName = { name };
  return (await ask<Me>('/me', { method: 'PATCH', body })).body;
}

export async function readLint(id: string, signal?: AbortSignal): Promise<LintList['items']> {
  return (await ask<LintList>(`${at(id)}/lint`, { signal })).body.items;
}
