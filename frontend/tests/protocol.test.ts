import { afterEach, describe, expect, it, vi } from 'vitest';
import { renameWorkspace } from '../src/protocol/api';
import { listRows, tryRevert } from '../src/protocol/history';
import { ApiError, ask } from '../src/protocol/http';
import { errorSentences, explainError } from '../src/sync/words/errors';

/** A server that gives the answers in turn and remembers what it was asked. */
function answering(...answers: (Response | Error)[]) {
  const asked: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('asked more often than expected');
  });
  return asked;
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const headerOf = (init: RequestInit, name: string) => new Headers(init.headers).get(name);

afterEach(() => vi.unstubAllGlobals());

describe('asking the server', () => {
  it('sends writes as JSON below /api/v1', async () => {
    const asked = answering(json({}));
    await renameWorkspace('w/1', 'New');
    expect(asked[0]?.url).toBe('/api/v1/workspaces/w%2F1');
    expect(asked[0]?.init.method).toBe('PATCH');
    expect(asked[0]?.init.body).toBe('{"name":"New"}');
    expect(headerOf(asked[0]?.init ?? {}, 'content-type')).toBe('application/json');
  });

  it('only tries what a revert would do, of a range where there is one', async () => {
    const asked = answering(json({}), json({}));
    await tryRevert('w1', { rev: 3, upto: null });
    await tryRevert('w1', { rev: 3, upto: 9 });
    expect(asked.map(({ init }) => init.body)).toEqual(['{"dry_run":true}', '{"dry_run":true,"upto":9}']);
  });

  it('asks for rows by all that is given and by nothing else', async () => {
    const asked = answering(json({ items: [] }), json({ items: [] }));
    await listRows('w1', {}, null);
    await listRows('w1', { by: 'assistant', node: 'a', section: '# A & B' }, 'next');
    expect(asked.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=40&grouped=true',
      'limit=40&grouped=true&by=assistant&node=a&section=%23+A+%26+B&cursor=next',
    ]);
  });

  it('throws the problem document of a refusal', async () => {
    answering(
      json(
        { status: 422, code: 'batch_rejected', detail: '1 problem', problems: [{ message: 'no' }] },
        { status: 422 },
      ),
    );
    const error = await ask('/x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'batch_rejected',
      message: '1 problem',
      isPassing: false,
    });
  });

  it("makes sense of a proxy's error page", async () => {
    answering(new Response('<html>Bad gateway</html>', { status: 502 }));
    await expect(ask('/x')).rejects.toMatchObject({ status: 502, code: 'http_502', isPassing: true });
  });

  it('says so when nobody answers, and when the answer is not JSON', async () => {
    answering(new TypeError('failed to fetch'), new Response('hello'));
    await expect(ask('/x')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    await expect(ask('/x')).rejects.toMatchObject({ code: 'not_json' });
  });
});

describe('what a person is told', () => {
  const failure = (status: number, code: string, detail = 'why') =>
    new ApiError({ status, code, detail, problems: [] });

  it('what to do when the server or its store is down', () => {
    expect(explainError(failure(0, 'unreachable')).advice).toContain('draftsmith serve');
    expect(explainError(failure(503, 'storage_down', 'the disk is full')).title).toBe(
      'Not saving: the disk is full',
    );
    expect(explainError(failure(422, 'batch_rejected', 'It does not fit.')).title).toBe('It does not fit.');
    expect(explainError(new Error('x')).advice).toContain('Reload');
  });

  it('as sentences, each with one dot', () => {
    expect(errorSentences(failure(422, 'batch_rejected', 'It does not fit.'))).toBe('It does not fit.');
    expect(errorSentences(failure(429, 'rate_limited'))).toBe(
      'Too many requests. Wait a moment and try again.',
    );
  });
});
