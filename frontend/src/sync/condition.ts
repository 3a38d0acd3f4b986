/** Whether what a person sees is safe, in words. Pure. */
import { ApiError } from '../protocol/http';

export type Condition = 'saved' | 'saving' | 'offline' | 'not-saving';

export interface Status {
  condition: Condition;
  text: string;
}

/**
 * Judge the state of the connection.
 *
 * @param revision newest revision read; null before the first
 * @param isWriting whether a write is on its way
 * @param error of the newest read; null after a good one
 */
export function statusOf(revision: number | null, isWriting: boolean, error: Error | null): Status {
  if (error instanceof ApiError && error.code === 'storage_down') {
    return { condition: 'not-saving', text: `Not saving: ${error.problem.detail}` };
  }
  if (error) return { condition: 'offline', text: 'Offline, trying again' };
  if (isWriting) return { condition: 'saving', text: 'Saving…' };
  return { condition: 'saved', text: revision === null ? 'Opening…' : `Saved · revision ${revision}` };
}

/** A failure in words for a person: what happened and what to do about it. */
export interface Explained {
  title: string;
  advice: string;
}

export function explain(error: unknown): Explained {
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
