/** The operations of a proposal, each with its checkbox, its dependencies, and why it no longer fits if so. */
import { useId } from 'react';
import { operationDetails } from '../../../model/assistant/operationDetails';
import type { ProposalRow } from '../../../model/assistant/proposalSelection';
import type { ProposedOperation } from '../../../protocol/types';
import { useCanChange } from '../../context/useCanChange';

interface Props {
  operations: readonly ProposedOperation[];
  rows: readonly ProposalRow[];
  onTick: (index: number) => void;
}

export function ProposedRows({ operations, rows, onTick }: Props) {
  const canChange = useCanChange();
  return (
    <ul className="card-operations card-ticks" aria-label="Proposed operations">
      {operations.map((operation, at) => {
        const row = rows[at];
        return (
          row && (
            <Row
              key={operation.index}
              operation={operation}
              row={row}
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
  row: ProposalRow;
  /** Its dependencies in words. */
  needs: readonly string[];
  canTick: boolean;
  onTick: (index: number) => void;
}

function Row({ operation: { index, op, what, asked }, row, needs, canTick, onTick }: RowProps) {
  const noteId = useId();
  const { isChecked, isEnabled, why } = row;
  const note = isEnabled ? (needs.length > 0 ? `needs ${needs.map(quoted).join(' and ')}` : '') : why;
  const particulars = operationDetails(op, asked);
  const classes = ['card-operation', isChecked ? '' : 'is-off', isEnabled ? '' : 'is-conflict'];
  return (
    <li className={classes.filter(Boolean).join(' ')} data-index={index}>
      {canTick ? (
        <label className="card-tick">
          <input
            type="checkbox"
            checked={isChecked}
            disabled={!isEnabled}
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
        <p id={noteId} className={isEnabled ? 'card-needs' : 'card-conflict'}>
          {isEnabled ? note : `Does not fit any more: ${note}`}
        </p>
      )}
    </li>
  );
}

/** Direct dependencies only: transitive ones are implied. */
function direct({ depends_on }: ProposedOperation, operations: readonly ProposedOperation[]): string[] {
  const needed = operations.filter(({ index }) => depends_on.includes(index));
  return needed
    .filter(({ index }) => !needed.some((other) => other.depends_on.includes(index)))
    .map(({ what }) => what);
}

const quoted = (text: string): string => `“${text}”`;
