/** Folders on the first page: by pointer and by keyboard alone; in token mode the access that they give. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { Stage, type Visit } from './stage';

let stage: Stage;
let ada: Visit;

beforeAll(async () => {
  stage = await Stage.open({ isShared: true });
  ada = await stage.person('light');
  await ada.page.goto(stage.firstLink);
  await ada.page.getByLabel('Your name').fill('Ada');
  await ada.page.getByRole('button', { name: 'Sign in' }).click();
  await ada.page.getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
  for (const name of ['Shop', 'Payments'])
    await ada.api('POST', '/workspaces', { name, document: { text: `# ${name}\n` } });
  await ada.page.reload();
});

afterAll(() => stage?.close());

const row = (visit: Visit, name: string) =>
  visit.page.locator('.row', {
    has: visit.page.locator('.row-name', { hasText: new RegExp(`^${name}$`) }),
  });
const names = () => ada.page.locator('.row-name').allTextContents();
const dialog = () => ada.page.getByRole('dialog');
const toast = (text: string) => ada.page.locator('.toast', { hasText: text });

async function choose(menu: string, item: string): Promise<void> {
  await ada.page.getByRole('button', { name: `More for ${menu}`, exact: true }).click();
  await ada.page.getByRole('menuitem', { name: item }).click();
}

async function newFolder(name: string): Promise<void> {
  await ada.page.getByRole('button', { name: 'New folder' }).click();
  await dialog().getByLabel('Name').fill(name);
  await dialog().getByRole('button', { name: 'Create folder' }).click();
  await listed(name);
}

/** Waits for a row, and for the dialog that made it: until that has closed, nothing behind it can be used. */
async function listed(name: string): Promise<void> {
  await row(ada, name).waitFor();
  await dialog().waitFor({ state: 'detached' });
}

