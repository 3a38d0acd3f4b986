/**
 * Files compared with the workspace that is open: what of them is new, changed or gone. Ticked rows are applied as one step,
 * or proposed. Nothing is changed before that.
 */
import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import {
  operationsOf,
  rowsOf,
  type Ticked,
  tickedAtFirst,
  withoutRow,
  withRow,
} from '../../model/imports/choosing';
import { counted } from '../../model/words/kinds';
import { compareFiles, type ImportRow, type OpenImport, type SentFile } from '../../protocol/imports';
import { useEditorContext } from '../context/EditorContext';
import { useProposing } from '../context/useProposing';
import { AllOfThese } from '../ui/field/AllOfThese';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Notice } from '../ui/Notice';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { type ChosenFile, sentFiles } from './chosenFiles';
import { FileButtons } from './FileButtons';
import { ImportFailure } from './ImportFailure';
import { ImportStatus } from './ImportStatus';
import { UnreadParts } from './UnreadParts';

/** What a batch may hold, unless the operator has set it otherwise. */
const MAX_OPERATIONS = 500;

interface Props {
  /** Nothing where somebody is to choose first. */
  chosen: readonly ChosenFile[];
  onProposed: (proposal: string) => void;
  onClose: () => void;
}

export function OpenImportDialog({ chosen, onProposed, onClose }: Props) {
  const { comparing, compare, takePart } = useComparing();
  const first = useRef(compare);
  useEffect(() => {
    if (chosen.length > 0) first.current(chosen);
  }, [chosen]);
  return (
    <Dialog title="Import into this workspace" size="wide" className="import-into" onClose={onClose}>
      <div className="import-head">
        <FileButtons onChosen={compare} />
        {comparing.kind === 'none' && (
          <p>
            Choose what is to be compared with this workspace. What comes from the same source is recognized;
            nothing is changed before you say so.
          </p>
        )}
        <ImportStatus text={statusOf(comparing)} isBusy={comparing.kind === 'reading'} />
      </div>
      {comparing.kind === 'failed' && <ImportFailure error={comparing.error} />}
      {comparing.kind === 'read' && (
        <Compared
          key={`${comparing.found.part} ${comparing.found.revision}`}
          found={comparing.found}
          onPart={takePart}
          onAgain={() => takePart(comparing.found.part)}
          onProposed={onProposed}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type Comparing =
  | { kind: 'none' | 'reading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'read'; found: OpenImport };

function statusOf(comparing: Comparing): string {
  if (comparing.kind === 'reading') return 'Reading and comparing…';
  if (comparing.kind !== 'read') return '';
  const { new: made, changed, missing } = comparing.found;
  return `${made.length} new, ${changed.length} changed, ${missing.length} no longer there.`;
}

/** Compares for as long as the dialog is open; another comparison ends the one before. */
function useComparing() {
  const { id } = useEditorContext();
  const [comparing, setComparing] = useState<Comparing>({ kind: 'none' });
  const running = useRef<AbortController | null>(null);
  const files = useRef<readonly SentFile[]>([]);
  useEffect(() => () => running.current?.abort(), []);
  const ask = useCallback(
    async (read: () => Promise<readonly SentFile[]>, part: number | null) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const show = (next: Comparing) => {
        if (!controller.signal.aborted) setComparing(next);
      };
      show({ kind: 'reading' });
      try {
        const sent = await read();
        if (controller.signal.aborted) return;
        files.current = sent;
        show({ kind: 'read', found: await compareFiles(id, sent, part, controller.signal) });
      } catch (error) {
        show({ kind: 'failed', error });
      }
    },
    [id],
  );
  return {
    comparing,
    compare: (chosen: readonly ChosenFile[]) => void ask(() => sentFiles(chosen), null),
    takePart: (part: number) => void ask(async () => files.current, part),
  };
}

interface ComparedProps {
  found: OpenImport;
  onPart: (part: number) => void;
  onAgain: () => void;
  onProposed: (proposal: string) => void;
  onClose: () => void;
}

function Compared({ found, onPart, onAgain, onProposed, onClose }: ComparedProps) {
  const [ticked, setTicked] = useState<Ticked>(() => tickedAtFirst(found));
  const rows = rowsOf(found);
  const operations = operationsOf(found, ticked);
  const proposing = useProposing(onProposed);
  const { apply, isApplying } = useApplying(found, ticked, onClose);
  const explanation = `Import of ${found.parts[found.part - 1] ?? found.title}.`.slice(0, 2_000);
  const isTooMuch = operations.length > MAX_OPERATIONS;
  const isBlocked = operations.length === 0 || isTooMuch || proposing.isPending || isApplying;
  const lists: readonly (readonly [string, ImportRow[]])[] = [
    ['New', found.new],
    ['Changed', found.changed],
    ['No longer there', found.missing],
  ];
  return (
    <>
      <Facts found={found} onPart={onPart} />
      <div className="import-lists">
        {lists.map(([title, list]) => (
          <ImportRows
            key={title}
            title={title}
            hint={title === 'No longer there' ? 'They stay, unless you tick them.' : ''}
            rows={list}
            ticked={ticked}
            onTick={(row) => setTicked((now) => withRow(now, rows, row))}
            onUntick={(row) => setTicked((now) => withoutRow(now, rows, row))}
          />
        ))}
        {rows.length === 0 && (
          <Notice icon={CircleCheck} title="Nothing differs" advice="What these files say is here already." />
        )}
      </div>
      {proposing.error && (
        <p className="banner" role="alert">
          It was not proposed: {proposing.error.message}{' '}
          <button type="button" className="button small" onClick={onAgain}>
            Compare again
          </button>
        </p>
      )}
      <div className="dialog-foot import-foot">
        <p role="status">
          {isTooMuch
            ? `${counted(operations.length, 'change')}; one step may have ${MAX_OPERATIONS}. Tick fewer.`
            : counted(operations.length, 'change')}
        </p>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button"
          disabled={isBlocked}
          onClick={() => proposing.mutate({ operations, base_revision: found.revision, explanation })}
        >
          Propose
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBlocked}
          onClick={() => apply(explanation)}
        >
          Apply
        </button>
      </div>
    </>
  );
}

/** Applies the ticked rows as one step and shows the new nodes. */
function useApplying(found: OpenImport, ticked: Ticked, onClose: () => void) {
  const { edit, ui, access } = useEditorContext();
  const toasts = useToasts();
  const [isApplying, setIsApplying] = useState(false);
  // Applying goes on where the dialog is closed, or another comparison is shown.
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const apply = async (explanation: string) => {
    setIsApplying(true);
    const outcome = await edit(operationsOf(found, ticked), explanation);
    setIsApplying(false);
    // Whatever did not fit has been said.
    if (outcome?.kind !== 'committed') return;
    if (isShown.current) onClose();
    const made = found.new
      .filter(({ id, of }) => of === 'node' && ticked.has(id))
      .map(({ element }) => element);
    if (made.length > 0) ui.show(made, { pulse: true });
    // What waits as a draft is no import yet.
    if (!access.isDraft)
      toasts.show({ text: `Imported: ${counted(operationsOf(found, ticked).length, 'change')}` });
  };
  return { apply: (explanation: string) => void apply(explanation), isApplying };
}

function Facts({ found, onPart }: { found: OpenImport; onPart: (part: number) => void }) {
  return (
    <div className="import-told">
      <p>
        <strong>{found.title}</strong>: {found.parts[found.part - 1]}.{' '}
        {found.unchanged > 0 &&
          `${counted(found.unchanged, 'thing is', 'things are')} here already and the same.`}
      </p>
      {found.parts.length > 1 && (
        <Field label="Part">
          {(wiring) => (
            <Select
              {...wiring}
              value={String(found.part)}
              choices={found.parts.map((text, index) => ({ value: String(index + 1), text }))}
              onChoose={(value) => onPart(Number(value))}
            />
          )}
        </Field>
      )}
      <UnreadParts unread={found.unread} />
      {found.unrecognized.length > 0 && (
        <p>Not recognized, left out: {found.unrecognized.slice(0, 20).join(', ')}.</p>
      )}
    </div>
  );
}

interface ImportRowsProps {
  title: string;
  hint: string;
  rows: readonly ImportRow[];
  ticked: Ticked;
  onTick: (row: ImportRow) => void;
  onUntick: (row: ImportRow) => void;
}

/** One of the lists of an import: rows with a tick each, and what differs. */
function ImportRows({ title, hint, rows, ticked, onTick, onUntick }: ImportRowsProps) {
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
          <ImportRowItem
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

function ImportRowItem({ row, isTicked, onChange }: RowProps) {
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
