/** A real server in a process of its own: how browser tests start it, hear that it is ready, and end it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { TIMEOUT_MS } from './timeout';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PYTHON = path.join(ROOT, '.venv/bin/python');
/** Runs a Python process, forked from one that has imported the product (`tests/forking.py`). */
const FORKED = ['-P', '-m', 'tests.forking', PYTHON, '-P', '-m'];
const PATHS = { PYTHONPATH: `${ROOT}/backend:${ROOT}` };
export const READY = /Draftsmith is ready: (http:\/\/127\.0\.0\.1:\d+)/;
export const FIRST_LINK = /Open once, within 24 hours: (http:\/\/127\.0\.0\.1:\d+\/sign-in#\S+)/;
export const STANDIN = /no AI behind it: (http:\/\/127\.0\.0\.1:\d+)/;
const NO_MODELS = Object.fromEntries(
  ['ANTHROPIC', 'OPENAI', 'AZURE', 'GOOGLE', 'BEDROCK', 'VERTEX'].flatMap((name) =>
    ['API_KEY', 'BASE_URL', 'MODEL', 'REGION', 'PROJECT'].map((setting) => [`${name}_${setting}`, '']),
  ),
);
/** Who answers the assistant's requests: built-in commands, or a stand-in for a model (`tests/standin/rehearsal.py`). */
export type Model = 'none' | 'stand-in' | 'stand-in without a key';

/** Servers that run, with the folders that go with them. */
const running = new Map<ChildProcess, readonly (string | null)[]>();
let isEnding = false;

/** Nothing is left running where this process is told to end, or the one that has started it is gone. */
async function endAll(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.all(
    [...running].map(async ([server, folders]) => {
      await stop(server);
      remove(...folders);
    }),
  );
  process.exit(code);
}
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => void endAll(code));
process.once('disconnect', () => void endAll(1));

/** Start the process that servers are forked from; what ends it, and all that is left of them. Elsewhere they are started. */
export async function startParent(): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {};
  const parent = spawn(PYTHON, ['-P', '-m', 'tests.forking'], {
    env: { ...process.env, ...PATHS },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  process.env.DRAFTSMITH_TESTS_FORK = await said(parent, /^(\/.*)$/m);
  return async () => {
    parent.stdin?.end();
    await ended;
  };
}

export function remove(...folders: (string | null)[]): void {
  for (const folder of folders) if (folder) rmSync(folder, { recursive: true, force: true });
}

export function serve(
  folder: string,
  port: string,
  model: Model,
  editor: string | null,
  settings: Record<string, string> = {},
): ChildProcess {
  const command = ['serve', '--port', port, '--data-dir', folder, '--no-sample'];
  // No test may reach a real model, whatever is set where it runs. Processes that most never ask start when they are asked.
  const none = { DRAFTSMITH_MODE: '', ASSISTANT_PROVIDER: '', PREPARERS_START: 'needed', ...NO_MODELS };
  const env = { ...process.env, ...PATHS, ...none, ...(editor ? { EDITOR_DIR: editor } : {}), ...settings };
  const key = model === 'stand-in' ? [] : ['--without-key'];
  const standin = model === 'none' ? [] : ['tests.standin', '--rehearsal', ...key, PYTHON, '-P', '-m'];
  const started = spawn(PYTHON, [...FORKED, ...standin, 'draftsmith.cli', ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.set(started, [folder, editor]);
  started.once('exit', () => running.delete(started));
  return started;
}

/** A stand-in that speaks as Ollama does, with small models that read so many tokens (`tests/standin/small_model.py`). */
export function serveSmallModels(tokens: number, port = '0'): ChildProcess {
  const started = spawn(PYTHON, [...FORKED, 'tests.standin', '--small', String(tokens), '--port', port], {
    env: { ...process.env, ...PATHS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.set(started, []);
  started.once('exit', () => running.delete(started));
  return started;
}

/** What the server says of itself when it is ready; rejects with all of its words if it does not come to that. */
export function said(server: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The server did not get ready:\n${said}`)), TIMEOUT_MS);
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const found = wanted.exec(said)?.[1];
      if (!found) return;
      clearTimeout(timer);
      // What it says from then on is read and dropped, or its pipe would fill.
      server.stdout?.off('data', listen).resume();
      server.stderr?.off('data', listen).resume();
      resolve(found);
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`The server could not be started: ${error.message}`));
    });
    server.on('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code} before it was ready:\n${said}`));
    });
  });
}

/** End the server as a person would, and by force if it does not listen. */
export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
