/**
 * A real server on a fresh data folder, for one file of browser tests or for all that can share one, and contexts of a real
 * Chromium, which serves all files that a process runs.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { TIME_IN_PAGES } from './pageTime';
import { buildPlainPage } from './plain/build';
import { FIRST_LINK, type Model, READY, remove, STANDIN, said, serve, stop } from './server';
import { TIMEOUT_MS } from './timeout';

/** 503 is said by a worker that outlives its store by a moment. */
const LOST_REQUEST =
  /^Failed to load resource: (net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING)|.* status of 503\b.*)( \S+)?$/;
/** A row of the first page may ask for its picture in the moment in which the workspace is thrown away. */
const LATE_PICTURE = /^Failed to load resource: .* status of 404\b.*\/picture\.png\?/;
const LOST_SOCKET = /^WebSocket connection to '[^']*' failed: /;

const RECORDING = { ASSISTANT_DEBUG_RUNS: '1' };

/** The browser that tests run in: the same for all who run them (`.ci/chromium`). */
export function findChromium(): string {
  try {
    return execFileSync(path.resolve(import.meta.dirname, '../../.ci/chromium'), { encoding: 'utf8' }).trim();
  } catch {
    throw new Error(
      'No Chromium found. Install one (Debian: apt install chromium-headless-shell) or name it: CHROMIUM=/path/to/chromium',
    );
  }
}

interface Options {
  model?: Model;
  /** What stands at the addresses of workspaces. */
  serves?: 'editor' | 'plain page';
  /** Whether the operator has all requests to models recorded. */
  isRecording?: boolean;
  /** Whether everybody has to show who they are. */
  isShared?: boolean;
  /** Whether things move from place to place, as most people see them. Frames cost a fifth of a browser's time. */
  hasMotion?: boolean;
  /** Further settings, as environment. */
  settings?: Record<string, string>;
}

interface PersonOptions {
  isNew?: boolean;
  readsAhead?: boolean;
  /** Whether the page may keep an offline page in the browser; requests of one that does are not held or changed reliably. */
  hasWorker?: boolean;
}

export class Stage {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly url: string,
    /** Where the stand-in for a model is steered; empty if there is none. */
    readonly rehearsal: string,
    /** Makes whoever opens it first an administrator; empty where nobody signs in. */
    readonly firstLink: string,
    /** Null for the one that several files share: it is not ended here. */
    private server: ChildProcess | null,
    private readonly browser: Browser,
    /** Folder of the server's data; empty where it is not ours. */
    private readonly folder: string,
    /** Folder of the page that is served in place of the editor; null for the editor. */
    private readonly editor: string | null,
    private readonly reducedMotion: 'reduce' | 'no-preference',
  ) {}

  /**
   * A stage on the server that all such files share, for those that look at workspaces of their own alone: not at the first
   * page, not at settings, and they do not end it.
   */
  static async shared({ hasMotion = false }: Pick<Options, 'hasMotion'> = {}): Promise<Stage> {
    const motion = hasMotion ? 'no-preference' : 'reduce';
    return new Stage(inject('sharedServer'), '', '', null, await browserOfProcess(), '', null, motion);
  }

  /** Start a server of its own. Throws with its own words when it does not get ready. */
  static async open({
    model = 'none',
    serves = 'editor',
    isRecording = false,
    isShared = false,
    hasMotion = false,
    settings: more = {},
  }: Options = {}): Promise<Stage> {
    const editor = serves === 'editor' ? null : await buildPlainPage();
    const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-e2e-'));
    const settings = {
      ...(isRecording && RECORDING),
      ...(isShared && { DRAFTSMITH_MODE: 'token' }),
      ...more,
    };
    const server = serve(folder, '0', model, editor, settings);
    try {
      const administrator = isShared ? said(server, FIRST_LINK) : Promise.resolve('');
      const standin = model === 'none' ? '' : said(server, STANDIN);
      const [rehearsal, url, link] = await Promise.all([standin, said(server, READY), administrator]);
      const motion = hasMotion ? 'no-preference' : 'reduce';
      return new Stage(url, rehearsal, link, server, await browserOfProcess(), folder, editor, motion);
    } catch (error) {
      await stop(server);
      remove(folder, editor);
      throw error;
    }
  }

  /**
   * A person of their own at a page of their own, who knows the server by this address; unless they are new here, they
   * have seen the tour. Their browser saves data, so that the page reads nothing ahead, which takes as long as opening it.
   */
  async person(
    colorScheme: 'light' | 'dark' = 'light',
    url = this.url,
    { isNew = false, readsAhead = false, hasWorker = false }: PersonOptions = {},
  ): Promise<Visit> {
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 },
      baseURL: url,
      colorScheme,
      reducedMotion: this.reducedMotion,
      serviceWorkers: hasWorker ? 'allow' : 'block',
    });
    this.contexts.push(context);
    await context.addInitScript(TIME_IN_PAGES.run, TIME_IN_PAGES.given);
    if (!isNew) await context.addInitScript(leaveTourSeen);
    if (!readsAhead) await context.addInitScript(saveData);
    return new Visit(context, await context.newPage(), url);
  }

  /**
   * End the server as a crash would: its first process gets no chance to do anything. Its workers end with it, but hold
   * the listening socket until the system has ended them, too: from now on nobody accepts a connection.
   */
  async kill(): Promise<void> {
    const { server } = this;
    if (!server) throw new Error('Other files are at this server, too: open one of its own');
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
    while (await isAccepted(new URL(this.url))) await setTimeout(10);
  }

  /** Start the server again, where it was and with what it has stored. */
  async restart(): Promise<void> {
    this.server = serve(this.folder, new URL(this.url).port, 'none', this.editor);
    await said(this.server, READY);
  }

  async close(): Promise<void> {
    for (const context of this.contexts) await context.close();
    if (!this.server) return;
    await stop(this.server);
    remove(this.folder, this.editor);
  }
}

