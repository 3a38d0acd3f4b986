/** Two people at the editor over bad ways: offline, reloaded, with a server that dies, in two tabs. Nothing is lost or done twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS, type Person, type Scene, settle, times, twoPeople } from './actors';
import { Stage } from './stage';
import type { Wire } from './wire';

const SCENE: Scene = {
  text: '# Plan\n\nOffline.\n\nBeside.\n\nReload.\n\nCrash.\n\nTabs.\n',
  nodes: [
    { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
    { id: 'orders', type: 'service', label: 'Orders', position: { x: 320, y: 0 } },
    { id: 'ledger', type: 'database', label: 'Ledger', position: { x: 320, y: 240 } },
    { id: 'mail', type: 'external', label: 'Mail', position: { x: 0, y: 240 } },
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

describe('offline', () => {
  it('what is done is kept, said so, and committed once when the way is there again', async () => {
    await anna.offline(true);
    await anna.drag('web', { x: 20, y: 50 });
    await anna.rename('orders', 'Renamed offline');
    await anna.caretAfter('Offline.');
    await anna.type(' Written offline.');
    await anna.page
      .getByTestId('status')
      .getByText(/kept here/)
      .waitFor();
    await ben.caretAfter('Beside.');
    await ben.type(' Written beside.');
    await ben.rename('mail', 'Mail, meanwhile');
    await ben.saved();
    const before = await ben.stored();
    expect(before.nodes.get('orders')?.label).toBe('Orders');

    await anna.offline(false);
    await ben.labelled('orders', 'Renamed offline');
    await ben.reads('Written offline.');
    await anna.labelled('mail', 'Mail, meanwhile');
    const after = await settle(anna, ben);
    expect([times(after.text, 'Written offline.'), times(after.text, 'Written beside.')]).toEqual([1, 1]);
    expect(after.revision).toBe(before.revision + 3);
    expect(after.nodes.get('web')?.position).not.toEqual(before.nodes.get('web')?.position);
    forgive();
  });

  it('what no longer fits lands in the tray with its reason, from where it is applied again', async () => {
    await anna.offline(true);
    await anna.rename('mail', 'Mail of Anna');
    await ben.batch({ op: 'delete_node', id: 'mail' });
    await ben.node('mail').waitFor({ state: 'detached' });
    await anna.offline(false);
    await anna.node('mail').waitFor({ state: 'detached' });
    const tray = await anna.tray();
    await tray.locator('.tray-item', { hasText: 'Mail of Anna' }).waitFor();

    await ben.focusCanvas();
    await ben.key('Control+z');
    await anna.labelled('mail', 'Mail, meanwhile');
    await tray.getByRole('button', { name: /^Apply again/ }).click();
    await ben.labelled('mail', 'Mail of Anna');
    await tray.locator('.tray-item').waitFor({ state: 'detached' });
    await anna.closeDialog();
    await settle(anna, ben);
    forgive();
  });

  it('what is discarded from the tray stays gone, also after a reload', async () => {
    await anna.offline(true);
    await anna.rename('mail', 'Never');
    await ben.batch({ op: 'delete_node', id: 'mail' });
    await ben.node('mail').waitFor({ state: 'detached' });
    await anna.offline(false);
    await anna.node('mail').waitFor({ state: 'detached' });
    await anna.saved();
    await anna.reload();
    const tray = await anna.tray();
    await tray.locator('.tray-item', { hasText: 'Never' }).waitFor();
    await tray
      .getByRole('button', { name: /^Discard/ })
      .first()
      .click();
    await tray.locator('.tray-item').waitFor({ state: 'detached' });
    await anna.reload();
    await anna.keepsNothing();
    expect((await settle(anna, ben)).nodes.has('mail')).toBe(false);
    forgive();
  });
});

describe('a reload', () => {
  it('in the middle of work loses none of it and does none of it twice', async () => {
    // More than once: what a page can still do when it is left at once is a matter of milliseconds.
    for (const round of [1, 2, 3]) {
      const { revision } = await settle(anna, ben);
      await anna.offline(true);
      await anna.rename('ledger', `Ledger ${round}`);
      await anna.caretAfter('Reload.');
      await anna.type(` Typed${round}.`);
      await anna.page.goto('about:blank');
      await anna.offline(false);
      await anna.open();
      await ben.labelled('ledger', `Ledger ${round}`);
      await ben.reads(`Typed${round}.`);
      await anna.keepsNothing();
      expect((await settle(anna, ben)).revision).toBe(revision + 2);
    }
    expect((await ben.stored()).text).toContain('\nReload. Typed1. Typed2. Typed3.\n');
    forgive();
  });

  it('leaves what can be taken back and done again', async () => {
    await anna.rename('web', 'Web, renamed');
    await anna.saved();
    await anna.reload();
    await anna.press('Undo', /Web/);
    await ben.labelled('web', 'Web');
    await anna.reload();
    await anna.press('Redo', /Web/);
    await ben.labelled('web', 'Web, renamed');
    await settle(anna, ben);
  });
});

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
    await anna.labelled('orders', 'Renamed offline');
    await ben.labelled('orders', 'Renamed offline');
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
    await tab.page.close();
    await anna.offline(false);
    await expect
      .poll(async () => (await ben.stored()).nodes.get('orders')?.label, { timeout: PATIENCE_MS })
      .toBe('Left behind');
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
