/** The operations of a proposal, each with its tick, what it builds on, and why it no longer fits if it does not. */
import { useId } from 'react';
import { askedWords } from '../../../model/assistant/operationDetails';
import type { Tick } from '../../../model/assistant/proposalSelection';
import type { ProposedOperation } from '../../../protocol/types';
import { useCanChange } from '../../context/useCanChange';

interface Props {
  operations: readonly ProposedOperation[];
  ticks: readonly Tick[];
  onTick: (index: number) => void;
}

export function ProposedRows({ operations, ticks, onTick }: Props) {
  const canChange = useCanChange();
  return (
    <ul className="card-operations card-ticks" aria-label="Proposed operations">
      {operations.map((operation, at) => {
        const tick = ticks[at];
        return (
          tick && (
            <Row
              key={operation.index}
              operation={operation}
              tick={tick}
              needs={direct(operation, operations)}
              canTick={canChange}
              onTick={onTick}
            />
          )
        );
      })}
    </ul>
  );
}

interface RowProps {
  operation: ProposedOperation;
  tick: Tick;
  /** In words, what it builds on. */
  needs: readonly string[];
  canTick: boolean;
  onTick: (index: number) => void;
}

function Row({ operation: { index, op, what, asked }, tick, needs, canTick, onTick }: RowProps) {
  const noteId = useId();
  const { isTicked, isPossible, why } = tick;
  const note = isPossible ? (needs.length > 0 ? `needs ${needs.map(quoted).join(' and ')}` : '') : why;
  const particulars = askedWords(op, asked);
  const classes = ['card-operation', isTicked ? '' : 'is-off', isPossible ? '' : 'is-conflict'];
  return (
    <li className={classes.filter(Boolean).join(' ')} data-index={index}>
      {canTick ? (
        <label className="card-tick">
          <input
            type="checkbox"
            checked={isTicked}
            disabled={!isPossible}
            aria-describedby={note ? noteId : undefined}
            onChange={() => onTick(index)}
          />
          <span className="card-operation-what">{what}</span>
        </label>
      ) : (
        <p className="card-tick">
          <span className="card-operation-what">{what}</span>
        </p>
      )}
      {particulars && <p className="card-asked">{particulars}</p>}
      {note && (
        <p id={noteId} className={isPossible ? 'card-needs' : 'card-conflict'}>
          {isPossible ? note : `Does not fit any more: ${note}`}
        </p>
      )}
    </li>
  );
}

/** Of all that one builds on, what nothing else of it builds on in turn: the rest goes without saying. */
function direct({ depends_on }: ProposedOperation, operations: readonly ProposedOperation[]): string[] {
  const needed = operations.filter(({ index }) => depends_on.includes(index));
  return needed
    .filter(({ index }) => !needed.some((other) => other.depends_on.includes(index)))
    .map(({ what }) => what);
}

const quoted = (text: string): string => `“${text}”`;
