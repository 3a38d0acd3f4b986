/**
 * What undo and redo would take here and now, and doing it: typing through the editor of text, commits on the server.
 *
 * What the server would take is asked for when a commit may have moved the stacks, not for every keystroke, and once
 * more before it is taken; `expect` sees to it that nothing else is. Presses are carried out one after another.
 * Not here: which of the two it is (`model/history/undoTarget`), what comes of it (`useStepBack`).
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type UndoTarget, type UndoWay, undoTarget } from '../../model/history/undoTarget';
import { readUndo } from '../../protocol/history';
import type { Commit } from '../../protocol/live';
import type { LiveClient } from '../../sync/client/client';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { typingHistory } from '../context/typingHistory';
import { useToasts } from '../ui/Toasts';
import { useUndoRequest } from './useUndoRequest';

/** How long an undo waits for what was done before it; then it goes behind it in any case. */
const SETTLES_WITHIN_MS = 2_000;
/** Presses that are remembered while one is carried out. */
const MAX_WAITING = 20;
const MAX_NOTED = 1_000;

export interface Undo {
  undo: UndoTarget | null;
  redo: UndoTarget | null;
  /** Newest of anybody's that could be undone. */
  ofAnybody: number | null;
  take: (way: UndoWay) => void;
}

export function useUndo(): Undo {
  const { id, client, ui } = useEditorContext();
  const queries = useQueryClient();
  const toasts = useToasts();
  const stepBack = useUndoRequest();
  const focus = useUiState((state) => state.focus);
  const noted = useNotedDepths();
  const state = useUndoState().data ?? null;
  const waiting = useRef(0);
  const queue = useRef(Promise.resolve());
  // Typing moves the depth of the editor's history.
  useLive((live) => live.text);

  const choose = useCallback(
    (way: UndoWay, known: typeof state) =>
      undoTarget({
        way,
        focus: ui.get().focus,
        state: known,
        typed: typingHistory.depth()[way],
        typedAt: (rev) => noted.current.get(rev)?.[way],
      }),
    [ui, noted],
  );

  const takeOne = useCallback(
    async (way: UndoWay) => {
      if (choose(way, state)?.kind === 'typing' && client.status.pending === 0)
        return void typingHistory[way]();
      await settled(client);
      const fresh = await queries.fetchQuery({
        queryKey: ['undo', id],
        queryFn: () => readUndo(id),
        staleTime: 0,
      });
      const choice = choose(way, fresh);
      if (!choice) return;
      if (choice.kind === 'typing') return void typingHistory[way]();
      // Behind what is not saved yet, what is on top is not known here.
      const expect = client.status.pending === 0 ? { expect: choice.rev } : {};
      const touching = choice.isOfDocument ? { touching: 'document' as const } : {};
      await stepBack({ kind: way, label: choice.label, options: { ...expect, ...touching } });
      await queries.invalidateQueries({ queryKey: ['undo', id] });
    },
    [choose, state, client, queries, id, stepBack],
  );

  const take = useCallback(
    (way: UndoWay) => {
      if (client.status.connection !== 'live') {
        const detail = 'The server keeps what can be undone, and it does not answer. This page keeps trying.';
        toasts.show({ text: `Offline: nothing was ${way === 'undo' ? 'undone' : 'done again'}`, detail });
        return;
      }
      if (waiting.current >= MAX_WAITING) return;
      waiting.current += 1;
      queue.current = queue.current
        .then(() => takeOne(way))
        .catch(toasts.showError)
        .finally(() => {
          waiting.current -= 1;
        });
    },
    [client, toasts, takeOne],
  );

  return {
    undo: undoTarget({ ...facts('undo'), focus }),
    redo: undoTarget({ ...facts('redo'), focus }),
    ofAnybody: state?.undo_all?.rev ?? null,
    take,
  };

  function facts(way: UndoWay) {
    const typedAt = (rev: number) => noted.current.get(rev)?.[way];
    return { way, state, typed: typingHistory.depth()[way], typedAt };
  }
}

/** What undo and redo would take, read anew when a commit may have changed that. */
function useUndoState() {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const isKnown = useLive((live) => live.isKnown);
  useEffect(
    () =>
      client.subscribe(({ nodes, commits }) => {
        if (nodes === 'all' || commits.some((commit) => movesStacks(commit, client.me?.id)))
          void queries.invalidateQueries({ queryKey: ['undo', id] });
      }),
    [client, queries, id],
  );
  return useQuery({
    queryKey: ['undo', id],
    queryFn: ({ signal }) => readUndo(id, signal),
    enabled: isKnown,
  });
}

/** One's own commits do, typing aside, and also runs that one asked for; others' undo may take one's own. */
function movesStacks({ kind, by }: Commit, me: string | undefined): boolean {
  if (kind === 'text' || kind === 'checkpoint') return false;
  return kind !== 'edit' || by.id === me || by.kind === 'assistant';
}

/** How much typing there was to take back, and to do again, when a commit changed the document. */
function useNotedDepths() {
  const { client } = useEditorContext();
  const noted = useRef(new Map<number, { undo: number; redo: number }>());
  useEffect(
    () =>
      client.subscribe(({ commits }) => {
        for (const { rev, kind, steps } of commits) {
          if (kind === 'text' || !steps.some((step) => step.k === 'text')) continue;
          noted.current.set(rev, typingHistory.depth());
          const oldest = noted.current.keys().next().value;
          if (noted.current.size > MAX_NOTED && oldest !== undefined) noted.current.delete(oldest);
        }
      }),
    [client],
  );
  return noted;
}

/** Wait until nothing is on its way any more, for a while. */
function settled(client: LiveClient): Promise<void> {
  if (client.status.pending === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      leave();
      resolve();
    };
    const timer = setTimeout(end, SETTLES_WITHIN_MS);
    const leave = client.subscribe(() => {
      if (client.status.pending === 0) end();
    });
  });
}
