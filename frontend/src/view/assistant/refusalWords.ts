/** Why the server refused what was entered: the words for the code, with the server's details. */
import { codeWords } from '../../model/words/codeWords';
import { ApiError } from '../../protocol/http';
import { errorSentences } from '../../sync/words/errors';

export function refusalWords(failure: unknown): string {
  if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) {
    const { sentence } = codeWords(failure.code);
    const detail = failure.problem.problems.map(({ message }) => message).join(' ') || failure.problem.detail;
    return sentence === detail ? detail : `${sentence} ${detail}`;
  }
  return errorSentences(failure);
}
