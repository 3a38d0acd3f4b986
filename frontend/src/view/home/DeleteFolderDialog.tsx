/** Asks before a folder with something in it is deleted. */
import { pathText } from '../../model/words/folders';
import type { Folder } from '../../protocol/folders';
import { useMe } from '../queries';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { useToasts } from '../ui/overlay/Toasts';
import { useDeleteFolder, useFolders } from './folders';

interface Props {
  folder: Folder;
  onClose: () => void;
}

export function DeleteFolderDialog({ folder, onClose }: Props) {
  const remove = useDeleteFolder(folder.id);
  const toasts = useToasts();
  const folders = useFolders().data ?? [];
  const isShared = useMe().data?.mode === 'token';
  const target = pathText(folders, folder.parent);
  const confirm = async () => {
    try {
      await remove.mutateAsync(true);
      onClose();
      toasts.show({ text: `The folder “${folder.name}” was deleted`, detail: 'What was in it moved up.' });
    } catch (error) {
      onClose();
      toasts.showError(error);
    }
  };
  return (
    <ConfirmDialog
      title={`Delete the folder “${folder.name}”?`}
      confirm="Delete folder"
      tone="bad"
      isBusy={remove.isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        It is not empty. What is in it moves to {target ? `“${target}”` : 'the top'}; nothing else is deleted.
      </p>
      {isShared && <p>Who had access through this folder alone has none to it then.</p>}
    </ConfirmDialog>
  );
}
