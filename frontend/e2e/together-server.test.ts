/** Two people at the editor, one of them in two tabs, and a server that dies under them. Nothing is lost or done twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Scene, settle, times, twoPeople } from './actors';
import { Stage } from './stage';
import type { Wire } from './wire';

const SCENE: Scene = {
  text: '# Plan\n\nCrash.\n\nTabs.\n',
  nodes: [
    { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
    { id: 'orders', type: 'service', label: 'Orders', position: { x: 320, y: 0 } },
    { id: 'ledger', type: 'database', label: 'Ledger', position: { x: 320, y: 240 } },
  ],
};

let stage: Stage;
let wires: Wire[] = [];
let anna: Person;
let ben: Person;

beforeAll(async () => {
  stage = await Stage.open();
  ({ anna, ben, wires } = await twoPeople(stage, SCENE));
});

afterAll(async () => {
  for (const wire of wires) await wire.close();
  await stage?.close();
});

const forgive = () => {
  for (const { visit } of [anna, ben]) visit.forgiveLostRequests();
};

describe('the server', () => {
  it('dies under both and comes again: both go on without a reload, nothing is lost or there twice', async () => {
    const { revision } = await settle(anna, ben);
    const loaded = await Promise.all(
      [anna, ben].map(({ page }) => page.evaluate(() => performance.timeOrigin)),
    );
    await stage.kill();
    for (const person of [anna, ben]) await person.says({ condition: 'offline' });
    await anna.rename('ledger', 'While it was down');
    await ben.caretAfter('Crash.');
    await ben.type(' While it was down.');
    await stage.restart();
    await ben.labelled('ledger', 'While it was down');
    await anna.reads('While it was down.');
    const after = await settle(anna, ben);
    expect(times(after.text, 'While it was down.')).toBe(1);
    expect(after.revision).toBe(revision + 2);
    expect(
      await Promise.all([anna, ben].map(({ page }) => page.evaluate(() => performance.timeOrigin))),
    ).toEqual(loaded);
    forgive();
  });

  it('is killed while both are at work: what was done is there once', async () => {
    const work = Promise.all([
      (async () => {
        await anna.caretAfter('Crash.');
        await anna.type(' Anna wrote on through it.');
      })(),
      ben.rename('web', 'Through the crash'),
    ]);
    await stage.kill();
    await work;
    await stage.restart();
    await anna.labelled('web', 'Through the crash');
    await ben.reads('Anna wrote on through it.');
    const { text } = await settle(anna, ben);
    expect(times(text, 'Anna wrote on through it.')).toBe(1);
    forgive();
  });
});

describe('two tabs of one person', () => {
  it('are one person to others, with one stack of undo, and both up to date', async () => {
    const tab = await anna.tab();
    await ben.sees(2);
    await anna.rename('orders', 'From the first tab');
    await tab.labelled('orders', 'From the first tab');
    await tab.rename('ledger', 'From the second tab');
    await anna.labelled('ledger', 'From the second tab');
    await anna.focusCanvas();
    await anna.key('Control+z');
    await tab.labelled('ledger', 'While it was down');
    await tab.focusCanvas();
    await tab.key('Control+z');
    await anna.labelled('orders', 'Orders');
    await ben.labelled('orders', 'Orders');
    await tab.caretAfter('Tabs.');
    await tab.type(' Typed in the second.');
    await anna.reads('Typed in the second.');
    await settle(anna, tab, ben);
    expect(tab.visit.complaints).toEqual([]);
    await tab.page.close();
    await ben.sees(2);
  });

  it('where the one that is closed has not sent everything, the other does', async () => {
    const tab = await anna.tab();
    await anna.offline(true);
    await tab.says({ condition: 'offline' });
    await tab.rename('orders', 'Left behind');
    await tab.keeps(1);
    await tab.page.close();
    await anna.offline(false);
    await expect.poll(async () => (await ben.stored()).nodes.get('orders')?.label).toBe('Left behind');
    await anna.labelled('orders', 'Left behind');
    await anna.keepsNothing();
    await settle(anna, ben);
    forgive();
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
