/** The first page: all workspaces, or the trash; making, finding, naming and throwing away. */
import '../styles/home.css';
import { CloudOff, DatabaseZap, FolderOpen, Plus, SearchX, Trash2 } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Inbox } from '../../protocol/api';
import { ApiError } from '../../protocol/http';
import { explain } from '../../sync/condition';
import { useWorkspaces } from '../queries';
import { AppBar } from '../ui/AppBar';
import { Notice } from '../ui/Notice';
import { SearchField } from '../ui/SearchField';
import { useTitle } from '../ui/useTitle';
import { NewWorkspaceDialog } from './NewWorkspaceDialog';
import { WorkspaceRow } from './WorkspaceRow';

export function HomePage() {
  useTitle(undefined);
  const [inbox, setInbox] = useState<Inbox>('active');
  const [search, setSearch] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div className="page">
      <AppBar />
      <main className="home">
        <div className="home-head">
          <h1>{inbox === 'active' ? 'Workspaces' : 'Trash'}</h1>
          <SearchField label="Search workspaces" value={search} onChange={setSearch} />
          <button type="button" className="button primary" onClick={() => setIsCreating(true)}>
            <Plus size={16} strokeWidth={2.2} aria-hidden="true" />
            New workspace
          </button>
        </div>
        <div className="segments" role="group" aria-label="Which workspaces">
          {(['active', 'trash'] as const).map((value) => (
            <button key={value} type="button" aria-pressed={inbox === value} onClick={() => setInbox(value)}>
              {value === 'active' ? 'All' : 'Trash'}
            </button>
          ))}
        </div>
        <WorkspaceList inbox={inbox} search={search.trim()} onCreate={() => setIsCreating(true)} />
      </main>
      {isCreating && <NewWorkspaceDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}

function WorkspaceList({ inbox, search, onCreate }: { inbox: Inbox; search: string; onCreate: () => void }) {
  const q = useDeferredValue(search);
  const list = useWorkspaces(inbox, q);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <Skeletons />;
  if (list.isError && items.length === 0) {
    const isStorage = list.error instanceof ApiError && list.error.code === 'storage_down';
    return (
      <Notice icon={isStorage ? DatabaseZap : CloudOff} isAlert {...explain(list.error)}>
        <button type="button" className="button" onClick={() => list.refetch()} disabled={list.isFetching}>
          {list.isFetching ? 'Trying…' : 'Try now'}
        </button>
      </Notice>
    );
  }
  return (
    <>
      {list.isError && (
        <p className="banner" role="alert">
          {explain(list.error).title}. {explain(list.error).advice}
        </p>
      )}
      {items.length === 0 ? (
        <Emptiness inbox={inbox} q={q} onCreate={onCreate} />
      ) : (
        <ul className={`rows${list.isPlaceholderData ? ' is-old' : ''}`}>
          {items.map((item) => (
            <WorkspaceRow key={item.id} item={item} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <button
          type="button"
          className="button more"
          onClick={() => list.fetchNextPage()}
          disabled={list.isFetchingNextPage}
        >
          {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  );
}

function Emptiness({ inbox, q, onCreate }: { inbox: Inbox; q: string; onCreate: () => void }) {
  if (q) {
    return <Notice icon={SearchX} title={`Nothing is called “${q}”`} advice="Try fewer or other words." />;
  }
  if (inbox === 'trash') {
    return (
      <Notice icon={Trash2} title="The trash is empty" advice="What you throw away stays here for 30 days." />
    );
  }
  return (
    <Notice
      icon={FolderOpen}
      title="No workspaces yet"
      advice="A workspace holds an architecture diagram and the design document that explains it. Start from a template or from nothing."
    >
      <button type="button" className="button primary" onClick={onCreate}>
        <Plus size={16} strokeWidth={2.2} aria-hidden="true" />
        New workspace
      </button>
    </Notice>
  );
}

function Skeletons() {
  return (
    <div className="rows" role="status" aria-label="Loading workspaces">
      {[62, 45, 54].map((width) => (
        <div key={width} className="row" aria-hidden="true">
          <span className="row-tile skeleton" />
          <span className="row-text">
            <span className="skeleton line" style={{ width: `${width}%` }} />
            <span className="skeleton line thin" style={{ width: `${width / 2}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}
