/** The history panel: its filters, the checkpoints, and commits by day, newest first, each with its author, time and actions. */
import '../styles/history.css';
import { useQueryClient } from '@tanstack/react-query';
import {
  Bookmark,
  Eye,
  GitCompareArrows,
  History,
  MoreHorizontal,
  RotateCcw,
  ScrollText,
  Trash2,
  X,
} from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { byDay } from '../../model/history/rows';
import { dropCheckpoint, type HistoryFilter } from '../../protocol/history';
import type { Checkpoint, CommitItem } from '../../protocol/types';
import { errorSentences } from '../../sync/words/errors';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useCanAsk, useCanChange } from '../context/useCanChange';
import { Select } from '../ui/field/Select';
import { IconButton } from '../ui/IconButton';
import { Notice } from '../ui/Notice';
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, dayOf, exactly } from '../ui/time';
import { CommitRow } from './CommitRow';
import { useCheckpoints, useCheckpointWrite, useSections } from './queries';
import { useRows } from './useRows';
import { WhatChanged } from './WhatChanged';

/** The key of a row stays when more typing joins it: its oldest commit. */
const keyOf = ({ revisions, revision }: CommitItem): number => revisions.at(-1) ?? revision;

export function HistoryPanel() {
  const { ui } = useEditorContext();
  const canChange = useCanChange();
  const canAsk = useCanAsk();
  const summarySince = useUiState((state) => state.summarySince);
  const [filter, setFilter] = useState<HistoryFilter>({});
  const { rows, isLoading, error, more, retry } = useRows(filter);
  const [open, setOpen] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = rows?.items ?? [];
  useOpenCommit(items, list, setOpen);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const first = items.find((item) => keyOf(item) === open) ?? items[0];
  return (
    <div className="history">
      <div className="history-head">
        <HistoryFilters filter={filter} onFilter={setFilter} items={items} />
        <div className="history-tools">
          {canAsk && (
            <button
              type="button"
              className="button small"
              aria-expanded={summarySince !== null}
              onClick={() => ui.set({ summarySince: summarySince === null ? 'choose' : null })}
            >
              <ScrollText size={14} strokeWidth={2} aria-hidden="true" /> What changed since…
            </button>
          )}
          {canChange && (
            <button
              type="button"
              className="button small"
              onClick={() => ui.set({ dialog: { kind: 'checkpoint' } })}
            >
              <Bookmark size={14} strokeWidth={2} aria-hidden="true" /> Name this state
            </button>
          )}
        </div>
      </div>
      {summarySince !== null && (
        <WhatChanged
          chosen={summarySince === 'choose' ? null : summarySince}
          onClose={() => ui.set({ summarySince: null })}
        />
      )}
      {!isFiltered && <Checkpoints />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside, which are what is operated */}
      <div
        ref={list}
        className="history-list"
        onKeyDown={(event) => moveFocus(event, list.current)}
        onFocus={(event) => keepTabStop(event.target, list.current)}
      >
        {byDay(items, dayOf).map(({ day, entries }) => (
          <section key={day} className="history-day" aria-label={day}>
            <h2>{day}</h2>
            <ol>
              {entries.map((item) => (
                <CommitRow
                  key={keyOf(item)}
                  item={item}
                  isOpen={keyOf(item) === open}
                  isStop={item === first}
                  onToggle={() => setOpen(keyOf(item) === open ? null : keyOf(item))}
                />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {error !== null && (
        <div className="banner" role="alert">
          {errorSentences(error)}{' '}
          <button type="button" className="link-button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      {isLoading && (
        <p className="history-hint" role="status">
          {isFiltered ? 'Looking through the history…' : 'Loading…'}
        </p>
      )}
      {!isLoading && error === null && items.length === 0 && (
        <Notice
          icon={History}
          heading="h2"
          title={isFiltered ? 'No such changes' : 'Nothing has happened yet'}
          advice={
            isFiltered
              ? 'As far as the history is kept, nobody has changed anything like that.'
              : 'Whatever is changed here, by whomever, is listed, and can be taken back.'
          }
        />
      )}
      {!isLoading && rows?.next && (
        <button type="button" className="button small history-more" onClick={more}>
          Show older changes
        </button>
      )}
    </div>
  );
}

/** Expands the row of a requested revision, once it is loaded; older ones are not loaded for it. */
function useOpenCommit(
  items: readonly CommitItem[],
  list: RefObject<HTMLDivElement | null>,
  open: (key: number) => void,
): void {
  const { ui } = useEditorContext();
  const wanted = useUiState((state) => state.openCommit);
  useEffect(() => {
    if (wanted === null || items.length === 0) return;
    ui.set({ openCommit: null });
    const item = items.find(({ revisions }) => revisions.includes(wanted));
    if (!item) return;
    open(keyOf(item));
    const row = list.current?.querySelector(`[data-revision="${item.revision}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('.commit-head')?.focus();
  }, [ui, wanted, items, list, open]);
}

const rowHeads = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('.commit-head') ?? []),
];

/** Arrow keys move between rows; the list is one tab stop. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const rows = rowHeads(list);
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const next = to === undefined ? undefined : rows[to];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The tab stop is the row that was left. */
function keepTabStop(target: MouseEvent['target'], list: HTMLElement | null): void {
  if (!(target instanceof HTMLElement) || !target.matches('.commit-head')) return;
  for (const head of rowHeads(list)) head.tabIndex = head === target ? 0 : -1;
}

interface FiltersProps {
  filter: HistoryFilter;
  onFilter: (filter: HistoryFilter) => void;
  /** Loaded rows, whose people can be chosen. */
  items: readonly CommitItem[];
}

const ANYBODY = 'anybody';
const PROGRAMS = [
  { value: 'assistant', text: 'Assistant' },
  { value: 'agent', text: 'Agents' },
] as const;
const EVERYWHERE = 'everywhere';

/** Filters of the history: by person, node and section. */
function HistoryFilters({ filter, onFilter, items }: FiltersProps) {
  const people = usePeople(items, filter.actor);
  const places = usePlaces(filter);
  const who = filter.by ?? (filter.actor ? `actor:${filter.actor}` : ANYBODY);
  const where = filter.node
    ? `node:${filter.node}`
    : filter.section
      ? `section:${filter.section}`
      : EVERYWHERE;
  const isFiltered = who !== ANYBODY || where !== EVERYWHERE;
  return (
    <div className="history-filters" role="group" aria-label="Which changes">
      <Select
        aria-label="By whom"
        value={who}
        choices={people}
        onChoose={(value) =>
          onFilter({
            ...filter,
            by: PROGRAMS.find((program) => program.value === value)?.value,
            actor: withoutPrefix(value, 'actor:'),
          })
        }
      />
      <Select
        aria-label="Where"
        value={where}
        choices={places}
        onChoose={(value) =>
          onFilter({
            ...filter,
            node: withoutPrefix(value, 'node:'),
            section: withoutPrefix(value, 'section:'),
          })
        }
      />
      {isFiltered && (
        <IconButton icon={X} label="Show all changes" className="small" onClick={() => onFilter({})} />
      )}
    </div>
  );
}

const withoutPrefix = (value: string, start: string): string | undefined =>
  value.startsWith(start) ? value.slice(start.length) : undefined;

/** Oneself, the assistant, all agents, and everybody present or in the list. */
function usePeople(items: readonly CommitItem[], chosen: string | undefined) {
  const me = useLive((live) => live.me);
  const members = useLive((live) => live.members);
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { id, name, kind } of [...items.map(({ actor }) => actor), ...members])
      if (kind !== 'assistant' && id !== me?.id && !names.has(id)) names.set(id, name);
    if (chosen && chosen !== me?.id && !names.has(chosen)) names.set(chosen, 'One person');
    return [
      { value: ANYBODY, text: 'Everybody' },
      ...(me ? [{ value: `actor:${me.id}`, text: 'Me' }] : []),
      ...PROGRAMS,
      ...[...names].map(([id, text]) => ({ value: `actor:${id}`, text })),
    ];
  }, [items, members, me, chosen]);
}

/** The selected node, all sections, and the current choice. */
function usePlaces({ node, section }: HistoryFilter) {
  const nodes = useLive((live) => live.diagram.nodes);
  const selection = useUiState((state) => state.selection);
  const sections = useSections(true).data;
  return useMemo(() => {
    const labels = new Map(nodes.map(({ id, label }) => [id, label]));
    const ids = new Set([...(node ? [node] : []), ...[...selection.nodes].slice(0, 8)]);
    const paths = (sections ?? []).map(({ path, title, level }) => ({
      value: `section:${path}`,
      text: `${' '.repeat(2 * (level - 1))}§ ${title}`,
    }));
    const isGone = section && !paths.some(({ value }) => value === `section:${section}`);
    return [
      { value: EVERYWHERE, text: 'Everywhere' },
      ...[...ids].map((id) => ({ value: `node:${id}`, text: `At “${labels.get(id) ?? id}”` })),
      ...paths,
      ...(isGone ? [{ value: `section:${section}`, text: `§ ${section}` }] : []),
    ];
  }, [nodes, selection, sections, node, section]);
}

/** Checkpoints: named revisions that are kept for good. */
function Checkpoints() {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const { data } = useCheckpoints();
  useEffect(
    () =>
      client.subscribe(({ nodes, commits }) => {
        if (nodes === 'all' || commits.some(({ kind }) => kind === 'checkpoint'))
          void queries.invalidateQueries({ queryKey: ['checkpoints', id] });
      }),
    [client, queries, id],
  );
  if (!data || data.length === 0) return null;
  return (
    <section className="checkpoints" aria-label="Checkpoints">
      <h2>Checkpoints</h2>
      <ul>
        {data.map((one) => (
          <CheckpointRow key={one.id} checkpoint={one} />
        ))}
      </ul>
    </section>
  );
}

function CheckpointRow({ checkpoint: { id, name, revision, at } }: { checkpoint: Checkpoint }) {
  const { ui } = useEditorContext();
  const canChange = useCanChange();
  const canAsk = useCanAsk();
  const toasts = useToasts();
  const drop = useCheckpointWrite(dropCheckpoint);
  const look = (against: 'now' | null) => ui.set({ viewed: { revision, against } });
  return (
    <li className="checkpoint">
      <button type="button" className="checkpoint-name" onClick={() => look(null)}>
        <Bookmark size={14} strokeWidth={2} aria-hidden="true" />
        <span className="checkpoint-text">{name}</span>
        <time dateTime={at} title={`${exactly(at)}, revision ${revision}`}>
          {ago(at)}
        </time>
      </button>
      <Menu button={<IconButton icon={MoreHorizontal} label={`More about “${name}”`} className="small" />}>
        <MenuItem icon={Eye} onChoose={() => look(null)}>
          View
        </MenuItem>
        <MenuItem icon={GitCompareArrows} onChoose={() => look('now')}>
          Compare with now
        </MenuItem>
        {canAsk && (
          <MenuItem icon={ScrollText} onChoose={() => ui.set({ summarySince: revision })}>
            What changed since then
          </MenuItem>
        )}
        {canChange && (
          <>
            <MenuItem icon={RotateCcw} onChoose={() => ui.set({ dialog: { kind: 'restore', revision } })}>
              Restore…
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              tone="bad"
              onChoose={() =>
                drop.mutate(id, {
                  onSuccess: () =>
                    toasts.show({
                      text: `“${name}” is no checkpoint any more`,
                      detail: 'The revision is kept like any other.',
                    }),
                  onError: toasts.showError,
                })
              }
            >
              Delete the name
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}
