/** The actions of the buttons under a refusal; none for what this person or page cannot do. */
import { useLocation } from 'wouter';
import { type CardFailure, OF_COMMANDS, statusOf, type Turn } from '../../../model/assistant/card';
import { isModel } from '../../../model/assistant/provider';
import { offersWriteAnew } from '../../../model/assistant/turns';
import type { NextStep } from '../../../protocol/codes';
import { useEditorContext } from '../../context/EditorContext';
import { useToasts } from '../../ui/overlay/Toasts';
import { useAssistantActions, useAssistantPart } from '../useAssistant';
import { useReveal } from './useReveal';

export function useNextSteps(turn: Turn, failure: CardFailure): Partial<Record<NextStep, () => void>> {
  const { client, ui } = useEditorContext();
  const actions = useAssistantActions();
  const toasts = useToasts();
  const { showNodes } = useReveal();
  const [, navigate] = useLocation();
  const busy = useAssistantPart(
    ({ turns }) =>
      turns.find((one) => one.isMine && one.run !== turn.run && statusOf(one) === 'running')?.run,
  );
  const isModelThere = useAssistantPart(({ assistant }) => assistant !== null && isModel(assistant));
  const copy = () =>
    void copyDetails(turn, failure).then(
      () => toasts.show({ text: 'The details are in the clipboard' }),
      () => toasts.show({ text: 'The browser does not let this page write to the clipboard', tone: 'bad' }),
    );
  if (!turn.isMine) return { copy };
  const prompt = turn.record?.prompt || turn.talk?.prompt || turn.proposal?.prompt || '';
  const named = failure.problems.flatMap(({ candidates }) => candidates);
  const known = [...new Set(named)].filter((id) => client.view.nodes.has(id));
  return {
    copy,
    retry: () => actions.again(turn.run),
    edit: () => actions.edit(prompt),
    ...(isModelThere && offersWriteAnew(turn) && { anew: () => actions.writeAnew(turn.run) }),
    settings: () => ui.set({ dialog: { kind: 'settings' } }),
    template: () => navigate('/'),
    home: () => navigate('/'),
    reload: () => window.location.reload(),
    // With a model the key may be wrong; without one no key helps against a command that was not understood, for which
    // runs of earlier versions have no code.
    ...(!(isModelThere && (failure.code === '' || OF_COMMANDS.has(failure.code))) && {
      connect: () => ui.set({ dialog: { kind: 'connect-model' } }),
    }),
    ...(busy && { stop: () => void actions.stop(busy) }),
    ...(known.length > 0 && { show: () => showNodes(known) }),
  };
}

/** A report for support, with nothing of the workspace beyond the request. */
function copyDetails(turn: Turn, { code, detail, problems }: CardFailure): Promise<void> {
  const { record } = turn;
  const facts = { run: turn.run, code, detail, problems, provider: record?.provider, model: record?.model };
  return navigator.clipboard.writeText(JSON.stringify({ ...facts, ...record?.outcome?.error }, null, 2));
}
