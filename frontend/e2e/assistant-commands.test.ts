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

  it('stand alone: no plugin can say what runs, so nothing offers to draw it', async () => {
    const { page } = anna.person;
    // What the server says of plugins comes with who answers, which is shown.
    await page
      .getByRole('navigation', { name: 'Node types' })
      .getByRole('button', { name: 'Patterns' })
      .waitFor();
    expect(await page.getByRole('button', { name: 'What runs' }).count()).toBe(0);
  });

  it('are offered with the names that the open diagram has', async () => {
    const chips = anna.panel.locator('.command-chip');
    // First words are read apart from the conversation, which is empty and names things of the diagram.
    await expect
      .poll(async () => (await chips.allTextContents()).join('\n'))
      .toMatch(/Web shop|API|Orders|Mail/);
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

  it('may be of another provider, which is named and is not sent the key meant for the first', async () => {
    await anna.panel.locator('.who-answers').getByRole('button', { name: 'Connect a model' }).click();
    const provider = dialog().getByLabel('Provider');
    const choices = ['Anthropic', 'OpenAI', 'Google', 'A server of your own'];
    await expect.poll(() => provider.locator('option').allTextContents()).toEqual(choices);
    await dialog().getByLabel('API key').fill('sk-of-anthropic');
    await provider.selectOption('OpenAI');
    await dialog()
      .getByText(/^gpt-6-sol; .* Sends to api\.openai\.com\.$/)
      .waitFor();
    expect(await dialog().getByLabel('API key').inputValue()).toBe('');
    await provider.selectOption('Anthropic');
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

  it('tells what has changed, by its name, and says so where it fails', async () => {
    const told = 'A monitor watches it all now.';
    await model.plays('Tell what has changed.', [{ text: told }], [{ error: 'billing_error' }]);
    await anna.page.getByRole('tab', { name: 'History' }).click();
    await anna.page.getByRole('button', { name: 'What changed since…' }).click();
    const panel = anna.page.getByRole('region', { name: 'What changed' });
    await panel.getByText(/tells it; the changes are sent to 127\.0\.0\.1/).waitFor();
    await panel.getByRole('button', { name: 'Tell me' }).click();
    await panel.getByText(told, { exact: true }).waitFor();
    await panel
      .getByText(/^(claude|Claude).* · \d+ changes?, revisions \d+ to \d+ · [\d,]+ tokens/)
      .waitFor();
    await panel.getByRole('button', { name: 'Tell me' }).click();
    await panel
      .getByRole('alert')
      .getByText(/no credit left/)
      .waitFor();
    expect(await panel.getByText(told).count()).toBe(0);
    await panel.getByRole('button', { name: 'Tell it without a model' }).click();
    await panel.getByText(/^All in all: /).waitFor();
    expect((await model.seen()).refused).toEqual([]);
    await anna.page.getByRole('button', { name: 'Close what changed' }).click();
    await anna.page.getByRole('tab', { name: 'Assistant' }).click();
  });

  it('is one of the providers in the settings: what each lacks, its key, and a button that tries it', async () => {
    await anna.page.keyboard.press('Control+Comma');
    const settings = anna.page.getByRole('dialog', { name: 'Settings' });
    await settings.getByText('Providers of models', { exact: true }).click();
    const of = (name: string) => settings.getByRole('group', { name, exact: true });
    await of('Anthropic').getByText('Anthropic · answers here').waitFor();
    await of('Anthropic').getByRole('button', { name: 'Try the connection' }).click();
    await of('Anthropic')
      .getByText(/answers\.$/)
      .waitFor();
    await of('Azure OpenAI')
      .getByText(/AZURE_BASE_URL, AZURE_MODEL/)
      .waitFor();
    expect(await of('Azure OpenAI').getByRole('textbox').count()).toBe(0);
    await of('OpenAI').getByLabel('Key of OpenAI').waitFor();
    await of('Anthropic').getByRole('button', { name: 'Forget the key' }).click();
    await of('Anthropic').getByText('Anthropic', { exact: true }).waitFor();
    await settings.getByText('Built-in commands (no AI model)', { exact: true }).waitFor();
  });
});

it('left no error on the console and asked nobody else', async () => {
  const { complaints, strayRequests } = anna.person.visit;
  await expect.poll(() => strayRequests).toEqual([]);
  expect(complaints.filter((one) => !/status of 4\d\d/.test(one))).toEqual([]);
});
