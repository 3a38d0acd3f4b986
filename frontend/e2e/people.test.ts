/**
 * Two people in one workspace see who is there, where the other is and what the other does, and can go along; and so of
 * an agent that one of them connects.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, twoPeople } from './actors';
import { type AgentAt, agentOf, called } from './agentActor';
import { axeViolations } from './axe';
import { Stage } from './stage';
import type { Wire } from './wire';

const node = (id: string, label: string, x: number, y: number) => ({
  id,
  type: 'service',
  label,
  position: { x, y },
});
const SCENE = {
  text: '# Plan\n\nTogether.\n',
  nodes: [node('orders', 'Orders', 0, 0), node('cart', 'Cart', 320, 0), node('mail', 'Mail', 0, 240)],
};

let stage: Stage;
let anna: Person;
let ben: Person;
let wires: Wire[];

beforeAll(async () => {
  stage = await Stage.shared();
  ({ anna, ben, wires } = await twoPeople(stage, SCENE));
});

afterAll(async () => {
  for (const wire of wires ?? []) await wire.close();
  await stage?.close();
});

const avatar = (who: Person, name: string, pages = 1) =>
  who.page.locator(`[aria-label="Who is here"] [data-name="${name}"][data-pages="${pages}"]`);
const cursor = (who: Person) => who.page.locator('.others-cursor');
const ring = (who: Person, id: string) => who.page.locator(`.others-ring[data-node="${id}"]`);
const viewIs = (who: Person, name: string) =>
  who.page.locator(`[aria-label="View"] button[aria-pressed="true"]`, { hasText: name }).waitFor();
const view = (who: Person, name: string) =>
  who.page.getByRole('group', { name: 'View', exact: true }).getByRole('button', { name }).click();
const followBar = (who: Person) => who.page.locator('.follow-bar');

/** Open the list of who is here. */
async function list(who: Person) {
  await who.page.locator('.people-button').click();
  const found = who.page.getByRole('dialog', { name: 'People here' });
  await found.waitFor();
  return found;
}

describe('who is here', () => {
  it('is shown with everybody once, however many tabs they have open', async () => {
    await avatar(anna, 'Ben').waitFor();
    await avatar(ben, 'Anna').waitFor();
    await anna.sees(2);
    const second = await ben.tab();
    await avatar(anna, 'Ben', 2).waitFor();
    await anna.sees(2);
    await ben.page.getByRole('button', { name: 'You are Ben, here in 2 tabs' }).waitFor();
    await second.page.close();
    await avatar(anna, 'Ben', 1).waitFor();
  });

  it('is shown under a new name at once', async () => {
    await ben.page.getByRole('button', { name: /^You are Ben/ }).click();
    await ben.page.getByRole('menuitem', { name: /^Change your name/ }).click();
    await ben.page.getByLabel('Shown to others beside your changes').fill('Benedikt Maria');
    await ben.page.getByRole('button', { name: 'Save', exact: true }).click();
    await avatar(anna, 'Benedikt Maria').waitFor();
    // Others hear of the name before the dialog, which waits for the answer, closes.
    await ben.page.getByRole('dialog').waitFor({ state: 'detached' });
    await ben.visit.api('PATCH', '/me', { name: 'Ben' });
    await avatar(anna, 'Ben').waitFor();
  });

  it('is asked for a name once, by who has none, without being in the way', async () => {
    const guest = await stage.person('dark');
    await guest.page.goto(`/w/${anna.workspace}`);
    const question = guest.page.getByRole('form', { name: 'Your name' });
    await question.waitFor();
    expect(await question.evaluate((form) => form.contains(document.activeElement))).toBe(false);
    expect(await axeViolations(guest.page)).toEqual([]);
    await question.getByRole('textbox').fill('Carla');
    await question.getByRole('button', { name: 'Save name' }).click();
    await avatar(anna, 'Carla').waitFor();
    await question.waitFor({ state: 'detached' });
    await guest.context.close();
    await anna.sees(2);
  });
});

