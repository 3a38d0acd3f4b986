/** Two people at the editor, in two browsers: what one does the other sees, and each takes back only what is theirs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Scene, settle, times, twoPeople } from './actors';
import { Stage } from './stage';
import type { Wire } from './wire';

/** A paragraph and a node for each purpose. */
const SCENE: Scene = {
  text: '# Plan\n\nTogether.\n\nSame place.\n\nUndo.\n',
  nodes: [
    { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
    { id: 'orders', type: 'service', label: 'Orders', position: { x: 320, y: 0 } },
    { id: 'ledger', type: 'database', label: 'Ledger', position: { x: 320, y: 240 } },
    {
      id: 'platform',
      type: 'group',
      label: 'Platform',
      position: { x: 0, y: 400 },
      size: { width: 500, height: 240 },
    },
    { id: 'cache', type: 'cache', label: 'Cache', position: { x: 32, y: 64 }, parent: 'platform' },
  ],
  edges: [{ id: 'web--orders', source: 'web', target: 'orders', label: 'buys' }],
};

let stage: Stage;
let wires: Wire[] = [];
let anna: Person;
let ben: Person;

beforeAll(async () => {
  stage = await Stage.shared({ hasMotion: true });
  ({ anna, ben, wires } = await twoPeople(stage, SCENE));
});

afterAll(async () => {
  for (const wire of wires) await wire.close();
  await stage?.close();
});

describe('dragging', () => {
  it('is seen by the other while it goes on, and where it ends', async () => {
    const before = await settle(anna, ben);
    await anna.lift('orders', { x: 40, y: 60 });
    await ben.ghost('orders').waitFor();
    expect((await ben.stored()).revision).toBe(before.revision);
    await anna.drop();
    await ben.ghost('orders').waitFor({ state: 'detached' });
    await ben.says({ revision: before.revision + 1 });
    const after = await settle(anna, ben);
    const [from, to] = [before, after].map(({ nodes }) => nodes.get('orders')?.position);
    expect(to?.y).toBeGreaterThan(from?.y ?? Number.POSITIVE_INFINITY);
    expect(await anna.placeOf('orders')).toEqual(to);
  });

  it('of one node by both at once ends at the same place for both, where the last one let go', async () => {
    const { revision } = await settle(anna, ben);
    await Promise.all([anna.lift('ledger', { x: 90, y: 30 }), ben.lift('ledger', { x: -90, y: 40 })]);
    await ben.drop();
    await ben.says({ revision: revision + 1, pending: 0 });
    const bens = await ben.placeOf('ledger');
    await anna.says({ revision: revision + 1 });
    await anna.drop();
    await ben.says({ revision: revision + 2 });
    const { nodes } = await settle(anna, ben);
    expect(nodes.get('ledger')?.position).not.toEqual(bens);
    expect(nodes.get('ledger')?.position).toEqual(await ben.placeOf('ledger'));
  });

  it('of one node by both, let go in the same moment, happens twice and ends once', async () => {
    const { revision } = await settle(anna, ben);
    await Promise.all([anna.lift('web', { x: 30, y: 70 }), ben.lift('web', { x: 60, y: 20 })]);
    await Promise.all([anna.drop(), ben.drop()]);
    for (const person of [anna, ben]) await person.says({ revision: revision + 2 });
    await settle(anna, ben);
  });

  it('into a group and out of it is seen by the other, and nothing jumps', async () => {
    const before = await settle(anna, ben);
    const [from, group] = [await anna.nodeAt('ledger'), await anna.nodeAt('platform')];
    await anna.drag('ledger', { x: group.x + 40 - from.x, y: group.y - from.y });
    await ben.says({ revision: before.revision + 1 });
    const inside = await settle(anna, ben);
    expect(inside.nodes.get('ledger')?.parent).toBe('platform');
    expect(await ben.placeOf('ledger')).toEqual(await anna.placeOf('ledger'));

    await ben.drag('ledger', {
      x: 0,
      y: (await ben.nodeAt('orders')).y - (await ben.nodeAt('ledger')).y + 30,
    });
    await anna.says({ revision: inside.revision + 1 });
    const outside = await settle(anna, ben);
    expect(outside.nodes.get('ledger')?.parent).toBeNull();
  });
});

describe('undo', () => {
  it('with the focus on the canvas takes back my change, not the later one of the other', async () => {
    await anna.rename('web', 'Web of Anna');
    await ben.labelled('web', 'Web of Anna');
    await ben.rename('orders', 'Orders of Ben');
    await anna.labelled('orders', 'Orders of Ben');
    await anna.focusCanvas();
    await anna.key('Control+z');
    await ben.labelled('web', 'Web');
    await ben.labelled('orders', 'Orders of Ben');
    await anna.key('Control+Shift+z');
    await ben.labelled('web', 'Web of Anna');
    await settle(anna, ben);
  });

  it('by the button takes back my change of a node that the other has changed since', async () => {
    const from = (await settle(anna, ben)).nodes.get('cache')?.position;
    await anna.drag('cache', { x: 60, y: 10 });
    expect((await settle(anna, ben)).nodes.get('cache')?.position).not.toEqual(from);
    await ben.rename('cache', 'Cache of Ben');
    await anna.labelled('cache', 'Cache of Ben');
    await anna.press('Undo', /Cache/);
    await expect.poll(async () => (await ben.stored()).nodes.get('cache')?.position).toEqual(from);
    expect((await settle(anna, ben)).nodes.get('cache')?.label).toBe('Cache of Ben');
  });

  it('with the focus in the document takes back what I typed, not what the other typed beside it', async () => {
    await anna.caretAfter('Undo.');
    await anna.type(' ANNA');
    await ben.reads('Undo. ANNA');
    await ben.caretAfter('Undo.');
    await ben.type(' BEN');
    await anna.reads('Undo. ANNA BEN');
    await ben.rename('ledger', 'Ledger of Ben');
    await anna.labelled('ledger', 'Ledger of Ben');
    await anna.key('Control+z');
    await ben.reads(' ANNA', 'detached');
    await ben.reads('Undo. BEN');
    await anna.key('Control+Shift+z');
    await ben.reads('Undo. ANNA BEN');
    expect((await settle(anna, ben)).nodes.get('ledger')?.label).toBe('Ledger of Ben');
  });

  it('with the focus on the canvas leaves what I typed since', async () => {
    await anna.rename('cache', 'Cache of Anna');
    await anna.caretAfter('Together.');
    await anna.type(' Kept.');
    await ben.reads('Together. Kept.');
    await anna.focusCanvas();
    await anna.key('Control+z');
    await ben.labelled('cache', 'Cache of Ben');
    expect((await settle(anna, ben)).text).toContain('Together. Kept.');
  });
});

describe('typing', () => {
  it('by both in one paragraph loses nothing', async () => {
    await anna.caretAfter('Together.');
    await ben.caretAfter('Together.');
    await ben.key('Home');
    await Promise.all([anna.type(' Anna adds 🌊 to its end.'), ben.type('Ben begins 🏔️ it. ')]);
    const { text } = await settle(anna, ben);
    expect(text).toContain('Ben begins 🏔️ it. Together. Kept. Anna adds 🌊 to its end.');
  });

  it('by both in the very same place keeps every key, each one’s in their order', async () => {
    for (const person of [anna, ben]) await person.caretAfter('Same place.');
    await Promise.all([anna.type('1234567890'.repeat(3)), ben.type('abcdefghij'.repeat(3))]);
    const { text } = await settle(anna, ben);
    const line = text.split('\n').find((one) => one.startsWith('Same place.')) ?? '';
    expect(line.slice('Same place.'.length).replace(/[^0-9]/g, '')).toBe('1234567890'.repeat(3));
    expect(line.slice('Same place.'.length).replace(/[^a-j]/g, '')).toBe('abcdefghij'.repeat(3));
    expect(line).toHaveLength('Same place.'.length + 60);
  });
});

describe('the past', () => {
  it('an old revision is restored under the eyes of the other, and that is taken back', async () => {
    const before = await settle(anna, ben);
    await ben.rename('web', 'Web, renamed');
    await ben.says({ revision: before.revision + 1, pending: 0 });
    await ben.caretAfter('Undo.');
    await ben.type(' Written after.');
    await anna.reads('Written after.');
    const after = await settle(anna, ben);

    await anna.restore(before.revision);
    await ben.labelled('web', before.nodes.get('web')?.label ?? '');
    await ben.reads('Written after.', 'detached');
    const restored = await settle(anna, ben);
    expect(restored.text).toBe(before.text);

    await anna.focusCanvas();
    await anna.key('Control+z');
    await ben.labelled('web', 'Web, renamed');
    await ben.reads('Written after.');
    const undone = await settle(anna, ben);
    expect(undone.text).toBe(after.text);
    expect(times(undone.text, 'Written after.')).toBe(1);
  });
});

describe('both pages', () => {
  it('asked no other origin for anything and left no error on the console', () => {
    for (const { visit } of [anna, ben]) {
      expect(visit.strayRequests).toEqual([]);
      expect(visit.complaints).toEqual([]);
    }
  });
});
