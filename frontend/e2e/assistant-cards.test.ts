/** The cards of requests to the assistant: what can be done about each, and what others see of it. Built-in commands. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker, type Card } from './assistantActor';
import { axeViolations } from './axe';
import { Stage } from './stage';

interface Run {
  id: string;
  status: string;
}

let stage: Stage;
let anna: Asker;
let ben: Asker;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await (await Asker.come(stage, 'Anna')).open();
  ben = await (await Asker.come(stage, 'Ben', anna.person.workspace)).open();
});

afterAll(() => stage?.close());

/** Ask through the API; the run has ended when this answers. */
async function run(asker: Asker, prompt: string, mode: 'apply' | 'propose' | 'auto'): Promise<Card> {
  const { visit, workspace } = asker.person;
  const address = `/workspaces/${workspace}/runs`;
  const { id } = await visit.api<Run>('POST', address, { prompt, mode });
  const status = async () => (await visit.api<Run>('GET', `${address}/${id}`)).status;
  await expect.poll(status).not.toBe('running');
  return asker.card(prompt);
}

const notice = (asker: Asker): Locator => asker.page.locator('.proposal-notice');
const toast = (asker: Asker, text: RegExp): Locator => asker.page.locator('.toast', { hasText: text }).last();

describe('an answer', () => {
  it('with a long line stays as wide as its card', async () => {
    const { visit, workspace } = anna.person;
    const line = 'word '.repeat(100).trim();
    await anna.person.batch({
      op: 'update_node',
      id: 'orders',
      description: `Code:\n\n\`\`\`\n${line}\n\`\`\`\n`,
    });
    const request = 'describe Orders';
    await visit.api<Run>('POST', `/workspaces/${workspace}/runs`, { prompt: request, workflow: 'ask' });
    const card = await anna.card(request).is('answered');
    await card.says(line);
    const right = (part: Locator) => part.evaluate((box) => Math.round(box.getBoundingClientRect().right));
    const edge = await right(anna.panel);
    expect(await right(card.box.locator('.card'))).toBeLessThan(edge);
    expect(await right(card.box.locator('.card-answer pre'))).toBeLessThan(edge);
  });
});

