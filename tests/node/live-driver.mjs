// Pages of the built client under Node, one process for all, driven by JSON lines: `{n, page, do, …}` in, `{n, ok}` or
// `{n, error}` out. Sockets are those of `ws`; what a page stores survives its reload and no more. What goes over the
// sockets is listened to, so that what the page was told is known whatever the client makes of it.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { LiveClient, MemoryStore } from '../../frontend/dist/client/draftsmith-client.js';

const { WebSocket } = createRequire(new URL('../../frontend/package.json', import.meta.url))('ws');
const WRITES = new Set(['submit', 'type', 'undo', 'redo', 'revert']);

/** How much faster time goes by for these pages, so that back-off and pauses of the pushing policy cost less of a test. */
const HASTE = 8;

/** One life of a page: from opening or loading anew to being closed or loaded anew. Nothing of it goes on afterwards. */
class Life {
  constructor(page) {
    this.page = page;
    this.isOver = false;
    this.sockets = new Set();
    const clock = {
      now: () => Date.now() * HASTE,
      setTimeout: (work, ms) => setTimeout(() => this.isOver || work(), ms / HASTE),
      clearTimeout: (timer) => clearTimeout(timer),
      random: () => Math.random(),
      newId: () => `${page.name}-${String(++page.count).padStart(6, '0')}`,
    };
    this.client = new LiveClient({
      workspace: page.workspace,
      origin: page.origin,
      socket: (url) => this.connect(url),
      store: page.store.forLife(() => this.isOver),
      clock,
      locks: null,
    });
    this.client.start();
  }

  connect(url) {
    const headers = { ...this.page.headers, Origin: this.page.origin };
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.sockets.add(socket);
    socket.on('error', () => {}); // also told as a close
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('message', (data) => this.isOver || this.page.hear(JSON.parse(data.toString())));
    const send = socket.send.bind(socket);
    socket.send = (text, ...more) => {
      if (this.isOver) return;
      this.page.say(JSON.parse(text));
      send(text, ...more);
    };
    return socket;
  }

  /** Break the connections without a word. */
  drop() {
    for (const socket of this.sockets) socket.terminate();
  }

  /** As when the tab is gone: nothing runs on. */
  end() {
    this.isOver = true;
    this.drop();
  }
}

class Page {
  constructor(name, { origin, workspace, headers }) {
    Object.assign(this, { name, origin, workspace, headers, count: 0 });
    this.store = new Shelf();
    this.told = new Map(); // write id → its last answer
    this.said = new Map(); // write id → its explanation
    this.commits = [];
    this.unchanged = [];
    this.states = {};
    this.faults = [];
    this.head = { rev: 0, h: '' };
    this.life = new Life(this);
  }

  say(message) {
    if (message.t === 'submit') this.said.set(message.id, message.explanation ?? '');
    if (message.t === 'resync') this.faults.push(`resync: ${message.why}`);
    if (WRITES.has(message.t) && this.life?.isOver) this.faults.push('a page that is gone has spoken');
  }

  hear(frame) {
    for (const message of frame) {
      if (message.t === 'committed') {
        this.told.set(message.id, { rev: message.rev, changed: message.changed, code: '' });
        if (!message.changed) this.unchanged.push(this.said.get(message.id) ?? '');
      } else if (message.t === 'rejected' && !message.retry) {
        this.told.set(message.id, { rev: 0, changed: false, code: message.code });
      } else if (message.t === 'commit' || message.t === 'state') {
        this.head = { rev: message.rev, h: message.h };
        if (message.t === 'commit') this.commits.push([message.rev, message.kind, message.by.id]);
        if (message.t === 'state') this.states[message.why] = (this.states[message.why] ?? 0) + 1;
      } else if (message.t === 'bye') {
        this.states[`bye ${message.code}`] = (this.states[`bye ${message.code}`] ?? 0) + 1;
      }
    }
  }

  get client() {
    return this.life.client;
  }

  look() {
    const { view } = this.client;
    return {
      rev: this.client.revision,
      nodes: [...view.nodes].map(([id, node]) => [id, node.type, node.parent ?? null]),
      edges: [...view.edges].map(([id, edge]) => [id, edge.source, edge.target]),
      commits: this.commits.slice(-50),
    };
  }

  edit({ operations, explanation }) {
    this.client.edit(operations, { explanation }).catch((error) => this.faults.push(`edit: ${error}`));
  }

  type({ at, after, text, delete: length, own }) {
    const seen = this.client.view.text;
    const found = after ? seen.indexOf(after) : -1;
    const start = found >= 0 ? found + after.length : onPair(seen, Math.floor(at * seen.length));
    let end = start;
    for (let count = 0; count < length && end < seen.length; count++) {
      const code = seen.codePointAt(end);
      if (own[0] <= code && code < own[1]) break;
      end += code > 0xffff ? 2 : 1;
    }
    const change = [end - start, ...text.split('\n')];
    const parts = [start, end > start || text ? change : 0, seen.length - end];
    this.client.type(parts.filter((part) => part !== 0));
  }

  undo({ scope, expect }) {
    this.client.undo({ scope, expect }).catch((error) => this.faults.push(`undo: ${error}`));
  }

  redo() {
    this.client.redo().catch((error) => this.faults.push(`redo: ${error}`));
  }

  revert({ rev, upto }) {
    this.client.revert(rev, { upto }).catch((error) => this.faults.push(`revert: ${error}`));
  }

  drop() {
    this.life.drop();
  }

  reload() {
    this.life.end();
    this.life = new Life(this);
  }

  settled() {
    const { status, revision } = this.client;
    const settled = status.connection === 'live' && status.pending === 0 && status.saving === 'saved';
    return { settled, live: status.connection === 'live', rev: revision, words: JSON.stringify(status) };
  }

  report() {
    const { view, revision, tray } = this.client;
    return {
      content: view.toContent(),
      text: view.text,
      rev: revision,
      h: this.head.rev === revision ? this.head.h : `told of ${this.head.rev}`,
      writes: Object.fromEntries(this.told),
      unchanged: this.unchanged,
      tray: tray.map((item) => ({
        code: item.code,
        operations: item.operations ?? [],
        texts: item.text?.inserted ?? [],
        why: item.why,
      })),
      faults: this.faults,
      states: this.states,
    };
  }

  async close() {
    await this.client.close();
    this.life.end();
  }
}

/** The nearest place at or before that does not split a surrogate pair. */
function onPair(text, at) {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}

const pages = new Map();

async function answer({ page: name, do: what, ...fields }) {
  if (what === 'open') {
    pages.set(name, new Page(name, fields));
    return {};
  }
  const page = pages.get(name);
  if (!['look', 'edit', 'type', 'undo', 'redo', 'revert', 'drop', 'reload', 'settled', 'report', 'close'].includes(what))
    throw new Error(`nobody can ${what}`);
  return (await page[what](fields)) ?? {};
}

process.on('unhandledRejection', (error) => {
  for (const page of pages.values()) page.faults.push(`unhandled: ${error?.stack ?? error}`);
});
const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const asked = JSON.parse(line);
  let said;
  try {
    said = { n: asked.n, ok: await answer(asked) };
  } catch (error) {
    said = { n: asked.n, error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
});
lines.on('close', () => process.exit(0));
