/** `LiveClient` as programs see it, before a model server, on a clock moved by hand. */
import { describe, expect, it, vi } from 'vitest';
import type { Hello, Operation, Submit } from '../../src/protocol/live';
import {
  type ClientOptions,
  LiveClient,
  MemoryPending,
  type PendingStore,
  type TabRecord,
  type ViewChange,
} from '../../src/sync/client/client';
import { HandClock } from './handClock';
import { MadeLocks } from './locks';
import { ModelServer } from './modelServer';
import { Line } from './network';

const place = { x: 0, y: 0 };
const addNode = (id: string) => [
  { op: 'add_node', id, type: 'service', label: id, position: place } as Operation,
];

/** A server, and pages before it that share a browser. */
class Stage {
  readonly clock = new HandClock();
  readonly server = new ModelServer('one two');
  readonly store = new MemoryPending();
  readonly locks = new MadeLocks();
  readonly lines: Line[] = [];
  isUp = true;

  open(options: Partial<ClientOptions> = {}, actor = 'ada'): LiveClient {
    const weather = { delay: () => 2, isUp: () => this.isUp };
    const client = new LiveClient({
      workspace: 'w',
      origin: 'http://server.test',
      store: this.store,
      locks: this.locks,
      clock: this.clock,
      socket: () => {
        const line = new Line(this.server, this.clock, weather, actor);
        this.lines.push(line);
        return line;
      },
      ...options,
    });
    client.start();
    return client;
  }

  get line(): Line {
    return this.lines[this.lines.length - 1] as Line;
  }

  said(kind: string) {
    return this.line.said.filter(({ t }) => t === kind);
  }

  async live(options: Partial<ClientOptions> = {}, actor = 'ada'): Promise<LiveClient> {
    const client = this.open(options, actor);
    await this.clock.until('the page is live', () => client.status.connection === 'live');
    await this.clock.pass(50);
    return client;
  }

  /** The network is gone; nobody has told the pages. */
  down(): void {
    this.isUp = false;
    for (const line of this.lines) line.cut();
  }

  async saved(client: LiveClient): Promise<void> {
    await this.clock.until('all is saved', () => client.status.saving === 'saved');
  }
}

describe('a client', () => {
  it('connects, shows the workspace and who it is, and says that all is well', async () => {
    const stage = new Stage();
    const client = stage.open();
    expect(client.status).toEqual({
      connection: 'connecting',
      pending: 0,
      saving: 'saved',
      reason: '',
      risk: '',
    });
    await stage.clock.pass(20);
    expect(client.status).toEqual({ connection: 'live', pending: 0, saving: 'saved', reason: '', risk: '' });
    expect([client.view.text, client.me?.id, client.member]).toEqual(['one two', 'ada', 'member-1']);
    await client.close();
    expect(client.status.connection).toBe('closed');
  });

  it('asks for a ticket for each connection, and speaks to the address of its workspace', async () => {
    const stage = new Stage();
    const urls: string[] = [];
    let tickets = 0;
    const socket = (url: string) => {
      urls.push(url);
      return new Line(stage.server, stage.clock, { delay: () => 1, isUp: () => false }, 'ada');
    };
    stage.open({ socket, workspace: 'a b', origin: 'https://x.test:1', ticket: async () => `t${++tickets}` });
    await stage.clock.pass(500);
    expect(urls.slice(0, 2)).toEqual([
      'wss://x.test:1/api/v1/workspaces/a%20b/live?ticket=t1',
      'wss://x.test:1/api/v1/workspaces/a%20b/live?ticket=t2',
    ]);
  });

  it('settles an edit with what the server said', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const edit = client.edit(addNode('a'), { explanation: 'because' });
    expect(client.view.nodes.has('a')).toBe(true);
    await stage.clock.pass(50);
    expect(await edit).toMatchObject({ kind: 'committed', rev: 1, changed: true });
    expect(stage.said('submit')).toMatchObject([{ explanation: 'because', operations: [{ id: 'a' }] }]);
    const again = client.edit(addNode('a'));
    await stage.clock.pass(50);
    expect(await again).toMatchObject({ kind: 'rejected' });
    expect(client.tray).toHaveLength(1);
  });

  it('does not see what its caller does to the operations afterwards', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.down();
    const operations = addNode('a') as { label: string }[];
    void client.edit(operations as Operation[]);
    (operations[0] as { label: string }).label = 'changed';
    stage.isUp = true;
    await stage.clock.pass(2_000);
    expect(stage.server.workspace.nodes.get('a')?.label).toBe('a');
  });

  it('takes back, brings back and reverts as asked', async () => {
    const stage = new Stage();
    const client = await stage.live();
    void client.undo({ scope: 'all', expect: 3, force: true });
    void client.redo({ expect: 4 });
    void client.revert(5, { upto: 9 });
    await stage.clock.pass(50);
    expect(stage.line.said.slice(1)).toMatchObject([
      { t: 'undo', scope: 'all', expect: 3, force: true },
      { t: 'redo', expect: 4 },
      { t: 'revert', rev: 5, upto: 9 },
    ]);
  });

  it('sends what was typed before a batch that reads the document', async () => {
    const stage = new Stage();
    const client = await stage.live();
    client.type([7, [0, ' three']]);
    void client.edit([{ op: 'delete_section', section: '## A' } as Operation]);
    await stage.clock.pass(50);
    expect(stage.line.said.slice(1).map(({ t }) => t)).toEqual(['type', 'submit']);
  });

  it('tells every listener every change in order, also where one changes something, or fails', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const thrown: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (run: () => void) => thrown.push(run));
    const heard: ViewChange[] = [];
    let isDone = false;
    const calm = client.subscribe(() => {
      if (!isDone) void client.edit(addNode('b'));
      isDone = true;
      throw new Error('mine');
    });
    const end = client.subscribe((change) => heard.push(change));
    void client.edit(addNode('a'));
    vi.unstubAllGlobals();
    expect(heard.map(({ nodes }) => [...(nodes as Set<string>)])).toEqual([['a'], ['b']]);
    expect(thrown).toHaveLength(2);
    expect(thrown[0]).toThrow('mine');
    calm();
    end();
    await stage.clock.pass(50);
    expect(heard).toHaveLength(2);
  });

  it('gives itself up for the whole state when a frame cannot be followed', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const thrown: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (run: () => void) => thrown.push(run));
    stage.line.onmessage?.({ data: 'no JSON' } as never);
    vi.unstubAllGlobals();
    expect(thrown).toHaveLength(1);
    await stage.clock.pass(50);
    expect(stage.said('resync')).toHaveLength(1);
    void client.edit(addNode('a'));
    await stage.saved(client);
    expect(stage.server.rev).toBe(1);
  });
});

