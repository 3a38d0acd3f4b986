/** A whole diagram drawn by hand from nothing, by mouse and by keyboard, with every action counted. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { settled } from './axe';
import { drawnAs, GROUPS, labelOf, WANTED } from './boutique';
import { Stage } from './stage';

const MOST_BY_KEYBOARD = 90;
/** With G for a group, as who draws by mouse presses it with the other hand. */
const MOST_BY_MOUSE = 80;

let stage: Stage;
let anna: Person;
const page = () => anna.page;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit));
  await anna.visit.openWithin(anna.workspace, { panel: 'none', view: 'diagram' });
  await page().locator('.react-flow__pane').waitFor();
  await page().locator('.workspace:not([data-read="first"])').waitFor();
});

interface At {
  x: number;
  y: number;
}

/** Somebody's hands: each call of an action is counted; what is waited for between them is not. */
class Hands {
  actions = 0;

  constructor(private readonly page: Page) {}

  /** One key, with those that are held. */
  async press(keys: string): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.press(keys);
  }

  /** A text with the key that ends it, into the field that has the keyboard. */
  async write(text: string, end: 'Enter' | 'Tab', isSeen?: () => Promise<void>): Promise<void> {
    this.actions += 1;
    await this.page.keyboard.type(text);
    await isSeen?.();
    await this.page.keyboard.press(end);
  }

  async drag(from: At, to: At): Promise<void> {
    this.actions += 1;
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await this.page.mouse.move(to.x, to.y, { steps: 4 });
    await this.page.mouse.up();
  }
}

const hasKeyboard = (field: Locator) =>
  expect
    .poll(() => field.evaluateAll(([one]) => one === document.activeElement && one !== undefined))
    .toBe(true);
const naming = () => page().getByLabel(/^Name of /);
const labelling = () => page().getByLabel('Label of this connection', { exact: true });

async function stored() {
  await anna.saved();
  const { diagram } = await anna.visit.api<{ diagram: Parameters<typeof drawnAs>[0] }>(
    'GET',
    `/workspaces/${anna.workspace}`,
  );
  return drawnAs(diagram);
}

/** Cards and frames that lie on one another, but for what stands in a group. */
const overlaps = (): Promise<string[]> =>
  page().evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('.react-flow__node')].map((one) => ({
      name: one.textContent ?? '',
      isFrame: one.querySelector('.group-frame') !== null,
      box: one.getBoundingClientRect(),
    }));
    const isIn = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left &&
      inner.right <= outer.right &&
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom;
    return all.flatMap((one, at) =>
      all.slice(at + 1).flatMap((other) => {
        const [a, b] = [one.box, other.box];
        const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        const isHeld = (one.isFrame && isIn(b, a)) || (other.isFrame && isIn(a, b));
        return isApart || isHeld ? [] : [`${one.name} on ${other.name}`];
      }),
    );
  });

const shot = async (name: string) => {
  if (process.env.PICTURES) await page().screenshot({ path: `${process.env.PICTURES}/boutique-${name}.png` });
};

