/**
 * What is seen at first sight, in both themes: names that can be read at "show everything", also of very many nodes; a
 * canvas that does not jump; a legend that covers nothing; a narrow window that edits. The tour: `finish.test.ts`.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settled } from './axe';
import { pageFlaws } from './layout';
import { Stage, type Visit } from './stage';

const THEMES = ['light', 'dark'] as const;
/** Of text that can be read, in CSS pixels of the screen. */
const LEGIBLE = 9;

let stage: Stage;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  page = visit.page;
  await visit.context.addInitScript(() => {
    localStorage.setItem('draftsmith.view', 'diagram');
    localStorage.setItem('draftsmith.panel', 'none');
  });
  await page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

afterEach(() => {
  expect(visit.complaints.splice(0)).toEqual([]);
});

/** Groups of 25 nodes each; nodes without names of their own would all look the same. */
function many(count: number) {
  const groups = Array.from({ length: Math.ceil(count / 25) }, (_, at) => ({
    id: `g${at}`,
    type: 'group',
    label: `Domain ${at + 1}`,
  }));
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    type: 'service',
    label: `Service ${at + 1}`,
    parent: `g${Math.floor(at / 25)}`,
  }));
  const edges = Array.from({ length: count - 1 }, (_, at) => ({ source: `n${at}`, target: `n${at + 1}` }));
  return { nodes: [...groups, ...nodes], edges };
}

async function open(body: object): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'First look', ...body });
  await page.goto(`/w/${id}`);
  return id;
}

const made = (diagram: object) => ({
  import: {
    format: 'json',
    content: { format: 'draftsmith/1', name: 'First look', diagram, document: { text: '# Plan\n' } },
  },
});

const view = () =>
  page.locator('.react-flow__viewport').evaluate((element) => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(element).transform);
    return { zoom: a, x: e, y: f };
  });

/** What is written on the canvas in large, with how large it is on the screen and where. */
function written(selector: string): Promise<{ text: string; size: number; box: DOMRect }[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.map((one) => {
      const box = one.getBoundingClientRect();
      const scale = box.width / Math.max((one as HTMLElement).offsetWidth, 1);
      return {
        text: one.textContent ?? '',
        size: Number.parseFloat(getComputedStyle(one).fontSize) * scale,
        box,
      };
    }),
  );
}

const meet = (one: DOMRect, other: DOMRect) =>
  one.x < other.x + other.width - 1 &&
  other.x < one.x + one.width - 1 &&
  one.y < other.y + other.height - 1 &&
  other.y < one.y + one.height - 1;

describe('names at "show everything"', () => {
  it.each(THEMES)('are legible in the sample, in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await open({ template: 'sample' });
    await page.locator('.node-card').first().waitFor();
    await settled(page);
    for (const { text, size } of await written('.node-card .node-label'))
      expect(size, text).toBeGreaterThanOrEqual(LEGIBLE);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/look-sample-${colorScheme}.png` });
  });

  it.each([300, 1000])(
    'are those of the groups where %i nodes are too small, in both schemes',
    async (count) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await open(made(many(count)));
      await page.locator('.node-card').first().waitFor();
      await page.keyboard.press('Shift+1');
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        await areThoseOfGroups(count);
        if (process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/look-${count}-${colorScheme}.png` });
      }
    },
  );
});

async function areThoseOfGroups(count: number): Promise<void> {
  const pane = await page.locator('.react-flow').boundingBox();
  const cards = await page
    .locator('.node-card')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  expect(cards).toHaveLength(count);
  for (const { left, right, top, bottom } of cards) {
    expect(left).toBeGreaterThanOrEqual((pane?.x ?? 0) - 1);
    expect(right).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0) + 1);
    expect(top).toBeGreaterThanOrEqual((pane?.y ?? 0) - 1);
    expect(bottom).toBeLessThanOrEqual((pane?.y ?? 0) + (pane?.height ?? 0) + 1);
  }
  // What draws them is read once it is needed.
  const GROUPS = '.frame-title, .group-head .group-title';
  await expect.poll(() => page.locator(GROUPS).count()).toBeGreaterThan(count / 50);
  const titles = await written(GROUPS);
  for (const { text, size } of await written('.node-card .node-label'))
    expect(size, text).toBeGreaterThanOrEqual(LEGIBLE);
  for (const { text, size } of titles) expect(size, text).toBeGreaterThanOrEqual(LEGIBLE);
  titles.forEach((one, at) => {
    for (const other of titles.slice(at + 1))
      expect(meet(one.box, other.box), `${one.text}, ${other.text}`).toBe(false);
  });
}

