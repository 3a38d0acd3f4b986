/** What a page says about saving is true, and nothing that was done on it is lost or done twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { withTimeHeld } from './pageTime';
import { Stage, type Visit } from './stage';
import { Wire } from './wire';

const SCENE = {
  text: '# Plan\n\nTogether.\n',
  nodes: ['orders', 'cart', 'mail'].map((id, index) => ({
    id,
    type: 'service',
    label: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    position: { x: index * 260, y: 0 },
  })),
};

let stage: Stage;
let wire: Wire;
let anna: Person;

beforeAll(async () => {
  stage = await Stage.open();
  wire = await Wire.to(stage.url);
  const { visit } = await Person.come(stage, 'Anna', '', wire);
  anna = await new Person(visit, await makeWorkspace(visit, SCENE), wire).open();
  // From then on the page needs nothing more of the server to open whatever it has.
  await anna.page.locator('.workspace[data-read="all"]').waitFor();
});

afterAll(async () => {
  await wire?.close();
  await stage?.close();
});

const banner = (who: Person, name: string) => who.page.locator(`[data-banner="${name}"]`);
const labelOf = async (id: string) => (await anna.stored()).nodes.get(id)?.label;
/** Where a node is in the window. */
async function placeOf(id: string): Promise<{ x: number; y: number }> {
  const box = await anna.page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox();
  if (!box) throw new Error(`${id} is not in sight`);
  return { x: Math.round(box.x), y: Math.round(box.y) };
}
/** The words in the bar. */
const says = (who: Person, words: RegExp) =>
  who.page.getByTestId('status').filter({ hasText: words }).waitFor();
/** Conflicts need another hand: a script's, over a way that is not cut. */
async function elsewhere(...operations: object[]): Promise<void> {
  const script = await stage.person();
  await script.api('POST', `/workspaces/${anna.workspace}/batches`, { operations });
  await script.context.close();
}

describe('a server that is killed under the page', () => {
  it('is said to be away; what is done meanwhile is kept, saved when it is back, and there once', async () => {
    const [before, place] = [await anna.revision(), await placeOf('cart')];
    await stage.kill();
    await anna.says({ condition: 'offline', pending: 0 });
    await banner(anna, 'offline').getByRole('button', { name: 'Try now' }).waitFor();
    await expect.poll(() => placeOf('cart')).toEqual(place);
    await anna.rename('orders', 'Orders service');
    await anna.says({ condition: 'offline', pending: 1 });
    await says(anna, /^Offline · 1 change kept here$/);
    expect(await axeViolations(anna.page)).toEqual([]);
    await stage.restart();
    await anna.saved();
    await banner(anna, 'offline').waitFor({ state: 'detached' });
    await expect.poll(() => placeOf('cart')).toEqual(place);
    await anna.says({ revision: before + 1 });
    await says(anna, new RegExp(`^Saved · revision ${before + 1}$`));
    expect(await labelOf('orders')).toBe('Orders service');
    await anna.keepsNothing();
    anna.visit.forgiveLostRequests();
  });

  it('tells more about it to who asks, and looks again when told to', async () => {
    wire.cut();
    await anna.says({ condition: 'offline' });
    await anna.page.getByTestId('status').getByRole('button').click();
    const more = anna.page.getByRole('dialog', { name: 'Whether everything is saved' });
    await more.getByText('The server does not answer.', { exact: false }).waitFor();
    // While time is held the page does not try by itself, which would take the button away before it is pressed.
    await withTimeHeld(anna.page, async () => {
      wire.mend();
      await more.getByRole('button', { name: 'Try now' }).click();
    });
    await anna.saved();
    await more.getByText('Everything that was done here is on the server.').waitFor();
    await anna.key('Escape');
    anna.visit.forgiveLostRequests();
  });
});

