/** The panel itself: how it is reached, what stands in its field, what is selected, what it says while nothing can be sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { passTime } from './pageTime';
import { Stage } from './stage';

let stage: Stage;
let anna: Asker;

beforeAll(async () => {
  stage = await Stage.open();
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  await stage?.close();
});

const inField = () => anna.field.evaluate((field) => field === document.activeElement);

describe('the panel', () => {
  it('opens with the keyboard in its field, closes from there, and keeps what was written', async () => {
    await anna.field.fill('add a cache');
    await anna.page.keyboard.press('Escape');
    await anna.page.keyboard.press('Escape');
    await expect.poll(inField).toBe(false);
    await anna.page.keyboard.press('Control+j');
    await expect.poll(inField).toBe(true);
    await anna.page.keyboard.press('Control+j');
    await anna.panel.waitFor({ state: 'detached' });
    await anna.page.keyboard.press('Control+j');
    await expect.poll(inField).toBe(true);
    expect(await anna.field.inputValue()).toBe('add a cache');
    await anna.reload();
    await expect.poll(() => anna.field.inputValue()).toBe('add a cache');
    await anna.field.fill('');
  });

  it('grows with what is written, on new lines that do not send', async () => {
    await anna.field.click();
    const height = () => anna.field.evaluate((field) => field.getBoundingClientRect().height);
    const before = await height();
    await anna.person.type('one');
    await anna.page.keyboard.press('Shift+Enter');
    await anna.person.type('two');
    await expect.poll(height).toBeGreaterThan(before);
    expect(await anna.field.inputValue()).toBe('one\ntwo');
    await anna.field.fill('x\n'.repeat(40));
    await expect.poll(height).toBeLessThan(200);
    await anna.field.fill('');
  });

  it('names what is selected, sends it along, and leaves out what is taken away', async () => {
    await anna.person.select('orders');
    const chip = anna.panel.locator('.focus-chip');
    await chip.getByText('Orders').waitFor();
    const sent = anna.page.waitForRequest((request) => request.url().endsWith('/runs'));
    await anna.field.fill('describe it');
    await anna.chooses('Ask');
    await anna.button('Send').click();
    expect((await sent).postDataJSON()).toMatchObject({ workflow: 'ask', focus: { nodes: ['orders'] } });
    await chip.getByRole('button', { name: 'Leave out: Orders' }).click();
    await chip.waitFor({ state: 'detached' });
    const bare = anna.page.waitForRequest((request) => request.url().endsWith('/runs'));
    await anna.field.fill('describe Mail');
    await anna.button('Send').click();
    expect((await bare).postDataJSON().focus).toBeUndefined();
    await anna.chooses('Edit');
  });

  it('brings the last request back into an empty field', async () => {
    await anna.field.fill('');
    await anna.field.press('ArrowUp');
    await expect.poll(() => anna.field.inputValue()).toBe('describe Mail');
    await anna.field.fill('');
  });

  it('understands the sentences that it offers', async () => {
    const chip = anna.panel.locator('.command-chip', { hasText: 'put a cache between' }).first();
    const words = (await chip.textContent()) ?? '';
    await chip.click();
    await expect.poll(() => anna.field.inputValue()).toBe(words);
    await anna.field.press('Enter');
    await anna.card(words).is('applied');
  });

  it('says in a message what came of a request while it is closed, with the way back', async () => {
    let letGo: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await anna.page.route('**/runs', async (route) => {
      await closed;
      await route.continue();
    });
    await anna.field.fill('rename Mail to Letters');
    await anna.field.press('Enter');
    await anna.page.keyboard.press('Control+j');
    await anna.panel.waitFor({ state: 'detached' });
    letGo();
    const message = anna.page.locator('.toast', { hasText: 'The assistant applied 1 change' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await anna.person.labelled('mail', 'Mail');
    await anna.page.unroute('**/runs');
    await anna.open();
    await anna.card('rename Mail to Letters').is('undone');
  });

  it('says how much is too much before it is sent', async () => {
    await anna.field.fill('x'.repeat(20_001));
    await anna.panel.getByText('Too long: 20,001 of at most 20,000 characters.').waitFor();
    expect(await anna.button('Send').isDisabled()).toBe(true);
    await passTime(anna.page, 200); // no completions are asked for, either: the server would refuse that
    await anna.field.fill('');
  });

  it('can be switched off for the workspace, and on again', async () => {
    await anna.button('More about the assistant').click();
    await anna.page.getByRole('menuitem', { name: 'Switch off in this workspace' }).click();
    await anna.panel.locator('.who-answers').getByText('Switched off in this workspace').waitFor();
    await anna.field.waitFor({ state: 'detached' });
    await anna.button('Switch on').click();
    await anna.field.waitFor();
  });

  it('sends nothing while the server is away, says why, and keeps what is written', async () => {
    await anna.field.fill('add a queue');
    await stage.kill();
    await anna.panel.getByText(/^Offline: /).waitFor();
    expect(await anna.button('Send').isDisabled()).toBe(true);
    expect(await anna.field.inputValue()).toBe('add a queue');
    anna.person.visit.forgiveLostRequests();
  });

  it('left no error on the console and asked nobody else', () => {
    anna.person.visit.forgiveLostRequests(); // the server is still away, and the page goes on trying
    expect(anna.person.visit.complaints).toEqual([]);
    expect(anna.person.visit.strayRequests).toEqual([]);
  });
});
