/** Suggesting in the browser: a draft of the diagram, another text for a section, and the cards on which they are decided. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { bringIntoSight } from './sight';
import { Stage, type Visit } from './stage';

let stage: Stage;
let ada: Visit;
let cora: Visit;
let w: string;

const START = {
  name: 'Shop',
  document: { text: '# Shop\n\nWe sell.\n\n## Orders\n\nThey are kept for a year.\n' },
  diagram: {
    nodes: [
      { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
      { id: 'orders', type: 'service', label: 'Orders', position: { x: 360, y: 0 } },
      { id: 'old', type: 'cache', label: 'Old cache', position: { x: 720, y: 0 } },
    ],
    edges: [],
  },
};

const button = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name });
const node = (visit: Visit, id: string) => visit.page.locator(`.react-flow__node[data-id="${id}"]`);
const draft = (visit: Visit) => visit.page.getByRole('region', { name: 'Your draft' });
const dialog = (visit: Visit) => visit.page.getByRole('dialog');
const card = (visit: Visit, state: string) =>
  visit.page.locator(`.assistant-card[data-state="${state}"]`).last();

const labelOf = async (id: string): Promise<string | undefined> => {
  const { nodes } = await ada.api<{ nodes: { id: string; label: string }[] }>(
    'GET',
    `/workspaces/${w}/diagram`,
  );
  return nodes.find((one) => one.id === id)?.label;
};

async function press(visit: Visit, id: string): Promise<void> {
  await bringIntoSight(node(visit, id));
  await node(visit, id).click();
}

async function rename(visit: Visit, id: string, name: string): Promise<void> {
  await press(visit, id);
  await visit.page.keyboard.press('F2');
  await visit.page.keyboard.press('ControlOrMeta+A');
  await visit.page.keyboard.type(name);
  await visit.page.keyboard.press('Enter');
  await node(visit, id).getByText(name).waitFor();
}

beforeAll(async () => {
  stage = await Stage.open({ isShared: true });
  ada = await stage.person('light');
  await ada.page.goto(stage.firstLink);
  await ada.page.getByLabel('Your name').fill('Ada');
  await button(ada, 'Sign in').click();
  await ada.page.getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
  w = (await ada.api<{ id: string }>('POST', '/workspaces', START)).id;
  const { url } = await ada.api<{ url: string }>('POST', `/workspaces/${w}/shares`, { role: 'commenter' });
  await ada.page.goto(`/w/${w}`);
  await node(ada, 'orders').waitFor();
  cora = await stage.person('dark');
  await cora.page.goto(url);
  await cora.page.getByLabel('Your name').fill('Cora');
  await button(cora, 'Open').click();
  await node(cora, 'orders').waitFor();
});

afterAll(() => stage?.close());

describe('a draft', () => {
  it('collects what a commenter draws, for nobody else to see', async () => {
    await rename(cora, 'orders', 'Sales');
    await draft(cora).getByText('Draft: 1 change').waitFor();
    await press(cora, 'old');
    await cora.page.keyboard.press('Delete');
    await node(cora, 'old').waitFor({ state: 'detached' });
    await draft(cora).getByText('Draft: 2 changes').waitFor();
    expect(await labelOf('orders')).toBe('Orders');
    expect(await labelOf('old')).toBe('Old cache');
    expect(await axeViolations(cora.page)).toEqual([]);
  });

  it('is taken back step by step, and is there again after a reload', async () => {
    await cora.page.keyboard.press('ControlOrMeta+Z');
    await node(cora, 'old').waitFor();
    await draft(cora).getByText('Draft: 1 change').waitFor();
    await cora.page.reload();
    await node(cora, 'orders').getByText('Sales').waitFor();
    await draft(cora).getByText('Draft: 1 change').waitFor();
  });

  it('follows what others do meanwhile', async () => {
    await ada.api('POST', `/workspaces/${w}/batches`, {
      operations: [{ op: 'add_node', id: 'new', type: 'queue', label: 'Jobs' }],
    });
    await node(cora, 'new').waitFor();
    await node(cora, 'orders').getByText('Sales').waitFor();
  });

  it('is proposed with a reason, and accepted by who may edit', async () => {
    await press(cora, 'old');
    await cora.page.keyboard.press('Delete');
    await draft(cora).getByRole('button', { name: 'Propose…' }).click();
    const list = dialog(cora).getByRole('list', { name: 'Changes' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    expect(await axeViolations(cora.page)).toEqual([]);
    await dialog(cora).getByLabel('Why').fill('Nobody calls them orders.');
    await dialog(cora).getByRole('button', { name: 'Propose 2 changes' }).click();
    await draft(cora).waitFor({ state: 'detached' });
    await node(cora, 'orders').getByText('Orders').waitFor();
    await ada.page.locator('.proposal-notice').getByRole('button', { name: 'Open' }).click();
    await card(ada, 'proposed').getByText('Nobody calls them orders.').waitFor();
    expect(await axeViolations(ada.page)).toEqual([]);
    await card(ada, 'proposed').getByRole('button', { name: 'Accept all 2' }).click();
    await card(ada, 'applied').waitFor();
    await node(cora, 'orders').getByText('Sales').waitFor();
    await node(cora, 'old').waitFor({ state: 'detached' });
    await button(ada, /^Undo: .*/).click();
    await node(cora, 'old').waitFor();
  });

  it('says beside each change why it no longer fits, and sends the rest', async () => {
    await rename(cora, 'new', 'Work');
    await rename(cora, 'web', 'Front');
    await ada.api('POST', `/workspaces/${w}/batches`, { operations: [{ op: 'delete_node', id: 'new' }] });
    await node(cora, 'new').waitFor({ state: 'detached' });
    await draft(cora).getByRole('button', { name: 'Propose…' }).click();
    await dialog(cora).getByRole('button', { name: 'Propose 2 changes' }).click();
    await dialog(cora).getByText('It was not proposed').waitFor();
    expect(await dialog(cora).getByRole('listitem').first().locator('.field-error').textContent()).toMatch(
      /new/,
    );
    await dialog(cora)
      .getByRole('button', { name: /^Leave out/ })
      .first()
      .click();
    await dialog(cora).getByRole('button', { name: 'Propose 1 change' }).click();
    await dialog(cora).waitFor({ state: 'detached' });
    await cora.page.getByRole('button', { name: 'Show', exact: true }).click();
    await card(cora, 'proposed').getByRole('button', { name: 'Withdraw' }).click();
    await card(cora, 'not-applied').getByText('Withdrawn.').waitFor();
    const becoming = cora.page.getByLabel('What becomes of changes');
    expect([await becoming.inputValue(), await becoming.isDisabled()]).toEqual(['propose', true]);
    expect(await labelOf('web')).toBe('Web');
  });
});