describe('what the other does', () => {
  it('is seen by their pointer, at the same place of the diagram, until it leaves', async () => {
    const at = await ben.nodeAt('cart');
    await ben.page.mouse.move(at.x, at.y);
    await expect.poll(async () => (await cursor(anna).boundingBox()) && isOver(anna, 'cart')).toBe(true);
    expect(await cursor(anna).textContent()).toBe('Ben');
    await ben.page.mouse.move(400, 20);
    await cursor(anna).waitFor({ state: 'detached' });
  });

  it('is seen as a ring around what they have selected', async () => {
    await ben.select('orders');
    await ring(anna, 'orders').waitFor();
    const [around, inner] = [
      await ring(anna, 'orders').boundingBox(),
      await anna.node('orders').boundingBox(),
    ];
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs((around?.[side] ?? 0) - (inner?.[side] ?? 99))).toBeLessThan(2);
    await ben.key('Escape');
    await ring(anna, 'orders').waitFor({ state: 'detached' });
  });

  it('is seen as an outline of what they drag, before it is dropped', async () => {
    const before = await anna.placeOf('mail');
    await ben.lift('mail', { x: 60, y: 80 });
    const ghost = anna.ghost('mail');
    await ghost.waitFor();
    const shown = await anna.placeOf('mail');
    expect(shown).toEqual(before);
    await ben.drop();
    await ghost.waitFor({ state: 'detached' });
    await expect.poll(() => anna.placeOf('mail')).not.toEqual(before);
    await ben.key('Escape');
  });

  it('is told to screen readers', async () => {
    await ben.batch({ op: 'update_node', id: 'cart', label: 'Basket' });
    await anna.labelled('cart', 'Basket');
    const said = () => anna.page.getByTestId('announcements').textContent();
    await expect.poll(said).toMatch(/\bBen (changed label of Basket|moved node Mail; 1 more change)/);
  });
});

describe('going along', () => {
  it('says where somebody is, in words', async () => {
    await ben.select('orders');
    await ring(anna, 'orders').waitFor();
    const people = await list(anna);
    await people.getByText(/^Diagram, at Orders/).waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.key('Escape');
    await people.waitFor({ state: 'detached' });
  });

  it('follows view, selection and pointer, until one does something oneself', async () => {
    await (await list(anna)).getByRole('button', { name: 'Follow Ben' }).click();
    await followBar(anna).getByText('Following Ben').waitFor();
    await anna.node('orders').locator('.selected').waitFor();
    await view(ben, 'Diagram');
    await viewIs(anna, 'Diagram');
    await ben.select('cart');
    await anna.node('cart').locator('.selected').waitFor();
    await ben.key('Escape');
    await farAway();
    await expect.poll(() => isInSight(anna, 'far')).toBe(true);
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.key('Escape');
    await followBar(anna).waitFor({ state: 'detached' });
    await view(ben, 'Split');
    const people = await list(anna);
    await people.getByText(/^Diagram/).waitFor();
    await viewIs(anna, 'Diagram');
    await anna.key('Escape');
  });

  it('ends, in words, when the other leaves', async () => {
    await (await list(anna)).getByRole('button', { name: 'Follow Ben' }).click();
    await followBar(anna).waitFor();
    await ben.page.goto('/');
    await anna.page.getByText('Ben has left').first().waitFor({ state: 'attached' });
    await followBar(anna).waitFor({ state: 'detached' });
    await anna.sees(1);
    await cursor(anna).waitFor({ state: 'detached' });
  });
});

