/** A folder in the list: opens on a press; renamed, shared, moved and deleted from its menu. */
import { EllipsisVertical, Folder as FolderIcon, FolderInput, PencilLine, Trash2, Users } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { mayTrash, roleText } from '../../model/words/roles';
import type { Folder } from '../../protocol/folders';
import { ApiError } from '../../protocol/http';
import { matches } from '../commands/keys';
import { useMe } from '../queries';
import { EditableName } from '../ui/field/EditableName';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { FOLDER_NAME_MAX } from './folderName';
import { addressOf, mayFill, useDeleteFolder, useRenameFolder } from './folders';
import { usePassFocus } from './usePassFocus';

const MoveDialog = later(async () => (await import('./MoveDialog')).MoveDialog);
const FolderShareDialog = later(async () => (await import('./FolderShareDialog')).FolderShareDialog);
const DeleteFolderDialog = later(async () => (await import('./DeleteFolderDialog')).DeleteFolderDialog);

type Over = 'move' | 'share' | 'delete' | null;

export function FolderRow({ folder, path }: { folder: Folder; path: string }) {
  const row = useRef<HTMLLIElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [over, setOver] = useState<Over>(null);
  const rename = useRenameFolder(folder.id);
  const remove = useDeleteFolder(folder.id);
  const toasts = useToasts();
  usePassFocus(row);
  const canRename = mayFill(folder.role);
  const isOwner = mayTrash(folder.role);
  /** An empty folder goes at once; what becomes of the contents of another one is asked. */
  const drop = async () => {
    try {
      await remove.mutateAsync(false);
      toasts.show({ text: `The folder “${folder.name}” was deleted` });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'folder_not_empty') setOver('delete');
      else toasts.showError(error);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('.row-link')) return;
    if (event.key === 'F2' && canRename) setIsEditing(true);
    else if (event.key === 'Delete' && isOwner) void drop();
    else if (matches('M', event.nativeEvent) && isOwner) setOver('move');
    else return;
    event.preventDefault();
  };
  const end = (isOn: boolean) => {
    setIsEditing(isOn);
    if (!isOn) requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.row-link')?.focus());
  };
  return (
    <li ref={row} className="row folder" onKeyDown={press}>
      <span className="row-tile" aria-hidden="true">
        <FolderIcon size={18} strokeWidth={1.9} />
      </span>
      <div className="row-text">
        <EditableName
          name={folder.name}
          what="the folder"
          max={FOLDER_NAME_MAX}
          isEditing={isEditing}
          onEdit={end}
          onRename={(wanted) => rename.mutate(wanted, { onError: toasts.showError })}
        >
          <Link href={addressOf(folder.id)} className="row-name row-link">
            {rename.isPending ? rename.variables : folder.name}
          </Link>
        </EditableName>
        <span className="row-facts">{path ? `Folder in ${path}` : 'Folder'}</span>
      </div>
      {!canRename && <span className="pill">{roleText(folder.role)}</span>}
      <div className="row-actions">
        <FolderMenu
          folder={folder}
          onRename={() => setIsEditing(true)}
          onMove={() => setOver('move')}
          onShare={() => setOver('share')}
          onDelete={() => void drop()}
        />
      </div>
      {over === 'move' && <MoveDialog what={{ folder }} onClose={() => setOver(null)} />}
      {over === 'share' && <FolderShareDialog folder={folder} onClose={() => setOver(null)} />}
      {over === 'delete' && <DeleteFolderDialog folder={folder} onClose={() => setOver(null)} />}
    </li>
  );
}

interface MenuProps {
  folder: Folder;
  onRename: () => void;
  onMove: () => void;
  onShare: () => void;
  onDelete: () => void;
}

function FolderMenu({ folder, onRename, onMove, onShare, onDelete }: MenuProps) {
  const isShared = useMe().data?.mode === 'token';
  const isOwner = mayTrash(folder.role);
  if (!isShared && !isOwner) return null;
  return (
    <Menu button={<IconButton icon={EllipsisVertical} label={`More for the folder ${folder.name}`} />}>
      {mayFill(folder.role) && (
        <MenuItem icon={PencilLine} keys="F2" onChoose={onRename}>
          Rename
        </MenuItem>
      )}
      {isOwner && (
        <MenuItem icon={FolderInput} keys="M" onChoose={onMove}>
          Move to…
        </MenuItem>
      )}
      {isShared && (
        <MenuItem icon={Users} onChoose={onShare}>
          Who has access…
        </MenuItem>
      )}
      {isOwner && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} keys="Del" tone="bad" onChoose={onDelete}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
