/** The list of workspaces; or why it is empty, and what to do about it. */
import { CloudOff, DatabaseZap, FolderOpen, FolderX, SearchX, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useContext, useDeferredValue } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { foldersCalled, foldersIn, pathText } from '../../model/words/folders';
import type { Inbox, Sort } from '../../protocol/api';
import { ApiError } from '../../protocol/http';
import type { Template } from '../../protocol/types';
import { errorSentences, explainError } from '../../sync/words/errors';
import { Notice } from '../ui/Notice';
import { Describe } from './Describe';
import { FolderRow } from './FolderRow';
import { OpenFolder, useCreateHere, useFolders, useIsGuest } from './folders';
import { useTemplates, useWorkspaces } from './lists';
import { defaultName } from './NewWorkspaceDialog';
import { TemplatePicture } from './TemplatePicture';
import { useCanDescribe } from './useDescribing';
import { WorkspaceRow } from './WorkspaceRow';

interface Props {
  inbox: Inbox;
  sort: Sort;
  search: string;
  onImport: () => void;
}

export function WorkspaceList({ inbox, sort, search, onImport }: Props) {
  const q = useDeferredValue(search);
  const open = useContext(OpenFolder);
  const folders = useFolders().data ?? [];
  // A search and the trash are of all folders.
  const isAll = inbox === 'trash' || q !== '';
  const list = useWorkspaces({ inbox, q, sort, ...(!isAll && { folder: open ?? 'none' }) });
  const visibleFolders = inbox === 'trash' ? [] : q ? foldersCalled(folders, q) : foldersIn(folders, open);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <Skeletons />;
  if (list.isError && items.length === 0) {
    if (list.error instanceof ApiError && list.error.code === 'folder_not_found') return <FolderNotFound />;
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
          {errorSentences(list.error)}
        </p>
      )}
      {items.length + visibleFolders.length === 0 ? (
        <EmptyNotice inbox={inbox} q={q} open={open} onImport={onImport} />
      ) : (
        <ul className={`rows${list.isPlaceholderData ? ' is-old' : ''}`} onKeyDown={moveFocus}>
          {visibleFolders.map((folder) => (
            <FolderRow key={folder.id} folder={folder} path={q ? pathText(folders, folder.parent) : ''} />
          ))}
          {items.map((item) => (
            <WorkspaceRow key={item.id} item={item} path={isAll ? pathText(folders, item.folder) : ''} />
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

/** Arrow keys move between folders and workspaces. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = STEPS[event.key];
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(event.target as HTMLElement);
  if (!step || at < 0) return;
  event.preventDefault();
  links[step(at, links.length)]?.focus();
}

function FolderNotFound() {
  return (
    <Notice
      icon={FolderX}
      isAlert
      title="There is no such folder"
      advice="It was deleted, or you may not see it any more."
    >
      <Link href="/" className="button">
        All workspaces
      </Link>
    </Notice>
  );
}

interface EmptyNoticeProps {
  inbox: Inbox;
  q: string;
  open: string | null;
  onImport: () => void;
}

function EmptyNotice({ inbox, q, open, onImport }: EmptyNoticeProps) {
  const isGuest = useIsGuest();
  if (q) {
    return <Notice icon={SearchX} title={`Nothing is called “${q}”`} advice="Try fewer or other words." />;
  }
  if (inbox === 'trash') {
    return (
      <Notice icon={Trash2} title="The trash is empty" advice="What you throw away stays here for 30 days." />
    );
  }
  if (open !== null) {
    return (
      <Notice
        icon={FolderOpen}
        title="This folder is empty"
        advice="A new workspace is made here; “Move to…” in the menu of others brings them here."
      />
    );
  }
  if (isGuest) {
    return (
      <Notice
        icon={FolderOpen}
        title="Nothing is shared with you"
        advice="What was shared with you by a link stands here as long as the link holds."
      />
    );
  }
  return <FirstSteps onImport={onImport} />;
}

function Skeletons() {
  return (
    <div className="rows" role="status" aria-label="Loading workspaces">
      {[62, 45, 54].map((width) => (
        <div key={width} className="row" aria-hidden="true">
          <span className="row-tile picture skeleton" />
          <span className="row-text">
            <span className="skeleton line" style={{ width: `${width}%` }} />
            <span className="skeleton line thin" style={{ width: `${width / 2}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** The empty home page: what a workspace is, and the templates. */
function FirstSteps({ onImport }: { onImport: () => void }) {
  const templates = useTemplates(true);
  const create = useCreateHere();
  const canDescribe = useCanDescribe();
  const [, navigate] = useLocation();
  const failure = create.error ?? templates.error;
  // Awaited here: this is gone, and the callbacks of its mutation with it, once the list has the new workspace.
  const open = async (template: Template) => {
    const made = await create.mutateAsync({ name: defaultName(template), template: template.id });
    navigate(`/w/${made.id}`);
  };
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">No workspaces yet</h2>
      <p>
        A workspace holds an architecture diagram and the design document that explains it.{' '}
        {canDescribe ? 'Say what yours is, start from one of these' : 'Start from one of these'}, or{' '}
        <button type="button" className="text-button" onClick={onImport}>
          import a file
        </button>
        .
      </p>
      {canDescribe && <Describe />}
      {failure && (
        <p className="banner" role="alert">
          {errorSentences(failure)}
        </p>
      )}
      <ul className="templates" aria-busy={templates.isPending}>
        {templates.isPending &&
          [1, 2, 3, 4].map((key) => <li key={key} className="template skeleton" aria-hidden="true" />)}
        {(templates.data ?? []).map((template) => (
          <li key={template.id}>
            <button
              type="button"
              className="template"
              disabled={create.isPending}
              onClick={() => void open(template).catch(() => undefined)}
            >
              <TemplatePicture id={template.id} />
              <span className="template-name">{template.name}</span>
              <span className="template-text">{template.description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
