/** The home page: all workspaces, or the trash; creating, importing and searching. */
import '../styles/home.css';
import { FileUp, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Inbox, Sort } from '../../protocol/api';
import { recallSort, rememberSort } from '../../sync/preferences';
import { AppBar } from '../shell/AppBar';
import { SearchField } from '../ui/SearchField';
import { Select } from '../ui/Select';
import { useTitle } from '../ui/useTitle';
import { DropTarget } from './DropTarget';
import { HomeCommands } from './HomeCommands';
import { NewWorkspaceDialog } from './NewWorkspaceDialog';
import { WorkspaceList } from './WorkspaceList';

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog')).ImportDialog }));

const SORTS = [
  { value: 'changed', text: 'Last changed' },
  { value: 'name', text: 'Name' },
] as const;

/** The open dialog. */
type Over = { kind: 'new' } | { kind: 'import'; file: File | null };

export function HomePage() {
  useTitle(undefined);
  const [inbox, setInbox] = useState<Inbox>('active');
  const [sort, setSort] = useState<Sort>(recallSort);
  const [search, setSearch] = useState('');
  const [over, setOver] = useState<Over | null>(null);
  const create = () => setOver({ kind: 'new' });
  const importFile = (file: File | null = null) => setOver({ kind: 'import', file });
  return (
    <DropTarget onDrop={importFile}>
      <AppBar />
      <main className="home">
        <div className="home-head">
          <h1 tabIndex={-1}>{inbox === 'active' ? 'Workspaces' : 'Trash'}</h1>
          <SearchField label="Search workspaces" value={search} onChange={setSearch} />
          <button type="button" className="button" onClick={() => importFile()}>
            <FileUp size={16} strokeWidth={1.9} aria-hidden="true" />
            Import
          </button>
          <button type="button" className="button primary" onClick={create}>
            <Plus size={16} strokeWidth={2.2} aria-hidden="true" />
            New workspace
          </button>
        </div>
        <div className="home-filters">
          <div className="segments" role="group" aria-label="Which workspaces">
            {(['active', 'trash'] as const).map((value) => (
              <button
                key={value}
                type="button"
                aria-pressed={inbox === value}
                onClick={() => setInbox(value)}
              >
                {value === 'active' ? 'All' : 'Trash'}
              </button>
            ))}
          </div>
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
      <HomeCommands onCreate={create} onImport={() => importFile()} onShow={setInbox} />
      {over?.kind === 'new' && <NewWorkspaceDialog onClose={() => setOver(null)} />}
      {over?.kind === 'import' && (
        <Suspense>
          <ImportDialog file={over.file} onClose={() => setOver(null)} />
        </Suspense>
      )}
    </DropTarget>
  );
}
