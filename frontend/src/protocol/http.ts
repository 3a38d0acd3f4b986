/**
 * One way to speak to the API: JSON over `fetch`, same origin, errors as values of one class.
 * Not here: which addresses there are (`api.ts`), caching and polling (`sync/`).
 */
import { ROOT_PATH } from './root';
import type { ProblemDocument } from './types';

const ROOT = `${ROOT_PATH}/api/v1`;

/** What is known of a failure: all of its problem document, or the least that any failure has. */
export type Failure = Pick<ProblemDocument, 'status' | 'code' | 'detail' | 'problems'> &
  Partial<ProblemDocument>;

/**
 * The API refused, or could not be reached.
 *
 * `status` 0 and code `unreachable` mean that no answer came at all. Otherwise the fields are those of the problem
 * document; an answer that is not one gets the code `http_<status>`.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Failure;

  constructor(problem: Failure) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }

  /** Whether trying the same thing again later can help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** What came back: the parsed body, undefined for 204. */
export interface Answer<T> {
  status: number;
  body: T;
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Send one request below `/api/v1`.
 *
 * Writes are sent as JSON, also without a body, because the server takes nothing else.
 *
 * Throws `ApiError` for every status from 400 on and when there is no answer.
 */
export async function ask<T>(path: string, { method = 'GET', body, signal }: Ask = {}): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: 'application/json, application/problem+json' };
  if (method !== 'GET') headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: signal ?? null,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
  const parsed: unknown = response.status === 204 ? undefined : await readJson(response);
  if (response.status >= 400) throw new ApiError(problemOf(response.status, parsed));
  return { status: response.status, body: parsed as T };
}

/** What is known where no answer came at all. */
export const unreachable = (): ApiError =>
  new ApiError({
    status: 0,
    code: 'unreachable',
    detail: 'The Draftsmith server does not answer.',
    problems: [],
  });

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    if (response.status >= 400) return undefined;
    throw new ApiError({
      status: response.status,
      code: 'not_json',
      detail: 'The answer is not from a Draftsmith server. Is another program on this address?',
      problems: [],
    });
  }
}

/** Read what a failed answer says of itself; a proxy's error page says nothing. */
export function problemOf(status: number, body: unknown): Failure {
  const known = (typeof body === 'object' && body !== null ? body : {}) as Partial<ProblemDocument>;
  return {
    ...known,
    status,
    code: known.code ?? `http_${status}`,
    detail: known.detail ?? known.title ?? `The server answered with status ${status}.`,
    problems: known.problems ?? [],
  };
}
