/** A row of several edits: each with its own sentence, expanded one at a time, reverted one by one. */
import { useState } from 'react';
import type { CommitItem } from '../../protocol/types';
import { clock } from '../ui/time';
import { CommitActions } from './CommitActions';
import { OneCommit, Trouble } from './CommitDetails';
import { useCommit } from './queries';

const FIRST = 6;

/** The single commits of a row that stands for several; each opens on a click. */
export function CommitGroup({ item }: { item: CommitItem }) {
  const [open, setOpen] = useState<number | null>(null);
  const [most, setMost] = useState(FIRST);
  const rest = item.revisions.length - most;
  return (
    <ol className="commit-parts">
      {item.revisions.slice(0, most).map((revision) => (
        <Part
          key={revision}
          revision={revision}
          isOpen={open === revision}
          onToggle={() => setOpen(open === revision ? null : revision)}
        />
      ))}
      {rest > 0 && (
        <li>
          <button type="button" className="link-button" onClick={() => setMost(most + 20)}>
            Show {Math.min(rest, 20)} more of {rest}
          </button>
        </li>
      )}
    </ol>
  );
}

function Part({ revision, isOpen, onToggle }: { revision: number; isOpen: boolean; onToggle: () => void }) {
  const { data, error } = useCommit(revision);
  if (error) return <Trouble error={error} />;
  return (
    <li data-revision={revision}>
      <button type="button" className="commit-part" aria-expanded={isOpen} onClick={onToggle}>
        <span>{data?.what ?? 'Loading…'}</span>
        {data && <time dateTime={data.at}>{clock(data.at)}</time>}
      </button>
      {isOpen && data && (
        <div className="commit-part-body">
          <OneCommit revision={revision} />
          <CommitActions item={data} isPart />
        </div>
      )}
    </li>
  );
}
