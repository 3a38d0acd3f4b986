// Pages of the built client under Node, one process for all, driven by JSON lines: `{n, page, do, …}` in, `{n, ok}` or
// `{n, error}` out. Sockets are those of `ws`; what a page stores survives its reload and no more. What goes over the
// sockets is listened to, so that what the page was told is known whatever the client makes of it.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../../frontend/package.json', import.meta.url));
require('fake-indexeddb/auto');
const { WebSocket } = require('ws');
const { IndexedPending, LiveClient } = await import('../../frontend/dist/client/draftsmith-client.js');

/** How much faster time goes by for these pages, so that back-off costs less of a test. */
const HASTE = 3;
const WRITES = new Set(['submit', 'type', 'undo', 'redo', 'revert']);

/** One life of a page: from opening or loading anew to being closed or loaded anew. Nothing of it goes on afterwards. */
class Life {
  constructor(page) {
    this.page = page;
    this.isOver = false;
    this.sockets = new Set();
    this.writing = 0;
    this.letGo = [];
    this.client = new LiveClient({
      workspace: page.workspace,
      origin: page.origin,
      socket: (url) => this.connect(url),
      store: this.store(),
      clock: this.clock(),
      locks: this.locks(),
    });
    this.client.start();
  }

  clock() {
    return {
      now: () => Date.now() * HASTE,
      setTimeout: (work, ms) => setTimeout(() => this.isOver || work(), ms / HASTE),
      clearTimeout: (timer) => clearTimeout(timer),
      random: () => Math.random(),
      newId: () => `${this.page.name}-${String(++this.page.count).padStart(6, '0')}`,
    };
  }

  /** What the browser keeps for all lives of the page; writes are counted, to know when all is there. */
  store() {
    const kept = new IndexedPending(this.page.indexedDB);
    return {
      all: (workspace) => kept.all(workspace),
      put: async (...what) => {
        if (this.isOver) throw new Error('the page is gone');
        this.writing++;
        try {
          await kept.put(...what);
        } finally {
          this.writing--;
        }
      },
      close: () => kept.close(),
    };
  }

  /** Web Locks of this page's browser; those of a life end with it. */
  locks() {
    const { held } = this.page;
    return {
      request: async (name, ...more) => {
        const work = more.at(-1);
        const options = more.length > 1 ? more[0] : {};
        if (options.ifAvailable && held.has(name)) return work(null);
        while (held.has(name)) await held.get(name);
        const gone = new Promise((resolve) => this.letGo.push(resolve));
        const done = Promise.resolve(work({ name }));
        held.set(name, Promise.race([done, gone]).finally(() => held.delete(name)));
        return done;
      },
    };
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
      this.page.say(JSON.parse(text), this.isOver);
      send(text, ...more);
    };
    return socket;
  }

  /** Break the connections without a word. */
  drop() {
    for (const socket of this.sockets) socket.terminate();
  }

  /** Wait until the store has everything: a browser gives a page the time to write down what was typed. */
  async kept() {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.writing > 0);
  }

  /** As when the tab is gone: nothing runs on. */
  end() {
    this.isOver = true;
    for (const letGo of this.letGo) letGo();
    this.drop();
  }
}

class Page {
  constructor(name, { origin, workspace, headers }) {
    Object.assign(this, { name, origin, workspace, headers, count: 0 });
    this.indexedDB = new IDBFactory();
    this.held = new Map(); // locks by name
    this.told = new Map(); // write id → its last answer
    this.said = new Map(); // write id → its explanation
    this.commits = [];
    this.templates = []; // of typed commits, by number
    this.unchanged = [];
    this.states = {};
    this.faults = [];
    this.head = { rev: 0, h: '' };
    this.life = new Life(this);
  }

  say(message, isOver) {
    if (message.t === 'submit') this.said.set(message.id, message.explanation ?? '');
    if (message.t === 'resync') this.faults.push(`resync: ${message.why}`);
    if (WRITES.has(message.t) && isOver) this.faults.push('a page that is gone has spoken');
  }

  hear(frame) {
    for (const said of frame) {
      const message = Array.isArray(said) ? this.spelledOut(said) : said;
      if (message.t === 'committed') {
        this.told.set(message.id, { rev: message.rev, changed: message.changed, code: '' });
        if (!message.changed) this.unchanged.push(this.said.get(message.id) ?? '');
      } else if (message.t === 'rejected' && !message.retry) {
        this.told.set(message.id, { rev: 0, changed: false, code: message.code });
      } else if (message.t === 'commit' || message.t === 'state') {
        this.head = { rev: message.rev, h: message.h };
        if (message.t === 'commit') this.commits.push([message.rev, message.kind, message.by.id]);
        if (message.t === 'state') this.states[message.why] = (this.states[message.why] ?? 0) + 1;
      } else if (message.t === 'templates') {
        this.templates.splice(message.start, this.templates.length, ...message.templates);
      } else if (message.t === 'bye') {
        this.states[`bye ${message.code}`] = (this.states[`bye ${message.code}`] ?? 0) + 1;
      }
    }
  }

  /** A typed commit as the commit that it stands for. */
  spelledOut([rev, h, , template]) {
    return { ...this.templates[template], rev, h };
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
    if (this.client.revision === 0) return { typed: false }; // there is no document yet
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

  async reload() {
    await this.life.kept();
    this.life.end();
    this.life = new Life(this);
  }

  settled() {
    const { status, revision } = this.client;
    const settled = status.connection === 'live' && status.pending === 0 && status.saving === 'saved';
    return { settled, live: status.connection === 'live', rev: revision, words: settled ? '' : this.words() };
  }

  /** What waits, for the message of a failed test. The client says no more than its status, so this looks inside. */
  words() {
    const { status, session } = this.client;
    const writes = [...session.writes.all()].map(({ message, names, steps, ...state }) => ({ id: message.id, ...state }));
    const { flight, waiting, detachedBase, typed, pushed } = session.typing.text;
    const { question, isStalled, isOneByOne, refusing } = session.outbox;
    const text = { flight, isWaiting: waiting !== null, isDetached: detachedBase !== null, typed, pushed };
    const outbox = { question: question?.id ?? null, isStalled, isOneByOne, refusing };
    return JSON.stringify({ ...status, writes: writes.slice(0, 3), of: writes.length, text, outbox });
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
