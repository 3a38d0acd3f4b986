/** What the assistant's cards say stays true: while others decide and undo, while the panel is closed, offline, after a reload. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { Asker, type Card, SHOP } from './assistantActor';
import { Stage } from './stage';
import { Wire } from './wire';

interface Run {
  id: string;
  status: string;
}

let stage: Stage;
let wire: Wire;
let anna: Asker;
let ben: Asker;

beforeAll(async () => {
  stage = await Stage.shared();
  wire = await Wire.to(stage.url);
  const { visit } = await Person.come(stage, 'Anna', '', wire);
  anna = await new Asker(await new Person(visit, await makeWorkspace(visit, SHOP), wire).open()).open();
  ben = await Asker.come(stage, 'Ben', anna.person.workspace);
});

afterAll(async () => {
  await wire?.close();
  await stage?.close();
});

/** Ask through the API; the run has ended when this answers with its id. */
async function run(asker: Asker, prompt: string, mode: 'apply' | 'propose'): Promise<string> {
  const { visit, workspace } = asker.person;
  const address = `/workspaces/${workspace}/runs`;
  const { id } = await visit.api<Run>('POST', address, { prompt, mode });
  const status = async () => (await visit.api<Run>('GET', `${address}/${id}`)).status;
  await expect.poll(status).not.toBe('running');
  return id;
}

async function proposes(asker: Asker, prompt: string): Promise<{ card: Card; id: string }> {
  const id = await run(asker, prompt, 'propose');
  const card = asker.card(prompt);
  await card.is('proposed');
  await card.tick(0).waitFor();
  return { card, id };
}

const accepts = (asker: Asker, proposal: string) =>
  asker.person.visit.api('POST', `/workspaces/${asker.person.workspace}/proposals/${proposal}/accept`, {});
const notice = (asker: Asker) => asker.page.locator('.proposal-notice');
const toast = (asker: Asker, text: RegExp) => asker.page.locator('.toast', { hasText: text });

describe('a card', () => {
  it('says that it was undone, also where that happened while no card was in sight', async () => {
    const prompt = 'rename Web shop to Shop';
    await run(anna, prompt, 'apply');
    await (await anna.card(prompt).is('applied')).button('Undo all').waitFor();
    await anna.page.keyboard.press('Control+j');
    await anna.panel.waitFor({ state: 'detached' });
    const { workspace, visit } = anna.person;
    await visit.api('POST', `/workspaces/${workspace}/undo`, {});
    await anna.person.labelled('web', 'Web shop');
    await anna.open();
    await anna.card(prompt).is('undone', 'Undone');
    await anna.card(prompt).button('Apply again').click();
    await anna.card(prompt).is('applied');
  });

  it('ticks again what fits again, also where it did not when the card was opened', async () => {
    const { card } = await proposes(anna, 'rename Mail to Post; add a cache called Hot');
    await ben.person.batch({ op: 'delete_node', id: 'mail' });
    await card.says(/no longer fits/);
    // The card is drawn for the first time by this page while part of it does not fit.
    await anna.reload();
    await card.says(/no longer fits/);
    await card.button('Accept 1 of 2').waitFor();
    await ben.person.visit.api('POST', `/workspaces/${ben.person.workspace}/undo`, {});
    await card.button('Accept all 2').waitFor();
    expect(await card.ticks()).toEqual([true, true]);
    await anna.person.node('mail').locator('.is-changed').waitFor();
    await card.button('Discard').click();
    await card.is('not-applied');
  });

  it('says what others decided while the connection was away', async () => {
    const { card, id } = await proposes(anna, 'add a queue called Jobs');
    await anna.ghostNode('jobs').waitFor();
    await anna.person.offline(true);
    await accepts(ben, id);
    await ben.person.labelled('jobs', 'Jobs');
    expect(await card.box.getAttribute('data-state')).toBe('proposed');
    await anna.person.offline(false);
    await card.is('applied', /^Applied r\d+$/);
    await anna.seesNoGhosts();
    await anna.page.keyboard.press('Control+j');
    await notice(anna).waitFor({ state: 'detached' });
    await anna.open();
  });

  it('takes its message along when all of it is undone', async () => {
    const { card } = await proposes(anna, 'add a worker called Billing');
    await card.button('Accept').click();
    await toast(anna, /^Accepted 1 operation/).waitFor();
    await card.button('Undo all').click();
    await card.is('undone');
    await toast(anna, /^Accepted 1 operation/).waitFor({ state: 'detached' });
  });
});

describe('what is being written', () => {
  const keptDraft = () =>
    anna.page.evaluate((name) => sessionStorage.getItem(name), `draftsmith.draft.${anna.person.workspace}`);

  it('is in the field again where the page goes before the server has it', async () => {
    await anna.page.route('**/runs', () => undefined);
    await anna.asks('rename Orders to Orders database');
    await expect.poll(() => anna.field.inputValue()).toBe('');
    await anna.reload();
    expect(await anna.field.inputValue()).toBe('rename Orders to Orders database');
    await anna.page.unroute('**/runs');
    await anna.button('Send').click();
    await anna.card('rename Orders to Orders database').is('applied');
    // What came of it may be known before the answer that the server has it.
    await expect.poll(keptDraft).toBeNull();
    await anna.reload();
    expect(await anna.field.inputValue()).toBe('');
  });

  it('can be brought back where another request is put in its place', async () => {
    const card = await anna.asks('rename Nothing to Something');
    await card.is('not-applied');
    await anna.field.fill('half a thought');
    await card.button('Edit the request').click();
    await expect.poll(() => anna.field.inputValue()).toBe('rename Nothing to Something');
    await toast(anna, /was replaced/)
      .getByRole('button', { name: 'Bring it back' })
      .click();
    await expect.poll(() => anna.field.inputValue()).toBe('half a thought');
    await anna.field.fill('');
  });

  it('is about what is selected, also where that was left out the time before', async () => {
    const shop = anna.panel.locator('.focus-chip', { hasText: 'Shop' });
    await anna.person.select('web');
    await shop.getByRole('button').click();
    await shop.waitFor({ state: 'detached' });
    await anna.person.select('api');
    await anna.panel.locator('.focus-chip', { hasText: 'API' }).waitFor();
    await anna.person.select('web');
    await shop.waitFor();
  });
});
