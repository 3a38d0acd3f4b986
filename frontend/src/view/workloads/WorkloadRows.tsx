/** The rows of a comparison by kind, with the evidence for each; the chosen ones are sent as one proposal. */
import { CircleCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { counted } from '../../model/words/kinds';
import {
  allToDraw,
  type Chosen,
  inNamespaces,
  operationsOf,
  withoutRow,
  withRow,
} from '../../model/workloads/choosing';
import type { WorkloadComparison, WorkloadRow } from '../../protocol/types';
import { useProposing } from '../context/useProposing';
import { AllOfThese } from '../ui/field/AllOfThese';
import { Select } from '../ui/field/Select';
import { Notice } from '../ui/Notice';
import { exactly } from '../ui/time';

/** In the order of reading. */
const KINDS: readonly (readonly [WorkloadRow['kind'], string])[] = [
  ['not_drawn', 'Runs and is not drawn'],
  ['line_not_drawn', 'Connections that run and are not drawn'],
  ['not_running', 'Drawn, and not found running'],
  ['differs', 'Differs from what runs'],
  ['ambiguous', 'Could be several'],
  ['line_without_evidence', 'Drawn connections without evidence'],
  ['fits', 'Fits'],
];
/** What a batch may hold, unless the operator has set it otherwise. */
const MAX_OPERATIONS = 500;

interface Props {
  compared: WorkloadComparison;
  isToDraw: boolean;
  onAgain: () => void;
  onProposed: (proposal: string) => void;
  onClose: () => void;
}

export function WorkloadRows({ compared, isToDraw, onAgain, onProposed, onClose }: Props) {
  const [chosen, setChosen] = useState<Chosen>(() => (isToDraw ? allToDraw(compared.rows) : new Map()));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const rows = inNamespaces(compared.rows, left);
  const operations = operationsOf(rows, chosen);
  const proposing = useProposing(onProposed);
  const leave = (name: string, isLeft: boolean) => {
    const next = new Set(left);
    if (isLeft) next.add(name);
    else next.delete(name);
    setLeft(next);
  };
  const isTooMuch = operations.length > MAX_OPERATIONS;
  return (
    <>
      <Facts compared={compared} left={left} onLeave={leave} />
      <div className="workloads-rows">
        {KINDS.map(([kind, title]) => (
          <Kind
            key={kind}
            title={title}
            isOpen={kind !== 'fits'}
            rows={rows.filter((row) => row.kind === kind)}
            chosen={chosen}
            onChoose={(row, choice) => setChosen((now) => withRow(now, rows, row, choice))}
            onDrop={(row) => setChosen((now) => withoutRow(now, rows, row))}
          />
        ))}
        {rows.every(({ kind }) => kind === 'fits') && (
          <Notice
            icon={CircleCheck}
            title={
              rows.length > 0 ? 'What is drawn is what runs' : 'Nothing runs there, and nothing is drawn'
            }
            advice={
              rows.length > 0
                ? 'Nothing differs in what was read.'
                : 'Read other namespaces, or look at the plugin.'
            }
          />
        )}
      </div>
      {proposing.error && (
        <p className="banner" role="alert">
          It was not proposed: {proposing.error.message}{' '}
          <button type="button" className="button small" onClick={onAgain}>
            Read again
          </button>
        </p>
      )}
      <div className="dialog-foot workloads-foot">
        <p role="status">
          {isTooMuch
            ? `${counted(operations.length, 'change')}; a proposal may have ${MAX_OPERATIONS}. Choose fewer.`
            : operations.length > 0
              ? counted(operations.length, 'change')
              : 'Choose what is to be proposed.'}
        </p>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={operations.length === 0 || isTooMuch || proposing.isPending}
          onClick={() =>
            proposing.mutate({
              operations,
              base_revision: compared.revision,
              explanation: explanationOf(compared),
            })
          }
        >
          Propose
        </button>
      </div>
    </>
  );
}

interface FactsProps {
  compared: WorkloadComparison;
  left: ReadonlySet<string>;
  onLeave: (namespace: string, isLeft: boolean) => void;
}

/** Shorter than an explanation may be, whatever a plugin has said. */
function explanationOf({ cluster, namespaces, read_at }: WorkloadComparison): string {
  return `From what runs in ${cluster} (${namespaces.join(', ')}), read at ${read_at}.`.slice(0, 2000);
}

/** What was read, when, and what not. */
function Facts({ compared, left, onLeave }: FactsProps) {
  const fitting = compared.rows.filter(({ kind }) => kind === 'fits').length;
  return (
    <div className="workloads-facts">
      <p>
        <strong>{compared.cluster}</strong>, read at{' '}
        <time dateTime={compared.read_at}>{exactly(compared.read_at)}</time>. {counted(fitting, 'node')} and{' '}
        {counted(compared.fitting_lines, 'connection')} fit.
      </p>
      {compared.namespaces.length > 1 && (
        <fieldset>
          <legend>Shown</legend>
          {compared.namespaces.map((name) => (
            <label key={name} className="workloads-namespace">
              <input
                type="checkbox"
                checked={!left.has(name)}
                onChange={(event) => onLeave(name, !event.target.checked)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {compared.incomplete.length > 0 && (
        <details className="workloads-incomplete">
          <summary>Not everything could be read or compared ({compared.incomplete.length})</summary>
          <ul>
            {compared.incomplete.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface KindProps {
  title: string;
  isOpen: boolean;
  rows: readonly WorkloadRow[];
  chosen: Chosen;
  onChoose: (row: WorkloadRow, choice?: WorkloadRow['choices'][number]) => void;
  onDrop: (row: WorkloadRow) => void;
}

function Kind({ title, isOpen, rows, chosen, onChoose, onDrop }: KindProps) {
  if (rows.length === 0) return null;
  const able = rows.filter(({ choices }) => choices.length > 0);
  return (
    <details className="workloads-kind" open={isOpen}>
      <summary>
        {title} ({rows.length})
      </summary>
      <AllOfThese
        className="workloads-all"
        of={able.length}
        ticked={able.filter(({ id }) => chosen.has(id)).length}
        onTickAll={() => {
          for (const row of able) if (!chosen.has(row.id)) onChoose(row);
        }}
        onUntickAll={() => able.forEach(onDrop)}
      />
      <ul aria-label={title}>
        {rows.map((row) => (
          <RowItem
            key={row.id}
            row={row}
            chosen={chosen.get(row.id)}
            onChoose={(choice) => onChoose(row, choice)}
            onDrop={() => onDrop(row)}
          />
        ))}
      </ul>
    </details>
  );
}

type Choice = WorkloadRow['choices'][number];

interface RowItemProps {
  row: WorkloadRow;
  /** The id of what is to be done; undefined where the row is not chosen. */
  chosen: string | undefined;
  onChoose: (choice?: Choice) => void;
  onDrop: () => void;
}

/** A row of a comparison: its finding, the evidence for it, and the change that is made if it is chosen. */
function RowItem({ row, chosen, onChoose, onDrop }: RowItemProps) {
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
