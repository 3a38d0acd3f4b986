/** What one person sees and how large: views, zoom, the minimap, names of connections, the look. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, settle } from './actors';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;

beforeAll(async () => {
  stage = await Stage.shared();
  const { visit } = await Person.come(stage, 'Anna', '');
  const scene = {
    text: '# Plan\n\nWhat is meant.\n',
    nodes: [
      { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
      { id: 'orders', type: 'service', label: 'Orders', position: { x: 400, y: 0 } },
      { id: 'ledger', type: 'database', label: 'Ledger', position: { x: 400, y: 400 } },
    ],
    edges: [{ id: 'web--orders', source: 'web', target: 'orders', label: 'buys' }],
  };
  anna = await new Person(visit, await makeWorkspace(visit, scene)).open();
});

afterAll(async () => {
  await stage?.close();
});

const widthOf = async (id: string) => (await anna.node(id).boundingBox())?.width ?? 0;
const zoom = () =>
  anna.page
    .locator('.react-flow__viewport')
    .evaluate((view) => new DOMMatrix(getComputedStyle(view).transform).a);

/** Wait until the canvas has come to rest at a zoom that is as wanted. */
async function zoomIs(isWanted: (zoom: number) => boolean): Promise<number> {
  let last = await zoom();
  await expect
    .poll(async () => {
      const before = last;
      last = await zoom();
      return before === last && isWanted(last);
    })
    .toBe(true);
  return last;
}

describe('the views', () => {
  it('are Diagram, Split and Document, by button and by key, and the one chosen is there again', async () => {
    const [diagram, document] = [anna.page.locator('#diagram'), anna.page.locator('#document')];
    await anna.button('Diagram').click();
    await document.waitFor({ state: 'detached' });
    await anna.key('Alt+3');
    await document.waitFor();
    await diagram.waitFor({ state: 'detached' });
    expect(await anna.button('Document').getAttribute('aria-pressed')).toBe('true');
    await anna.page.reload();
    await document.waitFor();
    expect(await diagram.count()).toBe(0);
    await anna.key('Alt+2');
    await diagram.waitFor();
    await document.waitFor();
    await anna.reload();
  });

  it('in Split share their room by a border that arrows move, too', async () => {
    const border = anna.page.getByRole('separator', { name: 'Width of the document' });
    const before = (await anna.page.locator('#document').boundingBox())?.width ?? 0;
    await border.focus();
    await anna.key('ArrowLeft');
    await expect
      .poll(async () => (await anna.page.locator('#document').boundingBox())?.width)
      .toBeLessThan(before);
    await anna.key('ArrowRight');
  });
});

describe('the zoom', () => {
  it('goes in and out by keys, and back to everything', async () => {
    await anna.focusCanvas();
    await anna.key('Shift+1');
    const whole = await zoomIs(() => true);
    await anna.key('+');
    const nearer = await zoomIs((now) => now > whole);
    await anna.key('-');
    await zoomIs((now) => now < nearer);
    await anna.key('-');
    await anna.key('Shift+1');
    await zoomIs((now) => Math.abs(now - whole) < 0.001);
    for (const id of ['web', 'orders', 'ledger']) expect(await widthOf(id)).toBeGreaterThan(0);
  });

  it('goes to what is selected', async () => {
    await anna.select('ledger');
    const before = await widthOf('ledger');
    await anna.key('Shift+2');
    await expect.poll(() => widthOf('ledger')).toBeGreaterThan(before * 1.2);
    await anna.key('Shift+1');
    await expect.poll(() => widthOf('ledger')).toBeLessThan(before * 1.1);
  });

  it('is seen on a map of the whole, which shows every node', async () => {
    await anna.page.locator('.overview[data-nodes="3"] canvas').waitFor();
  });
});

describe('the name of a connection', () => {
  it('is written on it, by a double click and by keys alone', async () => {
    const label = anna.page.locator('.edge-label[data-edge="web--orders"]');
    const field = anna.page.getByLabel('Label of buys');
    // The canvas may still come to rest between the two presses; a person would press again.
    await expect
      .poll(async () => {
        await label.dblclick();
        return field.isVisible();
      })
      .toBe(true);
    await field.fill('orders');
    await field.press('Enter');
    await anna.page.locator('.edge-label[data-edge="web--orders"]', { hasText: 'orders' }).waitFor();

    await anna.select('web');
    await anna.key('e');
    await anna.key('Enter');
    const again = anna.page.getByLabel('Label of orders');
    await again.fill('asks');
    await again.press('Enter');
    await anna.page.locator('.edge-label[data-edge="web--orders"]', { hasText: 'asks' }).waitFor();
    await settle(anna);
  });
});

describe('the look', () => {
  it('is light, dark or as the system has it, and stays so', async () => {
    const ground = () => anna.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await anna.button('Theme').click();
    await anna.page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(ground).not.toBe(light);
    await anna.reload();
    expect(await ground()).not.toBe(light);
    await anna.page.emulateMedia({ colorScheme: 'light' });
    await anna.button('Theme').click();
    await anna.page.getByRole('menuitemradio', { name: 'As the system' }).click();
    await expect.poll(ground).toBe(light);
    await anna.page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(ground).not.toBe(light);
  });
});

describe('the page', () => {
  it('left no error on the console', () => {
    expect(anna.visit.strayRequests).toEqual([]);
    expect(anna.visit.complaints).toEqual([]);
  });
});