describe('a connection that is gone', () => {
  it('is said to be, with what is kept here; everything goes out when it is back', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.down();
    void client.edit(addNode('a'));
    client.type([7, [0, ' three']]);
    expect(client.status).toEqual({
      connection: 'offline',
      pending: 2,
      saving: 'offline',
      reason: 'Offline, trying again. 2 changes are kept here.',
      risk: '',
    });
    stage.isUp = true;
    await stage.saved(client);
    expect([stage.server.rev, stage.server.workspace.text]).toEqual([2, 'one two three']);
  });

  it('comes back when the server has said that it restarts', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const bye = { t: 'bye', code: 'restarting', detail: 'The server restarts.', again_ms: 1_000 };
    stage.line.onmessage?.({ data: JSON.stringify([bye]) } as never);
    stage.line.cut(1012, 'restarting');
    expect(client.status).toMatchObject({ connection: 'offline', reason: 'The server restarts.' });
    await stage.clock.pass(1_600);
    expect(client.status.connection).toBe('live');
  });

  it.each([4401, 4403, 4404, 4409, 4410])(
    'stays away after %i, with the reason, until it is started',
    async (code) => {
      const stage = new Stage();
      const client = await stage.live();
      stage.line.cut(code, 'forbidden: not for you');
      await stage.clock.pass(60_000);
      expect(client.status).toMatchObject({ connection: 'closed', reason: 'forbidden: not for you' });
      expect(stage.lines).toHaveLength(1);
      client.start();
      await stage.clock.pass(50);
      expect(client.status.connection).toBe('live');
    },
  );

  it('tells why the server has closed it, until somebody has it look again', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const bye = { t: 'bye', code: 'workspace_deleted', detail: 'It is in the trash.', again_ms: null };
    stage.line.onmessage?.({ data: JSON.stringify([bye]) } as never);
    expect(client.bye).toBeNull();
    stage.line.cut(4410, 'workspace_deleted');
    expect(client.bye).toMatchObject({ code: 'workspace_deleted' });
    client.retry();
    await stage.clock.pass(50);
    expect([client.status.connection, client.bye]).toEqual(['live', null]);
  });

  it('is looked for at once when somebody asks for it', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.down();
    await stage.clock.pass(60_000);
    stage.isUp = true;
    client.retry();
    await stage.clock.pass(100);
    expect(client.status.connection).toBe('live');
  });

  it('does not go round in circles over a write that the server cannot read', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const taken = stage.server.take.bind(stage.server);
    stage.server.take = (seat, message) => {
      if (message.t !== 'submit' || !JSON.stringify(message).includes('poison')) taken(seat, message);
      else stage.clock.setTimeout(() => stage.line.cut(4400, 'invalid_message: /operations/0'), 0);
    };
    for (const id of ['a', 'poison', 'b']) void client.edit(addNode(id));
    await stage.saved(client);
    expect([...stage.server.workspace.nodes.keys()]).toEqual(['a', 'b']);
    expect(client.tray).toMatchObject([{ code: 'invalid_message', what: 'Add “poison”' }]);
    expect(stage.lines.length).toBeLessThan(5);
  });

  it('is given up when an answer does not come', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const taken = stage.server.take.bind(stage.server);
    stage.server.take = (seat, message) => {
      if (message.t !== 'submit') taken(seat, message);
    };
    void client.edit(addNode('a'));
    const beat = () => {
      stage.line.onmessage?.({ data: '[{"t":"store","ok":true}]' } as never);
      stage.clock.setTimeout(beat, 5_000);
    };
    beat();
    await stage.clock.pass(29_000);
    expect(stage.lines).toHaveLength(1);
    stage.server.take = taken;
    await stage.clock.pass(3_000);
    expect(stage.lines).toHaveLength(2);
    expect(client.status.saving).toBe('saved');
  });
});

