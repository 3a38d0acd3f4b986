/**
 * Sends undo, redo and revert, and shows the result in a toast.
 *
 * Each is a write over the live connection, behind earlier local changes. What was left out is shown until it is
 * dismissed; [Undo it too] reverts the same commit once more, overwriting what others set. Not here: choosing the
 * target (`useUndo`).
 */
import { useCallback } from 'react';
import { leftOutTargets, leftOutWords } from '../../model/history/leftOut';
import type { LeftOut } from '../../protocol/live';
import type { RedoOptions, UndoOptions } from '../../sync/client/client';
import { type Outcome, whyOf } from '../../sync/session/outcome';
import { useEditorContext } from '../context/EditorContext';
import { type ToastAction, useToasts } from '../ui/overlay/Toasts';

export type UndoRequest =
  | { kind: 'undo'; label: string; options: UndoOptions }
  | { kind: 'redo'; label: string; options: RedoOptions }
  | { kind: 'revert'; label: string; rev: number; upto: number | null };

/** A forced repetition: the original kind, and what was left out the first time. */
interface Forced {
  kind: UndoRequest['kind'];
  left: readonly LeftOut[];
}

const DONE = { undo: 'Undone', redo: 'Done again', revert: 'Taken back' };
const IN_PART = { undo: 'Undone in part', redo: 'Done again in part', revert: 'Taken back in part' };
const NOT_DONE = {
  undo: 'Nothing was undone',
  redo: 'Nothing was done again',
  revert: 'Nothing was taken back',
};
const TOO = { undo: 'Undo it too', redo: 'Do it too', revert: 'Take it back too' };

export function useUndoRequest(): (step: UndoRequest) => Promise<Outcome> {
  const { client, ui } = useEditorContext();
  const toasts = useToasts();

  const showLeft = useCallback(
    (left: readonly LeftOut[]): ToastAction[] => {
      const places = leftOutTargets(left, client.view);
      if (places.sight.length === 0) return [];
      const run = () => {
        if (ui.get().mode === 'document') ui.setMode('split');
        ui.show(places.sight, { pulse: true, isSelecting: false });
        ui.select(places.nodes, places.edges);
      };
      return [{ label: 'Show', run, isKeeping: true }];
    },
    [client, ui],
  );

  return useCallback(
    async function take(step: UndoRequest, again?: Forced): Promise<Outcome> {
      const outcome = await send(client, step, again !== undefined);
      const kind = again?.kind ?? step.kind;
      if (outcome.kind === 'rejected') {
        toasts.show(refusal(kind, outcome));
        return outcome;
      }
      const { rev, changed } = outcome;
      const left = again ? stillLeft(outcome.leftOut, again.left) : outcome.leftOut;
      const named = step.label ? `: ${step.label}` : '';
      if (left.length === 0) {
        const back = {
          label: kind === 'undo' && !again ? 'Redo' : 'Undo',
          run: () => void reverse(step, rev, take),
        };
        toasts.show({
          text: `${changed ? DONE[kind] : NOT_DONE[kind]}${named}`,
          ...(changed && { action: back }),
        });
        return outcome;
      }
      const forced = again ? null : onceMore(step, left);
      const actions = [...showLeft(left)];
      if (forced) actions.push({ label: TOO[kind], run: () => void take(forced, { kind, left }) });
      const text = `${changed ? IN_PART[kind] : NOT_DONE[kind]}${named}`;
      toasts.show({ text, detail: `Left as it is: ${leftOutWords(left)}.`, stays: true, actions });
      return outcome;
    },
    [client, toasts, showLeft],
  );
}

/** The same commit as a revert; null where it is not known, or where force does not help: for text. */
function onceMore(step: UndoRequest, left: readonly LeftOut[]): UndoRequest | null {
  if (!left.some(({ ids = [] }) => ids.length > 0)) return null;
  if (step.kind === 'revert') return step;
  const rev = step.options.expect;
  return rev === undefined ? null : { kind: 'revert', label: step.label, rev, upto: null };
}

/** Parts of text are left out again by force; only those of the first time are reported. */
const stillLeft = (now: readonly LeftOut[], before: readonly LeftOut[]): LeftOut[] =>
  now.filter(({ what }) => before.some((one) => one.what === what));

function send(
  client: ReturnType<typeof useEditorContext>['client'],
  step: UndoRequest,
  isForced: boolean,
): Promise<Outcome> {
  const force = isForced ? { force: true } : {};
  switch (step.kind) {
    case 'undo':
      return client.undo({ ...step.options, ...force });
    case 'redo':
      return client.redo({ ...step.options, ...force });
    case 'revert':
      return client.revert(step.rev, { ...(step.upto !== null && { upto: step.upto }), ...force });
  }
}

/** The request that undoes this one. */
function reverse(
  step: UndoRequest,
  rev: number,
  take: (step: UndoRequest) => Promise<Outcome>,
): Promise<Outcome> {
  const kind = step.kind === 'undo' ? 'redo' : 'undo';
  const touching = step.kind !== 'revert' && step.options.touching;
  return take({
    kind,
    label: step.label,
    options: { expect: rev, ...(touching && { touching: 'document' }) },
  });
}

function refusal(kind: UndoRequest['kind'], outcome: Extract<Outcome, { kind: 'rejected' }>) {
  const text = NOT_DONE[kind];
  if (outcome.code !== 'undo_moved') return { text, detail: whyOf(outcome), tone: 'bad' as const };
  const detail = `Your history has moved on meanwhile, perhaps in another tab. Look at what the button says now.`;
  return { text, detail };
}