describe('another text for a section', () => {
  it('is proposed by a commenter who reads, and stands in the document once it is accepted', async () => {
    await button(cora, 'Suggest another text').click();
    await dialog(cora).getByRole('combobox', { name: 'Section' }).selectOption({ label: '\u2003Orders' });
    const field = dialog(cora).getByLabel(/^Text in Markdown/);
    await expect.poll(() => field.inputValue()).toBe('They are kept for a year.');
    await field.fill('They are kept for ten years.');
    await dialog(cora).getByLabel('Why').fill('The law asks for it.');
    const section = dialog(cora).getByRole('combobox', { name: 'Section' });
    await section.focus();
    await section.selectOption({ label: 'Shop' });
    await expect.poll(() => field.inputValue()).toBe('We sell.');
    expect(await section.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('We sell everything.');
    await section.selectOption({ label: '\u2003Orders (changed)' });
    await expect.poll(() => field.inputValue()).toBe('They are kept for ten years.');
    expect(await dialog(cora).getByLabel('Why').inputValue()).toBe('The law asks for it.');
    expect(await axeViolations(cora.page)).toEqual([]);
    await dialog(cora).getByRole('button', { name: 'Propose 2 sections' }).click();
    await dialog(cora).waitFor({ state: 'detached' });
    await card(ada, 'proposed').getByText('The law asks for it.').waitFor();
    await card(ada, 'proposed').getByRole('button', { name: 'Accept all 2' }).click();
    await cora.page.locator('#document').getByText('They are kept for ten years.').waitFor();
    await cora.page.locator('#document').getByText('We sell everything.').waitFor();
    await card(cora, 'applied').waitFor();
  });

  it('can be suggested by who may edit, and discarded', async () => {
    await button(ada, 'Suggest another text').click();
    const field = dialog(ada).getByLabel(/^Text in Markdown/);
    await expect.poll(() => field.inputValue()).not.toBe('');
    await field.fill('We sell and buy.');
    await dialog(ada).getByRole('button', { name: 'Propose' }).click();
    await card(ada, 'proposed').getByRole('button', { name: 'Discard' }).click();
    await card(ada, 'not-applied').getByText('Withdrawn.').waitFor();
  });
});

it('left no error on the console', () => {
  const refusals = /status of (401|403|404|422)/;
  for (const { complaints, strayRequests } of [ada, cora]) {
    expect(complaints.filter((text) => !refusals.test(text))).toEqual([]);
    expect(strayRequests).toEqual([]);
  }
});