describe('a browser without network', () => {
  const offline = (client: LiveClient) => {
    // What the page's listener does; tests of `PageLifecycle` say when.
    (client as unknown as { suspectConnection(): void }).suspectConnection();
  };

  it('says so at once, sends nothing, and goes on when the connection turns out to be lost', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.line.send = () => undefined;
    offline(client);
    void client.edit(addNode('a'));
    expect(client.status).toMatchObject({ connection: 'offline', saving: 'offline', pending: 1 });
    expect(client.status.reason).toBe('This browser has no network. One change is kept here.');
    await stage.clock.pass(4_000);
    expect([stage.said('submit'), stage.lines.length]).toEqual([[], 1]);
    await stage.saved(client);
    expect(stage.lines.length).toBe(2);
    expect(stage.server.rev).toBe(1);
  });

  it('is live again as soon as a server answers that needs no network', async () => {
    const stage = new Stage();
    const client = await stage.live();
    offline(client);
    void client.edit(addNode('a'));
    expect(client.status.saving).toBe('offline');
    await stage.clock.pass(50);
    expect([client.status.saving, stage.lines.length, stage.server.rev]).toEqual(['saved', 1, 1]);
  });

  it('is found out where nobody says so: what gets no answer is asked after, and then said to wait', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const { send } = stage.line;
    stage.line.send = () => undefined;
    void client.edit(addNode('a'));
    await stage.clock.pass(900);
    expect(client.status.saving).toBe('saving');
    await stage.clock.pass(1_700);
    expect(client.status).toMatchObject({ saving: 'offline', pending: 1 });
    expect(client.status.reason).toMatch(/^The server does not answer\./);
    stage.line.send = send;
    await stage.saved(client);
    expect(stage.server.rev).toBe(1);
  });

  it('is not what a slow server is taken for', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const taken = stage.server.take.bind(stage.server);
    stage.server.take = (seat, message) => {
      if (message.t !== 'submit') taken(seat, message);
    };
    void client.edit(addNode('a'));
    await stage.clock.pass(9_000);
    expect(client.status.saving).toBe('saving');
    expect(stage.said('ping')).toHaveLength(1);
  });

  it('ends after fifteen seconds with another connection, over which everything is sent again', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.line.send = () => undefined;
    void client.edit(addNode('a'));
    await stage.clock.pass(14_900);
    expect([client.status.saving, stage.lines.length]).toEqual(['offline', 1]);
    await stage.clock.pass(1_500);
    expect([client.status.saving, stage.lines.length]).toEqual(['saved', 2]);
    expect([stage.server.rev, stage.said('submit').length]).toEqual([1, 1]);
  });
});

