/** Types of a workspace's own: defined and used by the keyboard, seen by others at once, taken back, copied, drawn and clear to see. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atNewWorkspace, makeWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { saved } from './exported';
import type { Stage } from './stage';
import { withAnna } from './withAnna';

const RAIL = { name: 'Payment rail', base: 'external', icon: 'PostgreSQL', color: 'violet' };
const NODES = [
  { id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } },
  { id: 'store', type: 'database', label: 'Store', position: { x: 260, y: 0 } },
];

let stage: Stage;
let anna: Person;

withAnna((person, shared) => {
  anna = person;
  stage = shared;
});

const open = async (choices: Record<string, string> = {}, types?: object): Promise<Person> => {
  const look = { view: 'diagram', panel: 'none', ...choices };
  const here = await atNewWorkspace(anna, { text: '# Plan\n', nodes: NODES }, look);
  if (types) await here.says({ revision: (await define(here, types)).revision });
  await here.page.locator('.workspace:not([data-read="first"])').waitFor();
  return here;
};

const define = (here: Person, { name, base, icon, color }: Partial<typeof RAIL>) =>
  here.batch(
    { op: 'define_type', id: 'payment-rail', label: name, type: base, technology: icon, color },
    { op: 'update_node', id: 'orders', type: 'payment-rail' },
  );

/** By its name in the list of commands. */
async function command(here: Person, name: string): Promise<void> {
  await here.key('Control+k');
  const field = here.page.getByPlaceholder('Search commands, nodes and sections');
  await field.fill(name);
  await here.page.getByRole('option', { name }).first().waitFor();
  await field.press('Enter');
}

const dialog = (here: Person, name: string): Locator => here.page.getByRole('dialog', { name, exact: true });
const all = (here: Person): Locator => dialog(here, 'Types of this workspace');
const tile = (node: Locator): Locator =>
  node.locator('.technology-tile[data-technology="PostgreSQL"] img:not([hidden])');
const noteOf = (node: Locator): Locator => node.locator('.node-technology');
const tintOf = (node: Locator): Promise<string> =>
  node.locator('.node-card').evaluate((card) => (card as HTMLElement).style.getPropertyValue('--tint'));

interface Told {
  types?: Record<string, object>;
  nodes: { id: string; type: string; custom_type?: string }[];
}
const told = async (here: Person): Promise<Told> =>
  (await here.visit.api<{ diagram: Told }>('GET', `/workspaces/${here.workspace}`)).diagram;

