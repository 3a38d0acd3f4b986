/** The result of an import: why it was refused, or which lines could not be read. */
import { Link, useLocation } from 'wouter';
import { placeInWords, unreadOf } from '../../model/text/importFormats';
import { counted } from '../../model/words/kinds';
import { ApiError } from '../../protocol/http';
import type { CreatedWorkspace } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useTrashWorkspace } from '../queries';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';

/** The maximum of reasons shown; the rest is counted. */
const MAX_SHOWN = 20;

export function ImportRefused({ error }: { error: Error }) {
  const problems = error instanceof ApiError && !error.isPassing ? error.problem.problems : [];
  if (problems.length === 0) {
    const { title, advice } = explainError(error);
    return (
      <p className="banner" role="alert">
        <strong>{title}.</strong> {advice}
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
export function ImportUnread({
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
              <UnreadOf key={one.id} made={one} isNamed={made.length > 1} />
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

function UnreadOf({ made, isNamed }: { made: CreatedWorkspace; isNamed: boolean }) {
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
