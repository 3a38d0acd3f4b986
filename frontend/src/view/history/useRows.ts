/**
 * The rows of the history: older pages on demand, and the first page after every commit.
 *
 * Only the first page is refetched, and for typing only with a throttle; it is shown once nothing in the history is
 * pressed. With a filter the server searches some thousands of commits per request and may find few rows; then more is
 * fetched automatically. Not here: merging pages (`model/history/rows`).
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Rows, withNewest, withOlder } from '../../model/history/rows';
import { type HistoryFilter, listRows } from '../../protocol/history';
import { useEditorContext, useLive } from '../context/EditorContext';
import { untilReleased } from './presses';

const AFTER_EDIT_MS = 150;
const AFTER_TYPING_MS = 1_500;
/** The number of rows to load at a time. */
const STEP = 15;

export interface RowsState {
  rows: Rows | null;
  /** Whether older ones are being loaded. */
  isLoading: boolean;
  error: unknown;
}

const NOTHING: RowsState = { rows: null, isLoading: true, error: null };

export function useRows(filter: HistoryFilter): RowsState & { more: () => void; retry: () => void } {
  const { id, client } = useEditorContext();
  const isKnown = useLive((live) => live.isKnown);
  const [state, setState] = useState(NOTHING);
  const reader = useRef<RowReader | null>(null);
  const { actor, by, node, section } = filter;
  const wanted = useMemo(() => ({ actor, by, node, section }), [actor, by, node, section]);
  useEffect(() => {
    if (!isKnown) return;
    const current = new RowReader(id, wanted, setState);
    reader.current = current;
    setState(NOTHING);
    current.older();
    const leave = client.subscribe(({ nodes, commits }) => {
      if (nodes === 'all' || commits.some(({ kind }) => kind !== 'text')) current.newestWithin(AFTER_EDIT_MS);
      else if (commits.length > 0) current.newestWithin(AFTER_TYPING_MS);
    });
    return () => {
      leave();
      current.close();
    };
  }, [id, isKnown, client, wanted]);
  return { ...state, more: () => reader.current?.older(), retry: () => reader.current?.older() };
}

/** Loads pages, one at a time. */
class RowReader {
  private rows: Rows | null = null;
  private queue: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;
  private readonly end = new AbortController();

  constructor(
    private readonly workspace: string,
    private readonly filter: HistoryFilter,
    private readonly tell: (state: RowsState) => void,
  ) {}

  close(): void {
    clearTimeout(this.timer);
    this.end.abort();
  }

  /** Loads older rows. */
  older(): void {
    this.enqueue(async () => {
      const wanted = (this.rows?.items.length ?? 0) + STEP;
      do {
        this.show(true);
        const page = await this.read(this.rows?.next ?? null);
        this.rows = withOlder(this.rows ?? { items: [], next: null }, page);
      } while (this.rows.next !== null && this.rows.items.length < wanted);
    });
  }

  /** Refetches the newest rows soon; many requests become one. */
  newestWithin(ms: number): void {
    const due = Date.now() + ms;
    if (due >= this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      this.enqueue(async () => {
        if (!this.rows) return;
        const newest = await this.read(null);
        await untilReleased();
        this.rows = withNewest(this.rows, newest);
      });
    }, ms);
  }

  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(work).then(
      () => this.show(false),
      (error: unknown) => {
        if (!this.end.signal.aborted) this.tell({ rows: this.rows, isLoading: false, error });
      },
    );
  }

  private read(cursor: string | null) {
    return listRows(this.workspace, this.filter, cursor, this.end.signal);
  }

  private show(isLoading: boolean): void {
    if (!this.end.signal.aborted) this.tell({ rows: this.rows, isLoading, error: null });
  }
}