describe('a type of one’s own', () => {
  it('is defined and placed by the keyboard, seen in another window at once, taken back, and there after a reload', async () => {
    const here = await open();
    const ben = await Person.come(stage, 'Ben', here.workspace);
    await ben.visit.openWithin(here.workspace, { view: 'diagram', panel: 'none' });
    await ben.saved();
    await command(here, 'New type');
    await dialog(here, 'New type').getByLabel('Name').waitFor();
    for (const word of [RAIL.name, 'External system', RAIL.icon]) {
      await here.page.keyboard.type(word);
      await here.key('Tab');
    }
    for (let at = 0; at < 7; at++) await here.key('ArrowRight');
    await here.key('Enter');
    await dialog(here, 'New type').waitFor({ state: 'detached' });
    expect((await told(here)).types).toEqual({ 'payment-rail': RAIL });

    await here.key('/');
    await here.page.getByLabel('Search node types').fill('rail');
    await here.page.locator('.palette-type[data-type="payment-rail"]').waitFor();
    await here.key('Enter');
    const field = here.page.getByLabel(/^Name of /);
    await field.waitFor();
    await field.fill('Cards');
    await field.press('Enter');
    const card = (person: Person) => person.page.locator('.react-flow__node', { hasText: 'Cards' });
    for (const person of [here, ben]) {
      await tile(card(person)).waitFor();
      await noteOf(card(person)).getByText(RAIL.name, { exact: true }).waitFor();
      expect(await tintOf(card(person))).toContain('--tint-violet');
    }
    expect(ben.visit.complaints).toEqual([]);

    const made = (await told(here)).nodes.find(({ custom_type }) => custom_type === 'payment-rail');
    expect(made).toMatchObject({ type: 'external' });
    await here.focusCanvas();
    await here.key('Control+Z');
    await card(here).waitFor({ state: 'detached' });
    await here.key('Control+Z');
    await expect.poll(async () => (await told(here)).types).toBeUndefined();
    await here.key('Control+Shift+Z');
    await here.key('Control+Shift+Z');
    await tile(card(here)).waitFor();
    await here.saved();
    await here.page.reload();
    await tile(card(here)).waitFor();
  });

  it('says below its fields what cannot be, and leaves nothing elsewhere', async () => {
    const here = await open({}, RAIL);
    await command(here, 'New type');
    const form = dialog(here, 'New type');
    const name = form.getByLabel('Name');
    const says = (words: string) => form.getByRole('alert').getByText(words).waitFor();
    await name.press('Enter');
    await says('A type needs a name.');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('payment RAIL');
    await form.getByRole('alert').waitFor({ state: 'detached' });
    await name.press('Enter');
    await says('Another type has this name.');
    await name.fill('Microservice'); // What the server alone knows as another word for a type.
    await name.press('Enter');
    await says('service');
    await name.fill('Card scheme');
    await name.press('Enter');
    await form.waitFor({ state: 'detached' });
    expect(Object.keys((await told(here)).types ?? {}).sort()).toEqual(['card-scheme', 'payment-rail']);
    expect(await here.page.getByText('did not fit').count()).toBe(0);
  });

  it('is edited and deleted in the list of all, which says how many nodes are of it, and undo gives both back', async () => {
    const here = await open({}, RAIL);
    await tile(here.node('orders')).waitFor();
    await command(here, 'Edit types');
    await all(here).getByText('External system · 1 node').waitFor();
    await all(here).getByRole('button', { name: 'Edit Payment rail' }).press('Enter');
    const form = dialog(here, 'Edit “Payment rail”');
    await form.getByLabel('Name').fill('Card scheme');
    await form.getByLabel('Icon').fill('');
    await form.getByRole('radio', { name: 'Red' }).check();
    await form.getByLabel('Name').press('Enter');
    await all(here).getByText('“Card scheme” was changed.').waitFor();
    await noteOf(here.node('orders')).getByText('Card scheme', { exact: true }).waitFor();
    expect(await tile(here.node('orders')).count()).toBe(0);
    expect(await tintOf(here.node('orders'))).toContain('--tint-red');

    await all(here).getByRole('button', { name: 'Delete Card scheme' }).press('Enter');
    await all(here).getByText('1 node is of it, and becomes “External system”.').waitFor();
    await here.key('Enter');
    await all(here).getByText('“Card scheme” was deleted.').waitFor();
    await all(here).getByText('no types of its own yet').waitFor();
    await here.closeDialog();
    expect(await told(here)).not.toHaveProperty('types');
    expect((await told(here)).nodes[0]).not.toHaveProperty('custom_type');
    await noteOf(here.node('orders')).waitFor({ state: 'detached' });

    await here.focusCanvas();
    await here.key('Control+Z');
    await noteOf(here.node('orders')).getByText('Card scheme', { exact: true }).waitFor();
    expect((await told(here)).nodes[0]).toMatchObject({ id: 'orders', custom_type: 'payment-rail' });
  });

  it('keeps what others change while it is edited, says when they delete it, and leaves the focus in the list', async () => {
    const here = await open({}, RAIL);
    await command(here, 'Edit types');
    await all(here).getByRole('button', { name: 'Edit Payment rail' }).press('Enter');
    const name = dialog(here, 'Edit “Payment rail”').getByLabel('Name');
    await name.fill('Card scheme');
    await define(here, { ...RAIL, color: 'green' });
    await expect.poll(() => tintOf(here.node('orders'))).toContain('--tint-green');
    await name.press('Enter');
    await all(here).getByText('“Card scheme” was changed.').waitFor();
    const changed = { ...RAIL, name: 'Card scheme', color: 'green' };
    expect((await told(here)).types).toEqual({ 'payment-rail': changed });

    await all(here).getByRole('button', { name: 'Delete Card scheme' }).press('Enter');
    await all(here).getByRole('button', { name: 'Keep' }).press('Enter');
    const fresh = all(here).getByRole('button', { name: 'New type' });
    await expect.poll(() => fresh.evaluate((button) => button === document.activeElement)).toBe(true);

    await all(here).getByRole('button', { name: 'Edit Card scheme' }).press('Enter');
    await dialog(here, 'Edit “Card scheme”').waitFor();
    await here.batch({ op: 'delete_type', id: 'payment-rail' });
    await all(here).getByText('Somebody has deleted the type meanwhile.').waitFor();
    await here.closeDialog();
  });

  it('stands beside the built-in ones in Properties, in the menu of a node and where a node is added', async () => {
    const here = await open({ panel: 'properties' }, { ...RAIL, icon: undefined });
    await here.select('store');
    const type = here.page.getByLabel('Type', { exact: true });
    await type.selectOption('Payment rail');
    await noteOf(here.node('store')).getByText(RAIL.name, { exact: true }).waitFor();
    expect(await type.inputValue()).toBe('payment-rail');
    await here.focusCanvas();
    await here.select('store');
    await here.key('Shift+Alt+A');
    await here.page.locator('.react-flow__node .selected').nth(1).waitFor();

    await here.select('store');
    await type.selectOption('New type…');
    const form = dialog(here, 'New type');
    await form.getByLabel('Name').fill('Ledger');
    await form.getByLabel('Name').press('Enter');
    await noteOf(here.node('store')).getByText('Ledger', { exact: true }).waitFor();
    expect((await told(here)).nodes.find(({ id }) => id === 'store')).toMatchObject({
      type: 'service',
      custom_type: 'ledger',
    });

    await here.key('Shift+F10');
    await here.page.getByRole('menuitem', { name: 'Type', exact: true }).press('ArrowRight');
    const chosen = here.page.getByRole('menuitemradio', { name: 'Ledger' });
    await chosen.waitFor();
    expect(await chosen.getAttribute('aria-checked')).toBe('true');
    await here.page.getByRole('menuitemradio', { name: RAIL.name }).press('Enter');
    await noteOf(here.node('store')).getByText(RAIL.name, { exact: true }).waitFor();
  });

  it('comes along where its node is pasted into another workspace, as one step', async () => {
    const here = await open({}, RAIL);
    await here.select('orders');
    await here.key('Control+C');
    const other = await makeWorkspace(here.visit, { text: '# Other\n', nodes: [NODES[1] as object] });
    const there = new Person(here.visit, other);
    await there.visit.openWithin(other, { view: 'diagram', panel: 'none' });
    await there.saved();
    await there.node('store').waitFor();
    const before = await there.revision();
    await there.focusCanvas();
    await there.key('Control+V');
    const pasted = there.page.locator('.react-flow__node', { hasText: 'Orders' });
    await tile(pasted).waitFor();
    await pasted.locator('.selected').waitFor();
    await there.says({ revision: before + 1, pending: 0 });
    expect((await told(there)).types).toEqual({ 'payment-rail': RAIL });
    await there.key('Control+Z');
    await pasted.waitFor({ state: 'detached' });
    expect(await told(there)).not.toHaveProperty('types');
  });

  it('is in exports, as the server draws it', async () => {
    const here = await open({}, RAIL);
    await tile(here.node('orders')).waitFor();
    const form = here.page.getByRole('dialog', { name: 'Export' });
    await here.key('Control+Shift+S');
    for (const choice of ['Whole diagram', 'SVG', 'Light'])
      await form.getByRole('radio', { name: choice, exact: true }).check();
    await form.locator('.export-preview:is([data-kind="picture"], [data-kind="text"])').waitFor();
    const svg = readFileSync((await saved(here.page)).path).toString();
    const drawn = await here.page.evaluate(
      async (address) => (await fetch(address)).text(),
      `/api/v1/workspaces/${here.workspace}/picture.svg`,
    );
    expect(svg).toBe(drawn);
    expect(svg).toContain(`>${RAIL.name}<`);
    expect(svg).toContain('data:image/svg+xml');
  });
});

