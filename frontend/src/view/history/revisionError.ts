/** Why an old revision cannot be shown or brought back, in words. */
import { ApiError } from '../../protocol/http';
import { explainError } from '../../sync/words/errors';

/** What is no longer kept has a nearest that is. */
export function revisionErrorText(error: unknown): string {
  const { title, advice } = explainError(error);
  return error instanceof ApiError && error.code === 'trimmed'
    ? error.problem.detail
    : `${title} ${advice}`.trim();
}
