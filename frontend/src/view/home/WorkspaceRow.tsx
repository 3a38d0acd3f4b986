/** A workspace in the list: its picture, its counts, its last change, and the menu of its actions. */

import {
  AlignLeft,
  ArchiveRestore,
  Copy,
  Download,
  EllipsisVertical,
  FileText,
  FolderInput,
  PencilLine,
  Trash2,
  Workflow,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { fileNameOf } from '../../model/text/importFormats';
import { counted } from '../../model/words/kinds';
import { mayChange, mayTrash, roleText } from '../../model/words/roles';
import { at, type ExportFormat, exportAddress, params } from '../../protocol/api';
import { ROOT_PATH } from '../../protocol/root';
import type { WorkspaceItem } from '../../protocol/types';
import { matches } from '../commands/keys';
import { FORMAT_FACTS } from '../export/choices';
import { useCreateWorkspace, useRenameWorkspace } from '../queries';
import { EditableName } from '../ui/field/EditableName';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';
import { takePictureTurn } from '../ui/loading/pictureTurns';
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';
import { useIsDark } from '../ui/useMedia';
import { mayFill, useFolders, useIsGuest } from './folders';
import { usePassFocus } from './usePassFocus';
import { useTrash } from './useTrash';

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

interface RowMenuProps {
  item: WorkspaceItem;
  onRename: () => void;
  onMove: () => void;
  onTrash: () => void;
}

/** What of a workspace is exported in each format. */
const EXPORTS: Record<ExportFormat, { title: string; icon: typeof FileText }> = {
  json: { title: 'Everything as JSON', icon: Download },
  zip: { title: 'Everything as ZIP archive', icon: Download },
  markdown: { title: 'Document as Markdown', icon: FileText },
  mermaid: { title: 'Diagram as Mermaid', icon: Workflow },
  drawio: { title: 'Diagram as draw.io', icon: Workflow },
  dot: { title: 'Diagram as DOT', icon: Workflow },
  structurizr: { title: 'Diagram as Structurizr', icon: Workflow },
  text: { title: 'Diagram as text', icon: AlignLeft },
};

/** The actions for a workspace in the list. */
function RowMenu({ item, onRename, onMove, onTrash }: RowMenuProps) {
  const duplicate = useDuplicate(item);
  const isGuest = useIsGuest();
  return (
    <Menu button={<IconButton icon={EllipsisVertical} label={`More for ${item.name}`} />}>
      {mayChange(item.role) && (
        <MenuItem icon={PencilLine} keys="F2" onChoose={onRename}>
          Rename
        </MenuItem>
      )}
      {!isGuest && (
        <MenuItem icon={Copy} onChoose={duplicate}>
          Duplicate
        </MenuItem>
      )}
      {mayTrash(item.role) && (
        <MenuItem icon={FolderInput} keys="M" onChoose={onMove}>
          Move to…
        </MenuItem>
      )}
      {!isGuest && <MenuSeparator />}
      <MenuLabel>Export</MenuLabel>
      {(Object.keys(EXPORTS) as ExportFormat[]).map((format) => (
        <MenuLink
          key={format}
          icon={EXPORTS[format].icon}
          href={exportAddress(item.id, format)}
          download={fileNameOf(item.name, FORMAT_FACTS[format].ending)}
        >
          {EXPORTS[format].title}
        </MenuLink>
      ))}
      {mayTrash(item.role) && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} keys="Del" tone="bad" onChoose={onTrash}>
            Move to trash
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function useDuplicate(item: WorkspaceItem) {
  const create = useCreateWorkspace();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const folder = useFolders().data?.find(({ id }) => id === item.folder);
  const isFilled = folder !== undefined && mayFill(folder.role);
  return () =>
    create.mutate(
      { copy_of: item.id, ...(isFilled && { folder: item.folder }) },
      {
        onSuccess: (made) =>
          toasts.show({
            text: `“${made.name}” was made`,
            action: { label: 'Open', run: () => navigate(`/w/${made.id}`) },
          }),
        onError: toasts.showError,
      },
    );
}

function PutBackButton({ item }: { item: WorkspaceItem }) {
  const { putBack, isBusy } = useTrash(item);
  return (
    <button
      type="button"
      className="button small"
      aria-label={`Put back ${item.name}`}
      onClick={() => void putBack()}
      disabled={isBusy}
    >
      <ArchiveRestore size={16} strokeWidth={1.9} aria-hidden="true" />
      Put back
    </button>
  );
}

/** A small picture of a workspace's diagram, loaded once its row is about to be seen; an icon until then, and without nodes. */
function WorkspacePicture({ item }: { item: WorkspaceItem }) {
  const theme = useIsDark() ? 'dark' : 'light';
  // The server shows the newest whatever `of` says, but a browser asks anew for another address alone.
  const query = params({ theme, scale: scaleFor(item.nodes), of: item.revision });
  const address = `${ROOT_PATH}/api/v1${at(item.id)}/picture.png${query}`;
  const isDrawn = item.nodes > 0 && item.deleted_at === null;
  return (
    <span className="row-tile picture" aria-hidden="true">
      {isDrawn ? <LazyImage key={address} address={address} /> : <Workflow size={18} strokeWidth={1.9} />}
    </span>
  );
}

/**
 * The scale at which a diagram of so many nodes is some 300 pixels wide: a node with its margin takes 400, and nodes stand
 * in about a square. No less than the least that the server draws.
 */
const scaleFor = (nodes: number): number => Math.max(0.05, Math.round(75 / Math.sqrt(nodes)) / 100);

/** The image, over the icon once it is there; where it cannot be had, the icon stays. */
function LazyImage({ address }: { address: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const leave = useRef<() => void>(() => {});
  const [state, setState] = useState<'waiting' | 'loading' | 'there' | 'failed'>('waiting');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        leave.current = takePictureTurn(() => setState('loading'));
      },
      { rootMargin: '200px' },
    );
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      leave.current();
    };
  }, []);
  const end = (next: 'there' | 'failed') => () => {
    leave.current();
    setState(next);
  };
  return (
    <span ref={place}>
      {state !== 'there' && <Workflow size={18} strokeWidth={1.9} />}
      {(state === 'loading' || state === 'there') && (
        <img src={address} alt="" decoding="async" onLoad={end('there')} onError={end('failed')} />
      )}
    </span>
  );
}
