/**
 * Undo and redo at the current focus: typing through the text editor, commits on the server.
 *
 * The server's target is fetched when a commit may have changed the stacks, not for every keystroke, and once more
 * before an undo; `expect` ensures that nothing else is undone. Key presses are carried out one after another. While the
 * server does not answer, what waits for it is taken back here. Not here: the choice (`model/history/undoTarget`), the
 * result (`useUndoRequest`).
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type UndoTarget, type UndoWay, undoTarget, undoTargetOffline } from '../../model/history/undoTarget';
import { readUndo } from '../../protocol/history';
import type { Commit } from '../../protocol/live';
import type { LiveClient } from '../../sync/client/client';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { type TypingDepth, typingHistory } from '../context/typingHistory';
import { useToasts } from '../ui/overlay/Toasts';
import { type UndoRequest, useUndoRequest } from './useUndoRequest';

/** How long an undo waits until earlier changes are saved; then it is sent behind them. */
const SETTLES_WITHIN_MS = 2_000;
/** Key presses that are queued while one is carried out. */
const MAX_WAITING = 20;
const MAX_NOTED = 1_000;

export interface Undo {
  undo: UndoTarget | null;
  redo: UndoTarget | null;
  /** The newest undoable change of anybody. */
  ofAnybody: number | null;
  take: (way: UndoWay) => void;
}

export function useUndo(): Undo {
  const { id, client, ui, access } = useEditorContext();
  const queries = useQueryClient();
  const toasts = useToasts();
  const stepBack = useUndoRequest();
  const focus = useUiState((state) => state.focus);
  const noted = useNotedDepths();
  const state = useUndoState().data ?? null;
  const waiting = useRef(0);
  const queue = useRef(Promise.resolve());
  // Typing changes the depth of the editor's history, and what waits shows in the status.
  useLive((live) => live.text);
  const isAway = useLive((live) => live.status).connection !== 'live';
  // What is on the server is not this person's to undo; only the draft is.
  const { isDraft } = access;

  const choose = useCallback(
    (way: UndoWay, known: typeof state, typed = typingHistory.depth()[way]) =>
      undoTarget({
        way,
        focus: ui.get().focus,
        state: known,
        typed,
        ...rememberedBy(noted.current, way),
      }),
    [ui, noted],
  );

  const takeOne = useCallback(
    async (way: UndoWay, pressed: TypingDepth) => {
      const hasTypedOn = () => typingHistory.depth().typed !== pressed.typed;
      // Typed text that waits is undone in the editor, before anything else is typed; a batch that waits may be newer.
      const waiting = client.takeBackTarget(batchesOf(ui.get().focus));
      if (!waiting && !hasTypedOn() && choose(way, state)?.kind === 'typing')
        return void typingHistory[way]();
      await settled(client);
      // While changes are pending the top of the stack is not known here.
      const isSettled = client.status.pending === 0;
      const fresh = await queries.fetchQuery({ ...undoState(id), staleTime: 0 });
      const choice = choose(way, fresh, hasTypedOn() ? pressed[way] : undefined);
      // What was typed behind the key stands above what it means, and is not taken for it.
      if (choice?.kind === 'typing') return void (hasTypedOn() || typingHistory[way]());
      if (choice?.kind !== 'commit') return;
      const outcome = await stepBack(request(way, choice, isSettled ? { expect: choice.rev } : {}));
      // Where something was undone, its commit does this.
      if (outcome.kind === 'rejected' || !outcome.changed) await queries.invalidateQueries(undoState(id));
    },
    [choose, state, client, ui, queries, id, stepBack],
  );

  const take = useCallback(
    (way: UndoWay) => {
      if (isDraft || client.status.connection !== 'live') {
        const choice = offlineTarget(client, ui.get().focus, way);
        if (choice?.kind === 'typing') return void typingHistory[way]();
        if (choice?.kind === 'waiting') return void takeWaiting(client, ui.get().focus, toasts);
        if (isDraft) return;
        const detail = 'The server keeps what can be undone, and it does not answer. This page keeps trying.';
        toasts.show({ text: `Offline: nothing was ${way === 'undo' ? 'undone' : 'done again'}`, detail });
        return;
      }
      if (waiting.current >= MAX_WAITING) return;
      waiting.current += 1;
      const pressed = typingHistory.depth();
      queue.current = queue.current
        .then(() => takeOne(way, pressed))
        .catch(toasts.showError)
        .finally(() => {
          waiting.current -= 1;
        });
    },
    [client, ui, toasts, takeOne, isDraft],
  );

  return {
    undo: isAway || isDraft ? offlineTarget(client, focus, 'undo') : choose('undo', state),
    redo: isAway || isDraft ? offlineTarget(client, focus, 'redo') : choose('redo', state),
    ofAnybody: state?.undo_all?.rev ?? null,
    take,
  };
}

