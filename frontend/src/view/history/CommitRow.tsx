/** A row of the history: a commit, or several that belong together. Expanded, it shows all changes and actions. */
import { Bookmark, ChevronRight, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { counted } from '../../model/words/kinds';
import type { CommitItem } from '../../protocol/types';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { ASSISTANT_COLOR, Avatar } from '../ui/Avatar';
import { clock, exactly } from '../ui/time';
import { CommitActions } from './CommitActions';
import { CommitDetails, OneCommit, Trouble } from './CommitDetails';
import { useCommit } from './queries';

interface Props {
  item: CommitItem;
  isOpen: boolean;
  /** Whether it is the tab stop; arrow keys reach the others. */
  isStop: boolean;
  onToggle: () => void;
}

/** Grey with white on it is readable in both themes. */
const ABSENT_COLOR = '#5f6b7e';
const SOURCES: Readonly<Record<string, string>> = {
  api: 'through the API',
  import: 'by import',
  template: 'from a template',
  mcp: 'by an agent',
};
const KIND_ICONS: Readonly<Record<string, typeof RotateCcw>> = { checkpoint: Bookmark, restore: RotateCcw };

export function CommitRow({ item, isOpen, isStop, onToggle }: Props) {
  const { id } = useEditorContext();
  const isInView = useUiState(({ viewed }) => viewed?.revision === item.revision && viewed.against === null);
  const bodyId = `${id}-commit-${item.revision}`;
  const source = SOURCES[item.source];
  const Kind = KIND_ICONS[item.kind];
  return (
    <li
      className={`commit${isOpen ? ' open' : ''}${isInView ? ' in-sight' : ''}`}
      data-revision={item.revision}
    >
      <button
        type="button"
        className="commit-head"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        tabIndex={isStop ? 0 : -1}
        onClick={onToggle}
      >
        <Author item={item} />
        <span className="commit-text">
          <span className="commit-what">
            {Kind && <Kind size={13} strokeWidth={2.2} aria-hidden="true" />}
            {item.what}
          </span>
          {item.why && <span className="commit-why">“{item.why}”</span>}
          <span className="commit-who">
            <span className="commit-name">{item.actor.name}</span>
            <time dateTime={item.at} title={`${exactly(item.at)}, revision ${item.revision}`}>
              {clock(item.at)}
            </time>
            {source && <span>{source}</span>}
            {item.kind === 'edit' && item.revisions.length > 1 && (
              <span>{counted(item.revisions.length, 'change')}</span>
            )}
            <Counts counts={item.counts} />
          </span>
        </span>
        <ChevronRight className="commit-turn" size={15} strokeWidth={2} aria-hidden="true" />
      </button>
      {isOpen && (
        <div id={bodyId} className="commit-body">
          {item.kind === 'edit' && item.revisions.length > 1 ? (
            <CommitGroup item={item} />
          ) : (
            <CommitDetails item={item} />
          )}
          {item.left_out.length > 0 && (
            <p className="commit-left">
              Left as it was: {item.left_out.map(({ what, why }) => `${what} (${why})`).join('; ')}.
            </p>
          )}
          <CommitActions item={item} />
        </div>
      )}
    </li>
  );
}

/** In the colour of a present person; else grey. */
function Author({ item: { actor } }: { item: CommitItem }) {
  const color = useLive(({ me, members }) =>
    me?.id === actor.id ? me.color : members.find(({ id }) => id === actor.id)?.color,
  );
  const isAssistant = actor.kind === 'assistant';
  return (
    <Avatar
      name={actor.name}
      color={isAssistant ? ASSISTANT_COLOR : (color ?? ABSENT_COLOR)}
      isAssistant={isAssistant}
      isAgent={actor.kind === 'agent'}
    />
  );
}

const SIGNS = [
  ['added', '+', 'added'],
  ['changed', 'Δ', 'changed'],
  ['removed', '−', 'removed'],
] as const;

/** The counts of additions, changes and removals; spelled out for screen readers. */
export function Counts({ counts }: { counts: CommitItem['counts'] }) {
  const parts = SIGNS.filter(([field]) => counts[field] > 0);
  if (parts.length === 0 && counts.text === 0) return null;
  const words = parts.map(([field, , word]) => `${counts[field]} ${word}`);
  if (counts.text > 0) words.push(`${counted(counts.text, 'place')} in the document`);
  return (
    <span className="counts" title={words.join(', ')}>
      <span className="visually-hidden">{words.join(', ')}</span>
      <span aria-hidden="true">
        {parts.map(([field, sign]) => (
          <span key={field} className={`count ${field}`}>
            {sign}
            {counts[field]}
          </span>
        ))}
        {counts.text > 0 && <span className="count text">¶{counts.text}</span>}
      </span>
    </span>
  );
}

/** So many are shown at first; a button shows more. */
const FIRST_SHOWN = 6;

/** The single commits of a row that stands for several, each with its own sentence: opened one at a time, reverted one by one. */
function CommitGroup({ item }: { item: CommitItem }) {
  const [open, setOpen] = useState<number | null>(null);
  const [most, setMost] = useState(FIRST_SHOWN);
  const rest = item.revisions.length - most;
  return (
    <ol className="commit-parts">
      {item.revisions.slice(0, most).map((revision) => (
        <GroupedCommit
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

function GroupedCommit({
  revision,
  isOpen,
  onToggle,
}: {
  revision: number;
  isOpen: boolean;
  onToggle: () => void;
}) {
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
