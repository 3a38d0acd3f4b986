/** Moves a workspace or a folder: the folders as a tree, of which one is chosen. */
import '../styles/folders.css';
import { Folder as FolderIcon, House } from 'lucide-react';
import { useId, useState } from 'react';
import { foldersCalled, foldersInTree, pathText } from '../../model/words/folders';
import type { Folder } from '../../protocol/folders';
import type { WorkspaceItem } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useMe } from '../queries';
import { SearchField } from '../ui/field/SearchField';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { mayFill, useFolders, useMoveFolder, useMoveWorkspace } from './folders';

/** From so many folders on they can be searched. */
const SEARCHED_FROM = 8;

interface Props {
  what: { workspace: WorkspaceItem } | { folder: Folder };
  onClose: () => void;
}

export function MoveDialog({ what, onClose }: Props) {
  const isFolder = 'folder' in what;
  const { id, name } = isFolder ? what.folder : what.workspace;
  const now = isFolder ? what.folder.parent : what.workspace.folder;
  const folders = useFolders().data ?? [];
  const isShared = useMe().data?.mode === 'token';
  const moveFolder = useMoveFolder(id);
  const moveWorkspace = useMoveWorkspace(id);
  const move = isFolder ? moveFolder : moveWorkspace;
  const toasts = useToasts();
  const [target, setTarget] = useState<string | null>(now);
  const isReady = target !== now && !move.isPending;
  const putBack = () => move.mutate(now, { onError: toasts.showError });
  const send = async () => {
    try {
      await move.mutateAsync(target);
    } catch {
      return; // shown in the dialog
    }
    onClose();
    toasts.show({
      text: `“${name}” is in ${target === null ? 'no folder now' : `“${pathText(folders, target)}” now`}`,
      action: { label: 'Undo', run: putBack },
    });
  };
  return (
    <Dialog title={`Move “${name}”`} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void send();
        }}
      >
        <Targets
          folders={folders}
          without={isFolder ? id : null}
          now={now}
          target={target}
          onChoose={setTarget}
        />
        {isShared && (
          <p className="dialog-text">
            Who has access to a folder has it to all that is in it. Access that was given by name stays.
          </p>
        )}
        {move.error && (
          <p className="banner" role="alert">
            {explainError(move.error).title}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!isReady}>
            {move.isPending ? 'Moving…' : 'Move here'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface TargetsProps {
  folders: readonly Folder[];
  without: string | null;
  now: string | null;
  target: string | null;
  onChoose: (folder: string | null) => void;
}

function Targets({ folders, without, now, target, onChoose }: TargetsProps) {
  const group = useId();
  const [search, setSearch] = useState('');
  const tree = foldersInTree(folders, without);
  const matches = new Set(foldersCalled(folders, search).map(({ id }) => id));
  const found = tree.filter(({ folder }) => matches.has(folder.id));
  const isSearching = search.trim() !== '';
  return (
    <>
      {tree.length >= SEARCHED_FROM && (
        <SearchField label="Search folders" value={search} onChange={setSearch} />
      )}
      <fieldset className="move-targets">
        <legend className="visually-hidden">Where to</legend>
        {!isSearching && (
          <Target
            group={group}
            isChosen={target === null}
            isHere={now === null}
            onChoose={() => onChoose(null)}
          >
            <House size={16} strokeWidth={1.9} aria-hidden="true" />
            <span>Top, in no folder</span>
          </Target>
        )}
        {found.map(({ folder, depth }) => (
          <Target
            key={folder.id}
            group={group}
            depth={isSearching ? 0 : depth + 1}
            isChosen={target === folder.id}
            isHere={now === folder.id}
            isClosed={!mayFill(folder.role)}
            onChoose={() => onChoose(folder.id)}
          >
            <FolderIcon size={16} strokeWidth={1.9} aria-hidden="true" />
            <span>{isSearching ? pathText(folders, folder.id) : folder.name}</span>
          </Target>
        ))}
        {isSearching && found.length === 0 && <p className="move-none">No folder is called that.</p>}
        {tree.length === 0 && (
          <p className="move-none">There are no folders yet. Make one on the first page.</p>
        )}
      </fieldset>
    </>
  );
}

interface TargetProps {
  group: string;
  depth?: number;
  isChosen: boolean;
  isHere: boolean;
  isClosed?: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

function Target({ group, depth = 0, isChosen, isHere, isClosed = false, onChoose, children }: TargetProps) {
  return (
    <label className="move-target" style={{ paddingInlineStart: 12 + depth * 20 }}>
      <input type="radio" name={group} checked={isChosen} disabled={isClosed} onChange={onChoose} />
      {children}
      {isHere && <span className="move-note">Here now</span>}
      {isClosed && <span className="move-note">You may not add to it</span>}
    </label>
  );
}