describe('undo of what waits', () => {
  it('drops what was never sent, the newest first', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.down();
    const [a, b] = [client.edit(addNode('a')), client.edit(addNode('b'))];
    expect(client.takeBackTarget()).toMatchObject({ label: 'Add “b”', isSent: false });
    expect(await client.takeBack()).toMatchObject({ kind: 'committed', changed: false });
    expect([...client.view.nodes.keys()]).toEqual(['a']);
    expect(client.status.pending).toBe(1);
    expect(await b).toMatchObject({ kind: 'committed', changed: false });
    stage.isUp = true;
    await stage.saved(client);
    expect(await a).toMatchObject({ changed: true, rev: 1 });
    expect(stage.server.rev).toBe(1);
    expect(await client.takeBack()).toBeNull();
  });

  it('follows what may have been sent, whether it arrived or not', async () => {
    for (const hasArrived of [true, false]) {
      const stage = new Stage();
      const client = await stage.live();
      if (!hasArrived) stage.line.send = () => undefined;
      const added = client.edit(addNode('a'));
      await stage.clock.pass(0);
      await stage.clock.pass(hasArrived ? 2 : 0);
      stage.down();
      expect(client.takeBackTarget()).toMatchObject({ isSent: true });
      const undone = client.takeBack();
      expect([...client.view.nodes.keys()]).toEqual([]);
      expect(client.takeBackTarget()).toBeNull();
      stage.isUp = true;
      await stage.saved(client);
      expect(await added).toMatchObject({ changed: true, rev: 1 });
      expect(await undone).toMatchObject({ changed: true, rev: 2 });
      expect([...client.view.nodes.keys()]).toEqual([]);
      expect(stage.said('undo')).toMatchObject([{ expect: 1 }]);
    }
  });

  it('goes with what it follows where that is refused, and takes nothing older', async () => {
    const stage = new Stage();
    const client = await stage.live();
    void client.edit(addNode('a'));
    await stage.saved(client);
    const refused = client.edit([{ op: 'delete_node', id: 'nobody' } as Operation]);
    await stage.clock.pass(0);
    stage.down();
    const undone = client.takeBack();
    stage.isUp = true;
    await stage.saved(client);
    expect(await refused).toMatchObject({ kind: 'rejected' });
    expect(await undone).toMatchObject({ kind: 'committed', changed: false });
    await stage.clock.pass(100);
    expect([...client.view.nodes.keys()]).toEqual(['a']);
    expect(stage.said('undo')).toEqual([]);
  });

  it('outlives its page', async () => {
    const stage = new Stage();
    const first = await stage.live();
    stage.line.send = () => undefined;
    void first.edit(addNode('a'));
    await stage.clock.pass(0);
    stage.down();
    void first.takeBack();
    await stage.clock.pass(1_000);
    await first.close();
    stage.isUp = true;
    const second = await stage.live();
    await stage.clock.until('it is done and undone', () => stage.server.rev === 2);
    await stage.saved(second);
    expect([...second.view.nodes.keys()]).toEqual([]);
  });

  it('takes in the document only what changes it', async () => {
    const stage = new Stage();
    const client = await stage.live();
    stage.down();
    void client.edit([{ op: 'delete_section', section: '## A' } as Operation]);
    void client.edit(addNode('a'));
    expect(client.takeBackTarget('document')?.label).toBe('Delete section “## A”');
    await client.takeBack('document');
    expect(client.takeBackTarget('document')).toBeNull();
    expect(client.takeBackTarget()?.label).toBe('Add “a”');
  });
});

describe('presence', () => {
  it('is told at most twenty times a second, the last always, and anew on a new connection', async () => {
    const stage = new Stage();
    const client = await stage.live();
    for (let n = 0; n < 100; n++) {
      client.present({ cursor: { x: n, y: 0 } });
      await stage.clock.pass(10);
    }
    await stage.clock.pass(100);
    const told = stage.said('presence');
    expect(told.length).toBeGreaterThan(15);
    expect(told.length).toBeLessThanOrEqual(21);
    expect(told.at(-1)).toMatchObject({ state: { cursor: { x: 99 } } });
    stage.line.cut();
    await stage.clock.pass(1_000);
    expect(stage.said('presence')).toMatchObject([{ state: { cursor: { x: 99 } } }]);
  });

  it('has the caret in the text that others have', async () => {
    const stage = new Stage();
    const client = await stage.live();
    client.type([3, [0, ' and'], 4]);
    client.present({ caret: { rev: client.revision, anchor: 7, head: 9 } });
    await stage.clock.pass(20);
    expect(stage.said('presence')).toMatchObject([{ state: { caret: { rev: 0, anchor: 3, head: 5 } } }]);
    expect(client.caretHere({ rev: 0, anchor: 4, head: 7 })).toEqual({ anchor: 8, head: 11 });
  });
});

