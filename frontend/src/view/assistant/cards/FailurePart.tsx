/** A failure in words, with the next steps. */
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { type CardFailure, OF_COMMANDS, statusOf, type Turn } from '../../../model/assistant/card';
import { isModel } from '../../../model/assistant/provider';
import { offersWriteAnew } from '../../../model/assistant/turns';
import { NEXT_STEPS, type NextStep } from '../../../protocol/codes';
import type { ApplyMode } from '../../../sync/preferences';
import { useEditorContext } from '../../context/EditorContext';
import { useToasts } from '../../ui/overlay/Toasts';
import { useAssistantActions, useAssistantPart } from '../useAssistant';
import { Problems } from './Problems';
import { useReveal } from './useReveal';

/** What writing anew means. Except where changes are to be applied, a rewrite of a whole is always shown first. */
const anewWords = (mode: ApplyMode | undefined): string =>
  'The model can also write the whole diagram or document anew: what comes out equal stays as it is, and ' +
  (mode === 'apply'
    ? 'you are asked first if much would be lost.'
    : 'you see the rest before it is applied.');

interface Props {
  turn: Turn;
  failure: CardFailure;
  /** Commands similar to one that was not understood. */
  children?: ReactNode;
}

export function FailurePart({ turn, failure, children }: Props) {
  const { sentence, detail, problems, steps } = failure;
  const actions = useNextSteps(turn, failure);
  const possible = steps.flatMap((step): [NextStep, () => void][] => {
    const run = actions[step];
    return run ? [[step, run]] : [];
  });
  return (
    <div className="card-trouble card-reason" data-code={failure.code || undefined}>
      {sentence && <p className="card-trouble-what">{sentence}</p>}
      {detail && detail !== sentence && <p>{detail}</p>}
      {problems.length > 0 && <Problems of={problems} />}
      {children}
      {actions.anew && steps.includes('anew') && <p>{anewWords(turn.record?.mode)}</p>}
      {possible.length > 0 && (
        <div className="card-actions">
          {possible.map(([step, run]) => (
            <button key={step} type="button" className="button small" onClick={run}>
              {NEXT_STEPS[step]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The actions of the buttons under a refusal; none for what this person or page cannot do. */
function useNextSteps(turn: Turn, failure: CardFailure): Partial<Record<NextStep, () => void>> {
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
