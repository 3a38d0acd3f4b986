/** The palette of commands and the sheet of shortcuts, over a workspace and on the first page; the theme. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, settled } from './axe';
import { holdRequests } from './holding';
import { Stage, type Visit } from './stage';

let stage: Stage;
let visit: Visit;
let page: Page;
let id: string;

const palette = () => page.getByRole('dialog', { name: 'Commands' });
const found = () => palette().getByRole('option');
/** What Enter takes: which one that is follows what is found. */
const chosen = () => palette().getByRole('option', { selected: true });
const theme = () => page.evaluate(() => document.documentElement.dataset.theme);

async function search(query: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await palette().getByRole('combobox').waitFor();
  await page.keyboard.type(query);
}

async function home(): Promise<void> {
  await page.goto('/');
  await page.locator('.row').first().waitFor();
}

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  page = visit.page;
  await page.goto('/');
  ({ id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'Sought', template: 'sample' }));
});

afterAll(async () => {
  await stage?.close();
});

describe('over a workspace', () => {
  beforeAll(async () => {
    await page.goto(`/w/${id}`);
    await page.locator('.node-card').first().waitFor();
  });

  it('finds a command by other words and shows its key', async () => {
    await search('alone diagram');
    await chosen().getByText('Show the diagram alone').waitFor();
    expect(await chosen().locator('kbd').textContent()).toBe('Alt+1');
    await page.keyboard.press('Enter');
    await palette().waitFor({ state: 'detached' });
    await page.locator('#document').waitFor({ state: 'detached' });
  });

  it('puts what was chosen lately first', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette().getByText('Recent', { exact: true }).waitFor();
    await found().first().getByText('Show the diagram alone').waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  it('leads to a node by its name', async () => {
    const label = (await page.locator('.node-label').first().textContent()) ?? '';
    await search(`go to ${label}`);
    await chosen().getByText(`Go to ${label}`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.node-card.selected', { hasText: label }).waitFor();
  });

  it('leads to a section, also where only the diagram is in sight', async () => {
    const { document } = await visit.api<{ document: { text: string } }>('GET', `/workspaces/${id}`);
    const title = /^## (.+)$/m.exec(document.text)?.[1] ?? '';
    await search(`section ${title}`);
    await chosen().getByText(`Go to section ${title}`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#document').getByText(title, { exact: true }).first().waitFor();
  });

  it('opens also while somebody is typing, and leaves the text alone', async () => {
    const editor = page.locator('#document .cm-content');
    await editor.click();
    const before = (await visit.api<{ revision: number }>('GET', `/workspaces/${id}`)).revision;
    await search('zzzz');
    await palette().getByText('Nothing is called “zzzz”').waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.closest('.cm-content') !== null);
    expect((await visit.api<{ revision: number }>('GET', `/workspaces/${id}`)).revision).toBe(before);
  });

  it('lists the shortcuts, which can be searched, without glyphs of another kind of keyboard', async () => {
    await page.locator('.react-flow__pane').click({ position: { x: 8, y: 120 } });
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Show the diagram alone').waitFor();
    expect(await sheet.textContent()).not.toMatch(/[⌘⌥⇧]/);
    await sheet.getByText('Mouse and touch').waitFor();
    await sheet.getByText('Paste as plain text').waitFor();
    await sheet.getByLabel('Search shortcuts').fill('zoom');
    await sheet.getByText('Show the diagram alone').waitFor({ state: 'detached' });
    await sheet.getByText('Ctrl-wheel, or pinch').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The first empties the field, as in any field for searching.
    await page.keyboard.press('Escape');
    await sheet.getByText('Show the diagram alone').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it.each([
    ['dark', 'Dark theme'],
    ['light', 'Light theme'],
  ])('puts on the %s theme, in which the palette has no flaw', async (name, title) => {
    await search(title);
    await chosen().getByText(title).waitFor();
    await page.keyboard.press('Enter');
    await palette().waitFor({ state: 'detached' });
    expect(await theme()).toBe(name);
    await search('go');
    await found().first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });
});

describe('on the first page', () => {
  it('opens a workspace by its name', async () => {
    await home();
    await search('sought');
    await chosen().getByText('Open Sought').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${id}**`);
  });

  it('begins a new workspace and shows its own shortcuts', async () => {
    await home();
    await search('new');
    await chosen().getByText('New workspace').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('New workspace').waitFor();
    expect(await sheet.getByText('Mouse and touch').count()).toBe(0);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('has the theme as a menu, by keyboard too, and keeps the choice', async () => {
    await home();
    await page.getByRole('button', { name: 'Theme' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Light', checked: true }).waitFor();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(theme).toBe('dark');
    await page.reload();
    await page.locator('.row').first().waitFor();
    expect(await theme()).toBe('dark');
  });

  it('says what a button does when it is reached, whole and in sight, and stops on Escape', async () => {
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Theme' }).focus();
    const tip = page.locator('.tip');
    await page.waitForFunction(() => document.querySelector('.tip:popover-open')?.textContent === 'Theme');
    const box = await tip.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1440);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.tip:popover-open'));
  });

  it('leaves the keyboard at a button while its menu is read, though the page is drawn anew', async () => {
    await visit.api('POST', '/folders', { name: 'Shelf' });
    const release = await holdRequests(page, '**/api/v1/folders');
    await home();
    const read = page.waitForResponse('**/assets/overlayParts-*.js');
    await page.getByRole('button', { name: 'Theme' }).focus();
    await (await read).finished();
    await settled(page);
    release();
    await page.locator('.row.folder', { hasText: 'Shelf' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Theme');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Light' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

it('asked no other origin for anything and left no error on the console', () => {
  expect(visit.strayRequests).toEqual([]);
  expect(visit.complaints).toEqual([]);
});
