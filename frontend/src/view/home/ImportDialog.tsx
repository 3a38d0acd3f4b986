/** Imports a workspace from a file or pasted text, and shows what could not be read. */
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  type Examined,
  examine,
  FORMAT_NAMES,
  guessFormat,
  type ImportFormat,
  isOfAnotherTool,
  MAX_BYTES,
  placeInWords,
  tooBig,
  unreadOf,
} from '../../model/text/importFormats';
import { counted } from '../../model/words/kinds';
import { ApiError } from '../../protocol/http';
import type { CreatedWorkspace, NewWorkspace } from '../../protocol/types';
import { errorSentences } from '../../sync/words/errors';
import { type ChosenFile, chosenOf, inBase64, isOneOfItsOwn } from '../imports/chosenFiles';
import { FileButtons } from '../imports/FileButtons';
import { ImportStatus } from '../imports/ImportStatus';
import { useTrashWorkspace } from '../queries';
import { NAME_MAX } from '../ui/field/EditableName';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { useCreateHere } from './folders';

const FORMATS = (Object.keys(FORMAT_NAMES) as ImportFormat[]).map((value) => ({
  value,
  text: FORMAT_NAMES[value],
}));
/** More than this in a text field makes a page slow. */
const SHOWN_CHARS = 200_000;

interface Source {
  fileName: string;
  content: string;
  format: ImportFormat;
}

const EMPTY: Source = { fileName: '', content: '', format: 'markdown' };

interface Props {
  file: File | null;
  /** Takes what is no single file of a format that is shown here. */
  onFiles: (chosen: readonly ChosenFile[]) => void;
  onClose: () => void;
}

