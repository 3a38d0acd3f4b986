/** Settings, the assistant among those present, and beginning with a description. The rest of the finish: `finish.test.ts`. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { SHOP } from './assistantActor';
import { axeViolations } from './axe';
import { holdPart } from './holding';
import { diagram, Rehearsal } from './rehearsal';
import { Stage } from './stage';
import { TIMEOUT_MS } from './timeout';

let stage: Stage;
let model: Rehearsal;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in' });
  model = new Rehearsal(stage.rehearsal);
  ana = await Person.come(stage, 'Ana', null);
  ben = await Person.come(stage, 'Ben', await makeWorkspace(ana.visit, SHOP));
  await ben.open();
});

afterAll(async () => {
  await stage?.close();
});

const THEMES = ['light', 'dark'] as const;
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

/** Wait until everything of the page has been read, which is when a tour would begin. */
const isRead = (page: Page) => page.locator('.workspace:not([data-read="first"])').waitFor();

describe('settings', () => {
  it('take effect at once and last', async () => {
    const { page } = ben;
    await button(page, /^You are Ben/).click();
    await page.getByRole('menuitem', { name: /^Settings/ }).click();
    const dialog = settings(page);
    await dialog.getByRole('radio', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await dialog.getByRole('radio', { name: 'Diagram' }).click();
    await page.locator('.panes.diagram').waitFor();
    await dialog.getByRole('radio', { name: 'Preview' }).click();
    await dialog.getByText('Nothing is changed before you have said yes.').waitFor();
    await dialog.getByLabel('Your name').fill('Benjamin');
    await page.keyboard.press('Enter');
    await dialog.getByText('Saved', { exact: true }).waitFor();
    await dialog.getByText(/^Version \d+\.\d+\.\d+/).waitFor();
    await dialog
      .getByText(/tokens/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'You are Benjamin').waitFor();
    await page.reload();
    await page.locator('.panes.diagram').waitFor();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await isRead(page);
    await page.keyboard.press('Control+Comma');
    expect(await dialog.getByRole('radio', { name: 'Preview' }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: 'Light' }).click();
    await dialog.getByRole('radio', { name: 'Split' }).click();
    await dialog.getByRole('radio', { name: 'Auto' }).click();
    await page.keyboard.press('Escape');
    await ben.visit.api('PATCH', '/me', { name: 'Ben' });
  });

  it('switch the assistant off for a workspace, and on again', async () => {
    const { page } = ben;
    const isOn = async () =>
      (await ben.visit.api<{ enabled: boolean }>('GET', `/workspaces/${ben.workspace}/assistant`)).enabled;
    await page.keyboard.press('Control+Comma');
    const box = settings(page).getByLabel('Use the assistant in this workspace');
    await box.uncheck();
    await expect.poll(isOn).toBe(false);
    await page.locator('.setting-switch input:enabled').waitFor();
    await box.check();
    await expect.poll(isOn).toBe(true);
    await page.locator('.setting-switch input:enabled').waitFor();
    await page.keyboard.press('Escape');
  });

  it.each(THEMES)('are clear on the first page in the %s theme', async (theme) => {
    const { page, context } = await stage.person(theme);
    await page.goto('/');
    await page.locator('.row-link').first().waitFor();
    await page.keyboard.press('Control+Comma');
    await settings(page).getByText('Who answers').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });
});

describe('the assistant at work', () => {
  const NAME = 'Assistant · for Ben';
  const disc = (person: Person) =>
    person.page.locator(`[aria-label="Who is here"] .avatar-disc[data-name="${NAME}"]`);

  it('is among those present for everybody, says what it does, and leads to its panel', async () => {
    const lea = await Person.come(stage, 'Lea', ben.workspace);
    // What speaks is loaded later than the rest, and says what has begun before, too.
    const release = await holdPart(lea.page, 'Background');
    await lea.open();
    const said = lea.page.getByTestId('announcements');
    const operations = [{ op: 'add_node', type: 'cache', label: 'Cache' }];
    await model.plays('add a cache', [{ calls: [diagram(...operations)], holds: 'end' }, { text: 'Done.' }]);
    await ben.visit.api('POST', `/workspaces/${ben.workspace}/runs`, {
      prompt: 'add a cache',
      mode: 'apply',
    });
    for (const person of [ben, lea]) await disc(person).waitFor();
    expect(await said.count()).toBe(0);
    release();
    await expect.poll(() => said.textContent()).toContain(`${NAME} has begun`);
    await model.holds();
    await lea.page.locator('.people-button').click();
    const list = lea.page.getByRole('dialog', { name: 'People here' });
    await list.getByText('is preparing 1 change').waitFor();
    expect(await axeViolations(lea.page)).toEqual([]);
    await list.getByRole('button', { name: `Open the assistant: ${NAME}` }).click();
    await lea.page.locator('aside[aria-label="Assistant"]').waitFor();
    await model.letGo();
    for (const person of [ben, lea]) await disc(person).waitFor({ state: 'detached' });
    await expect.poll(() => said.textContent()).toContain(`${NAME} has finished`);
    await lea.visit.context.close();
  });

  it('stands in the history under the same name, and can be filtered for', async () => {
    const { page } = ben;
    await page.locator('.panel-switch').getByRole('button', { name: 'History' }).click();
    await page.locator('.commit-name', { hasText: NAME }).first().waitFor();
    await page.getByLabel('By whom').selectOption({ label: 'Assistant' });
    await expect
      .poll(async () => new Set(await page.locator('.commit-name').allTextContents()), {
        timeout: TIMEOUT_MS,
      })
      .toEqual(new Set([NAME]));
    await button(page, 'Close panel').click();
  });
});

describe('beginning with a description', () => {
  it('makes a workspace in which the assistant drafts at once', async () => {
    const { page } = ana;
    const operations = [{ op: 'add_node', type: 'service', label: 'Library' }];
    await model.plays('A lending library.', [{ calls: [diagram(...operations)] }, { text: 'Done.' }]);
    await page.goto('/');
    await button(page, 'New workspace').first().click();
    await page.getByRole('radio', { name: /^Describe it/ }).click();
    await page.getByLabel('Describe your system').fill('A lending library.');
    await button(page, 'Create and draft it').click();
    await page.locator('.react-flow__node', { hasText: 'Library' }).waitFor();
    await page.locator('aside[aria-label="Assistant"]').waitFor();
    await page.getByRole('heading', { level: 1, name: 'A lending library' }).waitFor();
  });
});

it('was seen without a complaint of the browser or a request to anywhere else', () => {
  for (const { visit } of [ana, ben]) {
    expect(visit.complaints).toEqual([]);
    expect(visit.strayRequests).toEqual([]);
  }
});
