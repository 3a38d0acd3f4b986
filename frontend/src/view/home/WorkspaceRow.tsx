/** A workspace in the list: its counts, its last change, and its actions. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../model/words/kinds';
import { mayChange, mayTrash, roleText } from '../../model/words/roles';
import type { WorkspaceItem } from '../../protocol/types';
import { matches } from '../commands/keys';
import { useRenameWorkspace } from '../queries';
import { EditableName } from '../ui/field/EditableName';
import { later } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';
import { PutBackButton, RowMenu } from './RowMenu';
import { usePassFocus } from './usePassFocus';
import { useTrash } from './useTrash';
import { WorkspacePicture } from './WorkspacePicture';

const MoveDialog = later(async () => (await import('./MoveDialog')).MoveDialog);

export function WorkspaceRow({ item, path }: { item: WorkspaceItem; path: string }) {
  const row = useRef<HTMLLIElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const rename = useRenameWorkspace(item.id);
  const toasts = useToasts();
  const { throwAway } = useTrash(item);
  const isTrashed = item.deleted_at !== null;
  const canRename = mayChange(item.role);
  const name = rename.isPending ? rename.variables : item.name;
  usePassFocus(row);
  const press = (event: KeyboardEvent) => {
    if (isTrashed || !(event.target as Element).matches('.row-link')) return;
    if (event.key === 'F2' && canRename) setIsEditing(true);
    else if (event.key === 'Delete' && mayTrash(item.role)) void throwAway();
    else if (matches('M', event.nativeEvent) && mayTrash(item.role)) setIsMoving(true);
    else return;
    event.preventDefault();
  };
  const end = (isOn: boolean) => {
    setIsEditing(isOn);
    if (!isOn) requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.row-link')?.focus());
  };
  return (
    <li ref={row} className={`row${isTrashed ? ' trashed' : ''}`} onKeyDown={press}>
      <WorkspacePicture item={item} />
      <div className="row-text">
        <EditableName
          name={item.name}
          what="the workspace"
          isEditing={isEditing}
          onEdit={end}
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
          {path && `In ${path} · `}
          {counted(item.nodes, 'node')} · {counted(item.edges, 'connection')} · revision{' '}
          {item.revision.toLocaleString('en')}
        </span>
      </div>
      <time
        className="row-time"
        dateTime={item.deleted_at ?? item.updated_at}
        title={exactly(item.deleted_at ?? item.updated_at)}
      >
        {item.deleted_at ? `Thrown away ${ago(item.deleted_at)}` : `Changed ${ago(item.updated_at)}`}
        {item.changed_by && !isTrashed && <span className="row-who">by {item.changed_by}</span>}
      </time>
      {!canRename && <span className="pill">{roleText(item.role)}</span>}
      <div className="row-actions">
        {isTrashed ? (
          mayTrash(item.role) && <PutBackButton item={item} />
        ) : (
          <RowMenu
            item={item}
            onRename={() => setIsEditing(true)}
            onMove={() => setIsMoving(true)}
            onTrash={() => void throwAway()}
          />
        )}
      </div>
      {isMoving && <MoveDialog what={{ workspace: item }} onClose={() => setIsMoving(false)} />}
    </li>
  );
}