describe('a change that does not fit', () => {
  it('waits in the tray with what and why; applied again it says what came of it', async () => {
    await conflict('cart', 'Basket');
    await banner(anna, 'tray').getByText('1 change did not fit.').waitFor();
    const tray = await anna.tray();
    const item = tray.locator('.tray-item', { hasText: 'Rename “cart” to “Basket”' });
    await item.waitFor();
    expect(await item.locator('.tray-why').textContent()).not.toBe('');
    expect(await axeViolations(anna.page)).toEqual([]);
    await item.getByRole('button', { name: /^Apply again/ }).click();
    await tray.getByText(/^Did not fit again: Rename “cart” to “Basket”\./).waitFor();
    await item.waitFor();
    await elsewhere({
      op: 'add_node',
      id: 'cart',
      type: 'service',
      label: 'Cart',
      position: { x: 260, y: 0 },
    });
    await item.getByRole('button', { name: /^Apply again/ }).click();
    await tray.getByText(/^Applied: Rename “cart” to “Basket”\. Saved as revision \d+\.$/).waitFor();
    await item.waitFor({ state: 'detached' });
    await tray.getByRole('button', { name: 'Done' }).click();
    await banner(anna, 'tray').waitFor({ state: 'detached' });
    expect(await labelOf('cart')).toBe('Basket');
  });

  it('is there after a reload, can be copied, and is gone when it is discarded', async () => {
    await conflict('mail', 'Post');
    await banner(anna, 'tray').waitFor();
    await anna.reload();
    await banner(anna, 'tray').waitFor();
    const tray = await anna.tray();
    await tray.getByText('What it holds').click();
    const held = await tray.locator('.tray-item pre').textContent();
    expect(JSON.parse(held ?? '')).toMatchObject([{ op: 'update_node', id: 'mail', label: 'Post' }]);
    await tray.getByRole('button', { name: /^Discard/ }).click();
    await tray.locator('.tray-item').waitFor({ state: 'detached' });
    await anna.key('Escape');
    await tray.waitFor({ state: 'detached' });
    await banner(anna, 'tray').waitFor({ state: 'detached' });
    await anna.keepsNothing();
  });
});

/** A node is renamed here and deleted elsewhere, while this page is away. */
async function conflict(id: string, label: string): Promise<void> {
  await anna.saved();
  await anna.offline(true);
  await anna.rename(id, label);
  await anna.says({ condition: 'offline', pending: 1 });
  await elsewhere({ op: 'delete_node', id });
  await anna.offline(false);
  await anna.saved();
  anna.visit.forgiveLostRequests();
}

describe('who may only look', () => {
  it('is shown everything, with nothing that changes it', async () => {
    const viewer = await stage.person();
    await viewer.page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => socket.send(String(text).replace('"role":"owner"', '"role":"viewer"')));
    });
    const person = await look(viewer);
    await viewer.page.getByText('View only', { exact: true }).waitFor();
    await readsOnly(person);
    await viewer.context.close();
  });

  it('is told why a workspace takes no changes from anybody', async () => {
    const reader = await stage.person('dark');
    await reader.page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) =>
        socket.send(String(text).replace('"frozen":null', '"frozen":"A gap in its log."')),
      );
    });
    const person = await look(reader);
    await banner(person, 'frozen').getByText('A gap in its log.', { exact: false }).waitFor();
    await readsOnly(person);
    expect(await axeViolations(reader.page)).toEqual([]);
    await reader.context.close();
  });

  it('on a phone sees the diagram or the document, and why nothing can be changed', async () => {
    const phone = await stage.person();
    await phone.page.setViewportSize({ width: 390, height: 844 });
    const person = await look(phone);
    await banner(person, 'phone').waitFor();
    const views = phone.page.getByRole('group', { name: 'View', exact: true }).getByRole('button');
    expect(await views.allTextContents()).toEqual(['Diagram', 'Document']);
    await readsOnly(person);
    await views.last().click();
    await phone.page.locator('#document .prose').waitFor();
    expect(await phone.page.evaluate(scrolls)).toEqual([]);
    expect(await axeViolations(phone.page)).toEqual([]);
    await phone.context.close();
  });
});

