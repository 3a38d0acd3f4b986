/** The home page: all workspaces and folders, or the trash; creating, importing, searching, and dropping files. */
import '../styles/home.css';
import { ChevronRight, FileUp, FolderPlus, Plus } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { pathOf } from '../../model/words/folders';
import type { Inbox, Sort } from '../../protocol/api';
import type { Folder } from '../../protocol/folders';
import { recallSort, rememberSort } from '../../sync/preferences';
import type { ChosenFile, Dropped } from '../imports/chosenFiles';
import { AppBar } from '../shell/AppBar';
import { SearchField } from '../ui/field/SearchField';
import { Select } from '../ui/field/Select';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import { useTitle } from '../ui/useTitle';
import { addressOf, mayFill, OpenFolder, useFolders, useIsGuest } from './folders';
import { HomeCommands } from './HomeCommands';
import { NewWorkspaceDialog } from './NewWorkspaceDialog';
import { WorkspaceList } from './WorkspaceList';

const NewFolderDialog = later(async () => (await import('./NewFolderDialog')).NewFolderDialog);
const ImportDialog = later(async () => (await import('./ImportDialog')).ImportDialog);
const FilesImport = later(async () => (await import('../imports/FilesImport')).FilesImport);

const SORTS = [
  { value: 'changed', text: 'Last changed' },
  { value: 'name', text: 'Name' },
] as const;

/** The open dialog. */
type OpenDialog =
  | { kind: 'new' }
  | { kind: 'folder' }
  | { kind: 'import'; file: File | null }
  | { kind: 'files'; chosen: readonly ChosenFile[] };

export function HomePage() {
  const open = new URLSearchParams(useSearch()).get('folder') || null;
  const folders = useFolders().data ?? [];
  const here = folders.find(({ id }) => id === open);
  useTitle(here?.name);
  const isGuest = useIsGuest();
  const mayAdd = !isGuest && (open === null || (here !== undefined && mayFill(here.role)));
  const [inbox, setInbox] = useState<Inbox>('active');
  const [sort, setSort] = useState<Sort>(recallSort);
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const show = (next: Inbox) => {
    setInbox(next);
    setSearch('');
    if (open !== null) navigate('/');
  };
  useEffect(() => {
    if (open !== null) setInbox('active');
    setSearch('');
  }, [open]);
  const create = () => mayAdd && setDialog({ kind: 'new' });
  const createFolder = () => mayAdd && setDialog({ kind: 'folder' });
  // A report of files stays until it is closed: another drop would end it half-way.
  const openImport = (next: OpenDialog) => mayAdd && setDialog((now) => (now?.kind === 'files' ? now : next));
  const importFile = (file: File | null = null) => openImport({ kind: 'import', file });
  const importFiles = (chosen: readonly ChosenFile[]) => openImport({ kind: 'files', chosen });
  const drop = async (dropped: Dropped) => {
    const { droppedOf, isOneOfItsOwn } = await import('../imports/chosenFiles');
    const chosen = await droppedOf(dropped);
    const [first] = chosen;
    if (first && isOneOfItsOwn(chosen)) importFile(first.file);
    else if (first) importFiles(chosen);
    else if (mayAdd) toasts.show({ text: 'Nothing of this can be imported' });
  };
  return (
    <OpenFolder value={open}>
      <DropTarget onDrop={(dropped) => void drop(dropped).catch(toasts.showError)}>
        <AppBar />
        <main className="home">
          {here && <Breadcrumb folders={folders} open={here.id} />}
          <div className="home-head">
            <h1 tabIndex={-1}>{here?.name ?? (inbox === 'active' ? 'Workspaces' : 'Trash')}</h1>
            <SearchField label="Search workspaces" value={search} onChange={setSearch} />
            {!isGuest && <CreateButtons isEnabled={mayAdd} {...{ create, createFolder, importFile }} />}
          </div>
          <div className="home-filters">
            {!isGuest && <InboxChoice inbox={inbox} onChoose={show} />}
            <Select
              aria-label="Sort by"
              value={sort}
              choices={SORTS}
              onChoose={(next) => {
                rememberSort(next);
                setSort(next);
              }}
            />
          </div>
          <WorkspaceList inbox={inbox} sort={sort} search={search.trim()} onImport={() => importFile()} />
        </main>
        <HomeCommands
          onCreate={create}
          onCreateFolder={createFolder}
          onImport={() => importFile()}
          onShow={show}
          isGuest={isGuest}
        />
        {dialog?.kind === 'new' && <NewWorkspaceDialog onClose={() => setDialog(null)} />}
        {dialog?.kind === 'folder' && <NewFolderDialog onClose={() => setDialog(null)} />}
        {dialog?.kind === 'import' && (
          <ImportDialog file={dialog.file} onFiles={importFiles} onClose={() => setDialog(null)} />
        )}
        {dialog?.kind === 'files' && (
          <FilesImport chosen={dialog.chosen} parent={open} onClose={() => setDialog(null)} />
        )}
      </DropTarget>
    </OpenFolder>
  );
}

