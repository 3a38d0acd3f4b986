/** The result of an import: why it was refused, or which lines could not be read. */
import { useLocation } from 'wouter';
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

export function ImportUnread({ made, onClose }: { made: CreatedWorkspace; onClose: () => void }) {
  const [, navigate] = useLocation();
  const trash = useTrashWorkspace(made.id);
  const toasts = useToasts();
  const unread = made.warnings.filter(({ code }) => code === 'line_unread');
  const others = made.warnings.filter(({ code }) => code !== 'line_unread');
  const title = unread.length
    ? `${counted(unread.length, 'line was', 'lines were')} not taken over`
    : 'Imported, with a change';
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          navigate(`/w/${made.id}`);
        }}
      >
        <p className="dialog-text">
          {unread.length ? 'The rest' : 'All of it'} is in “{made.name}”: {counted(made.nodes, 'node')} and{' '}
          {counted(made.edges, 'connection')}.
        </p>
        {others.map(({ message }) => (
          <p key={message} className="dialog-text">
            {message}
          </p>
        ))}
        {unread.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to get there
          <section className="import-unread" tabIndex={0} aria-label="What was not taken over">
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
          </section>
        )}
        <footer className="dialog-foot">
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
          <button type="submit" className="button primary" data-autofocus>
            Open workspace
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
