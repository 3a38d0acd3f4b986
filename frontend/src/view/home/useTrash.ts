/** Moves workspaces into the trash and back, each with a toast that undoes it. */
import type { WorkspaceItem } from '../../protocol/types';
import { useTrashWorkspace, useUndeleteWorkspace } from '../queries';
import { useToasts } from '../ui/overlay/Toasts';

export function useTrash(item: WorkspaceItem) {
  const trash = useTrashWorkspace(item.id);
  const undelete = useUndeleteWorkspace(item.id);
  const toasts = useToasts();
  const quotedName = `“${item.name}”`;
  // Awaited here: the row, and with it the callbacks of its mutation, may be unmounted before the answer.
  const putBack = async () => {
    try {
      await undelete.mutateAsync();
      toasts.show({ text: `${quotedName} is back` });
    } catch (error) {
      toasts.showError(error);
    }
  };
  const throwAway = async () => {
    try {
      await trash.mutateAsync();
      toasts.show({
        text: `${quotedName} is in the trash`,
        detail: 'It stays there for 30 days.',
        action: { label: 'Undo', run: () => void putBack() },
      });
    } catch (error) {
      toasts.showError(error);
    }
  };
  return { throwAway, putBack, isBusy: trash.isPending || undelete.isPending };
}
