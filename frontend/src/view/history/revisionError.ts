/** Why an old revision cannot be shown or restored, in words. */
import { ApiError } from '../../protocol/http';
import { explainError } from '../../sync/words/errors';

/** For a trimmed revision the server's message names the nearest that is kept. */
export function revisionErrorText(error: unknown): string {
  const { title, advice } = explainError(error);
  return error instanceof ApiError && error.code === 'trimmed'
    ? error.problem.detail
    : `${title} ${advice}`.trim();
}