describe('what is pending', () => {
  /** A store whose writes end when the test says so. */
  class SlowPending implements PendingStore {
    readonly waiting: (() => void)[] = [];
    readonly kept = new MemoryPending();
    all = (workspace: string) => this.kept.all(workspace);
    close = () => undefined;
    async put(workspace: string, tab: string, record: TabRecord | null): Promise<void> {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      await this.kept.put(workspace, tab, record);
    }
  }

  it('is kept before it is sent', async () => {
    const stage = new Stage();
    const store = new SlowPending();
    const client = await stage.live({ store });
    const taken = stage.server.take.bind(stage.server);
    const found: Promise<TabRecord[]>[] = [];
    stage.server.take = (seat, message) => {
      if (message.t === 'submit') found.push(store.kept.all('w'));
      taken(seat, message);
    };
    void client.edit(addNode('a'));
    await stage.clock.pass(100);
    expect(stage.said('submit')).toEqual([]);
    while (found.length === 0) {
      store.waiting.shift()?.();
      await stage.clock.pass(10);
    }
    expect(await found[0]).toMatchObject([{ writes: [{ sentAt: { epoch: 'epoch-1', rev: 0 } }] }]);
  });

  it('is sent all the same where the store is too slow', async () => {
    const stage = new Stage();
    const client = await stage.live({ store: new SlowPending() });
    void client.edit(addNode('a'));
    await stage.clock.pass(299);
    expect(stage.said('submit')).toEqual([]);
    await stage.clock.pass(700);
    expect(stage.said('submit')).toHaveLength(1);
  });

  it('is gone from the store when all is saved', async () => {
    const stage = new Stage();
    const client = await stage.live();
    void client.edit(addNode('a'));
    await stage.clock.pass(1);
    expect(await stage.store.all('w')).toHaveLength(1);
    await stage.saved(client);
    await stage.clock.pass(10);
    expect(await stage.store.all('w')).toEqual([]);
  });

  it('is not kept, and that is said, where the store fails; the rest goes on', async () => {
    const stage = new Stage();
    let isBroken = true;
    const { store } = stage;
    const failing: PendingStore = {
      all: () => Promise.reject(new Error('no storage')),
      put: (...what) => (isBroken ? Promise.reject(new Error('quota exceeded')) : store.put(...what)),
      close: () => undefined,
    };
    const client = await stage.live({ store: failing });
    const edit = client.edit(addNode('a'));
    await stage.clock.pass(50);
    expect(await edit).toMatchObject({ kind: 'committed' });
    expect(client.status.reason).toContain('quota exceeded');
    isBroken = false;
    void client.edit(addNode('b'));
    await stage.clock.pass(50);
    expect(client.status.reason).toBe('');
  });

  it('of a page that is gone is taken over by the next, done once, and its tray with it', async () => {
    const stage = new Stage();
    const first = await stage.live();
    void first.edit(addNode('a'));
    void first.edit([{ op: 'delete_node', id: 'nobody' } as Operation]);
    await stage.saved(first);
    stage.down();
    void first.edit(addNode('b'));
    first.type([7, [0, ' three']]);
    await first.close();
    stage.isUp = true;
    const second = await stage.live();
    await stage.saved(second);
    expect([...stage.server.workspace.nodes.keys()]).toEqual(['a', 'b']);
    expect(stage.server.workspace.text).toBe('one two three');
    expect(second.tray).toMatchObject([{ what: 'Delete “nobody”' }]);
    expect(await stage.store.all('w')).toMatchObject([
      { writes: [], texts: [], tray: [{ what: 'Delete “nobody”' }] },
    ]);
    second.discard(second.tray[0]?.id ?? '');
    await stage.clock.pass(10);
    expect([second.tray, await stage.store.all('w')]).toEqual([[], []]);
  });

  it('of a page that is gone is sent again only once a hello has named it: a copy may be on its way', async () => {
    const stage = new Stage();
    const first = await stage.live();
    void first.edit(addNode('a'));
    await stage.clock.pass(1);
    expect(stage.said('submit')).toHaveLength(1);
    stage.line.close();
    void first.close();
    const second = await stage.live();
    await stage.saved(second);
    const [submit] = stage.said('submit');
    const [hello] = stage.said('hello') as Hello[];
    expect(hello?.pending).toEqual([(submit as Submit).id]);
    expect(stage.lines).toHaveLength(3);
    expect(stage.lines[1]?.said.map(({ t }) => t)).toEqual(['hello']);
  });

  it('is sent once over a connection that opened while it was written down', async () => {
    const stage = new Stage();
    let write: () => void = () => undefined;
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const slow = { all: async () => [], put: () => written, close: () => undefined };
    let ms = 2;
    const socket = () => {
      stage.lines.push(new Line(stage.server, stage.clock, { delay: () => ms, isUp: () => true }, 'ada'));
      return stage.line;
    };
    const client = await stage.live({ store: slow, socket });
    void client.edit(addNode('a'));
    await stage.clock.pass(1);
    stage.line.cut();
    client.retry();
    await stage.clock.until(
      'another has opened',
      () => stage.lines.length === 2 && stage.said('hello').length > 0,
    );
    ms = 100;
    expect(client.status.connection).toBe('offline');
    write();
    await stage.clock.pass(1_000);
    expect(stage.said('submit')).toHaveLength(1);
  });

  it('of a page that lives is left to it', async () => {
    const stage = new Stage();
    const first = await stage.live();
    stage.down();
    void first.edit(addNode('a'));
    const second = stage.open();
    stage.isUp = true;
    await stage.saved(second);
    await stage.saved(first);
    expect(stage.server.log.map(({ id }) => id)).toHaveLength(1);
  });

  it('of a page that goes later is taken over by one that is open already, at once and once', async () => {
    const stage = new Stage();
    const weather = { delay: () => 2, isUp: () => false };
    const first = stage.open({ socket: () => new Line(stage.server, stage.clock, weather, 'ada') });
    void first.edit(addNode('a'));
    await stage.clock.pass(10);
    const others = [await stage.live(), await stage.live()];
    await stage.clock.pass(1_000);
    expect(stage.server.log).toEqual([]);
    await first.close();
    await stage.clock.pass(100);
    expect(stage.server.log).toMatchObject([{ actor: 'ada' }]);
    expect(others.map(({ status }) => status.saving)).toEqual(['saved', 'saved']);
    expect(await stage.store.all('w')).toEqual([]);
  });

  it('of another person is left for that one', async () => {
    const stage = new Stage();
    const ada = await stage.live();
    stage.down();
    void ada.edit(addNode('a'));
    await ada.close();
    stage.isUp = true;
    const bob = await stage.live({}, 'bob');
    await stage.clock.pass(1_000);
    expect([stage.server.rev, bob.status.pending]).toEqual([0, 0]);
    const again = await stage.live();
    await stage.saved(again);
    expect(stage.server.log).toMatchObject([{ actor: 'ada' }]);
  });

  it('is taken over without locks when its page has let go of it, or was not heard of for long', async () => {
    const stage = new Stage();
    const first = await stage.live({ locks: null });
    stage.down();
    void first.edit(addNode('a'));
    await stage.clock.pass(10);
    stage.isUp = true;
    const second = await stage.live({ locks: null });
    // The first shows that it is there; it has the next turn at its own work.
    expect(second.status.pending).toBe(0);
    await stage.saved(first);
    stage.down();
    void first.edit(addNode('b'));
    await first.close();
    stage.isUp = true;
    await stage.clock.pass(60_000);
    expect([...stage.server.workspace.nodes.keys()]).toEqual(['a', 'b']);
  });

  it('is not taken over where the browser refuses locks; the rest goes on', async () => {
    const stage = new Stage();
    const first = await stage.live();
    stage.down();
    void first.edit(addNode('a'));
    await first.close();
    stage.isUp = true;
    const request = () => Promise.reject(new DOMException('not here', 'SecurityError'));
    const second = await stage.live({ locks: { request, query: stage.locks.query } as LockManager });
    void second.edit(addNode('b'));
    await stage.saved(second);
    expect([...stage.server.workspace.nodes.keys()]).toEqual(['b']);
  });

  it('can be applied again or discarded where it did not fit', async () => {
    const stage = new Stage();
    const client = await stage.live();
    const edit = client.edit([{ op: 'update_node', id: 'a', label: 'B' } as Operation]);
    await stage.clock.pass(50);
    expect(await edit).toMatchObject({ kind: 'rejected' });
    void client.edit(addNode('a'));
    const again = client.applyAgain(client.tray[0]?.id ?? '');
    await stage.saved(client);
    expect(await again).toMatchObject({ kind: 'committed', changed: true });
    expect(await client.applyAgain('no such item')).toBe('misplaced');
    expect(client.tray).toEqual([]);
    expect(stage.server.workspace.nodes.get('a')?.label).toBe('B');
  });
});
