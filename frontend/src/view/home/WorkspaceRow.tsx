/** One workspace in the list: what it holds, when it changed, and what can be done with it as a whole. */
import { ArchiveRestore, PencilLine, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../model/kinds';
import type { WorkspaceItem } from '../../protocol/types';
import { useRenameWorkspace, useTrashWorkspace, useUndeleteWorkspace } from '../queries';
import { EditableName } from '../ui/EditableName';
import { IconButton } from '../ui/IconButton';
import { useToasts } from '../ui/Toasts';
import { ago, exactly } from '../ui/time';

export function WorkspaceRow({ item }: { item: WorkspaceItem }) {
  const [isEditing, setIsEditing] = useState(false);
  const rename = useRenameWorkspace(item.id);
  const toasts = useToasts();
  const isTrashed = item.deleted_at !== null;
  const name = rename.isPending ? rename.variables : item.name;
  return (
    <li className={`row${isTrashed ? ' trashed' : ''}`}>
      <span className="row-tile" aria-hidden="true">
        <Workflow size={18} strokeWidth={1.9} />
      </span>
      <div className="row-text">
        <EditableName
          name={item.name}
          what="the workspace"
          isEditing={isEditing}
          onEdit={setIsEditing}
          onRename={(wanted) => rename.mutate(wanted, { onError: toasts.showError })}
        >
          {isTrashed ? (
            <span className="row-name">{name}</span>
          ) : (
            <Link href={`/w/${item.id}`} className="row-name row-link">
              {name}
            </Link>
          )}
        </EditableName>
        <span className="row-facts">
          {counted(item.nodes, 'node')} · {counted(item.edges, 'connection')} · revision {item.revision}
        </span>
      </div>
      <time
        className="row-time"
        dateTime={item.deleted_at ?? item.updated_at}
        title={exactly(item.updated_at)}
      >
        {item.deleted_at ? `Thrown away ${ago(item.deleted_at)}` : `Changed ${ago(item.updated_at)}`}
      </time>
      {item.role === 'viewer' ? (
        <span className="pill">View only</span>
      ) : (
        <RowActions item={item} onRename={() => setIsEditing(true)} />
      )}
    </li>
  );
}

function RowActions({ item, onRename }: { item: WorkspaceItem; onRename: () => void }) {
  const trash = useTrashWorkspace();
  const undelete = useUndeleteWorkspace();
  const toasts = useToasts();
  const putBack = () =>
    undelete.mutate(item.id, {
      onSuccess: () => toasts.show({ text: `“${item.name}” is back` }),
      onError: toasts.showError,
    });
  if (item.deleted_at !== null) {
    return (
      <div className="row-actions">
        <button
          type="button"
          className="button small"
          aria-label={`Put back ${item.name}`}
          onClick={putBack}
          disabled={undelete.isPending}
        >
          <ArchiveRestore size={16} strokeWidth={1.9} aria-hidden="true" />
          Put back
        </button>
      </div>
    );
  }
  const throwAway = () =>
    trash.mutate(item.id, {
      onSuccess: () =>
        toasts.show({ text: `“${item.name}” is in the trash`, action: { label: 'Undo', run: putBack } }),
      onError: toasts.showError,
    });
  return (
    <div className="row-actions">
      <IconButton icon={PencilLine} label={`Rename ${item.name}`} className="tip-left" onClick={onRename} />
      <IconButton
        icon={Trash2}
        label={`Move ${item.name} to the trash`}
        className="tip-left danger"
        onClick={throwAway}
        disabled={trash.isPending}
      />
    </div>
  );
}