/** Whether the system takes a connection there; whoever accepts it may end the next moment. */
function isAccepted({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(false);
      else if (error.code === 'ECONNRESET') resolve(true);
      else reject(error);
    });
  });
}

let launched: Promise<Browser> | null = null;

/** It ends with this process. */
function browserOfProcess(): Promise<Browser> {
  // Chromium's own sandbox needs rights that a container does not give; only pages of our servers are opened.
  // Pages live for seconds here: to optimize their code takes longer than it saves.
  const args = ['--no-sandbox', '--disable-gpu', '--js-flags=--no-opt --no-maglev --max-lazy'];
  launched ??= chromium.launch({ executablePath: findChromium(), args });
  return launched;
}

/** In frames that may store nothing there is no tour either. */
function leaveTourSeen(): void {
  try {
    localStorage.setItem('draftsmith.tour', 'seen');
  } catch {}
}

function saveData(): void {
  const { connection } = navigator as unknown as { connection?: object };
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}

/** Store choices, and go where no workspace is; false where the page is none of the editor. Runs in the page. */
async function leaveWorkspace(choices: Record<string, string>): Promise<boolean> {
  for (const [name, choice] of Object.entries(choices)) localStorage.setItem(`draftsmith.${name}`, choice);
  if (!document.querySelector('.toasts')) return false;
  history.pushState(null, '', '/no-workspace');
  for (const message of document.querySelectorAll<HTMLElement>('.toast [aria-label="Dismiss"]'))
    message.click();
  while (document.querySelector('.workspace, .toast'))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return true;
}

/** One person's browser, and what must never happen in it. */
export class Visit {
  /** Requests to anywhere but the server. */
  readonly strayRequests: string[] = [];
  /** Errors on the console with their addresses, security policy violations among them, and exceptions nobody caught. */
  readonly complaints: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== url && protocol !== 'data:' && protocol !== 'blob:')
        this.strayRequests.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.complain(`${message.text()} ${message.location().url}`.trim());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  /** The same person at one more page. */
  async tab(): Promise<Visit> {
    return new Visit(this.context, await this.context.newPage(), this.url);
  }

  /**
   * Open a workspace anew within the page that is there, as links of the application do: half of what a page of its own
   * costs. Nothing on the page is left of what was looked at before, messages neither; parts that were read stay read.
   *
   * `choices`: what this browser has stored of the person's choices, by name.
   */
  async openWithin(workspace: string, choices: Record<string, string> = {}): Promise<void> {
    // Choices are stored where a page of the server is.
    if (this.isBlank && Object.keys(choices).length > 0) await this.page.goto('/');
    const isWithin = await this.page.evaluate(leaveWorkspace, choices);
    if (!isWithin) await this.page.goto(`/w/${workspace}`);
    else await this.page.evaluate((address) => history.pushState(null, '', address), `/w/${workspace}`);
  }

  private complain(text: string): void {
    if (!LATE_PICTURE.test(text)) this.complaints.push(text);
  }

  /**
   * Drop what the browser itself writes on the console about requests that nobody, or no store, answered.
   *
   * For a test that has taken the server away; everything else stays a complaint.
   */
  forgiveLostRequests(): void {
    const others = this.complaints.filter((text) => !LOST_REQUEST.test(text) && !LOST_SOCKET.test(text));
    this.complaints.splice(0, this.complaints.length, ...others);
  }

  /** Call the API as this person's browser would; while it is at no page, none is drawn for that. */
  async api<T>(method: string, address: string, body?: unknown): Promise<T> {
    const request = {
      method,
      path: `/api/v1${address}`,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const { status, text } = this.isBlank
      ? await this.requestWithoutPage(request)
      : await this.page.evaluate(fetchInPage, request);
    if (status >= 400) throw new Error(`${method} ${address}: ${status} ${text}`);
    return JSON.parse(text || 'null');
  }

  private get isBlank(): boolean {
    return this.page.url() === 'about:blank';
  }

  private async requestWithoutPage({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> {
    const { request } = this.context;
    // The server knows a browser again by what comes with the first page.
    if ((await this.context.cookies(this.url)).length === 0) await request.get('/');
    const response = await request.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { data: body }),
    });
    return { status: response.status(), text: await response.text() };
  }
}

interface ApiRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface ApiResponse {
  status: number;
  text: string;
}

/** Runs in the page. */
async function fetchInPage({ path, ...request }: ApiRequest): Promise<ApiResponse> {
  const response = await fetch(path, request);
  return { status: response.status, text: await response.text() };
}
