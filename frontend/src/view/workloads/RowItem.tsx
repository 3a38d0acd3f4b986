/** A row of a comparison: its finding, the evidence for it, and the change that is made if it is chosen. */
import { useId } from 'react';
import { counted } from '../../model/words/kinds';
import type { WorkloadRow } from '../../protocol/types';
import { Select } from '../ui/field/Select';

type Choice = WorkloadRow['choices'][number];

interface Props {
  row: WorkloadRow;
  /** The id of what is to be done; undefined where the row is not chosen. */
  chosen: string | undefined;
  onChoose: (choice?: Choice) => void;
  onDrop: () => void;
}

export function RowItem({ row, chosen, onChoose, onDrop }: Props) {
  const id = useId();
  const { choices, differences, evidence } = row;
  return (
    <li className="workloads-row">
      <input
        id={id}
        type="checkbox"
        checked={chosen !== undefined}
        disabled={choices.length === 0}
        aria-describedby={`${id}-about`}
        onChange={(event) => (event.target.checked ? onChoose() : onDrop())}
      />
      <div className="workloads-row-text">
        <label htmlFor={id}>
          {row.title}
          {row.by === 'likely' && <span className="workloads-likely">likely</span>}
        </label>
        <div id={`${id}-about`} className="workloads-about">
          {row.facts.length > 0 && <p>{row.facts.join(' · ')}</p>}
          {row.by !== 'recorded' && row.reason && (
            <p>{row.workloads.length === 1 ? `${row.workloads[0]}: ${row.reason}` : row.reason}</p>
          )}
          {differences.map(({ field, designed, running }) => (
            <p key={field} className="workloads-difference">
              {field}: <del>{designed}</del> → <ins>{running}</ins>
            </p>
          ))}
        </div>
        {evidence.length > 0 && (
          <details className="workloads-evidence">
            <summary>{counted(evidence.length, 'piece')} of evidence</summary>
            <ul>
              {evidence.map(({ kind, text }) => (
                <li key={`${kind} ${text}`}>
                  <b>{kind}</b> {text}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {choices.length > 1 && (
        <Select
          className="small"
          aria-label={`What to do about ${row.title}`}
          value={chosen ?? ''}
          choices={[
            { value: '', text: 'Nothing' },
            ...choices.map(({ id: value, title: text }) => ({ value, text })),
          ]}
          onChoose={(value) => {
            const choice = choices.find((one) => one.id === value);
            if (choice) onChoose(choice);
            else onDrop();
          }}
        />
      )}
      {choices.length === 1 && choices[0]?.id !== 'draw' && (
        <span className="workloads-one">{choices[0]?.title}</span>
      )}
    </li>
  );
}