export function ImportDialog({ file, onFiles, onClose }: Props) {
  const [source, setSource] = useState<Source>(EMPTY);
  const [unreadable, setUnreadable] = useState<Examined | null>(null);
  const [name, setName] = useState('');
  const [made, setMade] = useState<readonly CreatedWorkspace[]>([]);
  const create = useCreateHere();
  const [, navigate] = useLocation();

  const newest = useRef<File | null>(null);
  const take = async (chosen: File) => {
    newest.current = chosen;
    create.reset();
    setUnreadable(chosen.size > MAX_BYTES ? tooBig(chosen.size) : null);
    const content = chosen.size > MAX_BYTES ? '' : await contentOf(chosen);
    if (chosen !== newest.current) return; // another one was chosen meanwhile
    const format = guessFormat(chosen.name, content);
    if (isOfAnotherTool(format, content)) onFiles(chosenOf([chosen]));
    else setSource({ fileName: chosen.name, content, format });
  };
  const takeFirst = useRef(take);
  useEffect(() => {
    if (file) void takeFirst.current(file);
  }, [file]);

  const isChosen = source.fileName !== '' || source.content !== '';
  const examined = unreadable ?? examine(source.format, source.content, source.fileName);
  const finish = (created: CreatedWorkspace) => {
    if (created.warnings.length > 0) setMade([created]);
    else navigate(`/w/${created.id}`);
  };
  const takePages = async (pages: readonly number[]) => {
    if (!examined.isReadable) return;
    for (const page of pages) {
      const created = await create.mutateAsync(bodyOf(source.format, examined, '', page));
      setMade((before) => [...before, created]);
    }
  };
  if (made.length > 0)
    return (
      <ImportOutcome
        made={made}
        isBusy={create.isPending}
        error={create.error}
        onPages={(pages) => void takePages(pages).catch(() => undefined)}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Import" onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (examined.isReadable)
            create.mutate(bodyOf(source.format, examined, name), { onSuccess: finish });
        }}
      >
        <FileChooser fileName={source.fileName} onFile={(chosen) => void take(chosen)} onFiles={onFiles} />
        <PasteField
          source={source}
          onPaste={(content) => {
            create.reset();
            setUnreadable(null);
            setSource({
              ...source,
              content,
              format: source.fileName ? source.format : guessFormat('', content),
            });
          }}
        />
        {isChosen && (
          <>
            <div className="import-facts">
              <Field label="Format">
                {(wiring) => (
                  <Select
                    {...wiring}
                    value={source.format}
                    choices={FORMATS}
                    onChoose={(format) => {
                      create.reset();
                      setSource({ ...source, format });
                    }}
                  />
                )}
              </Field>
              <Field label="Name">
                {(wiring) => (
                  <input
                    {...wiring}
                    value={name}
                    maxLength={NAME_MAX}
                    placeholder={(examined.isReadable && examined.name) || 'Untitled workspace'}
                    onChange={(event) => setName(event.target.value)}
                  />
                )}
              </Field>
            </div>
            {!examined.isReadable && (
              <p className="banner" role="alert">
                <strong>{examined.title}.</strong> {examined.advice}
              </p>
            )}
          </>
        )}
        <ImportStatus text={isChosen && examined.isReadable ? examined.facts : ''} className="import-note" />
        {create.error && <ImportRefused error={create.error} />}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={!isChosen || !examined.isReadable || create.isPending}
          >
            {create.isPending ? 'Importing…' : 'Import'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function bodyOf(
  format: ImportFormat,
  examined: Examined & { isReadable: true },
  name: string,
  page?: number,
): NewWorkspace {
  // The content is the user's; the server validates it.
  const source = { format, content: examined.content, ...(page && { page }) } as NewWorkspace['import'];
  if (page) return { import: source }; // called as the page is
  const workspaceName = name.trim() || examined.name.trim().slice(0, NAME_MAX);
  return { name: workspaceName || 'Untitled workspace', import: source };
}

/** The text of a file; of a PNG, in which draw.io puts its drawings, base 64. */
const contentOf = (file: File): Promise<string> => (/\.png$/i.test(file.name) ? inBase64(file) : file.text());

interface ChooserProps {
  fileName: string;
  onFile: (file: File) => void;
  onFiles: (chosen: readonly ChosenFile[]) => void;
}

/** One file is shown here; several, or a folder, are passed on. */
function FileChooser({ fileName, onFile, onFiles }: ChooserProps) {
  return (
    <FileButtons
      className="import-file"
      words={{ files: 'Choose a file', folder: 'A folder', field: 'File to import' }}
      describedBy="import-file-name"
      onChosen={(chosen) => {
        const [first] = chosen;
        if (first && isOneOfItsOwn(chosen)) onFile(first.file);
        else onFiles(chosen);
      }}
    >
      <span id="import-file-name" className="import-file-name">
        {fileName ||
          'One file or several: JSON export, Markdown, Mermaid, draw.io and others. They can also be dropped on the page.'}
      </span>
    </FileButtons>
  );
}

function PasteField({ source, onPaste }: { source: Source; onPaste: (content: string) => void }) {
  const isPicture = source.format === 'drawio' && /\.png$/i.test(source.fileName);
  const isLong = isPicture || source.content.length > SHOWN_CHARS;
  return (
    <Field
      label={source.fileName ? 'Content' : 'Or paste text'}
      hint={isLong ? 'It is not shown here; it is imported in full.' : undefined}
    >
      {(wiring) => (
        <textarea
          {...wiring}
          className="import-text"
          rows={8}
          spellCheck={false}
          value={isLong ? '' : source.content}
          onChange={(event) => onPaste(event.target.value)}
        />
      )}
    </Field>
  );
}

/** The maximum of reasons shown; the rest is counted. */
const MAX_SHOWN = 20;

/** Why an import was refused. */
export function ImportRefused({ error }: { error: Error }) {
  const problems = error instanceof ApiError && !error.isPassing ? error.problem.problems : [];
  if (problems.length === 0) {
    return (
      <p className="banner" role="alert">
        {errorSentences(error)}
      </p>
    );
  }
  const places = problems.slice(0, MAX_SHOWN).map(({ path, message }) => ({
    place: placeInWords(path),
    message,
  }));
  return (
    <div className="banner" role="alert">
      <strong>It was not imported: {counted(problems.length, 'thing')} in it cannot be taken.</strong>
      <ul className="import-places">
        {places.map(({ place, message }) => (
          <li key={`${place} ${message}`}>
            {place && <span className="import-place">{place}: </span>}
            {message}
          </li>
        ))}
      </ul>
      {problems.length > MAX_SHOWN && <p>And {problems.length - MAX_SHOWN} more.</p>}
    </div>
  );
}

/** What was made of a file, what of it was not taken over, and which pages of it are left. */
function ImportOutcome({
  made,
  isBusy,
  error,
  onPages,
  onClose,
}: {
  made: readonly CreatedWorkspace[];
  isBusy: boolean;
  error: Error | null;
  onPages: (pages: readonly number[]) => void;
  onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const [first] = made as readonly [CreatedWorkspace];
  const trash = useTrashWorkspace(first.id);
  const toasts = useToasts();
  const unread = made.flatMap(({ warnings }) => warnings.filter(isUnread));
  const others = made.flatMap(({ warnings }) =>
    warnings.filter((one) => !isUnread(one) && one.code !== 'pages_left'),
  );
  const left = first.warnings.find(({ code }) => code === 'pages_left')?.candidates ?? [];
  const pages = left.slice(made.length - 1).map(Number);
  const title = unread.length
    ? `${unreadInWords(unread)} not taken over`
    : others.length > 0
      ? 'Imported, with a change'
      : `Imported: ${counted(made.length, 'page')} of ${left.length + 1}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          navigate(`/w/${first.id}`);
        }}
      >
        {made.map((one) => (
          <p key={one.id} className="dialog-text">
            {one.warnings.some(isUnread) ? 'The rest' : 'All of it'} is in{' '}
            {made.length > 1 ? <Link href={`/w/${one.id}`}>{one.name}</Link> : `“${one.name}”`}:{' '}
            {counted(one.nodes, 'node')} and {counted(one.edges, 'connection')}.
          </p>
        ))}
        {others.map(({ message }) => (
          <p key={message} className="dialog-text">
            {message}
          </p>
        ))}
        {pages.length > 0 && (
          <p className="dialog-text">
            <button type="button" className="button" disabled={isBusy} onClick={() => onPages(pages)}>
              {isBusy ? 'Importing…' : `Import the other ${counted(pages.length, 'page')} as well`}
            </button>
          </p>
        )}
        {error && <ImportRefused error={error} />}
        {unread.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there
          <section className="import-unread" tabIndex={0} aria-label="What was not taken over">
            {made.map((one) => (
              <UnreadList key={one.id} made={one} isNamed={made.length > 1} />
            ))}
          </section>
        )}
        <footer className="dialog-foot">
          {made.length === 1 && (
            <button
              type="button"
              className="button"
              disabled={trash.isPending}
              onClick={() =>
                trash.mutate(undefined, {
                  onSuccess: onClose,
                  onError: toasts.showError,
                })
              }
            >
              Move to trash
            </button>
          )}
          <button type="submit" className="button primary" data-autofocus>
            Open workspace
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function UnreadList({ made, isNamed }: { made: CreatedWorkspace; isNamed: boolean }) {
  const unread = made.warnings.filter(isUnread);
  if (unread.length === 0) return null;
  return (
    <>
      {isNamed && <p className="dialog-text">{made.name}</p>}
      <ul>
        {unread.map(({ message }) => {
          const { place, reason, text } = unreadOf(message);
          return (
            <li key={message}>
              {place && <strong>{place}: </strong>}
              {reason}
              {text && <code>{text}</code>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

type Warning = CreatedWorkspace['warnings'][number];

const isUnread = ({ code }: Warning): boolean => code === 'line_unread' || code === 'shape_unread';

function unreadInWords(unread: readonly Warning[]): string {
  const areLines = unread.every(({ code }) => code === 'line_unread');
  return areLines
    ? counted(unread.length, 'line was', 'lines were')
    : counted(unread.length, 'thing was', 'things were');
}