interface CreateProps {
  isEnabled: boolean;
  create: () => void;
  createFolder: () => void;
  importFile: () => void;
}

function CreateButtons({ isEnabled, create, createFolder, importFile }: CreateProps) {
  return (
    <>
      <IconButton
        icon={FolderPlus}
        label="New folder"
        keys="F"
        disabled={!isEnabled}
        onClick={createFolder}
      />
      <button type="button" className="button" onClick={() => importFile()} disabled={!isEnabled}>
        <FileUp size={16} strokeWidth={1.9} aria-hidden="true" />
        Import
      </button>
      <button type="button" className="button primary" onClick={create} disabled={!isEnabled}>
        <Plus size={16} strokeWidth={2.2} aria-hidden="true" />
        New workspace
      </button>
    </>
  );
}

interface InboxProps {
  inbox: Inbox;
  onChoose: (inbox: Inbox) => void;
}

function InboxChoice({ inbox, onChoose }: InboxProps) {
  return (
    <div className="segments" role="group" aria-label="Which workspaces">
      {(['active', 'trash'] as const).map((value) => (
        <button key={value} type="button" aria-pressed={inbox === value} onClick={() => onChoose(value)}>
          {value === 'active' ? 'All' : 'Trash'}
        </button>
      ))}
    </div>
  );
}

/** Links to the folders around the open one. */
function Breadcrumb({ folders, open }: { folders: readonly Folder[]; open: string }) {
  const around = pathOf(folders, open).slice(0, -1);
  return (
    <nav className="breadcrumb" aria-label="Folders around">
      <ol>
        {[{ id: null, name: 'Workspaces' }, ...around].map(({ id, name }) => (
          <li key={id ?? 'top'}>
            <Link href={addressOf(id)}>{name}</Link>
            <ChevronRight size={14} strokeWidth={2} aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Makes the page a drop target for files. */
function DropTarget({ onDrop, children }: { onDrop: (dropped: Dropped) => void; children: ReactNode }) {
  // dragenter of a child is fired before dragleave of its parent, so both are counted.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const move = (step: number) => {
    depth.current = Math.max(0, depth.current + step);
    setIsOver(depth.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Import" does the same by click and by keyboard
    <div
      className="page"
      onDragEnter={(event) => hasFile(event) && move(1)}
      onDragLeave={(event) => hasFile(event) && move(-1)}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        move(-depth.current);
        const { files, items } = event.dataTransfer;
        onDrop({ files: [...files], entries: [...items].flatMap((item) => item.webkitGetAsEntry() ?? []) });
      }}
    >
      {children}
      {isOver && (
        <div className="drop-hint" aria-hidden="true">
          <FileUp size={28} strokeWidth={1.6} />
          <p>Drop files or a folder to import them</p>
          <p className="drop-kinds">JSON export, Markdown, Mermaid, draw.io drawing and others</p>
        </div>
      )}
    </div>
  );
}
