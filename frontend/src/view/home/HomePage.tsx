/** The home page: all workspaces, or the trash; creating, importing and searching. */
import '../styles/home.css';
import { FileUp, FolderPlus, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Inbox, Sort } from '../../protocol/api';
import { recallSort, rememberSort } from '../../sync/preferences';
import type { ChosenFile, Dropped } from '../imports/chosenFiles';
import { AppBar } from '../shell/AppBar';
import { SearchField } from '../ui/field/SearchField';
import { Select } from '../ui/field/Select';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import { useTitle } from '../ui/useTitle';
import { Breadcrumb } from './Breadcrumb';
import { DropTarget } from './DropTarget';
import { mayFill, OpenFolder, useFolders, useIsGuest } from './folders';
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
type Over =
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
  const [over, setOver] = useState<Over | null>(null);
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
  const create = () => mayAdd && setOver({ kind: 'new' });
  const createFolder = () => mayAdd && setOver({ kind: 'folder' });
  // A report of files stays until it is closed: another drop would end it half-way.
  const openImport = (next: Over) => mayAdd && setOver((now) => (now?.kind === 'files' ? now : next));
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
            {!isGuest && <MakingButtons isEnabled={mayAdd} {...{ create, createFolder, importFile }} />}
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
        {over?.kind === 'new' && <NewWorkspaceDialog onClose={() => setOver(null)} />}
        {over?.kind === 'folder' && <NewFolderDialog onClose={() => setOver(null)} />}
        {over?.kind === 'import' && (
          <ImportDialog file={over.file} onFiles={importFiles} onClose={() => setOver(null)} />
        )}
        {over?.kind === 'files' && (
          <FilesImport chosen={over.chosen} parent={open} onClose={() => setOver(null)} />
        )}
      </DropTarget>
    </OpenFolder>
  );
}

interface MakingProps {
  isEnabled: boolean;
  create: () => void;
  createFolder: () => void;
  importFile: () => void;
}

function MakingButtons({ isEnabled, create, createFolder, importFile }: MakingProps) {
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
