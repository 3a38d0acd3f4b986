/** Errors in words. Pure. */
import { ApiError } from '../../protocol/http';

/** An error in words: what happened and what to do about it. */
export interface Explanation {
  title: string;
  advice: string;
}

export function explainError(error: unknown): Explanation {
  if (!(error instanceof ApiError)) {
    return {
      title: 'Something went wrong in this page',
      advice: 'Reload the page. Your work is safe on the server.',
    };
  }
  if (error.status === 0) {
    return {
      title: 'The server does not answer',
      advice:
        'Start it with “draftsmith serve” (or “make run”), or check your network. This page keeps trying by itself.',
    };
  }
  if (error.code === 'storage_down') {
    return {
      title: `Not saving: ${error.problem.detail}`,
      advice:
        'Nothing saved so far is lost. Check the free disk space and run “draftsmith doctor”; the store is restarted by itself.',
    };
  }
  if (error.status === 429) {
    return { title: 'Too many requests', advice: 'Wait a moment and try again.' };
  }
  if (error.status >= 500) {
    const id = error.problem.request_id ? ` Its id in the log is ${error.problem.request_id}.` : '';
    return { title: 'The server failed on this request', advice: `Try again.${id}` };
  }
  const reasons = error.problem.problems.map((problem) => problem.message).join(' ');
  return { title: error.problem.detail, advice: reasons };
}

/** An error in sentences, each with one dot. */
export function errorSentences(error: unknown): string {
  const { title, advice } = explainError(error);
  return `${title.replace(/\.$/, '')}. ${advice}`.trimEnd();
}
