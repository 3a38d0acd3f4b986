/** The tree of folders, and the path of a folder in words. Pure. */

export interface FolderPlace {
  id: string;
  name: string;
  parent: string | null;
}

/** A folder and those around it, the outermost first; empty for none and for one that is not among them. */
export function pathOf<F extends FolderPlace>(folders: readonly F[], id: string | null): F[] {
  const path: F[] = [];
  let at = folders.find((folder) => folder.id === id);
  while (at && !path.includes(at)) {
    path.unshift(at);
    const { parent } = at;
    at = folders.find((folder) => folder.id === parent);
  }
  return path;
}

/** “Team / Drafts”; empty at the top. */
export const pathText = (folders: readonly FolderPlace[], id: string | null): string =>
  pathOf(folders, id)
    .map(({ name }) => name)
    .join(' / ');

/** The folders directly in one, or at the top, in the order given. */
export const foldersIn = <F extends FolderPlace>(folders: readonly F[], parent: string | null): F[] =>
  folders.filter((folder) => folder.parent === parent);

/** All folders as a tree is read, each with how deep it lies; without one and what lies in it. */
export function foldersInTree<F extends FolderPlace>(
  folders: readonly F[],
  without: string | null = null,
  parent: string | null = null,
  depth = 0,
): { folder: F; depth: number }[] {
  return foldersIn(folders, parent)
    .filter(({ id }) => id !== without)
    .flatMap((folder) => [{ folder, depth }, ...foldersInTree(folders, without, folder.id, depth + 1)]);
}

/** Those whose name has the text of a search in it, as the server searches workspaces. */
export function foldersCalled<F extends FolderPlace>(folders: readonly F[], search: string): F[] {
  const wanted = search.trim().toLocaleLowerCase();
  return folders.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
}
