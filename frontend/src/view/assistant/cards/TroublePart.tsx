/** A failure in words, with the next steps. */
import type { ReactNode } from 'react';
import type { CardFailure, Turn } from '../../../model/assistant/card';
import { NEXT_STEPS, type NextStep } from '../../../protocol/codes';
import { Problems } from './Problems';
import { useNextSteps } from './useNextSteps';

const ANEW =
  'It can also be tried differently: the model then writes the whole diagram or document anew. What stays equal is left ' +
  'as it is, and what would lose much is proposed first.';

interface Props {
  turn: Turn;
  failure: CardFailure;
  /** Commands similar to one that was not understood. */
  children?: ReactNode;
}

export function TroublePart({ turn, failure, children }: Props) {
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
      {actions.anew && steps.includes('anew') && <p>{ANEW}</p>}
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
