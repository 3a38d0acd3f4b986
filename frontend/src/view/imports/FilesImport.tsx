/**
 * Several files or a folder, in one report with a row a file: what each is, then what became of it. Everything that is
 * recognized becomes a workspace, in a new folder where there are several.
 */
import '../styles/imports.css';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { folderNameOf } from '../../model/imports/paths';
import { counted } from '../../model/words/kinds';
import { createWorkspace } from '../../protocol/api';
import { createFolder } from '../../protocol/folders';
import { type ReadFiles, type ReadSet, recognizeFiles, type SentFile } from '../../protocol/imports';
import type { CreatedWorkspace } from '../../protocol/types';
import { errorSentences } from '../../sync/words/errors';
import { Field } from '../ui/field/Field';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { type ChosenFile, sentFiles } from './chosenFiles';
import { FileButtons } from './FileButtons';
import { ImportFailure } from './ImportFailure';
import { ImportStatus } from './ImportStatus';
import { UnreadParts } from './UnreadParts';

/** Of the name of a folder. */
const NAME_MAX = 200;

interface Read {
  files: readonly SentFile[];
  found: ReadFiles;
}

type Reading = { kind: 'reading' } | { kind: 'failed'; error: unknown } | ({ kind: 'read' } & Read);

interface Props {
  chosen: readonly ChosenFile[];
  /** The folder in which they come to lie; null for none. */
  parent: string | null;
  onClose: () => void;
}

export function FilesImport({ chosen, parent, onClose }: Props) {
  const [files, setFiles] = useState(chosen);
  const reading = useReading(files);
  const [outcome, setOutcome] = useState('');
  return (
    <Dialog title="Import" size="wide" className="import-files" onClose={onClose}>
      <div className="import-head">
        <ImportStatus
          text={
            reading.kind === 'reading'
              ? `Reading ${counted(files.length, 'file')}…`
              : reading.kind === 'read'
                ? outcome
                : ''
          }
          isBusy={reading.kind === 'reading'}
        />
      </div>
      {reading.kind === 'failed' && (
        <>
          <ImportFailure error={reading.error} />
          <Chooser onChosen={setFiles} onClose={onClose} />
        </>
      )}
      {reading.kind === 'read' && (
        <Report
          read={reading}
          parent={parent}
          name={folderNameOf(files.map(({ path }) => path))}
          onOutcome={setOutcome}
          onClose={onClose}
        >
          <FileButtons onChosen={setFiles} />
        </Report>
      )}
    </Dialog>
  );
}

function Chooser({
  onChosen,
  onClose,
}: {
  onChosen: (chosen: readonly ChosenFile[]) => void;
  onClose: () => void;
}) {
  return (
    <div className="dialog-foot import-foot">
      <FileButtons onChosen={onChosen} />
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  );
}

/** What the files are; read for as long as they are shown. */
function useReading(chosen: readonly ChosenFile[]): Reading {
  const [reading, setReading] = useState<Reading>({ kind: 'reading' });
  useEffect(() => {
    const controller = new AbortController();
    const show = (next: Reading) => {
      if (!controller.signal.aborted) setReading(next);
    };
    const read = async () => {
      show({ kind: 'reading' });
      try {
        const files = await sentFiles(chosen);
        show({ kind: 'read', files, found: await recognizeFiles(files, controller.signal) });
      } catch (error) {
        show({ kind: 'failed', error });
      }
    };
    void read();
    return () => controller.abort();
  }, [chosen]);
  return reading;
}

/** What has become of the sets, by the path of their root. */
type Results = ReadonlyMap<string, { made: readonly CreatedWorkspace[]; error?: Error }>;

interface ReportProps {
  read: Read;
  parent: string | null;
  name: string;
  /** Is told what becomes of the files, in words. */
  onOutcome: (outcome: string) => void;
  onClose: () => void;
  /** Chooses other files. */
  children: React.ReactNode;
}

