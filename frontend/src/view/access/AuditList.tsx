/** The audit list of changes of access, for owners. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import * as api from '../../protocol/access';
import { explainError } from '../../sync/words/errors';
import { useEditorContext } from '../context/EditorContext';
import { ago, exactly } from '../ui/time';

export function AuditList() {
  const headingId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Audit</h3>
      {isOpen ? (
        <Entries labelledBy={headingId} />
      ) : (
        <button type="button" className="button small" onClick={() => setIsOpen(true)}>
          Show who changed what
        </button>
      )}
    </section>
  );
}

function Entries({ labelledBy }: { labelledBy: string }) {
  const { id } = useEditorContext();
  const audit = useInfiniteQuery({
    queryKey: ['audit', id],
    queryFn: ({ pageParam, signal }) => api.readAudit(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
  });
  const entries = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  if (audit.isError) return <p role="alert">{explainError(audit.error).title}</p>;
  if (audit.isSuccess && entries.length === 0) return <p className="access-hint">Nothing was changed yet.</p>;
  return (
    <>
      <ul className="access-list" aria-labelledby={labelledBy}>
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and none is ever put between others
          <li key={at}>
            <span>
              {entry.name} · {wordsFor(entry.what)}
              <small>{[entry.detail, entry.address].filter(Boolean).join(' · ')}</small>
            </span>
            <time className="access-role" dateTime={entry.at} title={exactly(entry.at)}>
              {ago(entry.at)}
            </time>
          </li>
        ))}
      </ul>
      {audit.hasNextPage && (
        <button
          type="button"
          className="button small"
          disabled={audit.isFetchingNextPage}
          onClick={() => void audit.fetchNextPage()}
        >
          Show older
        </button>
      )}
    </>
  );
}

/** `share.created` as “share created”. */
const wordsFor = (what: string): string => what.replaceAll(/[._]/g, ' ');
