/** The list of workspaces; or why it is empty, and what to do about it. */
import { CloudOff, DatabaseZap, SearchX, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue } from 'react';
import { Redirect } from 'wouter';
import type { Inbox, Sort } from '../../protocol/api';
import { ApiError } from '../../protocol/http';
import { explainError } from '../../sync/words/errors';
import { Notice } from '../ui/Notice';
import { FirstSteps } from './FirstSteps';
import { useWorkspaces } from './lists';
import { WorkspaceRow } from './WorkspaceRow';

interface Props {
  inbox: Inbox;
  sort: Sort;
  search: string;
  onImport: () => void;
}

export function WorkspaceList({ inbox, sort, search, onImport }: Props) {
  const q = useDeferredValue(search);
  const list = useWorkspaces({ inbox, q, sort });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <Skeletons />;
  if (list.isError && items.length === 0) {
    if (list.error instanceof ApiError && list.error.status === 401)
      return <Redirect to="/sign-in" replace />;
    const isStorage = list.error instanceof ApiError && list.error.code === 'storage_down';
    return (
      <Notice icon={isStorage ? DatabaseZap : CloudOff} isAlert {...explainError(list.error)}>
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
          {explainError(list.error).title}. {explainError(list.error).advice}
        </p>
      )}
      {items.length === 0 ? (
        <Emptiness inbox={inbox} q={q} onImport={onImport} />
      ) : (
        <ul className={`rows${list.isPlaceholderData ? ' is-old' : ''}`} onKeyDown={walk}>
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

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** Arrow keys move between workspaces. */
function walk(event: KeyboardEvent<HTMLUListElement>): void {
  const step = STEPS[event.key];
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(event.target as HTMLElement);
  if (!step || at < 0) return;
  event.preventDefault();
  links[step(at, links.length)]?.focus();
}

function Emptiness({ inbox, q, onImport }: { inbox: Inbox; q: string; onImport: () => void }) {
  if (q) {
    return <Notice icon={SearchX} title={`Nothing is called “${q}”`} advice="Try fewer or other words." />;
  }
  if (inbox === 'trash') {
    return (
      <Notice icon={Trash2} title="The trash is empty" advice="What you throw away stays here for 30 days." />
    );
  }
  return <FirstSteps onImport={onImport} />;
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
