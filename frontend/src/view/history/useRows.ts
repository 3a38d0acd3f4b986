/**
 * The rows of the history as they are now: pages on demand, and what is newest whenever something was committed.
 *
 * Only the first page is read anew, and for typing not more often than one reads along. With a filter the server looks
 * at some thousands of commits a request and may find few; then this goes on by itself until there is something to see.
 * Not here: how pages go together (`model/history/rows`).
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Rows, withNewest, withOlder } from '../../model/history/rows';
import { type HistoryFilter, listRows } from '../../protocol/history';
import { useEditorContext, useLive } from '../context/EditorContext';

const AFTER_EDIT_MS = 150;
const AFTER_TYPING_MS = 1_500;
/** As many more rows are looked for at a time. */
const STEP = 15;

export interface RowsState {
  rows: Rows | null;
  /** Whether older ones are being read. */
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

/** Reads pages, one at a time. */
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

  /** Read on below what is there. */
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

  /** Read the newest rows soon; many requests for that become one. */
  newestWithin(ms: number): void {
    const due = Date.now() + ms;
    if (due >= this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      this.enqueue(async () => {
        if (this.rows) this.rows = withNewest(this.rows, await this.read(null));
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
