/** One of the lists of an import: rows with a tick each, and what differs. */
import { useId } from 'react';
import type { Ticked } from '../../model/imports/choosing';
import type { ImportRow } from '../../protocol/imports';
import { AllOfThese } from '../ui/field/AllOfThese';

interface Props {
  title: string;
  hint: string;
  rows: readonly ImportRow[];
  ticked: Ticked;
  onTick: (row: ImportRow) => void;
  onUntick: (row: ImportRow) => void;
}

export function ImportRows({ title, hint, rows, ticked, onTick, onUntick }: Props) {
  if (rows.length === 0) return null;
  const able = rows.filter(({ operations }) => operations.length > 0);
  return (
    <details className="import-list" open>
      <summary>
        {title} ({rows.length})
      </summary>
      {hint && <p className="import-hint">{hint}</p>}
      <AllOfThese
        className="import-all"
        of={able.length}
        ticked={able.filter(({ id }) => ticked.has(id)).length}
        onTickAll={() => able.forEach(onTick)}
        onUntickAll={() => able.forEach(onUntick)}
      />
      <ul aria-label={title}>
        {rows.map((row) => (
          <RowOfImport
            key={row.id}
            row={row}
            isTicked={ticked.has(row.id)}
            onChange={(isOn) => (isOn ? onTick(row) : onUntick(row))}
          />
        ))}
      </ul>
    </details>
  );
}

const KINDS: Readonly<Record<ImportRow['of'], string>> = {
  node: 'node',
  edge: 'connection',
  section: 'text',
};

interface RowProps {
  row: ImportRow;
  isTicked: boolean;
  onChange: (isOn: boolean) => void;
}

function RowOfImport({ row, isTicked, onChange }: RowProps) {
  const id = useId();
  return (
    <li className="import-row">
      <input
        id={id}
        type="checkbox"
        checked={isTicked}
        disabled={row.operations.length === 0}
        aria-describedby={`${id}-about`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>
          {row.title} <span className="import-kind">{KINDS[row.of]}</span>
        </label>
        <div id={`${id}-about`} className="import-about">
          {row.reason && <p>{row.reason}</p>}
          {row.by === 'name' && row.of !== 'section' && <p>Recognized by its name and its place.</p>}
          {row.differences.map(({ field, here, source }) => (
            <p key={field} className="import-difference">
              {field}: {here && <del>{here}</del>} → <ins>{source}</ins>
            </p>
          ))}
        </div>
      </div>
    </li>
  );
}