describe('the canvas does not jump', () => {
  it.each(THEMES)('when the first node is dropped on it, in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await open({ template: 'blank' });
    const tile = await page
      .getByRole('navigation', { name: 'Node types' })
      .locator('[data-type="queue"]')
      .boundingBox();
    if (!tile) throw new Error('There is no palette');
    await page.locator('.canvas-empty').waitFor();
    const before = await view();
    await page.mouse.move(tile.x + tile.width / 2, tile.y + tile.height / 2);
    await page.mouse.down();
    await page.mouse.move(700, 300, { steps: 8 });
    await page.mouse.up();
    const card = page.locator('.react-flow__node');
    await card.waitFor();
    await settled(page);
    const box = await card.boundingBox();
    expect(await view()).toEqual(before);
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 700)).toBeLessThan(30);
    expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - 300)).toBeLessThan(30);
  });

  it('when a panel opens: what is in the middle stays there, as large as it was', async () => {
    await open({ template: 'sample' });
    await page.locator('.node-card').first().waitFor();
    await page.keyboard.press('Shift+1');
    await page.locator('.react-flow__node[data-id="orders"]').click();
    await page.keyboard.press('Shift+2');
    // As large as a selection is shown at most: then the way there is over.
    await expect.poll(async () => (await view()).zoom).toBe(1.5);
    await settled(page);
    const offMiddle = async () => {
      const [pane, card] = await Promise.all([
        page.locator('.react-flow').boundingBox(),
        page.locator('.react-flow__node[data-id="orders"]').boundingBox(),
      ]);
      if (!pane || !card) throw new Error('It is not in sight');
      return [
        card.x + card.width / 2 - pane.x - pane.width / 2,
        card.y + card.height / 2 - pane.y - pane.height / 2,
      ];
    };
    const [before, { zoom }] = [await offMiddle(), await view()];
    await page.keyboard.press('Control+j');
    await page.locator('.side-panel').waitFor();
    await settled(page);
    const after = await offMiddle();
    expect((await view()).zoom).toBe(zoom);
    for (const at of [0, 1]) expect(Math.abs((after[at] ?? 0) - (before[at] ?? 0))).toBeLessThan(3);
    await page.keyboard.press('Control+j');
  });
});

describe('what one looks at', () => {
  /** The place of the diagram in the middle of the canvas. */
  const middle = async () => {
    const pane = await page.locator('.react-flow').boundingBox();
    if (!pane) throw new Error('There is no canvas');
    const { zoom, x, y } = await view();
    return { zoom, x: (pane.width / 2 - x) / zoom, y: (pane.height / 2 - y) / zoom };
  };
  const go = async (name: string) => {
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name }).click();
    await page.locator(`.panes.${name.toLowerCase()}`).waitFor();
    await page.locator('.node-card').first().waitFor();
    await settled(page);
  };

  it('stays in the middle in Split and in Diagram, and going back is as it was', async () => {
    await open({ template: 'sample' });
    await page.locator('.node-card').first().waitFor();
    await page.locator('.react-flow__node[data-id="orders"]').click();
    await page.keyboard.press('Shift+2');
    await page.mouse.move(500, 400);
    await page.mouse.wheel(60, 40);
    await settled(page);
    const before = await middle();
    await go('Split');
    const beside = await middle();
    expect(Math.hypot(beside.x - before.x, beside.y - before.y)).toBeLessThan(2);
    expect(beside.zoom).toBeCloseTo(before.zoom, 5);
    await go('Diagram');
    expect(await middle()).toEqual(before);
    // Several of them in sight, which have no room at this size beside the document.
    await page.locator('.react-flow__pane').click({ position: { x: 8, y: 120 } });
    await page.keyboard.press('Shift+1');
    await page.mouse.wheel(3, 2);
    await settled(page);
    const all = await middle();
    const cards = await page.locator('.node-card').count();
    await go('Split');
    const smaller = await middle();
    expect(Math.hypot(smaller.x - all.x, smaller.y - all.y)).toBeLessThan(2);
    expect(smaller.zoom).toBeLessThan(all.zoom);
    const pane = (await page.locator('.react-flow').boundingBox()) as DOMRect;
    const shown = (await written('.node-card')).filter(
      ({ box }) => box.x >= pane.x && box.x + box.width <= pane.x + pane.width,
    );
    expect(shown).toHaveLength(cards);
    await go('Diagram');
    expect(await middle()).toEqual(all);
  });
});