/** Open the workspace without waiting for an editor that may not be there. */
async function look(visit: Visit): Promise<Person> {
  const person = new Person(visit, anna.workspace);
  await visit.page.goto(`/w/${anna.workspace}`);
  await person.saved();
  await person.node('orders').waitFor();
  // What is read after the first view would be drawn by then.
  await visit.page.locator('.workspace:not([data-read="first"])').waitFor();
  return person;
}

async function readsOnly(person: Person): Promise<void> {
  const { page } = person;
  expect(await page.getByRole('navigation', { name: 'Node types' }).count()).toBe(0);
  expect(await page.locator('.undo-buttons, .title-button').count()).toBe(0);
  const at = await person.nodeAt('orders');
  await page.mouse.dblclick(at.x, at.y);
  await page.keyboard.press('Delete');
  expect(await page.getByLabel(/^Name of /).count()).toBe(0);
  await person.says({ pending: 0, condition: 'saved' });
  await person.node('orders').waitFor();
}

describe('the room there is', () => {
  it.each([
    [1920, 1080],
    [1440, 900],
    [1024, 768],
    [820, 1180],
  ])('is enough at %i × %i: no scrolling of the page, nothing cut off in the bar', async (width, height) => {
    await anna.page.setViewportSize({ width, height });
    await anna.page.getByRole('button', { name: 'Properties', exact: true }).click();
    await anna.page.getByRole('complementary', { name: 'Properties' }).waitFor();
    expect(await anna.page.evaluate(scrolls)).toEqual([]);
    const canvas = await anna.page.locator('#diagram').boundingBox();
    expect(canvas?.width).toBeGreaterThan(320);
    await anna.page.getByRole('button', { name: 'Close panel' }).click();
    expect(await anna.page.evaluate(scrolls)).toEqual([]);
  });

  it('has one heading of the first order, landmarks, and links that skip to them', async () => {
    await anna.page.setViewportSize({ width: 1440, height: 900 });
    expect(await anna.page.locator('h1:not(.prose h1)').count()).toBe(1);
    for (const role of ['banner', 'main'] as const) expect(await anna.page.getByRole(role).count()).toBe(1);
    await anna.page.locator('body').press('Home');
    const skip = anna.page.getByRole('link', { name: 'Document', exact: true });
    await skip.focus();
    await skip.press('Enter');
    await anna.page.waitForFunction(() => document.activeElement?.id === 'document');
  });
});

describe('a workspace that is not there', () => {
  it('is said to be in the trash, from where it is put back, with what was done here', async () => {
    await anna.page.evaluate(throwAway, anna.workspace);
    await anna.page.getByRole('heading', { name: 'This workspace is in the trash' }).waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.page.getByRole('button', { name: 'Put back' }).click();
    await anna.saved();
    await anna.node('orders').waitFor();
  });

  it('left no error on the page', () => {
    expect([...anna.visit.strayRequests, ...anna.visit.complaints]).toEqual([]);
  });
});

/** What can be scrolled that should not be, and what of the bar is cut off; runs in the page. */
function scrolls(): string[] {
  const page = document.documentElement;
  const found: string[] = [];
  if (page.scrollWidth > window.innerWidth || page.scrollHeight > window.innerHeight) found.push('the page');
  for (const part of document.querySelectorAll<HTMLElement>(
    '.app-bar, .app-bar > div, .workspace-body, .panes',
  )) {
    const box = part.getBoundingClientRect();
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${part.className} holds too much`);
    if (box.right > window.innerWidth + 1 || box.bottom > window.innerHeight + 1)
      found.push(`${part.className} is cut`);
  }
  const controls = [...document.querySelectorAll<HTMLElement>('.app-bar button, .app-bar a')];
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1)) {
      // What is only for the keyboard or for screen readers has no room of its own.
      if (one.contains(other) || other.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const isOver =
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      if (isOver)
        found.push(`${one.ariaLabel ?? one.textContent} over ${other.ariaLabel ?? other.textContent}`);
    }
  return found;
}

/** Put a workspace into the trash; runs in the page. */
async function throwAway(id: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`/api/v1/workspaces/${id}`, { method: 'DELETE', headers, body: '{}' });
}
