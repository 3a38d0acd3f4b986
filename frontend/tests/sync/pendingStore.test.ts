/** What every store of pending work promises; in memory, and in IndexedDB. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import type { Changes } from '../../src/model/core/changes';
import { IndexedPending, MemoryPending, UnloadCopies } from '../../src/sync/client/pendingStore';
import type { TabRecord } from '../../src/sync/session/pendingRecord';
import { add } from './messages';

function record(tab: string, workspace = 'w'): TabRecord {
  const writes = [{ message: add(tab), at: 1, sentAt: null }];
  const texts = [
    {
      text: `base of ${tab}`,
      epoch: 'e1',
      rev: 3,
      h: 'h3',
      flight: null,
      waiting: [[0, 'x'], 13] as Changes,
    },
  ];
  return { workspace, tab, actor: 'guest:ada', at: 2, isReleased: false, writes, texts, tray: [] };
}

/** What `localStorage` is in a browser. */
function storageOf(items = new Map<string, string>()): Storage {
  return {
    get length() {
      return items.size;
    },
    key: (at: number) => [...items.keys()][at] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
}

describe.each([
  ['MemoryPending', () => new MemoryPending()],
  ['IndexedPending', () => new IndexedPending(new IDBFactory())],
])('%s', (_, open) => {
  it('gives back what was put, for each workspace by itself', async () => {
    const store = open();
    await store.put('w', 'tab-1', record('tab-1'));
    await store.put('w', 'tab-2', record('tab-2'));
    await store.put('w2', 'tab-1', record('tab-1', 'w2'));
    expect(await store.all('w')).toEqual([record('tab-1'), record('tab-2')]);
    expect(await store.all('w2')).toEqual([record('tab-1', 'w2')]);
    expect(await store.all('')).toEqual([]);
    store.close();
  });

  it('holds one record for a tab, and none after null', async () => {
    const store = open();
    await store.put('w', 'tab-1', record('tab-1'));
    await store.put('w', 'tab-1', { ...record('tab-1'), at: 9 });
    expect(await store.all('w')).toMatchObject([{ at: 9 }]);
    await store.put('w', 'tab-1', null);
    expect(await store.all('w')).toEqual([]);
    store.close();
  });

  it('takes away what was taken over together with the write', async () => {
    const store = open();
    await store.put('w', 'gone', record('gone'));
    await store.put('w', 'tab-1', record('tab-1'), ['gone']);
    expect((await store.all('w')).map(({ tab }) => tab)).toEqual(['tab-1']);
    store.close();
  });

  it('shares nothing with who put it', async () => {
    const store = open();
    const mine = record('tab-1');
    await store.put('w', 'tab-1', mine);
    mine.writes.pop();
    expect(await store.all('w')).toEqual([record('tab-1')]);
    store.close();
  });
});

describe('IndexedPending', () => {
  it('finds again what was there before the page was loaded anew', async () => {
    const factory = new IDBFactory();
    const before = new IndexedPending(factory);
    await before.put('w', 'tab-1', record('tab-1'));
    before.close();
    expect(await new IndexedPending(factory).all('w')).toEqual([record('tab-1')]);
  });

  it('gives the last copy of a tab that went before its write was done', async () => {
    const factory = new IDBFactory();
    const left = { ...record('tab-1'), at: 7 };
    const copies = new UnloadCopies(storageOf());
    const before = new IndexedPending(factory, copies);
    await before.put('w', 'tab-1', record('tab-1'));
    before.leave(left);
    const after = new IndexedPending(factory, copies);
    expect(await after.all('w')).toEqual([left]);
    expect(await after.all('w2')).toEqual([]);
    await after.put('w', 'tab-2', record('tab-2'), ['tab-1']);
    expect(await after.all('w')).toEqual([record('tab-2')]);
  });

  it('keeps a last copy over a write that began before it, and drops it after one that began later', async () => {
    const store = new IndexedPending(new IDBFactory(), new UnloadCopies(storageOf()));
    const older = store.put('w', 'tab-1', record('tab-1'));
    store.leave({ ...record('tab-1'), at: 7 });
    await older;
    expect(await store.all('w')).toMatchObject([{ at: 7 }]);
    await store.put('w', 'tab-1', { ...record('tab-1'), at: 8 });
    expect(await store.all('w')).toMatchObject([{ at: 8 }]);
    await store.put('w', 'tab-1', null);
    expect(await store.all('w')).toEqual([]);
  });

  it('works on where the last copy finds no room', async () => {
    const full = { length: 0, setItem: () => expect.fail('full'), key: () => null } as unknown as Storage;
    const store = new IndexedPending(new IDBFactory(), new UnloadCopies(full));
    store.leave(record('tab-1'));
    await store.put('w', 'tab-1', record('tab-1'));
    expect(await store.all('w')).toEqual([record('tab-1')]);
  });

  it('opens again after it was closed', async () => {
    const store = new IndexedPending(new IDBFactory());
    await store.put('w', 'tab-1', record('tab-1'));
    store.close();
    expect(await store.all('w')).toHaveLength(1);
  });

  it('writes a document once, however often what was typed on it changes', async () => {
    const store = new IndexedPending(new IDBFactory());
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    const text = 'x'.repeat(100_000);
    const typed = (n: number, base = text) => {
      const [kept] = record('tab-1').texts;
      return {
        ...record('tab-1'),
        texts: [{ ...kept, text: base, waiting: [[0, `${n}`], base.length] }],
      } as TabRecord;
    };
    for (let n = 0; n < 5; n++) await store.put('w', 'tab-1', typed(n));
    const large = () => put.mock.calls.filter(([value]) => JSON.stringify(value).length > 50_000).length;
    expect(large()).toBe(1);
    expect(await store.all('w')).toEqual([typed(4)]);
    await store.put('w', 'tab-1', typed(5, `${text}y`));
    await store.put('w', 'tab-1', null);
    await store.put('w', 'tab-1', typed(6, `${text}y`));
    expect(large()).toBe(3);
    expect(await store.all('w')).toEqual([typed(6, `${text}y`)]);
    put.mockRestore();
    store.close();
  });

  it('lets a newer page change the form, and says that it cannot read that', async () => {
    const factory = new IDBFactory();
    const store = new IndexedPending(factory);
    await store.put('w', 'tab-1', record('tab-1'));
    await new Promise((resolve, reject) => {
      const request = factory.open('draftsmith-pending', 99);
      request.onsuccess = resolve;
      request.onblocked = () => reject(new Error('the older page does not let go'));
    });
    await expect(store.all('w')).rejects.toThrow();
  });

  it('fails where the browser refuses storage', async () => {
    const refusing = {
      open: () => {
        throw new DOMException('not here', 'SecurityError');
      },
    };
    await expect(new IndexedPending(refusing as never).all('w')).rejects.toThrow('not here');
  });
});
