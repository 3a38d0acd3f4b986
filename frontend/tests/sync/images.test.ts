/** Images that the server does not have yet: what is kept of them, and how they get there. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { ApiError, unreachable } from '../../src/protocol/http';
import type { Upload } from '../../src/protocol/upload';
import { IndexedImages, type KeptImage, MemoryImages, TooMuchKept } from '../../src/sync/images/imageStore';
import { type NewImage, type TabChannel, Uploads } from '../../src/sync/images/uploads';
import { HandClock } from './handClock';
import { MadeLocks } from './locks';

const kept = (sha256: string, size: number, workspace = 'w'): KeptImage => ({
  workspace,
  sha256,
  type: 'image/png',
  name: `${sha256}.png`,
  size,
});
const bytes = (size: number) => new Uint8Array(size).fill(7).buffer;
const image = (sha256: string, size = 3): NewImage => ({
  sha256,
  type: 'image/png',
  name: `${sha256}.png`,
  bytes: bytes(size),
});

describe.each([
  ['MemoryImages', (most: number) => new MemoryImages(most)],
  ['IndexedImages', (most: number) => new IndexedImages(new IDBFactory(), most)],
])('%s', (_, open) => {
  it('gives back what was put, for each workspace by itself', async () => {
    const store = open(100);
    await store.put(kept('b', 3), bytes(3));
    await store.put(kept('a', 4), bytes(4));
    await store.put(kept('a', 5, 'w2'), bytes(5));
    const names = (await store.all('w')).map(({ name }) => name);
    expect(names.sort()).toEqual(['a.png', 'b.png']);
    expect((await store.bytesOf('w', 'a'))?.byteLength).toBe(4);
    expect((await store.bytesOf('w2', 'a'))?.byteLength).toBe(5);
    await store.delete('w', 'a');
    expect(await store.bytesOf('w', 'a')).toBeNull();
    expect(await store.all('w')).toEqual([kept('b', 3)]);
  });

  it('takes no more than its bound, over all workspaces, and has room again for what was deleted', async () => {
    const store = open(10);
    await store.put(kept('a', 6), bytes(6));
    await store.put(kept('a', 4, 'w2'), bytes(4));
    await store.put(kept('a', 6), bytes(6));
    await expect(store.put(kept('a', 7), bytes(7))).rejects.toBeInstanceOf(TooMuchKept);
    await expect(store.put(kept('c', 1), bytes(1))).rejects.toBeInstanceOf(TooMuchKept);
    expect(await store.all('w')).toEqual([kept('a', 6)]);
    await store.delete('w2', 'a');
    await store.put(kept('c', 1), bytes(1));
  });
});

/** A server that can be away, and what it was sent. */
class MadeServer {
  isAway = false;
  tries = 0;
  refusal: ApiError | null = null;
  readonly sent: string[] = [];
  private readonly attempts: (() => void)[] = [];
  /** Called while an upload is under way. */
  during: (upload: Upload) => Promise<void> | void = () => {};

  readonly send = async (upload: Upload): Promise<void> => {
    this.tries += 1;
    for (const tried of this.attempts.splice(0)) tried();
    if (this.isAway) throw unreachable();
    await this.during(upload);
    if (this.refusal) throw this.refusal;
    this.sent.push(`${upload.type} ${upload.path} ${upload.bytes.byteLength}`);
  };

  /** Resolves when it is asked the next time. */
  asked = (): Promise<void> => new Promise((resolve) => this.attempts.push(resolve));
}

/** Channels of tabs of one browser: what one posts, the others hear. */
function channels(): () => TabChannel {
  const all: TabChannel[] = [];
  return () => {
    const channel: TabChannel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of all)
          if (other !== channel) queueMicrotask(() => other.onmessage?.({ data } as MessageEvent));
      },
    };
    all.push(channel);
    return channel;
  };
}

function browser() {
  const server = new MadeServer();
  const clock = new HandClock();
  const factory = new IDBFactory();
  const channel = channels();
  const locks = new MadeLocks();
  const tab = () =>
    new Uploads('w', {
      store: new IndexedImages(factory),
      send: server.send,
      clock,
      locks,
      channel: channel(),
    });
  const state = (uploads: Uploads, sha256: string) => uploads.get(sha256)?.state;
  return { server, clock, tab, state, factory };
}

const comes = (uploads: Uploads, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (!isSo()) return;
      end();
      resolve();
    };
    const end = uploads.subscribe(check);
    check();
  });