describe('a proposal', () => {
  const request = 'add a cache called Hot between Web shop and Orders';

  it('takes along what depends, visibly and in words, and is accepted in part', async () => {
    const card = await run(anna, request, 'propose');
    await card.is('proposed', 'Proposed');
    await anna.ghostNode('hot').waitFor();
    const count = (await card.ticks()).length;
    expect(count).toBe(3);
    const first = await card.box.locator('.card-operation-what').allTextContents();
    const made = first.indexOf('Add node Hot');
    await card.operation(made).getByRole('checkbox').uncheck();
    await card.says(/goe?s? too: (it|they) needs? “Add node Hot”/);
    await anna.ghostNode('hot').waitFor({ state: 'detached' });
    // Ticking one that builds on it brings it back.
    const needing = first.findIndex((what) => what.includes('Web shop → Hot'));
    await card.tick(needing).check();
    await card.says(/“Add node Hot” comes along/);
    await expect.poll(() => card.tick(made).isChecked()).toBe(true);
    await anna.ghostNode('hot').waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
    await card.button(`Accept 2 of ${count}`).click();
    await card.is('applied', /^Applied r\d+$/);
    await card.says(`2 of ${count} accepted`);
    await anna.person.labelled('hot', 'Hot');
    await anna.seesNoGhosts();
  });

  it('is undone as one from its toast, and done again from its card', async () => {
    const card = anna.card(request);
    await toast(anna, /^Accepted 2 operations/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await card.is('undone', 'Undone');
    await anna.person.node('hot').waitFor({ state: 'detached' });
    await card.button('Apply again').click();
    await card.is('applied');
    await anna.person.labelled('hot', 'Hot');
  });

  it('leads to its row in the history', async () => {
    await anna.card(request).button('In the history').click();
    const head = anna.page.locator('.commit.open .commit-head', { hasText: 'Hot' });
    await expect.poll(() => head.evaluate((element) => element === document.activeElement)).toBe(true);
    await anna.page.keyboard.press('Control+j');
    await anna.field.waitFor();
  });

  it('is drawn or not, as its eye says', async () => {
    const card = await run(anna, 'add a queue called Jobs', 'propose');
    await anna.ghostNode('jobs').waitFor();
    const eye = card.button('Preview');
    await eye.click();
    await anna.seesNoGhosts();
    expect(await eye.getAttribute('aria-pressed')).toBe('false');
    await eye.click();
    await anna.ghostNode('jobs').waitFor();
  });

  it('is gone when it is discarded, and nothing is asked before', async () => {
    const before = await anna.bytes();
    const card = anna.card('add a queue called Jobs');
    await card.button('Discard').click();
    await card.is('not-applied', 'Not applied');
    await card.says('Discarded by Anna.');
    await anna.seesNoGhosts();
    expect(await anna.bytes()).toBe(before);
    await toast(anna, /Proposal discarded/)
      .getByRole('button', { name: 'Ask again' })
      .waitFor();
  });

  it('says which operation others have overtaken, and lets the rest be accepted', async () => {
    const card = await run(anna, 'add a worker called Billing between Web shop and Mail', 'propose');
    await card.is('proposed');
    await card.tick(0).waitFor();
    const before = (await card.ticks()).length;
    await ben.person.batch({ op: 'delete_node', id: 'mail' });
    await card.says(/no longer fits/);
    await expect.poll(() => card.box.locator('.card-operation.is-conflict').count()).toBeGreaterThan(0);
    expect(await card.box.locator('.is-conflict input').first().isDisabled()).toBe(true);
    const rest = (await card.ticks()).filter(Boolean).length;
    await card.button(`Accept ${rest} of ${before}`).click();
    await card.is('applied');
    await anna.person.labelled('billing', 'Billing');
  });
});

describe('what was applied', () => {
  it('is taken back as far as others have not changed it since, and the card says what was left', async () => {
    const card = await run(anna, 'add a search called Finder between Web shop and Orders', 'apply');
    await card.is('applied');
    await anna.person.labelled('finder', 'Finder');
    await ben.person.batch({ op: 'update_node', id: 'finder', technology: 'OpenSearch' });
    await card.button(/^Undo all \d/).click();
    await card.is('partly-undone', /^Partly undone \d of \d$/);
    await card.box.locator('.card-left', { hasText: /^Left as it is: .*Finder.* \(.+\)/ }).waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
  });

  it('says so also after a reload', async () => {
    await anna.reload();
    await anna.card('add a search called Finder').is('partly-undone', /^Partly undone \d of \d$/);
    await anna.card('add a cache called Hot').is('applied');
    await anna.card('add a queue called Jobs').is('not-applied');
  });
});

describe('what others propose', () => {
  it('is named over the panes: the newest, and how many more; and can be hidden', async () => {
    await ben.panel.getByRole('button', { name: 'Close panel' }).click();
    await run(anna, 'add a queue called First', 'propose');
    await notice(ben).getByText('Proposal by Anna (1)').waitFor();
    await ben.page.getByRole('status').getByText('Proposal by Anna (1)').waitFor({ state: 'attached' });
    await run(anna, 'add a cache called Second', 'propose');
    await notice(ben).getByText('and 1 more').waitFor();
    expect(await axeViolations(ben.page)).toEqual([]);
    expect(await ben.ghosts.count()).toBe(0);
    await notice(ben).getByRole('button', { name: 'Hide on this page' }).click();
    await notice(ben).waitFor({ state: 'detached' });
    // To whoever asked it is named only while the panel, where its card is, is closed.
    await anna.card('add a cache called Second').is('proposed');
    expect(await notice(anna).count()).toBe(0);
    await anna.panel.getByRole('button', { name: 'Close panel' }).click();
    await notice(anna).getByText('Your proposal (1)').waitFor();
    await anna.open();
    await notice(anna).waitFor({ state: 'detached' });
  });

  it('cannot be accepted twice: what was decided meanwhile is said on the card', async () => {
    await ben.open();
    const card = ben.card('add a cache called Second');
    await card.is('proposed');
    const { visit, workspace } = anna.person;
    const { items } = await visit.api<{ items: { id: string; prompt: string }[] }>(
      'GET',
      `/workspaces/${workspace}/proposals`,
    );
    const id = items.find(({ prompt }) => prompt.endsWith('Second'))?.id;
    await visit.api('POST', `/workspaces/${workspace}/proposals/${id}/reject`, {});
    await card.is('not-applied', 'Not applied');
    await card.says('Discarded by Anna.');
    expect(await card.button(/^Accept/).count()).toBe(0);
  });
});

it('left no error on the console', () => {
  expect([...anna.person.visit.complaints, ...ben.person.visit.complaints]).toEqual([]);
});
