/**
 * A server of models of one's own: entered, looked at and tried in the page, by the keyboard alone; then the first edits,
 * refusals and a longer context, with a stand-in that cuts, counts nothing and errs as Ollama with small models does.
 * `TRANSCRIPT=file` leaves what was done and told (`make try-own-model`).
 */
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from './actors';
import { Asker, type Card } from './assistantActor';
import { axeViolations } from './axe';
import { STANDIN, said, serveSmallModels, stop } from './server';
import { Stage } from './stage';
import { TIMEOUT_MS } from './timeout';
import { Transcript } from './transcript';

let stage: Stage;
let small: ChildProcess;
let anna: Asker;
let place: string;
const transcript = new Transcript();

beforeAll(async () => {
  small = serveSmallModels(4_096);
  [stage, place] = await Promise.all([Stage.open(), said(small, STANDIN)]);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  transcript.close();
  await Promise.all([stage?.close(), small && stop(small)]);
});

const dialog = () => anna.page.getByRole('dialog', { name: 'Connect a model' });
const status = () => dialog().getByRole('status');
const line = (name: string) => dialog().locator('.trial-steps li').filter({ hasText: name });
const isFocused = (name: string) =>
  expect
    .poll(() =>
      dialog()
        .getByLabel(name)
        .evaluate((one) => one === document.activeElement),
    )
    .toBe(true);

/** Choose one of the models of the server whose address stands there, and have it tried to the end. */
async function triesModel(name: string, verdict: string): Promise<void> {
  await anna.person.key('Enter');
  await dialog().getByLabel('Model').selectOption(name);
  await dialog().getByRole('button', { name: 'Connect and try it' }).click();
  await status().getByText(verdict, { exact: false }).waitFor({ timeout: TIMEOUT_MS });
  transcript.does(`Connect and try ${name}.`);
  await transcript.reads(dialog().locator('.trial-steps li'), status());
}

async function opensDialog(): Promise<void> {
  await anna.button('More about the assistant').click();
  await anna.page.getByRole('menuitem', { name: 'Connect a model…' }).click();
  await isFocused('Address');
}

async function choosesAnother(): Promise<void> {
  await dialog().getByRole('button', { name: 'Choose another' }).click();
  await isFocused('Address');
}

/** Ask, and write down what its card says of it once it is over. */
async function asks(request: string, state: Parameters<Card['is']>[0], shown = request): Promise<Card> {
  const card = await (await anna.asks(request)).is(state);
  transcript.does(`Ask: ${shown}`);
  const parts = [
    '.card-state',
    '.card-answer',
    '.card-refused',
    '.card-trouble-what',
    '.card-claim',
    '.card-reason',
    '.card-operation-what',
  ];
  await transcript.reads(...parts.map((part) => card.box.locator(part)));
  return card;
}

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
    transcript.does(
      `Ollama runs as it is installed. Connect a model › A server of your own › ${place.replace('http://', '')}`,
    );
    await transcript.reads(status());
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
    transcript.does('Connect and try qwen3.');
    await transcript.reads(dialog().locator('.trial-steps li'), status());
    await isClear();
  });

  it('has a model without tools told from one that calls them', async () => {
    await choosesAnother();
    await triesModel('gemma3', 'It does not work here: every request, questions too, offers tools');
    await line('Calls tools: no').getByText('choose another', { exact: false }).waitFor();
    await choosesAnother();
    await triesModel('qwen3', 'It works for small workspaces');
    await anna.person.key('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
});

const ADD = 'Add a cache called Sessions, then connect Checkout to Sessions';
const LONG = `Add a queue called Letters\n\n${'Orders are kept in the order in which they came. '.repeat(240)}`;

describe('what it is asked about the sample', () => {
  beforeAll(async () => {
    const { visit } = anna.person;
    const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
      name: 'Shop',
      template: 'sample',
    });
    anna = await new Asker(await new Person(visit, id).openWithin()).open();
  });

  it('is applied, also where a context of 4,096 tokens cuts and calls come together', async () => {
    const card = await asks(ADD, 'applied');
    await card.says('Added node Sessions');
    expect(await anna.bytes()).toMatch(/"label":"Sessions"/);
  });

  it('is said not to be done where the model calls what does not fit and says that it is', async () => {
    const before = await anna.bytes();
    const card = await asks('Remove the billing service', 'answered');
    await card.says('Not done');
    expect(await anna.bytes()).toBe(before);
  });

  it('is not sent where the beginning would be lost, and says how it would be read', async () => {
    const card = await asks(
      LONG,
      'not-applied',
      'Add a queue called Letters, and eleven thousand characters of notes',
    );
    await card.says(/nothing was sent.*OLLAMA_CONTEXT_LENGTH=32768/);
  });

  it('is applied once the server reads more and was tried again', async () => {
    const { port } = new URL(place);
    await stop(small);
    small = serveSmallModels(32_768, port);
    await said(small, STANDIN);
    transcript.does('Start Ollama anew: OLLAMA_CONTEXT_LENGTH=32768 ollama serve');
    await opensDialog();
    await triesModel('qwen3', 'It is ready: ask it for something.');
    await anna.person.key('Escape');
    await asks(LONG, 'applied', 'the same');
  });

  it('is only proposed where the model writes its calls down as text', async () => {
    await opensDialog();
    await triesModel('llama3.2:1b', 'It is ready: ask it for something.');
    await anna.person.key('Escape');
    const card = await asks('Rename Checkout to Cashier', 'proposed');
    await card.says('The model wrote it down as text and called no tool.');
  });
});

describe('the server that was entered', () => {
  it('answers from then on, and can be forgotten', async () => {
    const { person } = anna;
    await anna.panel
      .locator('.who-answers')
      .getByText(`Sends to ${new URL(place).host}`)
      .waitFor();
    await opensDialog();
    await dialog()
      .getByText(/^llama3\.2:1b: It is ready/)
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
