/** Why an old revision cannot be shown or brought back, in words. */
import { ApiError } from '../../protocol/http';
import { explain } from '../../sync/words/errors';

/** What is no longer kept has a nearest that is. */
export function whyNot(error: unknown): string {
  const { title, advice } = explain(error);
  return error instanceof ApiError && error.code === 'trimmed'
    ? error.problem.detail
    : `${title} ${advice}`.trim();
}
