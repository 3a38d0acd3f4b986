/** A server of models of one's own: entered, looked at and tried in the page, by the keyboard alone. */
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { axeViolations } from './axe';
import { STANDIN, said, serveSmallModel, stop } from './server';
import { Stage } from './stage';
import { TIMEOUT_MS } from './timeout';

let stage: Stage;
let small: ChildProcess;
let anna: Asker;
let place: string;

beforeAll(async () => {
  small = serveSmallModel();
  [stage, place] = await Promise.all([Stage.open(), said(small, STANDIN)]);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  await Promise.all([stage?.close(), small && stop(small)]);
});

const dialog = () => anna.page.getByRole('dialog', { name: 'Connect a model' });
const line = (name: string) => dialog().locator('.trial-steps li').filter({ hasText: name });
const isFocused = (name: string) =>
  expect
    .poll(() =>
      dialog()
        .getByLabel(name)
        .evaluate((one) => one === document.activeElement),
    )
    .toBe(true);

/** In both themes. */
async function isClear(): Promise<void> {
  expect(await axeViolations(anna.page)).toEqual([]);
  await anna.page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeViolations(anna.page, { only: 'colours' })).toEqual([]);
  await anna.page.emulateMedia({ colorScheme: 'light' });
}

describe('a server of your own', () => {
  it('is one of the choices, and says where its address leads before it is kept', async () => {
    const { person } = anna;
    await anna.panel.locator('.who-answers').getByRole('button', { name: 'Connect a model' }).focus();
    await person.key('Enter');
    await isFocused('API key');
    await person.key('Shift+Tab');
    await isFocused('Provider');
    await person.key('End');
    await dialog().getByText('Such as http://localhost:11434').waitFor();
    await isFocused('Provider');
    await person.key('Tab');
    await isFocused('Address');
    await person.type(place.replace('http://', ''));
    await person.key('Enter');
    await dialog().getByText(`${place}/v1 leads to 127.0.0.1.`).waitFor();
    await dialog().getByRole('button', { name: 'Connect and try it' }).waitFor();
    await isClear();
  });

  it('is not asked where no server may be, and says why', async () => {
    const { person } = anna;
    const address = dialog().getByLabel('Address');
    await person.key('Control+a');
    await person.type('169.254.169.254');
    await person.key('Enter');
    await dialog()
      .getByRole('alert')
      .getByText(/leads to 169\.254\.169\.254, where no server of models is asked/)
      .waitFor();
    await isClear();
    anna.person.visit.complaints.splice(0); // the browser notes the status of the refusal
    await address.fill(place);
    await person.key('Enter');
    await dialog().getByText(`${place}/v1 leads to 127.0.0.1.`).waitFor();
  });

  it('is tried with the model that is chosen, step by step, and a context that cuts is told', async () => {
    const { person } = anna;
    await person.key('Tab');
    await person.key('Tab');
    await isFocused('Model');
    await person.key('q');
    await expect.poll(() => dialog().getByLabel('Model').inputValue()).toBe('qwen3');
    await person.key('Tab');
    await person.key('Tab');
    await person.key('Enter');
    await line('Reads 16,000 tokens: no').waitFor({ timeout: TIMEOUT_MS });
    for (const name of ['Answers: yes', 'Calls tools: yes', 'Reads 4,000 tokens: yes'])
      await line(name).waitFor();
    await line('Reads 16,000 tokens')
      .getByText(/marks came back.*OLLAMA_CONTEXT_LENGTH/)
      .waitFor();
    await line('Reads 32,000 tokens: not tried').waitFor();
    await dialog().getByText('It works for small workspaces', { exact: false }).waitFor();
    await isClear();
  });

  it('answers from then on, and can be forgotten', async () => {
    const { person } = anna;
    await anna.panel
      .locator('.who-answers')
      .getByText(`Sends to ${new URL(place).host}`)
      .waitFor();
    await dialog().getByRole('button', { name: 'Choose another' }).focus();
    await person.key('Enter');
    await isFocused('Address');
    await dialog()
      .getByText(/^qwen3: It works for small workspaces/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Forget this server' }).focus();
    await person.key('Enter');
    await expect.poll(() => dialog().getByLabel('Address').inputValue()).toBe('');
    await person.key('Escape');
    await dialog().waitFor({ state: 'detached' });
    await anna.panel
      .locator('.who-answers')
      .getByText(/Built-in commands/)
      .waitFor();
  });
});

it('left no error on the console and asked nobody else', async () => {
  const { complaints, strayRequests } = anna.person.visit;
  await expect.poll(() => strayRequests).toEqual([]);
  expect(complaints).toEqual([]);
});