describe.each(['light', 'dark'] as const)('types of one’s own in the %s theme', (colorScheme) => {
  it('are clear on the canvas, in the palette and in their dialog', async () => {
    const here = await open({}, RAIL);
    await here.page.emulateMedia({ colorScheme });
    await tile(here.node('orders')).waitFor();
    const shoot = async (name: string) => {
      expect(await axeViolations(here.page), name).toEqual([]);
      if (!process.env.SHOTS) return;
      mkdirSync(process.env.SHOTS, { recursive: true });
      const file = `custom-types-${name}-${colorScheme}.png`;
      await here.page.screenshot({ path: path.join(process.env.SHOTS, file) });
    };
    await here.focusCanvas();
    await here.key('/');
    await tile(here.page.locator('.palette-type[data-type="payment-rail"]')).waitFor();
    await here.page.getByRole('button', { name: 'Edit types…' }).waitFor();
    await shoot('palette');
    await command(here, 'Edit types');
    await all(here).getByRole('button', { name: 'Delete Payment rail' }).click();
    await all(here).getByRole('alert').waitFor();
    await shoot('list');
    await all(here).getByRole('button', { name: 'Keep' }).click();
    await all(here).getByRole('button', { name: 'Edit Payment rail' }).click();
    await dialog(here, 'Edit “Payment rail”').getByText('The icon of PostgreSQL').waitFor();
    await shoot('form');
    await here.closeDialog();
    await here.batch({ op: 'delete_type', id: 'payment-rail' });
    await command(here, 'Edit types');
    await all(here).getByText('no types of its own yet').waitFor();
    await shoot('empty');
    await here.closeDialog();
    await here.page.emulateMedia({ colorScheme: 'light' });
  });
});
