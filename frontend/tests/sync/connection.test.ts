/** One WebSocket after another, on a clock moved by hand. */
import { describe, expect, it } from 'vitest';
import { Connection, type SocketLike } from '../../src/sync/client/connection';
import { HandClock } from './handClock';
import { seeded } from './random';

class Socket implements SocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly sent: string[] = [];
  isClosed = false;

  send = (text: string) => this.sent.push(text);
  close = () => {
    this.isClosed = true;
  };
  open = () => this.onopen?.({} as never);
  say = (data: string) => this.onmessage?.({ data } as never);
  end = (code = 1006, reason = '') => this.onclose?.({ code, reason } as never);
}

function stage(again: (code: number) => number | null = () => 0) {
  const clock = new HandClock(seeded(7));
  const sockets: Socket[] = [];
  const times: number[] = [];
  const said: string[] = [];
  let address = async () => 'ws://server.test';
  const connection = new Connection(
    () => address(),
    () => {
      const socket = new Socket();
      sockets.push(socket);
      times.push(clock.now());
      return socket;
    },
    clock,
    {
      opened: () => said.push('opened'),
      handleMessage: (text) => said.push(text),
      handleClose: (code, reason) => {
        said.push(`gone ${code} ${reason}`);
        return again(code);
      },
    },
  );
  const last = () => sockets[sockets.length - 1] as Socket;
  return { clock, connection, sockets, times, said, last, use: (other: typeof address) => (address = other) };
}

describe('a connection', () => {
  it('is tried again with longer and longer pauses, up to ten seconds, never all pages at once', async () => {
    const { clock, connection, times, last } = stage();
    connection.start();
    await clock.pass(0);
    for (let n = 0; n < 10; n++) {
      last().end();
      await clock.pass(10_001);
    }
    const pauses = times.slice(1).map((at, n) => at - (times[n] as number));
    expect(pauses).toHaveLength(10);
    // The pass itself is what the later ones wait for at most; the first begin earlier.
    const { clock: other, connection: second, times: exact, last: newest } = stage();
    second.start();
    await other.pass(0);
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      const before = exact.length;
      const at = other.now();
      newest().end();
      await other.until('another socket', () => exact.length > before);
      waits.push(other.now() - at);
    }
    waits.forEach((wait, n) => {
      const most = Math.min(10_000, 300 * 2 ** n);
      expect(wait).toBeGreaterThanOrEqual(most / 2);
      expect(wait).toBeLessThanOrEqual(most);
    });
    expect(new Set(waits).size).toBe(8);
  });

  it('begins with short pauses again after one that lived', async () => {
    const { clock, connection, sockets, last } = stage();
    connection.start();
    await clock.pass(0);
    for (let n = 0; n < 6; n++) {
      last().end();
      await clock.until('another socket', () => sockets.length === n + 2);
    }
    last().open();
    await clock.pass(6_000);
    last().end();
    await clock.pass(301);
    expect(sockets).toHaveLength(8);
  });

  it('does not take one that was closed at once for a good one', async () => {
    const { clock, connection, sockets, last } = stage();
    connection.start();
    await clock.pass(0);
    for (let n = 0; n < 5; n++) {
      last().open();
      last().end();
      await clock.until('another socket', () => sockets.length === n + 2);
    }
    const before = sockets.length;
    last().end();
    await clock.pass(2_000);
    expect(sockets).toHaveLength(before);
  });

  it('comes when the server has said, a little later than that, or never', async () => {
    const { clock, connection, sockets, last } = stage((code) => (code === 1012 ? 2_000 : null));
    connection.start();
    await clock.pass(0);
    last().open();
    last().end(1012, 'restarting');
    await clock.pass(1_999);
    expect(sockets).toHaveLength(1);
    await clock.pass(1_001);
    expect(sockets).toHaveLength(2);
    last().end(4401, 'unauthorized');
    await clock.pass(60_000);
    connection.check();
    await clock.pass(60_000);
    expect(sockets).toHaveLength(2);
    connection.start();
    await clock.pass(0);
    expect(sockets).toHaveLength(3);
  });

  it('is tried at once when there is reason to think that it will do', async () => {
    const { clock, connection, sockets, last } = stage();
    connection.start();
    await clock.pass(0);
    for (let n = 0; n < 6; n++) {
      last().end();
      await clock.until('another socket', () => sockets.length === n + 2);
    }
    last().end();
    connection.check();
    await clock.pass(0);
    expect(sockets).toHaveLength(8);
    connection.check();
    await clock.pass(0);
    expect(sockets).toHaveLength(8);
  });

  it('is given up where nothing opens', async () => {
    const { clock, connection, sockets } = stage();
    connection.start();
    await clock.pass(10_400);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.isClosed).toBe(true);
  });

  it('asks after half the silence allowed, and is given up after all of it', async () => {
    const { clock, connection, sockets, last, said } = stage();
    connection.start();
    await clock.pass(0);
    last().open();
    connection.allowSilence(30_000);
    await clock.pass(14_999);
    expect(last().sent).toEqual([]);
    await clock.pass(1);
    expect(last().sent).toEqual(['{"t":"ping","n":1}']);
    last().say('pong');
    await clock.pass(14_999);
    expect(last().sent).toHaveLength(1);
    await clock.pass(1);
    await clock.pass(4_999);
    expect(said.at(-1)).toBe('pong');
    await clock.pass(1);
    expect(said.at(-1)).toBe('gone 1006 The server is silent.');
    await clock.pass(301);
    expect(sockets).toHaveLength(2);
  });

  it('is asked at once whether it lives when the page comes back from sleep', async () => {
    const { clock, connection, last, said } = stage();
    connection.start();
    await clock.pass(0);
    last().open();
    connection.allowSilence(30_000);
    await clock.pass(1_000);
    connection.check();
    connection.check();
    expect(last().sent[0]).toBe('{"t":"ping","n":1}');
    await clock.pass(5_000);
    expect(said.at(-1)).toBe('gone 1006 The server is silent.');
  });

  it('hears nothing more of a socket that it has let go of', async () => {
    const { clock, connection, sockets, said } = stage();
    connection.start();
    await clock.pass(0);
    const [first] = sockets as [Socket];
    first.open();
    first.end();
    first.say('late');
    first.end();
    expect(said).toEqual(['opened', 'gone 1006 ']);
    connection.stop();
    await clock.pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(connection.send([{ t: 'ping', n: 1 }])).toBe(false);
  });

  it('is tried again where its address or its ticket cannot be had', async () => {
    const { clock, connection, sockets, said, use } = stage();
    use(() => Promise.reject(new Error('no ticket')));
    connection.start();
    await clock.pass(200);
    expect(said).toContain('gone 1006 no ticket');
    use(async () => 'ws://server.test');
    await clock.pass(1_000);
    expect(sockets).toHaveLength(1);
  });
});
