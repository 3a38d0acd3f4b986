/** What the bar says is true: never "Saved" while anything is pending, and never without what to do. */
import { describe, expect, it } from 'vitest';
import { type StatusInput, statusOf } from '../../src/sync/session/liveStatus';
import { statusWords } from '../../src/sync/words/status';

const WELL: StatusInput = { connection: 'live', pending: 0, refusing: '', gone: '', notice: '' };
const words = (facts: Partial<StatusInput>, isKnown = true) =>
  statusWords({ status: statusOf({ ...WELL, ...facts }), revision: 12, isKnown });

describe('the status in words', () => {
  it('is saved only where nothing is pending and the connection lives', () => {
    const connections = ['connecting', 'live', 'offline', 'closed'] as const;
    for (const connection of connections)
      for (const pending of [0, 1, 7])
        for (const refusing of ['', 'the disk is full'])
          for (const isKnown of [true, false]) {
            const isSaved = words({ connection, pending, refusing }, isKnown).short.startsWith('Saved');
            expect(isSaved).toBe(connection === 'live' && pending === 0 && refusing === '' && isKnown);
          }
  });

  it('says what waits and where it is kept', () => {
    expect(words({}).short).toBe('Saved · revision 12');
    expect(words({ pending: 1 })).toMatchObject({
      short: 'Saving…',
      detail: '1 change is on the way to the server.',
    });
    const away = words({ connection: 'offline', pending: 2 });
    expect(away.short).toBe('Offline · 2 changes kept here');
    expect(away.detail).toBe(
      'The server does not answer. 2 changes are kept in this browser and go out by themselves when it does.',
    );
    expect(words({ connection: 'offline' }).short).toBe('Offline');
    expect(words({ connection: 'offline' }, false).detail).toMatch(/nothing can be shown yet/);
    expect(words({ connection: 'connecting' }, false).short).toBe('Opening…');
  });

  it('says why nothing is saved', () => {
    const full = words({ refusing: 'the disk is full', pending: 1 });
    expect(full.short).toBe('Not saving · 1 change kept here');
    expect(full.detail).toMatch(/^The disk is full/);
    expect(full.advice).toMatch(/doctor/);
    expect(words({ connection: 'closed', gone: 'This link was revoked.' })).toMatchObject({
      short: 'Not connected',
      detail: 'This link was revoked.',
    });
  });

  it('says where the browser keeps nothing', () => {
    const notice = 'This browser has no storage.';
    expect(words({ notice }).advice).toBe(notice);
    expect(words({ connection: 'offline', pending: 1, notice }).detail).toMatch(/kept on this page/);
  });
});
