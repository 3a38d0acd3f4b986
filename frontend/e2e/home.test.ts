/** The first page: from nothing to a workspace, finding, naming, copying, throwing away, importing; also by keyboard alone. */
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
const FLOWCHART = 'flowchart LR\n  web[Web] --> orders[(Orders)]\n  classDef hot fill:#f00\n';
const DRAWING = `<mxfile>
<diagram name="Shop"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="a" value="Web" vertex="1" parent="1"><mxGeometry width="120" height="60"/></mxCell>
<mxCell id="b" value="Orders" vertex="1" parent="1"><mxGeometry x="300" width="120" height="60"/></mxCell>
<mxCell id="e" edge="1" parent="1" source="a" target="b"/>
<mxCell id="lost" value="nowhere" edge="1" parent="1" source="a"/></root></mxGraphModel></diagram>
<diagram name="Tills"><mxGraphModel><root><mxCell id="0"/>
<mxCell id="c" value="Till" vertex="1" parent="0"><mxGeometry width="120" height="60"/></mxCell>
</root></mxGraphModel></diagram></mxfile>`;

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

  it('renames in place, and keeps the old name on Escape', async () => {
    await choose('Web service', 'Rename');
    const field = page.getByLabel('Name of the workspace');
    await field.fill('Never');
    await field.press('Escape');
    await row('Web service').waitFor();
    await choose('Web service', 'Rename');
    await field.fill('Shop');
    await field.press('Enter');
    await row('Shop').waitFor();
    await expect.poll(names).toEqual(['Shop']);
  });

  it('duplicates and offers to open the copy', async () => {
    await choose('Shop', 'Duplicate');
    await row('Copy of Shop').waitFor();
    await page.locator('.toast', { hasText: '“Copy of Shop” was made' }).waitFor();
    await button('Open').click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').first().waitFor();
    await home();
  });

  it('exports what a workspace holds under its name', async () => {
    const download = page.waitForEvent('download');
    await choose('Shop', 'Everything as JSON');
    const file = await download;
    expect(file.suggestedFilename()).toBe('Shop.json');
    const content = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(content).toMatchObject({ format: 'draftsmith/1', name: 'Shop' });
  });

  it('throws away, takes that back, throws away again and puts back', async () => {
    await choose('Copy of Shop', 'Move to trash');
    await row('Copy of Shop').waitFor({ state: 'detached' });
    await button('Undo').click();
    await row('Copy of Shop').waitFor();
    await choose('Copy of Shop', 'Move to trash');
    await row('Copy of Shop').waitFor({ state: 'detached' });
    await button('Trash').click();
    await row('Copy of Shop').waitFor();
    await button('Put back Copy of Shop').click();
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
    await button('All').click();
    await row('Copy of Shop').waitFor();
  });

  it('sorts by name, remembers that, and searches', async () => {
    await page.getByLabel('Sort by').selectOption('name');
    await expect.poll(names).toEqual(['Copy of Shop', 'Shop']);
    await page.reload();
    await expect.poll(names).toEqual(['Copy of Shop', 'Shop']);
    await page.getByLabel('Sort by').selectOption('changed');
    await page.getByLabel('Search workspaces').fill('copy');
    await expect.poll(names).toEqual(['Copy of Shop']);
    await page.getByLabel('Search workspaces').fill('no such');
    await page.getByRole('heading', { name: 'Nothing is called “no such”' }).waitFor();
    await page.getByLabel('Search workspaces').fill('');
    await expect.poll(async () => (await names()).length).toBe(2);
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

  it('takes a chosen Markdown file', async () => {
    await button('Import').click();
    await page.getByLabel('File to import').setInputFiles({
      name: 'design.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Written elsewhere\n\nSome words.\n'),
    });
    expect(await dialog().getByLabel('Format').inputValue()).toBe('markdown');
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL('**/w/*');
    await home();
    await row('Written elsewhere').waitFor();
  });

  it('takes a pasted flowchart and says which line it could not take over', async () => {
    await button('Import').click();
    await dialog().getByLabel('Or paste text').fill(FLOWCHART);
    await expect.poll(() => dialog().getByLabel('Format').inputValue()).toBe('mermaid');
    await dialog().getByLabel('Name').fill('Pasted');
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('dialog', { name: '1 line was not taken over' }).waitFor();
    expect(await page.locator('.import-unread').textContent()).toMatch(/Line 3: .*classDef hot fill:#f00/);
    await button('Open workspace').click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').nth(1).waitFor();
    await home();
  });

  it('takes every page of a drawing of draw.io, and lists what of them it could not take over', async () => {
    await home();
    await dropFile('plan.drawio', DRAWING);
    await dialog().getByText('2 pages: the first one now').waitFor();
    expect(await dialog().getByLabel('Format').inputValue()).toBe('drawio');
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('dialog', { name: '1 thing was not taken over' }).waitFor();
    expect(await page.locator('.import-unread').textContent()).toMatch(/Shape lost: .*one end only.*nowhere/);
    await button('Import the other 1 page as well').click();
    await dialog().getByRole('link', { name: 'Tills' }).waitFor();
    await button('Open workspace').click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').nth(1).waitFor();
    expect(await page.locator('.edge-line, .react-flow__edge').count()).toBeGreaterThan(0);
    await home();
    await row('plan').waitFor();
    await row('Tills').waitFor();
  });

  it('takes a diagram as text by the ending of its file, and says which line it could not take over', async () => {
    await dropFile('Market.diagram.txt', 'Till -> Bank: pays\nBank (external)\nSafe (vault)\n');
    await dialog().getByText('3 lines. Each is a node or a connection').waitFor();
    expect(await dialog().getByLabel('Format').inputValue()).toBe('text');
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('dialog', { name: '1 line was not taken over' }).waitFor();
    expect(await page.locator('.import-unread').textContent()).toMatch(
      /Line 3: “vault” is no type.*Safe \(vault\)/,
    );
    await button('Open workspace').click();
    await page.waitForURL('**/w/*');
    await page.locator('.node-card').nth(1).waitFor();
    await home();
    await row('Market').waitFor();
  });

  it('says what is wrong before anything is sent, and where, when the server refuses', async () => {
    await button('Import').click();
    const text = dialog().getByLabel('Or paste text');
    const submit = dialog().getByRole('button', { name: 'Import', exact: true });
    await text.fill('{\n  "format": oops');
    await dialog().getByText('This is not valid JSON').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await text.fill('{"format": "other/3"}');
    await dialog().getByText('This JSON is not an export of Draftsmith').waitFor();
    await text.fill('gantt\n title Plan');
    await dialog().getByText('This is a Mermaid gantt').waitFor();
    const [first, ...others] = EXPORT.diagram.nodes;
    const wrong = { ...EXPORT, diagram: { nodes: [{ ...first, type: 'spaceship' }, ...others], edges: [] } };
    await text.fill(JSON.stringify(wrong));
    await submit.click();
    await dialog().getByText('It was not imported').waitFor();
    expect(await dialog().locator('.import-places').textContent()).toContain('node 1, type');
    visit.complaints.splice(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
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