describe('an agent of somebody', () => {
  const NAME = 'My agent · for Anna';
  let agent: AgentAt;
  let proposed: string;

  it('is connected by a text with the address as the page sees it, and a key that is made for it', async () => {
    const { page } = anna;
    await anna.key('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('connect your agent');
    await page.getByRole('option', { name: /^Connect your agent/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect your agent' });
    await dialog.getByText('You have no keys yet.').waitFor();
    const command = dialog.getByRole('region', { name: 'what the program is given' });
    const origin = new URL(page.url()).origin;
    expect(agentOf((await command.textContent()) ?? '')).toEqual({ url: `${origin}/mcp`, key: null });
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByLabel('Name of the key').fill('My agent');
    await dialog.getByLabel('Ends').selectOption({ label: 'In 30 days' });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('is shown only now').waitFor();
    agent = agentOf((await command.textContent()) ?? '');
    expect(agent.key).toMatch(/^dsk_/);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page, { only: 'colours' })).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await called(agent, 'list_workspaces', {});
    await dialog.getByText('your agent is connected').waitFor();
    await dialog.getByText(/^Can edit · used .* · ends /).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it('is here for everybody while it works, by its own name', async () => {
    await ben.open();
    const { revision } = await called<{ revision: number }>(agent, 'read_workspace', {
      workspace: anna.workspace,
    });
    await called(agent, 'edit', {
      workspace: anna.workspace,
      base_revision: revision,
      operations: [{ op: 'add_node', id: 'cache', type: 'cache', label: 'Cache' }],
      explanation: 'Look-ups are slow',
    });
    await ben.node('cache').waitFor({ state: 'attached' });
    const disc = (who: Person) =>
      who.page.locator(`[aria-label="Who is here"] .avatar-disc[data-name="${NAME}"]`);
    for (const who of [anna, ben]) await disc(who).waitFor();
    const people = await list(ben);
    await people.getByText('Agent, reads and edits').waitFor();
    expect(await people.getByRole('button', { name: `Follow ${NAME}` }).count()).toBe(0);
    expect(await axeViolations(ben.page)).toEqual([]);
    // Silent for a minute it would be gone.
    await called(agent, 'read_workspace', { workspace: anna.workspace });
    await people.getByRole('button', { name: `Open the history: changes by ${NAME}` }).click();
    await ben.page.getByLabel('By whom').selectOption({ label: 'Agents' });
    await expect.poll(() => ben.page.locator('.commit-name').allTextContents()).toEqual([NAME]);
    await ben.page.locator('.commit', { hasText: 'by an agent' }).waitFor();
  });

  it('proposes by its own name, and whom it works for takes back what it did as their own', async () => {
    const { revision } = await called<{ revision: number }>(agent, 'read_workspace', {
      workspace: anna.workspace,
    });
    const { link } = await called<{ link: string }>(agent, 'edit', {
      workspace: anna.workspace,
      base_revision: revision,
      mode: 'propose',
      operations: [{ op: 'update_node', id: 'mail', label: 'Mailer' }],
    });
    await ben.page.locator('.proposal-notice', { hasText: `Proposal by ${NAME}` }).waitFor();
    proposed = link;
    await anna.press('Undo', /Cache/);
    for (const who of [anna, ben]) await who.node('cache').waitFor({ state: 'detached' });
  });

  it('hands on a link that opens its proposal, in an open page and in a new one', async () => {
    const { pathname, hash } = new URL(proposed);
    const cardOn = ({ page }: { page: Page }) =>
      page.locator('.assistant-card[data-state="proposed"]', { hasText: 'Mailer' });
    const card = cardOn(ben);
    expect(await card.count()).toBe(0);
    await ben.page.evaluate((part) => window.location.assign(part), hash);
    await card.waitFor();
    await expect.poll(() => card.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    // Else the new page has its panel open, as it was here.
    await ben.page.getByRole('button', { name: 'Close panel' }).click();
    await card.waitFor({ state: 'detached' });
    const other = await ben.visit.tab();
    await other.page.goto(pathname + hash);
    await cardOn(other).waitFor();
  });
});

describe('both pages', () => {
  it('left no error on the console', () => {
    for (const { visit } of [anna, ben]) expect([...visit.strayRequests, ...visit.complaints]).toEqual([]);
  });
});

/** Whether the other's pointer is drawn over a node. */
async function isOver(who: Person, id: string): Promise<boolean> {
  const [point, box] = [await cursor(who).boundingBox(), await who.node(id).boundingBox()];
  if (!point || !box) return false;
  return point.x > box.x && point.x < box.x + box.width && point.y > box.y && point.y < box.y + box.height;
}

/** A node comes to be out of everybody's sight; Ben goes there and points at it. */
async function farAway(): Promise<void> {
  await ben.batch({
    op: 'add_node',
    id: 'far',
    type: 'service',
    label: 'Far',
    position: { x: 6000, y: 3000 },
  });
  await anna.node('far').waitFor({ state: 'attached' });
  await ben.node('far').waitFor({ state: 'attached' });
  expect(await isInSight(anna, 'far')).toBe(false);
  await ben.page.evaluate(() => {
    window.location.hash = '#node/far';
  });
  await expect.poll(() => isInSight(ben, 'far')).toBe(true);
  const at = await ben.nodeAt('far');
  await ben.page.mouse.move(at.x - 4, at.y);
  await ben.page.mouse.move(at.x, at.y);
}

/** Whether a node lies inside of the canvas that is shown. */
async function isInSight(who: Person, id: string): Promise<boolean> {
  const [pane, box] = [await who.page.locator('#diagram').boundingBox(), await who.node(id).boundingBox()];
  if (!pane || !box) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return x > pane.x && x < pane.x + pane.width && y > pane.y && y < pane.y + pane.height;
}