describe('Online Boutique: 4 groups, 15 nodes and 18 labelled lines', () => {
  it('is drawn by keyboard in at most 90 actions', async () => {
    const hands = new Hands(page());
    /** The last that was named or labelled is on the page, and the keyboard at it. */
    const isDone = () => naming().or(labelling()).waitFor({ state: 'detached' });

    async function place(word: string, type: string, name: string): Promise<void> {
      await hands.press('/');
      await hasKeyboard(page().getByRole('searchbox', { name: 'Search node types' }));
      const first = page().locator('.palette-list [data-type]').first();
      await hands.write(word, 'Enter', () => expect.poll(() => first.getAttribute('data-type')).toBe(type));
      await hasKeyboard(naming());
      await hands.write(name, 'Enter');
      await isDone();
    }

    async function add(keys: string, source: string, name: string): Promise<void> {
      await hands.press(keys);
      await hasKeyboard(naming());
      await hands.write(name, 'Tab');
      await hasKeyboard(labelling());
      await hands.write(labelOf(source, name), 'Enter');
      await isDone();
    }

    async function find(query: string, title: string): Promise<void> {
      await hands.press('Control+k');
      await hasKeyboard(page().locator('.finder input'));
      await hands.write(query, 'Enter', () =>
        page().locator('.finder-item[aria-selected="true"]').getByText(title, { exact: true }).waitFor(),
      );
      await page().locator('.finder').waitFor({ state: 'detached' });
    }

    async function connect(source: string, target: string): Promise<void> {
      await hands.press('l');
      await page()
        .getByRole('dialog', { name: `Connect “${source}” to` })
        .waitFor();
      await hasKeyboard(page().getByRole('combobox', { name: 'Search nodes' }));
      await hands.write(target, 'Enter', () =>
        page().getByRole('option', { selected: true }).getByText(target, { exact: true }).waitFor(),
      );
      await hasKeyboard(labelling());
      await hands.write(labelOf(source, target), 'Enter');
      await isDone();
    }

    await page().locator('#diagram').focus();
    await place('user', 'user', 'User');
    await add('Control+ArrowDown', 'User', 'frontend');
    await add('Control+ArrowDown', 'frontend', 'adservice');
    for (const name of ['recommendation', 'productcatalog', 'currency', 'cart', 'shipping', 'checkout'])
      await add('Shift+Enter', 'frontend', `${name}service`);
    await add('Control+ArrowDown', 'checkoutservice', 'paymentservice');
    await add('Shift+Enter', 'checkoutservice', 'emailservice');
    await find('checkoutservice', 'Go to checkoutservice');
    for (const name of ['cart', 'productcatalog', 'currency', 'shipping'])
      await connect('checkoutservice', `${name}service`);
    await find('recommendationservice', 'Go to recommendationservice');
    await connect('recommendationservice', 'productcatalogservice');
    await find('cartservice', 'Go to cartservice');
    await add('Control+ArrowDown', 'cartservice', 'redis-cart');
    await find('productcatalogservice', 'Go to productcatalogservice');
    await add('Control+ArrowDown', 'productcatalogservice', 'products-db');
    await place('worker', 'worker', 'loadgenerator');
    await connect('loadgenerator', 'frontend');
    await place('monitoring', 'monitoring', 'opentelemetrycollector');
    for (const [group, nodes] of Object.entries(GROUPS)) {
      await find(nodes.map(([, name]) => name).join(', '), `Select ${nodes.length} nodes`);
      await hands.press('g');
      await hasKeyboard(naming());
      await hands.write(group, 'Enter');
      await isDone();
    }
    await anna.saved();
    const before = await anna.revision();
    await hands.press('Shift+L');
    await anna.says({ revision: before + 1, condition: 'saved' });
    await settled(page());
    await shot('keyboard');
    expect(await overlaps()).toEqual([]);
    expect(await stored()).toEqual(WANTED);
    expect(hands.actions).toBeLessThanOrEqual(MOST_BY_KEYBOARD);
  });
  it('is drawn by mouse in at most 80 actions', async () => {
    const hands = new Hands(page());
    const isDone = () => naming().or(labelling()).waitFor({ state: 'detached' });
    /** Columns and rows of the picture; the first node is where it is dropped, the others beside it. */
    const PLACES: Record<string, readonly [number, number]> = {
      User: [0, 1],
      loadgenerator: [0, 2],
      adservice: [1, 0],
      frontend: [1, 1],
      currencyservice: [1, 2],
      recommendationservice: [2, 0],
      productcatalogservice: [2, 1],
      shippingservice: [3, 0],
      checkoutservice: [3, 1],
      cartservice: [3, 2],
      emailservice: [4, 0],
      paymentservice: [4, 1],
      'products-db': [2, 3.5],
      'redis-cart': [3, 3.5],
      opentelemetrycollector: [4, 3.5],
    };
    const APART = { x: 256, y: 144 };
    const card = (name: string) => page().locator('.react-flow__node', { hasText: name });
    const boxOf = async (name: string) => {
      // The canvas may just be moved to bring something into sight.
      await settled(page());
      const box = await card(name).boundingBox();
      if (!box) throw new Error(`${name} is not in sight`);
      return box;
    };
    /** Where a place of the picture is on the screen now: the canvas may have moved. */
    const on = async ([column, row]: readonly [number, number]): Promise<At> => {
      const { x, y, width, height } = await boxOf('User');
      const zoom = width / 180;
      const [firstColumn, firstRow] = PLACES.User as [number, number];
      return {
        x: x + width / 2 + (column - firstColumn) * APART.x * zoom,
        y: y + height / 2 + (row - firstRow) * APART.y * zoom,
      };
    };
    const placeOf = (name: string) => on(PLACES[name] as [number, number]);

    async function dropType(type: string, name: string, to: At): Promise<void> {
      const button = await page().locator(`.palette [data-type="${type}"]`).boundingBox();
      if (!button) throw new Error('There is no palette');
      await hands.drag({ x: button.x + 12, y: button.y + 12 }, to);
      await hasKeyboard(naming());
      await hands.write(name, 'Enter');
      await isDone();
    }

    /** Draws a line from the border of a card, at the side that looks there. */
    async function pull(source: string, to: At): Promise<void> {
      const { x, y, width, height } = await boxOf(source);
      const middle = { x: x + width / 2, y: y + height / 2 };
      const isAside = Math.abs(to.x - middle.x) > width;
      const from = isAside
        ? { x: to.x > middle.x ? x + width - 2 : x + 2, y: y + height / 3 }
        : { x: x + width / 3, y: to.y > middle.y ? y + height - 2 : y + 2 };
      await hands.drag(from, to);
    }

    async function label(source: string, target: string): Promise<void> {
      await hasKeyboard(labelling());
      await hands.write(labelOf(source, target), 'Enter');
      await isDone();
    }

    async function add(source: string, word: string, type: string, name: string): Promise<void> {
      await pull(source, await placeOf(name));
      await hasKeyboard(page().getByRole('combobox', { name: 'Search node types' }));
      await hands.write(word, 'Enter', () =>
        page().locator(`[aria-selected="true"][data-choice="${type}"]`).waitFor(),
      );
      await hasKeyboard(naming());
      await hands.write(name, 'Tab');
      await label(source, name);
    }

    async function connect(source: string, target: string): Promise<void> {
      const { x, y, width, height } = await boxOf(target);
      await pull(source, { x: x + width / 2, y: y + height / 2 });
      await label(source, target);
    }

    /** A frame around the places from the upper left to the lower right one, drawn from where nothing is. */
    async function group(
      name: keyof typeof GROUPS,
      first: readonly [number, number],
      last: readonly [number, number],
    ) {
      const [from, to] = [await on(first), await on(last)];
      const { width, height } = await boxOf('User');
      const [reach, above] = [width * 0.7, height * 0.85];
      const [start, end] = [
        {
          x: from.x - Math.sign(to.x - from.x || 1) * reach,
          y: from.y - Math.sign(to.y - from.y || 1) * above,
        },
        {
          x: to.x + Math.sign(to.x - from.x || 1) * reach * 0.8,
          y: to.y + Math.sign(to.y - from.y || 1) * above * 0.8,
        },
      ];
      await hands.drag(start, end);
      await expect
        .poll(() => page().locator('.react-flow__node .selected').count())
        .toBe(GROUPS[name].length);
      await hands.press('g');
      await hasKeyboard(naming());
      await hands.write(name, 'Enter');
      await isDone();
    }

    const pane = await page().locator('.react-flow__pane').boundingBox();
    if (!pane) throw new Error('There is no canvas');
    await dropType('user', 'User', { x: pane.x + 140, y: pane.y + 256 });
    await add('User', 'web', 'web', 'frontend');
    for (const name of ['ad', 'recommendation', 'productcatalog', 'currency', 'cart', 'shipping', 'checkout'])
      await add('frontend', 'service', 'service', `${name}service`);
    for (const name of ['payment', 'email'])
      await add('checkoutservice', 'service', 'service', `${name}service`);
    await add('productcatalogservice', '', 'database', 'products-db');
    await add('cartservice', 'redis', 'cache', 'redis-cart');
    for (const name of ['cart', 'productcatalog', 'currency', 'shipping'])
      await connect('checkoutservice', `${name}service`);
    await connect('recommendationservice', 'productcatalogservice');
    await dropType('worker', 'loadgenerator', await placeOf('loadgenerator'));
    await connect('loadgenerator', 'frontend');
    await dropType('monitoring', 'opentelemetrycollector', await placeOf('opentelemetrycollector'));
    await group('Clients', [0, 1], [0, 2]);
    await group('Storefront', [1, 0], [2, 2]);
    await group('Ordering', [4, 0], [3, 2]);
    await group('Platform', [4, 3.5], [2, 3.5]);
    await settled(page());
    await shot('mouse');
    expect(await overlaps()).toEqual([]);
    expect(await stored()).toEqual(WANTED);
    expect(hands.actions).toBeLessThanOrEqual(MOST_BY_MOUSE);
  });
});
