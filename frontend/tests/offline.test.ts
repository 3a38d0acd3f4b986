/** The service worker: which requests it answers, and with what. What a browser makes of it is tried in e2e/offline.test.ts. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error a script without types
import { offlineWorker } from '../scripts/offline.mjs';

type Handler = (event: object) => void;
interface Asked {
  path: string;
  mode?: string;
  destination?: string;
  method?: string;
}

let handlers: Map<string, Handler>;
let isUnregistered: boolean;
/** What the network answers; null while the server cannot be reached. */
let answer: Response | null;
let asked: string[];

/** Run the worker as it is installed by a page below this path. */
async function install(root: string): Promise<void> {
  handlers = new Map();
  isUnregistered = false;
  asked = [];
  const self = {
    registration: {
      scope: `https://drafts.example.org${root}`,
      unregister: async () => {
        isUnregistered = true;
      },
    },
    location: { href: `https://drafts.example.org${root}offline.js` },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
  };
  const fetch = async (request: string | { url: string }) => {
    asked.push(typeof request === 'string' ? request : request.url);
    if (!answer) throw new TypeError('Failed to fetch');
    return answer;
  };
  new Function('self', 'fetch', await offlineWorker())(self, fetch);
}

/** What a request is answered with; null where the browser is left to it. */
async function answerTo({ path, ...more }: Asked): Promise<Response | null> {
  const url = `https://drafts.example.org${path}`;
  const request = { url, mode: 'navigate', destination: 'document', method: 'GET', ...more };
  let response: Promise<Response> | null = null;
  const rest: Promise<unknown>[] = [];
  handlers.get('fetch')?.({
    request,
    respondWith: (given: Promise<Response>) => {
      response = given;
    },
    waitUntil: (given: Promise<unknown>) => rest.push(given),
  });
  await Promise.all(rest);
  return response;
}

beforeEach(() => {
  answer = null;
});

describe.each(['/', '/drafts/'])('a worker below %s', (root) => {
  beforeEach(() => install(root));

  it.each(['', 'sign-in', 's', 'w/0123456789abcdefghjkmnpqrs', 'w/x?view=split'])(
    'answers the page %s with the offline page where the server cannot be reached',
    async (page) => {
      const response = await answerTo({ path: root + page });
      expect(response?.status).toBe(503);
      expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response?.headers.get('cache-control')).toBe('no-store');
      expect(await response?.text()).toContain(`<meta name="root" content="${root}" />`);
    },
  );

  it.each<Asked>([
    { path: 'api/v1/workspaces' },
    { path: 'api/v1/sign-in/issuer' },
    { path: 'docs' },
    { path: 'healthz' },
    { path: 'mermaid' },
    { path: 'assets/index.js' },
    { path: 'w/x/export' },
    { path: 'w/x?embed=1' },
    { path: 'w/x', destination: 'iframe' },
    { path: 'w/x', method: 'POST' },
    { path: 'w/x', mode: 'cors', destination: '' },
    { path: '', mode: 'no-cors', destination: 'script' },
  ])('leaves $path $destination $method $mode to the browser', async ({ path, ...more }) => {
    expect(await answerTo({ path: root + path, ...more })).toBeNull();
    expect(asked).toEqual([]);
  });

  it('passes on every answer of the server or a proxy as it is', async () => {
    for (const status of [200, 404, 500, 502, 503]) {
      answer = new Response('theirs', { status });
      expect(await answerTo({ path: `${root}w/x` })).toBe(answer);
    }
  });

  it('leaves the browser where its script is gone, and only then', async () => {
    for (const status of [200, 500, 502]) {
      answer = new Response('', { status });
      await answerTo({ path: root });
      expect(isUnregistered).toBe(false);
    }
    answer = new Response('', { status: 404 });
    await answerTo({ path: root });
    expect(isUnregistered).toBe(true);
    expect(asked.at(-1)).toBe(`https://drafts.example.org${root}offline.js`);
  });
});

it('the offline page may run its own script and style, ask its own origin, and nothing else', async () => {
  await install('/');
  const response = await answerTo({ path: '/' });
  const policy = response?.headers.get('content-security-policy') ?? '';
  const page = (await response?.text()) ?? '';
  const hash = (tag: string) => {
    const inside = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
    return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
  };
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hash('style')}`,
    `script-src ${hash('script')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(page).not.toMatch(/(src|href)=|url\(|@import|https?:/);
});
