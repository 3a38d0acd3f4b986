/** The workspace's name, which can be changed in place, and below it whether everything is saved. */
import { CircleAlert, CircleCheck, CloudOff, LoaderCircle, PencilLine } from 'lucide-react';
import { useState } from 'react';
import type { Workspace } from '../../protocol/types';
import type { Condition, Status } from '../../sync/condition';
import { useRenameWorkspace } from '../queries';
import { EditableName } from '../ui/EditableName';
import { useToasts } from '../ui/Toasts';

const ICONS: Record<Condition, typeof CircleCheck> = {
  saved: CircleCheck,
  saving: LoaderCircle,
  offline: CloudOff,
  'not-saving': CircleAlert,
};

interface Props {
  id: string;
  workspace: Workspace | undefined;
  status: Status;
  isWritable: boolean;
}

export function WorkspaceTitle({ id, workspace, status, isWritable }: Props) {
  const [isEditing, setIsEditing] = useState(false);
  const rename = useRenameWorkspace(id);
  const toasts = useToasts();
  const Icon = ICONS[status.condition];
  const name = rename.isPending ? rename.variables : workspace?.name;
  return (
    <div className="workspace-title">
      {workspace && name ? (
        <EditableName
          name={workspace.name}
          what="this workspace"
          isEditing={isEditing}
          onEdit={setIsEditing}
          onRename={(wanted) => rename.mutate(wanted, { onError: toasts.showError })}
        >
          <h1>
            {!isWritable ? (
              <span className="title-text">{name}</span>
            ) : (
              <button
                type="button"
                className="title-button"
                title="Rename"
                onClick={() => setIsEditing(true)}
              >
                <span className="title-text">{name}</span>
                <PencilLine size={13} strokeWidth={2} aria-hidden="true" />
              </button>
            )}
          </h1>
        </EditableName>
      ) : (
        <span className="skeleton line" style={{ width: 160 }} />
      )}
      <p
        className={`save-status ${status.condition}`}
        role="status"
        data-testid="status"
        data-condition={status.condition}
        data-revision={workspace?.revision}
      >
        <Icon size={13} strokeWidth={2.2} aria-hidden="true" />
        <span>{status.text}</span>
      </p>
    </div>
  );
}