function Report({ read, parent, name, onOutcome, onClose, children }: ReportProps) {
  const { files, found } = read;
  const [folderName, setFolderName] = useState(name);
  const { results, folder, isBusy, isDone, error, start } = useMaking(read, parent);
  const [, navigate] = useLocation();
  const parts = found.sets.reduce((sum, { parts: { length } }) => sum + length, 0);
  const made = [...results.values()].flatMap((one) => one.made);
  const outcome = statusOf({ isBusy, isDone, made: made.length, parts, files: files.length });
  useEffect(() => onOutcome(outcome), [onOutcome, outcome]);
  const finish = () => {
    onClose();
    if (made.length === 1) navigate(`/w/${made[0]?.id}`);
    else if (folder !== null) navigate(`/?folder=${folder}`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isDone) finish();
    else void start(folderName.trim() || name);
  };
  return (
    <form className="import-report" onSubmit={submit}>
      {!isDone && (
        <div className="import-head">
          {!isBusy && children}
          {parts > 1 && (
            <Field label="Into a new folder called">
              {(wiring) => (
                <input
                  {...wiring}
                  value={folderName}
                  maxLength={NAME_MAX}
                  disabled={isBusy}
                  onChange={(event) => setFolderName(event.target.value)}
                />
              )}
            </Field>
          )}
        </div>
      )}
      <ul className="import-lists" aria-label="What becomes of the files">
        {found.sets.map((one) => (
          <SetRow key={one.root} set={one} result={results.get(one.root)} isBusy={isBusy} />
        ))}
        {found.unrecognized.map((path) => (
          <li key={path} className="import-row">
            <CircleSlash size={16} strokeWidth={1.9} aria-hidden="true" />
            <div>
              <span className="import-path">{path}</span>
              <div className="import-about">
                <p>Not recognized; it is left out.</p>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {error && <ImportFailure error={error} />}
      <div className="dialog-foot import-foot">
        <button type="button" className="button" onClick={onClose}>
          {isDone ? 'Close' : 'Cancel'}
        </button>
        <button
          type="submit"
          className="button primary"
          disabled={isBusy || parts === 0 || (isDone && !made.length)}
        >
          {isBusy ? 'Importing…' : isDone ? (made.length === 1 ? 'Open workspace' : 'Open folder') : 'Import'}
        </button>
      </div>
    </form>
  );
}

interface Status {
  isBusy: boolean;
  isDone: boolean;
  made: number;
  parts: number;
  files: number;
}

function statusOf({ isBusy, isDone, made, parts, files }: Status): string {
  if (isBusy) return `${made} of ${counted(parts, 'workspace')} made…`;
  if (isDone) return `${counted(made, 'workspace')} made of ${counted(files, 'file')}.`;
  if (parts === 0) return 'Nothing of this can be imported.';
  return `${counted(files, 'file')}: ${counted(parts, 'workspace')} will be made.`;
}

/** Makes a workspace of every part, one after the other; what fails does not stop the others. */
function useMaking({ files, found }: Read, parent: string | null) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [results, setResults] = useState<Results>(new Map());
  const [folder, setFolder] = useState<string | null>(parent);
  const [state, setState] = useState<'waiting' | 'making' | 'done'>('waiting');
  const [error, setError] = useState<Error | null>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const start = async (name: string) => {
    setState('making');
    setError(null);
    try {
      const count = found.sets.reduce((sum, { parts }) => sum + parts.length, 0);
      const into = count > 1 ? (await createFolder({ name, parent })).id : parent;
      setFolder(into);
      let done = 0;
      for (const one of found.sets) {
        const made: CreatedWorkspace[] = [];
        let failure: Error | null = null;
        for (const { part } of one.parts) {
          if (!isOpen.current) {
            toasts.show({ text: `Import stopped: ${done} of ${counted(count, 'workspace')} made` });
            return;
          }
          try {
            made.push(await makeOf(files, one, part, into));
            done += 1;
          } catch (failed) {
            failure = failed as Error;
          }
          const result = { made: [...made], ...(failure && { error: failure }) };
          setResults((now) => new Map(now).set(one.root, result));
        }
      }
      setState('done');
    } catch (failed) {
      setError(failed as Error);
      setState('waiting');
    } finally {
      for (const name of ['folders', 'workspaces']) void client.invalidateQueries({ queryKey: [name] });
    }
  };
  return { results, folder, isBusy: state === 'making', isDone: state === 'done', error, start };
}

function makeOf(
  files: readonly SentFile[],
  { reader, root, files: paths, parts }: ReadSet,
  part: number,
  folder: string | null,
): Promise<CreatedWorkspace> {
  const own = files.filter(({ path }) => paths.some((one) => one === path || one.startsWith(`${path}/`)));
  // What is in a zip is still to be recognized; beside it may be more than this set.
  const isPacked = own.some(({ path }) => !paths.includes(path));
  const name = parts.find((one) => one.part === part)?.name;
  return createWorkspace({
    ...(name && { name }),
    ...(folder !== null && { folder }),
    import: { format: 'files', ...(isPacked ? { root } : { reader }), part, files: own },
  });
}

interface SetRowProps {
  set: ReadSet;
  result: { made: readonly CreatedWorkspace[]; error?: Error } | undefined;
  isBusy: boolean;
}

function SetRow({ set, result, isBusy }: SetRowProps) {
  const { root, title, files, parts, unread, problem } = set;
  const error = result?.error;
  const isMade = result?.made.length === parts.length && parts.length > 0;
  const nodes = parts.reduce((sum, part) => sum + part.nodes, 0);
  return (
    <li className="import-row" data-state={problem || error ? 'bad' : isMade ? 'made' : 'waiting'}>
      {problem || error ? (
        <CircleAlert size={16} strokeWidth={1.9} aria-hidden="true" />
      ) : isBusy && !isMade ? (
        <LoaderCircle className="running-wheel" size={16} strokeWidth={1.9} aria-hidden="true" />
      ) : (
        <CircleCheck size={16} strokeWidth={1.9} aria-hidden="true" />
      )}
      <div>
        <span className="import-path">{root}</span> <span className="import-kind">{title}</span>
        <div className="import-about">
          {files.length > 1 && <p>With {files.filter((path) => path !== root).join(', ')}</p>}
          {problem ? (
            <p>
              Not read{problem.place && `, ${problem.place}`}: {problem.reason}.
            </p>
          ) : (
            <p>
              {counted(parts.length, 'workspace')}, {counted(nodes, 'node')}
            </p>
          )}
          {error && <p>{errorSentences(error)}</p>}
          {result?.made.map(({ id, name }) => (
            <p key={id}>
              {/* Whoever leaves the page ends what is still being made. */}
              {isBusy ? name : <Link href={`/w/${id}`}>{name}</Link>}
            </p>
          ))}
        </div>
        <UnreadParts unread={unread} isOfOneFile={files.length === 1} />
      </div>
    </li>
  );
}