describe('uploads', () => {
  it('send what is added, in order, with progress, and keep it no longer', async () => {
    const { server, tab, state, factory } = browser();
    const parts: number[] = [];
    const uploads = tab();
    server.during = ({ onProgress }) => {
      onProgress(0.5);
      parts.push(uploads.get('a')?.part ?? -1);
    };
    await Promise.all([uploads.add(image('a')), uploads.add(image('b', 4))]);
    expect(uploads.get('a')?.bytes.byteLength).toBe(3);
    await comes(uploads, () => state(uploads, 'b') === 'sent');
    expect(server.sent).toEqual(['image/png /workspaces/w/images/a 3', 'image/png /workspaces/w/images/b 4']);
    expect(parts[0]).toBe(0.5);
    expect(await new IndexedImages(factory).all('w')).toEqual([]);
    expect(uploads.get('a')?.bytes.byteLength).toBe(3);
  });

  it('are tried again by themselves while the server is away, ever less often, and at once when it is back', async () => {
    const server = new MadeServer();
    const clock = new HandClock();
    const parts = { store: new MemoryImages(), send: server.send, clock, locks: null, channel: null };
    const uploads = new Uploads('w', parts);
    const state = (sha256: string) => uploads.get(sha256)?.state;
    server.isAway = true;
    await uploads.add(image('a'));
    await clock.pass(1_000);
    expect(state('a')).toBe('waiting');
    server.isAway = false;
    await clock.until('the next attempt', () => state('a') === 'sent');
    server.isAway = true;
    await uploads.add(image('b'));
    const before = server.tries;
    await clock.pass(300_000);
    // After 1, 2, 4, 8 and 16 s, then every 30 s.
    expect(server.tries - before).toBe(14);
    server.isAway = false;
    uploads.retry();
    await clock.pass(0);
    expect(state('b')).toBe('sent');
  });

  it('survive the page: the next one sends what was left', async () => {
    const { server, tab, state } = browser();
    server.isAway = true;
    const before = tab();
    await Promise.all([server.asked(), before.add(image('a', 5))]);
    server.isAway = false;
    const after = tab();
    await after.ready;
    expect(after.get('a')?.bytes.byteLength).toBe(5);
    await comes(after, () => state(after, 'a') === 'sent');
    expect(server.sent).toHaveLength(1);
  });

  it('keep what the server refuses, say why, and try it again when asked', async () => {
    const { server, tab, state, factory } = browser();
    server.refusal = new ApiError({ status: 413, code: 'x', detail: 'It has no room.', problems: [] });
    const uploads = tab();
    await uploads.add(image('a'));
    await comes(uploads, () => state(uploads, 'a') === 'refused');
    expect(uploads.get('a')?.reason).toBe('It has no room.');
    expect(await new IndexedImages(factory).all('w')).toHaveLength(1);
    server.refusal = null;
    uploads.retry();
    expect(state(uploads, 'a')).toBe('refused');
    uploads.retry('a');
    await comes(uploads, () => state(uploads, 'a') === 'sent');
  });

  it('go on with the next where one is refused', async () => {
    const { server, tab, state } = browser();
    server.during = ({ path }) => {
      if (path.endsWith('/a')) throw new ApiError({ status: 422, code: 'x', detail: 'No.', problems: [] });
    };
    const uploads = tab();
    await uploads.add(image('a'));
    await uploads.add(image('b'));
    await comes(uploads, () => state(uploads, 'b') === 'sent');
    expect(state(uploads, 'a')).toBe('refused');
  });

  it('are shown in every tab of the browser, and sent by one of them', async () => {
    const { server, tab, state } = browser();
    const [one, other] = [tab(), tab()];
    await Promise.all([one.ready, other.ready]);
    server.during = () => {
      server.during = () => {};
      return comes(other, () => state(other, 'a') === 'waiting');
    };
    await one.add(image('a'));
    await comes(other, () => state(other, 'a') === 'sent');
    await comes(one, () => state(one, 'a') === 'sent');
    expect(server.sent).toHaveLength(1);
  });

  it('are gone everywhere once they are removed', async () => {
    const { server, tab, factory } = browser();
    server.isAway = true;
    const [one, other] = [tab(), tab()];
    await Promise.all([one.ready, other.ready]);
    await one.add(image('a'));
    await comes(other, () => other.get('a') !== null);
    await other.remove('a');
    await comes(one, () => one.get('a') === null);
    expect(await new IndexedImages(factory).all('w')).toEqual([]);
  });

  it('are sent from memory where the browser keeps nothing, and say so', async () => {
    const server = new MadeServer();
    const refusing = new Proxy(new MemoryImages(), {
      get: () => () => Promise.reject(new Error('storage is forbidden')),
    });
    const parts = { store: refusing, send: server.send, clock: new HandClock(), locks: null, channel: null };
    const uploads = new Uploads('w', parts);
    expect((await uploads.add(image('a'))).isKept).toBe(false);
    await comes(uploads, () => uploads.get('a')?.state === 'sent');
  });
});
