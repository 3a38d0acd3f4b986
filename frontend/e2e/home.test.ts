/** The first page: from nothing to a workspace, exporting, importing; all by keyboard alone; pictures. The rest: `tests/view/home.test.tsx`. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { Stage, type Visit } from './stage';

let stage: Stage;
let visit: Visit;
let page: Page;

const EXPORT = {
  format: 'draftsmith/1',
  name: 'From a file',
  diagram: {
    nodes: [
      { id: 'a', type: 'service', label: 'A' },
      { id: 'b', type: 'database', label: 'B' },
    ],
    edges: [{ id: 'a--b', source: 'a', target: 'b' }],
  },
  document: { text: '# From a file\n' },
};
const button = (name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const row = (name: string) =>
  page.locator('.row', { has: page.locator('.row-name', { hasText: new RegExp(`^${name}$`) }) });
const dialog = () => page.getByRole('dialog');
const names = () => page.locator('.row-name').allTextContents();

async function choose(name: string, item: string): Promise<void> {
  await button(`More for ${name}`).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function home(): Promise<void> {
  await page.goto('/');
  await page.locator('.row, .first-steps').first().waitFor();
}

async function dropFile(name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content as string], name as string));
      return data;
    },
    [name, content],
  );
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('.home', type, { dataTransfer: transfer });
}

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  page = visit.page;
  await home(); // also where one test is run alone
});

afterAll(async () => {
  await stage?.close();
});

describe('the first page', () => {
  it('leads from nothing to a diagram with one press', async () => {
    await page.getByRole('heading', { name: 'No workspaces yet' }).waitFor();
    await button(/^Web service/).click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').first().waitFor();
    await home();
    await row('Web service').waitFor();
  });

  it('exports what a workspace holds under its name', async () => {
    const download = page.waitForEvent('download');
    await choose('Web service', 'Everything as JSON');
    const file = await download;
    expect(file.suggestedFilename()).toBe('Web service.json');
    const content = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(content).toMatchObject({ format: 'draftsmith/1', name: 'Web service' });
  });
});

describe('importing', () => {
  it('takes a dropped export of ours', async () => {
    await home();
    await dropFile('x.json', JSON.stringify(EXPORT));
    await dialog().getByText('2 nodes, 1 connection and the document').waitFor();
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').nth(1).waitFor();
    await home();
    await row('From a file').waitFor();
  });
});

describe('by keyboard alone', () => {
  it('goes through the list, renames, throws away, and opens', async () => {
    await home();
    const first = (await names())[0] ?? '';
    await page.locator('.row-link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('F2');
    await page.getByLabel('Name of the workspace').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await row('By keys').waitFor();
    await row(first).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'By keys');
    await page.keyboard.press('Delete');
    await row('By keys').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.matches('.row-link'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('More for'),
    );
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/w/*');
  });

  it('imports and makes workspaces without a mouse', async () => {
    await home();
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: 'Import' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab'); // past the button for a folder
    await page.keyboard.type('# Typed by hand');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/w/*');
    await home();
    await row('Typed by hand').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
});

describe.each(['light', 'dark'] as const)('accessibility in the %s theme', (scheme) => {
  it('has no flaw in the list, its menu, the trash and the dialogs', async () => {
    const other = await stage.person(scheme);
    const at = other.page;
    await at.goto('/');
    await at.locator('.row').first().waitFor();
    expect(await axeViolations(at)).toEqual([]);
    await at
      .getByRole('button', { name: /^More for/ })
      .first()
      .click();
    await at.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await axeViolations(at)).toEqual([]);
    await at.keyboard.press('Escape');
    await at.getByRole('button', { name: 'Import', exact: true }).click();
    await at.getByLabel('Or paste text').fill('{');
    await at.getByText('This is not valid JSON').waitFor();
    expect(await axeViolations(at)).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });
});

describe('pictures of workspaces', () => {
  const tile = (at: Page, name: string) =>
    at
      .locator('.row', { has: at.locator('.row-name', { hasText: new RegExp(`^${name}$`) }) })
      .locator('.picture');
  /** How wide an image is that has been loaded; 0 for one that could not be. */
  const drawn = (at: Page, name: string) =>
    tile(at, name)
      .locator('img')
      .evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : -1));
  const place = async (at: Page) =>
    Promise.all((await at.locator('.row').all()).map((one) => one.boundingBox()));

  it.each(['light', 'dark'] as const)(
    'come in the %s theme, and nothing moves when they do',
    async (scheme) => {
      await visit.api('POST', '/workspaces', { name: `Nothing in it ${scheme}` });
      const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
        name: `Drawn ${scheme}`,
        diagram: EXPORT.diagram,
      });
      const other = await stage.person(scheme);
      const at = other.page;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await at.route('**/picture.png*', async (route) => {
        expect(route.request().url()).toContain(`theme=${scheme}`);
        if (route.request().url().includes(id)) await held; // others go on, whatever their order
        await route.continue();
      });
      await at.goto('/');
      await tile(at, `Drawn ${scheme}`).locator('img').waitFor({ state: 'attached' });
      await at
        .locator('.row-who', { hasText: /^by \S/ })
        .first()
        .waitFor();
      const before = await place(at);
      release();
      await expect.poll(() => drawn(at, `Drawn ${scheme}`)).toBeGreaterThan(100);
      expect(await place(at)).toEqual(before);
      expect(await tile(at, `Nothing in it ${scheme}`).locator('img').count()).toBe(0);
      expect(await axeViolations(at)).toEqual([]);
      expect(other.complaints).toEqual([]);
      await other.context.close();
    },
  );

  it('are asked for two at a time, and only those of rows that are about to be seen', async () => {
    const { diagram } = EXPORT;
    for (let at = 0; at < 50; at += 1)
      await visit.api('POST', '/workspaces', { name: `Many ${at}`, diagram });
    const other = await stage.person();
    const at = other.page;
    let [underWay, most, asked] = [0, 0, 0];
    const statuses = new Set<number>();
    await at.route('**/picture.png*', async (route) => {
      asked += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      const response = await route.fetch();
      statuses.add(response.status());
      underWay -= 1;
      await route.fulfill({ response });
    });
    await at.goto('/');
    await expect.poll(() => drawn(at, 'Many 49')).toBeGreaterThan(100);
    await expect.poll(() => underWay).toBe(0);
    expect(asked).toBeLessThan(40);
    await at.locator('.row').last().scrollIntoViewIfNeeded();
    await expect
      .poll(() =>
        at
          .locator('.row')
          .last()
          .locator('img')
          .evaluateAll((found) => found.length),
      )
      .toBe(1);
    await expect.poll(() => underWay).toBe(0);
    expect(most).toBe(2);
    expect([...statuses]).toEqual([200]);
    await other.context.close();
  });
});

it('asked no other origin for anything and left no error on the console', () => {
  expect(visit.strayRequests).toEqual([]);
  expect(visit.complaints).toEqual([]);
});
