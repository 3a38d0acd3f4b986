/** Without a model: built-in commands, what they offer and what they refuse; and how a model is connected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { diagram, Rehearsal } from './rehearsal';
import { Stage } from './stage';

/** As the stand-in takes it (`tests/standin/rehearsal.py`). */
const KEY = 'sk-rehearsal';

let stage: Stage;
let model: Rehearsal;
let anna: Asker;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in without a key' });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  await stage?.close();
});

const completions = () => anna.page.getByRole('listbox', { name: 'Completions' });

describe('built-in commands', () => {
  it('are called so, and nothing leaves the machine', async () => {
    await anna.panel.getByRole('heading', { name: 'Commands' }).waitFor();
    await anna.panel
      .locator('.who-answers')
      .getByText(/Built-in commands/)
      .waitFor();
    await anna.panel.locator('.who-answers').getByRole('button', { name: 'Connect a model' }).waitFor();
  });

  it('are offered with the names that the open diagram has', async () => {
    const chips = anna.panel.locator('.command-chip');
    await chips.first().waitFor();
    const words = (await chips.allTextContents()).join('\n');
    expect(words).toMatch(/Web shop|API|Orders|Mail/);
    await chips.first().click();
    await expect.poll(() => anna.field.inputValue()).not.toBe('');
    await anna.field.fill('');
  });

  it('are completed as they are typed, from the keyboard', async () => {
    await anna.field.click();
    await anna.person.type('rename Ma');
    const option = completions().getByRole('option').filter({ hasText: 'Mail' }).first();
    await option.waitFor();
    await anna.person.key('ArrowDown');
    await anna.person.key('Enter');
    await expect.poll(() => anna.field.inputValue()).toMatch(/rename Mail/i);
    await anna.person.key('Escape');
    await anna.field.fill('');
  });

  it('do what they say, as one step that can be undone', async () => {
    const card = await anna.asks('rename Mail to Letters');
    await card.is('applied');
    await anna.person.labelled('mail', 'Letters');
    await card.button(/^Undo all/).click();
    await card.is('undone');
    await anna.person.labelled('mail', 'Mail');
  });

  it('that nobody knows are refused, with the nearest that would work, a click away', async () => {
    const before = await anna.bytes();
    const card = await anna.asks('rename Mial to Letters');
    await card.is('not-applied', 'Not understood · nothing changed');
    await card.reason.waitFor();
    const nearest = card.box.locator('.suggestion').first();
    const words = (await nearest.textContent()) ?? '';
    expect(words).toMatch(/rename .*Mail/i);
    await nearest.click();
    await expect.poll(() => anna.field.inputValue()).toBe(words);
    expect(await anna.bytes()).toBe(before);
    await anna.field.fill('');
  });

  it('that need a model say so, with the way to one', async () => {
    const card = await anna.asks('Please think about how this could scale');
    await card.is('not-applied');
    await card.reason.locator('p').getByText('a model understands others').waitFor();
    await card.button('Connect a model').waitFor();
  });
});

describe('a model', () => {
  const dialog = () => anna.page.getByRole('dialog', { name: 'Connect a model' });

  it('is not connected with a key that its provider does not take', async () => {
    await anna.panel.locator('.who-answers').getByRole('button', { name: 'Connect a model' }).click();
    await dialog().getByLabel('API key').fill('sk-wrong');
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog()
      .getByText(/key/i)
      .and(anna.page.locator('[role="alert"], .field-error, [role="status"]'))
      .first()
      .waitFor();
    await dialog().waitFor();
    anna.person.visit.complaints.splice(0); // the browser notes the status of the refusal
  });

  it('is connected with the right one; who answers changes, and the key is nowhere', async () => {
    await dialog().getByLabel('API key').fill(KEY);
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await anna.panel.getByRole('heading', { name: 'Assistant' }).waitFor();
    await anna.panel
      .locator('.who-answers')
      .getByText(/Claude|claude/)
      .first()
      .waitFor();
    expect(await anna.page.content()).not.toContain(KEY);
  });

  it('answers from then on', async () => {
    await model.plays('Please add what watches it all', [
      { calls: [diagram({ op: 'add_node', id: 'watch', type: 'monitoring', label: 'Monitor' })] },
      { text: 'Somebody watches.' },
    ]);
    const card = await anna.asks('Please add what watches it all');
    await card.is('applied');
    await anna.person.node('watch').waitFor();
    expect((await model.seen()).refused).toEqual([]);
  });
});

it('left no error on the console and asked nobody else', async () => {
  const { complaints, strayRequests } = anna.person.visit;
  await expect.poll(() => strayRequests).toEqual([]);
  expect(complaints.filter((one) => !/status of 4\d\d/.test(one))).toEqual([]);
});
