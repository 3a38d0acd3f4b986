/** Folders of the home page, as hooks: which there are, which one is open, and what is written to them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { RoleName } from '../../model/words/roles';
import * as api from '../../protocol/api';
import { changeFolder, createFolder, deleteFolder, listFolders, moveWorkspace } from '../../protocol/folders';
import type { NewWorkspace } from '../../protocol/types';
import { useMe } from '../queries';

/** The id of the folder that is open; null at the top. */
export const OpenFolder = createContext<string | null>(null);

export const addressOf = (folder: string | null): string => (folder === null ? '/' : `/?folder=${folder}`);

/** Whether somebody in a role may put something into a folder. */
export const mayFill = (role: RoleName): boolean => role === 'owner' || role === 'editor';

/** Whether somebody came by a share link: they see what was shared, and make nothing of their own. */
export function useIsGuest(): boolean {
  const me = useMe().data;
  return me?.mode === 'token' && !me.signed_in;
}

export function useFolders() {
  return useQuery({ queryKey: ['folders'], queryFn: ({ signal }) => listFolders(signal) });
}

function useFolderWrite<Input, Output>(write: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['folders'] }),
        client.invalidateQueries({ queryKey: ['workspaces'] }),
      ]),
  });
}

export const useCreateFolder = () => useFolderWrite(createFolder);
export const useRenameFolder = (id: string) => useFolderWrite((name: string) => changeFolder(id, { name }));
export const useMoveFolder = (id: string) =>
  useFolderWrite((parent: string | null) => changeFolder(id, { parent }));
export const useDeleteFolder = (id: string) =>
  useFolderWrite((movesUp: boolean) => deleteFolder(id, movesUp));
export const useMoveWorkspace = (id: string) =>
  useFolderWrite((folder: string | null) => moveWorkspace(id, folder));

/** Creates a workspace in the folder that is open. */
export function useCreateHere() {
  const folder = useContext(OpenFolder);
  return useFolderWrite((body: NewWorkspace) =>
    api.createWorkspace(folder === null ? body : { ...body, folder }),
  );
}