describe('the bar', () => {
  it('has Share and Export as soon as it is there, also in a narrow window', async () => {
    const late = /\/(ShareHost|ExportHost)-/;
    await page.route(late, () => undefined);
    await open({ template: 'sample' });
    for (const width of [1440, 768, 720]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Share', 'Export']) await page.getByRole('button', { name, exact: true }).waitFor();
      await settled(page);
      expect(await pageFlaws(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.unroute(late);
  });
});

describe('the legend', () => {
  it.each(THEMES)('covers no node, and is opened and closed by hand for good, in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await open({ template: 'sample' });
    await page.locator('.node-card').first().waitFor();
    await page.keyboard.press('Shift+1');
    await settled(page);
    const legend = page.locator('.edge-key ul:not(.under)');
    const covered = async () => {
      const box = await legend.boundingBox();
      const cards = await page
        .locator('.node-card')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      return box ? cards.filter((card) => meet(card as DOMRect, box as DOMRect)).length : 0;
    };
    expect(await covered()).toBe(0);
    const pane = await page.locator('.react-flow').boundingBox();
    if (!pane) throw new Error('There is no canvas');
    // A node is brought to where the legend is.
    const card = await page.locator('.react-flow__node[data-id="orders"]').boundingBox();
    if (!card) throw new Error('It is not in sight');
    await page.mouse.move(pane.x + 20, pane.y + pane.height / 2);
    await page.keyboard.down('Space');
    await page.mouse.down();
    await page.mouse.move(
      pane.x + 20 + (pane.x + pane.width - 200 - card.x),
      pane.y + pane.height / 2 + (pane.y + 20 - card.y),
      { steps: 5 },
    );
    await page.mouse.up();
    await page.keyboard.up('Space');
    await legend.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the legend' }).click();
    await legend.waitFor();
    await page.getByRole('button', { name: 'Hide the legend' }).click();
    await legend.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show the legend' }).waitFor();
    expect(await legend.count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('draftsmith.legend'));
  });
});

describe('a narrow window', () => {
  it.each(THEMES)('of 720 pixels with a mouse edits, in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 720, height: 450 });
    await open({ template: 'web-service' });
    await page.locator('.node-card').first().waitFor();
    await settled(page);
    expect(await pageFlaws(page)).toEqual([]);
    // On its frame: a line may pass its middle.
    await page
      .locator('.react-flow__node')
      .first()
      .click({ position: { x: 12, y: 12 } });
    await page.keyboard.press('F2');
    await page.keyboard.type('Renamed here');
    await page.keyboard.press('Enter');
    const renamed = page.locator('.react-flow__node', { hasText: 'Renamed here' });
    await renamed.waitFor();
    await page.keyboard.press('Control+z');
    await renamed.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+2');
    await page.locator('#document').waitFor();
    await settled(page);
    const bars = await page
      .locator('#diagram .canvas-bar')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(bars.length).toBe(2);
    expect(meet(bars[0] as DOMRect, bars[1] as DOMRect)).toBe(false);
    await page.keyboard.press('Alt+1');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is a phone where it is touched, and says that it only shows', async () => {
    const context = await visit.context.browser()?.newContext({
      viewport: { width: 720, height: 900 },
      hasTouch: true,
      isMobile: true,
      baseURL: stage.url,
      storageState: await visit.context.storageState(),
    });
    if (!context) throw new Error('There is no browser');
    const phone = await context.newPage();
    await phone.goto(page.url());
    await phone.locator('.node-card').first().waitFor();
    expect(await phone.locator('.tool-bar').count()).toBe(0);
    await context.close();
  });
});
