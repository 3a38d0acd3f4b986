/** Two people at the editor over bad ways: offline, and reloaded in the middle of work. Nothing is lost or done twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Scene, settle, times, twoPeople } from './actors';
import { withTimeHeld } from './pageTime';
import { Stage } from './stage';
import type { Wire } from './wire';

const SCENE: Scene = {
  text: '# Plan\n\nOffline.\n\nBeside.\n\nReload.\n',
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
  stage = await Stage.shared();
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

describe('undo', () => {
  it('takes back what waits while the server is away, so that nobody ever sees it', async () => {
    const before = await settle(anna, ben);
    const name = before.nodes.get('orders')?.label ?? '';
    await anna.offline(true);
    await anna.rename('orders', 'Never seen');
    await anna.caretAfter('Beside.');
    await anna.type(' Never read.');
    await anna.key('Control+z');
    await anna.reads('Never read.', 'detached');
    await anna.focusCanvas();
    await anna.press('Undo', /Never seen.*not saved yet/);
    await anna.labelled('orders', name);
    await anna.says({ pending: 0 });

    await anna.offline(false);
    expect((await settle(anna, ben)).revision).toBe(before.revision);
    forgive();
  });

  it('is told at once by a browser that has lost its network, before any time has passed', async () => {
    await settle(anna, ben);
    const [wire] = wires as [Wire];
    wire.deafen(); // as a network that swallows everything
    await withTimeHeld(anna.page, async () => {
      await anna.visit.context.setOffline(true);
      await anna.says({ condition: 'offline' });
    });
    await anna.rename('ledger', 'Never sent');
    await anna.focusCanvas();
    await anna.press('Undo', /Never sent.*not saved yet/);
    await anna.says({ pending: 0 });
    await anna.visit.context.setOffline(false);
    wire.mend();
    await settle(anna, ben);
    forgive();
  });

  it('takes in the document what was typed before a reload first, and then what came before that', async () => {
    await anna.batch({ op: 'append_to_section', section: 'Plan', text: 'Appended.' });
    await anna.reads('Appended.');
    await anna.caretAfter('Beside.');
    await anna.type(' Typed before.');
    await anna.saved();
    await ben.caretAfter('Offline.');
    await ben.type(' Of another.');
    await ben.saved();
    await anna.reads('Of another.');
    await anna.reload();
    await anna.caretAfter('Typed before.');
    await anna.button(/^Undo: /).waitFor();
    await anna.key('Control+z');
    await ben.reads('Typed before.', 'detached');
    await anna.button(/^Undo: .*Plan/).waitFor();
    expect((await ben.stored()).text).toContain('Appended.');
    await anna.key('Control+z');
    await ben.reads('Appended.', 'detached');
    await anna.key('Control+Shift+z');
    await ben.reads('Appended.');
    await anna.key('Control+Shift+z');
    await ben.reads('Typed before.');
    expect((await settle(anna, ben)).text).toContain('Of another.');
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
      await anna.page.keyboard.type(` Typed${round}.`);
      await anna.reads(`Typed${round}.`);
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

describe('both pages', () => {
  it('asked no other origin for anything and left no error on the console', () => {
    for (const { visit } of [anna, ben]) {
      expect(visit.strayRequests).toEqual([]);
      expect(visit.complaints).toEqual([]);
    }
  });
});
