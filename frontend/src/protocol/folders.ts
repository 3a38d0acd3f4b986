/** The calls of the API for folders of workspaces. */
import { at, params } from './api';
import { ask } from './http';
import type { components } from './schema';
import type { WorkspaceItem } from './types';

type Shapes = components['schemas'];
export type Folder = Shapes['FolderOut'];
export type FolderAccess = Shapes['FolderAccessOut'];
export type Inherited = Shapes['InheritedOut'];

const folderAt = (id: string): string => `/folders/${encodeURIComponent(id)}`;

export async function listFolders(signal?: AbortSignal): Promise<Folder[]> {
  return (await ask<Shapes['FolderList']>('/folders', { signal })).body.items;
}

export async function createFolder(body: Shapes['FolderBody']): Promise<Folder> {
  return (await ask<Folder>('/folders', { method: 'POST', body })).body;
}

/** What is left out stays; a parent of null is the top. */
export async function changeFolder(id: string, body: Shapes['FolderChangeBody']): Promise<Folder> {
  return (await ask<Folder>(folderAt(id), { method: 'PATCH', body })).body;
}

/** What lies in it moves to where it lies, or it has to be empty. */
export async function deleteFolder(id: string, movesUp: boolean): Promise<void> {
  await ask(`${folderAt(id)}${params({ contents: movesUp ? 'move_up' : '' })}`, { method: 'DELETE' });
}

/** A folder of null is none. */
export async function moveWorkspace(id: string, folder: string | null): Promise<WorkspaceItem> {
  return (await ask<WorkspaceItem>(`${at(id)}/folder`, { method: 'PUT', body: { folder } })).body;
}

export async function readFolderAccess(id: string, signal?: AbortSignal): Promise<FolderAccess> {
  return (await ask<FolderAccess>(`${folderAt(id)}/access`, { signal })).body;
}

const write = async (path: string, method: 'PATCH' | 'POST' | 'PUT' | 'DELETE', body?: object) =>
  (await ask<FolderAccess>(path, body === undefined ? { method } : { method, body })).body;

export const setFolderEveryone = (id: string, everyone: Shapes['FolderAccessBody']['everyone']) =>
  write(`${folderAt(id)}/access`, 'PATCH', { everyone });

/** A role of null takes it away. */
export const setFolderMember = (id: string, person: string, role: Folder['role'] | null) => {
  const path = `${folderAt(id)}/members/${encodeURIComponent(person)}`;
  return role === null ? write(path, 'DELETE') : write(path, 'PUT', { role });
};

/** A role of null takes it away. */
export const setFolderGroup = (id: string, group: string, role: Folder['role'] | null) => {
  const path = `${folderAt(id)}/groups/${encodeURIComponent(group)}`;
  return role === null ? write(path, 'DELETE') : write(path, 'PUT', { role });
};

export const transferFolder = (id: string, to: string) => write(`${folderAt(id)}/transfer`, 'POST', { to });