type Focus = 'canvas' | 'document';

/** In the document only batches that change it are taken. */
const batchesOf = (focus: Focus): 'document' | null => (focus === 'document' ? focus : null);

function offlineTarget(client: LiveClient, focus: Focus, way: UndoWay): UndoTarget | null {
  const waiting = client.takeBackTarget(batchesOf(focus));
  const lastTypedAt = typingHistory.lastTypedAt();
  return undoTargetOffline({ way, focus, typed: typingHistory.depth()[way], waiting, lastTypedAt });
}

/** Takes back the newest batch that waits. One that was never sent can be done again from the toast. */
function takeWaiting(client: LiveClient, focus: Focus, toasts: ReturnType<typeof useToasts>): void {
  const of = batchesOf(focus);
  const target = client.takeBackTarget(of);
  if (!target) return;
  void client.takeBack(of);
  const { label, operations, isSent } = target;
  const text = `Undone: ${label}`;
  if (isSent)
    toasts.show({ text, detail: 'The server may have it already; there it is undone when it answers.' });
  else toasts.show({ text, action: { label: 'Redo', run: () => void client.edit(operations) } });
}

/** Typing, which redo knows nothing of, is never what redo touches (`undoTarget`). */
const request = (
  way: UndoWay,
  { label, touching }: Extract<UndoTarget, { kind: 'commit' }>,
  expect: { expect?: number },
) =>
  ({
    kind: way,
    label,
    options: { ...expect, ...(touching !== null && { touching }) },
  }) as UndoRequest;

/**
 * The query of the targets. It takes no signal: several commits in a row make several requests, and one that is overtaken
 * ends by itself instead of standing as aborted in the browser's tools, among those of an undo.
 */
export const undoState = (id: string) => ({ queryKey: ['undo', id], queryFn: () => readUndo(id) });

/** The targets of undo and redo, refetched when a commit may have changed them. */
function useUndoState() {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const isKnown = useLive((live) => live.isKnown);
  useEffect(
    () =>
      client.subscribe(({ nodes, commits }) => {
        if (nodes === 'all' || commits.some((commit) => movesStacks(commit, client.me?.id)))
          void queries.invalidateQueries(undoState(id));
      }),
    [client, queries, id],
  );
  return useQuery({ ...undoState(id), enabled: isKnown });
}

/**
 * Own commits do, except typing that the editor can undo, and those of runs and agents, which may work for oneself; an
 * undo of others may take one's own.
 */
function movesStacks({ kind, by }: Commit, me: string | undefined): boolean {
  if (kind === 'text') return by.id === me && typingHistory.depth().undo === 0;
  if (kind === 'checkpoint') return false;
  return kind !== 'edit' || by.id === me || by.kind === 'assistant' || by.kind === 'agent';
}

/** By revision: how deep the typing history was when a commit changed the document, and which commits are its typing. */
interface Noted {
  readonly depths: Map<number, TypingDepth>;
  readonly typed: Set<number>;
}

/** What the text editor of this page remembers, for `undoTarget`. */
const rememberedBy = ({ depths, typed }: Noted, way: UndoWay) => ({
  typedAt: (rev: number) => depths.get(rev)?.[way],
  isTypedHere: (rev: number) => typed.has(rev),
});

/** Records both as commits arrive. */
function useNotedDepths() {
  const { client } = useEditorContext();
  const noted = useRef<Noted>({ depths: new Map(), typed: new Set() });
  useEffect(
    () =>
      client.subscribe(({ commits }) => {
        const { depths, typed } = noted.current;
        for (const { rev, kind, by, steps } of commits) {
          if (!steps.some((step) => step.k === 'text')) continue;
          const depth = typingHistory.depth();
          if (kind !== 'text') depths.set(rev, depth);
          // Typing that waited since before a reload comes while the editor remembers nothing.
          else if (by.id === client.me?.id && depth.undo + depth.redo > 0) typed.add(rev);
          for (const some of [depths, typed]) {
            const [oldest] = some.keys();
            if (some.size > MAX_NOTED && oldest !== undefined) some.delete(oldest);
          }
        }
      }),
    [client],
  );
  return noted;
}

/** Waits until nothing is in flight, with a timeout. */
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
