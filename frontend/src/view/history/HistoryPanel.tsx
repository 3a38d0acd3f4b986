/** Who changed what, and when; newest first, by day. */
import '../styles/history.css';
import { Bookmark, PencilLine, Plus, Redo2, Sparkles, Type, Undo2 } from 'lucide-react';
import type { CommitItem } from '../../protocol/types';
import { explain } from '../../sync/condition';
import { useDesk, useLive } from '../desk/Desk';
import { useCommits } from '../queries';
import { clock, dayOf, exactly } from '../ui/time';

const KIND_ICONS: Record<string, typeof PencilLine> = {
  create: Plus,
  edit: PencilLine,
  text: Type,
  undo: Undo2,
  redo: Redo2,
  revert: Undo2,
  restore: Undo2,
  checkpoint: Bookmark,
};

export function HistoryPanel() {
  const { id } = useDesk();
  const revision = useLive((live) => live.revision);
  const commits = useCommits(id, revision);
  const items = commits.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and may hold nothing else to stop at */}
      <div className="drawer-body" tabIndex={0} role="group" aria-label="Changes, newest first">
        {commits.isError && (
          <p className="banner" role="alert">
            {explain(commits.error).title}. {explain(commits.error).advice}
          </p>
        )}
        {commits.isPending && (
          <p className="drawer-hint" role="status">
            Loading…
          </p>
        )}
        {byDay(items).map(({ day, entries }) => (
          <section key={day}>
            <h3>{day}</h3>
            <ol className="commits">
              {entries.map((item) => (
                <CommitRow key={item.revision} item={item} />
              ))}
            </ol>
          </section>
        ))}
        {commits.hasNextPage && (
          <button
            type="button"
            className="button more"
            onClick={() => commits.fetchNextPage()}
            disabled={commits.isFetchingNextPage}
          >
            {commits.isFetchingNextPage ? 'Loading…' : 'Show older changes'}
          </button>
        )}
      </div>
    </>
  );
}

function CommitRow({ item }: { item: CommitItem }) {
  const isAssistant = item.actor.kind === 'assistant';
  const Icon = isAssistant ? Sparkles : (KIND_ICONS[item.kind] ?? PencilLine);
  return (
    <li className="commit">
      <span className={`commit-icon ${isAssistant ? 'assistant' : item.kind}`} aria-hidden="true">
        <Icon size={14} strokeWidth={2} />
      </span>
      <div className="commit-text">
        <p className="commit-what">{item.what}</p>
        {item.why && <p className="commit-why">{item.why}</p>}
        {item.left_out.length > 0 && (
          <p className="commit-why">
            Left out: {item.left_out.map(({ what, why }) => `${what} (${why})`).join('; ')}
          </p>
        )}
        <p className="commit-who">
          <span>{item.actor.name}</span> ·{' '}
          <time dateTime={item.at} title={exactly(item.at)}>
            {clock(item.at)}
          </time>{' '}
          · revision {item.revision}
        </p>
      </div>
    </li>
  );
}

function byDay(items: readonly CommitItem[]): { day: string; entries: CommitItem[] }[] {
  const days: { day: string; entries: CommitItem[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(item);
    else days.push({ day, entries: [item] });
  }
  return days;
}
