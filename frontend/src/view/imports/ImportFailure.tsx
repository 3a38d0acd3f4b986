/** Why files were not imported: in the server's words where they are about the files. */
import { ApiError } from '../../protocol/http';
import { errorSentences } from '../../sync/words/errors';
import { NotSent } from './chosenFiles';

/** Refusals whose own words say what is wrong with the files. */
const OF_FILES = new Set([
  'source_unread',
  'format_unknown',
  'part_unknown',
  'invalid_request',
  'limit_operations',
]);
const MAX_SHOWN = 20;

export function ImportFailure({ error }: { error: unknown }) {
  if (error instanceof ApiError && OF_FILES.has(error.code)) {
    const messages = [...new Set(error.problem.problems.map(({ message }) => message))];
    return (
      <div className="banner" role="alert">
        {messages.length > 1 ? (
          <ul>
            {messages.slice(0, MAX_SHOWN).map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        ) : (
          (messages[0] ?? error.problem.detail)
        )}
      </div>
    );
  }
  return (
    <p className="banner" role="alert">
      {error instanceof NotSent ? `${error.title}. ${error.message}` : errorSentences(error)}
    </p>
  );
}
