/**
 * Taking back and bringing back, with what came of it in words: undo, redo, and revert of something named.
 *
 * Each is a write over the live connection, after everything that was done here before. What could not be taken back
 * is said and stays to be read; [Undo it too] brings all back and takes it back again, this time over what others set.
 * Not here: what is to be taken (`useUndo`).
 */
import { useCallback } from 'react';
import { leftOutPlaces, leftOutWords } from '../../model/leftOut';
import type { LeftOut } from '../../protocol/live';
import type { UndoOptions } from '../../sync/client';
import { type Outcome, whyOf } from '../../sync/outcome';
import { useDesk } from '../desk/Desk';
import { type ToastAction, useToasts } from '../ui/Toasts';

export type StepBack =
  | { kind: 'undo'; label: string; options: UndoOptions }
  | { kind: 'redo'; label: string; options: Omit<UndoOptions, 'scope'> }
  | { kind: 'revert'; label: string; rev: number; upto: number | null };

const DONE = { undo: 'Undone', redo: 'Done again', revert: 'Taken back' };
const IN_PART = { undo: 'Undone in part', redo: 'Done again in part', revert: 'Taken back in part' };
const NOT_DONE = {
  undo: 'Nothing was undone',
  redo: 'Nothing was done again',
  revert: 'Nothing was taken back',
};
const TOO = { undo: 'Undo it too', redo: 'Do it too', revert: 'Take it back too' };

export function useStepBack(): (step: StepBack, isForced?: boolean) => Promise<Outcome> {
  const { client, ui } = useDesk();
  const toasts = useToasts();

  const showLeft = useCallback(
    (left: readonly LeftOut[]): ToastAction[] => {
      const places = leftOutPlaces(left, client.view);
      if (places.sight.length === 0) return [];
      const run = () => {
        if (ui.get().mode === 'document') ui.setMode('split');
        ui.show(places.sight, { pulse: true, isSelecting: false });
        ui.select(places.nodes, places.edges);
      };
      return [{ label: 'Show', run }];
    },
    [client, ui],
  );

  return useCallback(
    async function take(step: StepBack, isForced = false): Promise<Outcome> {
      const outcome = await send(client, step, isForced);
      const { kind, label } = step;
      if (outcome.kind === 'rejected') {
        toasts.show(refusal(step, outcome));
        return outcome;
      }
      const { rev, leftOut, changed } = outcome;
      const opposite = () => client[kind === 'undo' ? 'redo' : 'undo']({ expect: rev });
      const named = label ? `: ${label}` : '';
      if (leftOut.length === 0) {
        const back = { label: kind === 'undo' ? 'Redo' : 'Undo', run: () => void reverse(step, rev, take) };
        toasts.show({
          text: `${changed ? DONE[kind] : NOT_DONE[kind]}${named}`,
          ...(changed && { action: back }),
        });
        return outcome;
      }
      const again = async () => {
        const back = await opposite();
        if (back.kind === 'committed') await take(withExpected(step, back.rev), true);
      };
      toasts.show({
        text: `${changed ? IN_PART[kind] : NOT_DONE[kind]}${named}`,
        detail: `Left as it is: ${leftOutWords(leftOut)}.`,
        stays: true,
        // What holds against force, such as a lock or text that was written over, is not offered again.
        actions: [...showLeft(leftOut), ...(isForced ? [] : [{ label: TOO[kind], run: () => void again() }])],
      });
      return outcome;
    },
    [client, toasts, showLeft],
  );
}

function send(
  client: ReturnType<typeof useDesk>['client'],
  step: StepBack,
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

/** The step that takes this one back. */
function reverse(step: StepBack, rev: number, take: (step: StepBack) => Promise<Outcome>): Promise<Outcome> {
  const kind = step.kind === 'undo' ? 'redo' : 'undo';
  const touching = step.kind !== 'revert' && step.options.touching;
  return take({ kind, label: step.label, options: { expect: rev, ...(touching && { touching }) } });
}

/** The same again, of what was just brought back. */
function withExpected(step: StepBack, rev: number): StepBack {
  return step.kind === 'revert' ? step : { ...step, options: { ...step.options, expect: rev } };
}

function refusal({ kind }: StepBack, outcome: Extract<Outcome, { kind: 'rejected' }>) {
  const text = NOT_DONE[kind];
  if (outcome.code !== 'undo_moved') return { text, detail: whyOf(outcome), tone: 'bad' as const };
  const detail = `Your history has moved on meanwhile, perhaps in another tab. Look at what the button says now.`;
  return { text, detail };
}
