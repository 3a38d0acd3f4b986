/** Drawing lines at every zoom: from the border of a card, with its label and its new node written at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { settled } from './axe';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;
const page = () => anna.page;

const SCENE = {
  text: '# Shop\n',
  nodes: [
    { id: 'shopper', type: 'user', label: 'Shopper', position: { x: 0, y: 0 } },
    { id: 'orders', type: 'service', label: 'Orders', position: { x: 480, y: 0 } },
    {
      id: 'zone',
      type: 'group',
      label: 'Zone',
      position: { x: 0, y: 320 },
      size: { width: 320, height: 220 },
    },
    { id: 'store', type: 'database', label: 'Store', position: { x: 60, y: 80 }, parent: 'zone' },
  ],
  edges: [],
};

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
  await anna.visit.openWithin(anna.workspace, { panel: 'none', view: 'diagram' });
  await page().locator('.node-card').first().waitFor();
  await page().locator('.workspace:not([data-read="first"])').waitFor();
});

interface Edge {
  source: string;
  target: string;
  label: string;
}

const diagram = () =>
  anna.visit.api<{
    revision: number;
    diagram: { nodes: { id: string; type: string; label: string; position: { x: number } }[]; edges: Edge[] };
  }>('GET', `/workspaces/${anna.workspace}`);
const revision = async () => (await diagram()).revision;
const field = (name: string) => page().getByLabel(name, { exact: true });
const isFocused = (name: string) =>
  expect.poll(() => field(name).evaluate((one) => one === document.activeElement)).toBe(true);

async function zoomTo(most: number): Promise<number> {
  const zoom = () =>
    page()
      .locator('.react-flow__viewport')
      .evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  const pane = await page().locator('.react-flow').boundingBox();
  if (!pane) throw new Error('There is no canvas');
  await page().mouse.move(pane.x + pane.width / 2, pane.y + pane.height / 2);
  while ((await zoom()) > most) {
    const before = await zoom();
    await page().mouse.wheel(0, 160);
    await expect.poll(zoom).toBeLessThan(before);
  }
  await settled(page());
  return zoom();
}

async function boxOf(id: string) {
  const box = await anna.node(id).boundingBox();
  if (!box) throw new Error(`${id} is not in sight`);
  return box;
}

async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page().mouse.move(from.x, from.y);
  await page().mouse.down();
  await page().mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page().mouse.move(to.x, to.y, { steps: 4 });
  await page().mouse.up();
}

describe('a drag', () => {
  it.each([1.2, 0.6, 0.4, 0.2])(
    'from the border of a card draws a line, from its middle moves it, at zoom %f or less',
    async (most) => {
      await zoomTo(most);
      const before = await diagram();
      const [from, to] = [await boxOf('shopper'), await boxOf('orders')];
      const middle = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
      await drag({ x: from.x + from.width - 1.5, y: from.y + from.height / 2 }, middle);
      await expect.poll(revision).toBe(before.revision + 1);
      expect((await diagram()).diagram.edges).toMatchObject([{ source: 'shopper', target: 'orders' }]);
      await page().keyboard.press('Escape');
      await drag(middle, { x: middle.x + 40, y: middle.y + 30 });
      await expect.poll(revision).toBe(before.revision + 2);
      const now = (await diagram()).diagram;
      expect(now.edges).toHaveLength(1);
      expect(now.nodes.find(({ id }) => id === 'orders')?.position.x).toBeGreaterThan(480);
    },
  );

  it('finds dots to begin at on hover, focus and selection, as large from afar as from near', async () => {
    const dot = anna.node('orders').locator('.connect-dot.right');
    const seenSize = async () => {
      await expect.poll(() => dot.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
      return (await dot.boundingBox())?.height ?? 0;
    };
    for (const most of [1.2, 0.4]) {
      await zoomTo(most);
      // The keyboard may still be at the node, which shows them, too.
      await page().evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await anna.node('orders').hover();
      const size = await seenSize();
      expect(size).toBeGreaterThanOrEqual(23);
      expect(size).toBeLessThan(31);
      await page().mouse.move(10, 500);
      await expect
        .poll(() => dot.evaluateAll(([one]) => (one ? getComputedStyle(one).opacity : '0')))
        .toBe('0');
      await anna.node('orders').click();
      await page().mouse.move(10, 500);
      await seenSize();
      await page().keyboard.press('Escape');
    }
  });
});

describe('what is drawn', () => {
  it('is labelled at once', async () => {
    const [from, to] = [await boxOf('shopper'), await boxOf('orders')];
    await drag({ x: from.x + from.width - 2, y: from.y + 20 }, { x: to.x + 60, y: to.y + 30 });
    await isFocused('Label of this connection');
    await page().keyboard.type('places order');
    await page().keyboard.press('Enter');
    await expect.poll(async () => (await diagram()).diagram.edges[0]?.label).toBe('places order');
  });

  it('is taken back by Control+Z as long as no label is written', async () => {
    const [from, to] = [await boxOf('shopper'), await boxOf('orders')];
    await drag({ x: from.x + from.width - 2, y: from.y + 20 }, { x: to.x + 60, y: to.y + 30 });
    await isFocused('Label of this connection');
    await expect.poll(async () => (await diagram()).diagram.edges.length).toBe(1);
    await page().keyboard.press('Control+z');
    await expect.poll(async () => (await diagram()).diagram.edges.length).toBe(0);
  });

  it('ends on nothing in a new node of a type that fits; both, their names and one undo are one step', async () => {
    await zoomTo(0.6);
    const before = await revision();
    const from = await boxOf('shopper');
    await drag(
      { x: from.x + from.width - 2, y: from.y + from.height / 2 },
      { x: from.x + 150, y: from.y + 110 },
    );
    await page()
      .getByRole('dialog', { name: /connect “Shopper”/ })
      .waitFor();
    const first = page().getByRole('option').first();
    await first.waitFor();
    expect(await first.textContent()).toContain('Client');
    await page().keyboard.press('Enter');
    await isFocused('Name of Client');
    await page().keyboard.type('Web shop');
    await page().keyboard.press('Tab');
    await isFocused('Label of this connection');
    expect(await revision()).toBe(before);
    await page().keyboard.type('browses');
    await page().keyboard.press('Enter');
    await expect.poll(revision).toBe(before + 1);
    const { nodes, edges } = (await diagram()).diagram;
    expect(nodes).toContainEqual(expect.objectContaining({ type: 'client', label: 'Web shop' }));
    expect(edges).toMatchObject([{ source: 'shopper', label: 'browses' }]);
    await page().keyboard.press('Control+z');
    await expect.poll(async () => (await diagram()).diagram.nodes.length).toBe(4);
    expect((await diagram()).diagram.edges).toEqual([]);
  });

  it('by Control and an arrow has the type that fits and is one step with its name', async () => {
    await anna.select('orders');
    const before = await revision();
    await page().keyboard.press('Control+ArrowDown');
    await isFocused('Name of Database');
    await page().keyboard.type('Orders DB');
    await page().keyboard.press('Enter');
    await expect.poll(revision).toBe(before + 1);
    const { nodes } = (await diagram()).diagram;
    expect(nodes).toContainEqual(expect.objectContaining({ type: 'database', label: 'Orders DB' }));
  });

  it('after the slash is one that fits what is selected, by Enter alone', async () => {
    const first = page().locator('.palette-list [data-type]').first();
    for (const [selected, fitting, name] of [
      ['shopper', 'client', 'Client'],
      ['orders', 'database', 'Database'],
    ]) {
      await anna.select(selected as string);
      await page().keyboard.press('/');
      await isFocused('Search node types');
      expect(await first.getAttribute('data-type')).toBe(fitting);
      await page().keyboard.press('Enter');
      await isFocused(`Name of ${name}`);
      await page().keyboard.press('Enter');
      await expect
        .poll(async () => (await diagram()).diagram.nodes.at(-1))
        .toMatchObject({ type: fitting, label: name });
    }
    // What is typed decides, and the fitting one only between what matches as well.
    await anna.select('shopper');
    await page().keyboard.press('/');
    await isFocused('Search node types');
    await page().keyboard.type('frontend');
    await expect.poll(() => first.getAttribute('data-type')).toBe('client');
  });

  it('has the type that its name says where nobody chose one', async () => {
    await anna.select('orders');
    await page().keyboard.press('Control+ArrowRight');
    await isFocused('Name of Database');
    await page().keyboard.type('sessions-redis');
    await page().keyboard.press('Enter');
    await expect
      .poll(async () => (await diagram()).diagram.nodes.at(-1))
      .toMatchObject({
        type: 'cache',
        label: 'sessions-redis',
      });
  });

  it('is kept with the name offered when one goes on, or leaves the page', async () => {
    await anna.select('orders');
    await page().keyboard.press('Control+ArrowRight');
    await isFocused('Name of Database');
    await page().reload();
    await page().locator('.react-flow__node').first().waitFor();
    await expect
      .poll(async () => (await diagram()).diagram.nodes.map(({ label }) => label))
      .toContain('Database');
  });
});

describe('a resize', () => {
  it('follows the pointer over the minimap and to the edge of the window; the canvas stays', async () => {
    await page().locator('.group-title', { hasText: 'Zone' }).click();
    await settled(page());
    const view = () => page().locator('.react-flow__viewport').getAttribute('style');
    const [before, there] = [await view(), await boxOf('zone')];
    const map = await page().locator('.overview').boundingBox();
    if (!map) throw new Error('There is no minimap');
    const corner = { x: there.x + there.width, y: there.y + there.height };
    await page().mouse.move(corner.x, corner.y);
    await page().mouse.down();
    for (const to of [
      { x: map.x + 20, y: map.y + 20 },
      { x: map.x + 60, y: map.y + 40 },
    ]) {
      await page().mouse.move(to.x, to.y, { steps: 5 });
      await expect
        .poll(async () => {
          const now = await boxOf('zone');
          return Math.hypot(now.x + now.width - to.x, now.y + now.height - to.y);
        })
        .toBeLessThan(14);
    }
    await page().mouse.move(1438, map.y + 40, { steps: 5 });
    await settled(page());
    expect(await view()).toBe(before);
    expect((await boxOf('zone')).width).toBeGreaterThan(there.width + 100);
    await page().mouse.up();
    expect(await view()).toBe(before);
  });

  it('begins at every corner: the minimap gives way where one lies under it', async () => {
    await page().locator('.group-title', { hasText: 'Zone' }).click();
    await settled(page());
    const map = page().locator('.overview');
    const place = await map.boundingBox();
    if (!place) throw new Error('There is no minimap');
    const cornerAt = async () => {
      const { x, y, width, height } = await boxOf('zone');
      return { x: x + width, y: y + height };
    };
    const drag = async (to: { x: number; y: number }) => {
      const from = await cornerAt();
      await page().mouse.move(from.x - 3, from.y - 3);
      await page().mouse.down();
      await page().mouse.move(to.x, to.y, { steps: 5 });
      await page().mouse.up();
      await settled(page());
    };
    await drag({ x: place.x + 60, y: place.y + 50 });
    await expect.poll(() => map.isVisible()).toBe(false);
    const { x, y } = await cornerAt();
    const held = await page().evaluate(
      ([left, top]) => document.elementFromPoint(left as number, top as number)?.getAttribute('data-handle'),
      [x - 3, y - 3],
    );
    expect(held).toBe('se');
    await drag({ x: place.x - 200, y: place.y - 100 });
    await expect.poll(() => map.isVisible()).toBe(true);
  });

  it('left no error on the console', () => {
    expect(anna.visit.complaints).toEqual([]);
  });
});