describe('folders on the first page', () => {
  it('are made, opened and left by their breadcrumb', async () => {
    await newFolder('Team');
    await expect.poll(names).toEqual(['Team', 'Payments', 'Shop']);
    await row(ada, 'Team').locator('.row-link').click();
    await ada.page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await ada.page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
    expect(await axeViolations(ada.page)).toEqual([]);
    await newFolder('Drafts');
    await row(ada, 'Drafts').locator('.row-link').click();
    const around = ada.page.getByRole('navigation', { name: 'Folders around' });
    await expect.poll(() => around.getByRole('link').allTextContents()).toEqual(['Workspaces', 'Team']);
    await ada.page.goBack();
    await row(ada, 'Drafts').waitFor();
    await around.getByRole('link', { name: 'Workspaces' }).click();
    await row(ada, 'Shop').waitFor();
  });

  it('take a workspace from its menu, which can be taken back', async () => {
    await choose('Shop', 'Move to…');
    await dialog().getByLabel('Drafts').check();
    expect(await axeViolations(ada.page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Move here' }).click();
    await toast('“Shop” is in “Team / Drafts” now').waitFor();
    await row(ada, 'Shop').waitFor({ state: 'detached' });
    await ada.page.getByRole('button', { name: 'Undo' }).click();
    await row(ada, 'Shop').waitFor();
  });

  it('are used by keyboard alone: made, filled, renamed, moved and deleted', async () => {
    const { page } = ada;
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('f');
    await dialog().getByLabel('Name').waitFor();
    await page.keyboard.type('Archive');
    await page.keyboard.press('Enter');
    await listed('Archive');
    await row(ada, 'Payments').locator('.row-link').focus();
    await page.keyboard.press('m');
    await dialog().getByLabel('Archive').waitFor();
    await dialog().getByLabel('Top, in no folder').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await row(ada, 'Payments').waitFor({ state: 'detached' });
    await row(ada, 'Archive').locator('.row-link').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Old');
    await page.keyboard.press('Enter');
    await row(ada, 'Old').waitFor();
    await expect.poll(focused).toBe('Old');
    await page.keyboard.press('Delete');
    await page.getByRole('heading', { name: 'Delete the folder “Old”?' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await row(ada, 'Old').waitFor({ state: 'detached' });
    await row(ada, 'Payments').waitFor();
    await expect.poll(focused).toBe('Team');
    await page.keyboard.press('Enter');
    await row(ada, 'Drafts').locator('.row-link').focus();
    await page.keyboard.press('m');
    await dialog().getByLabel('Team').waitFor();
    expect(await dialog().getByLabel('Drafts').count()).toBe(0);
    await dialog().getByLabel('Top, in no folder').check();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
    await page.goto('/');
    await expect.poll(names).toEqual(['Drafts', 'Team', 'Payments', 'Shop']);
  });

  it('are where a new workspace is made, and a search finds it with its path', async () => {
    await row(ada, 'Team').locator('.row-link').click();
    await ada.page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await ada.page.getByRole('button', { name: 'New workspace' }).click();
    await dialog().getByLabel('Name').fill('Ledger');
    await dialog().getByRole('button', { name: 'Create workspace' }).click();
    await ada.page.waitForURL('**/w/*');
    await ada.page.goto('/');
    await row(ada, 'Shop').waitFor();
    expect(await names()).not.toContain('Ledger');
    await ada.page.getByLabel('Search workspaces').fill('le');
    await row(ada, 'Ledger').waitFor();
    await row(ada, 'Ledger').getByText('In Team').waitFor();
    await expect.poll(names).toEqual(['Ledger']);
    await ada.page.getByLabel('Search workspaces').fill('');
  });

  it('that are gone say so', async () => {
    await ada.page.goto('/?folder=00000000000000000000000000');
    await ada.page.getByRole('heading', { name: 'There is no such folder' }).waitFor();
    await ada.page.getByRole('link', { name: 'All workspaces', exact: true }).click();
    await row(ada, 'Team').waitFor();
  });
});

describe('the access that a folder gives', () => {
  it('is given in its dialog, and shown in the Share dialog of what is in it', async () => {
    await choose('the folder Team', 'Who has access…');
    await dialog().getByLabel('Group or person').fill('architects');
    await dialog().getByLabel('Role to give').selectOption({ label: 'Can edit' });
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByText('Group architects').waitFor();
    await dialog().getByLabel('Role of everybody who is signed in').selectOption({ label: 'Can view' });
    await expect
      .poll(() => dialog().getByLabel('Role of everybody who is signed in').inputValue())
      .toBe('viewer');
    expect(await axeViolations(ada.page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row(ada, 'Team').locator('.row-link').click();
    await row(ada, 'Ledger').locator('.row-link').click();
    await ada.page.waitForURL('**/w/*');
    await ada.page.getByRole('button', { name: 'Share' }).click();
    const inherited = dialog().getByRole('list', { name: 'From the folder “Team”' });
    await expect
      .poll(() => inherited.getByRole('listitem').allTextContents())
      .toEqual(['AdaOwner', 'Group architectsCan edit', 'Everybody who is signed inCan view']);
    expect(await axeViolations(ada.page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    const { id, key } = await ada.api<{ id: string; key: string }>('POST', '/keys', {
      name: 'Bot',
      personal: false,
    });
    await ada.page.goto('/');
    await choose('the folder Team', 'Who has access…');
    await dialog().getByLabel('Group or person').fill(`key:${id}`);
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByLabel('Role of Bot').waitFor();
    const bot = await fetch(`${stage.url}/api/v1/workspaces`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const { items } = (await bot.json()) as { items: { name: string; role: string }[] };
    expect(items.map(({ name, role }) => `${name} ${role}`)).toEqual(['Ledger viewer']);
    await dialog().getByRole('button', { name: 'Done' }).click();
  });

  it('left no error on the console', () => {
    const refusals = /status of (404|409)/;
    expect(ada.complaints.filter((text) => !refusals.test(text))).toEqual([]);
  });
});
