/** The history panel: commits by day, newest first, each with its author, time and actions. */
import '../styles/history.css';
import { Bookmark, History, ScrollText } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { byDay } from '../../model/history/rows';
import type { HistoryFilter } from '../../protocol/history';
import type { CommitItem } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { useCanAsk, useCanChange } from '../context/useCanChange';
import { Notice } from '../ui/Notice';
import { dayOf } from '../ui/time';
import { Checkpoints } from './Checkpoints';
import { CommitRow } from './CommitRow';
import { HistoryFilters } from './HistoryFilters';
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
        onKeyDown={(event) => walk(event, list.current)}
        onFocus={(event) => remember(event.target, list.current)}
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
          {explainError(error).title}. {explainError(error).advice}{' '}
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

const heads = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('.commit-head') ?? [])];

/** Arrow keys move between rows; the list is one tab stop. */
function walk(event: KeyboardEvent, list: HTMLElement | null): void {
  const rows = heads(list);
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const next = to === undefined ? undefined : rows[to];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The tab stop is the row that was left. */
function remember(target: MouseEvent['target'], list: HTMLElement | null): void {
  if (!(target instanceof HTMLElement) || !target.matches('.commit-head')) return;
  for (const head of heads(list)) head.tabIndex = head === target ? 0 : -1;
}
