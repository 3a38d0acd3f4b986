/** Findings: from a symptom to the places that explain it, and from one of them to a proposal; a stand-in for a model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker, type Card } from './assistantActor';
import { axeViolations } from './axe';
import { diagram, Rehearsal } from './rehearsal';
import { Stage } from './stage';

let stage: Stage;
let model: Rehearsal;
let anna: Asker;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in' });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(() => stage?.close());

const request = 'Mails are sent twice';
const RETRY = 'A mail that failed is sent again.';
const finding = (card: Card, name: string) =>
  card.box.locator('.card-findings li').filter({ hasText: name }).first();

/** The newest run of a request, as the server has it. */
async function runOf(prompt: string): Promise<{ id: string; about: object | null }> {
  const { visit, workspace } = anna.person;
  const { items } = await visit.api<{ items: { id: string; prompt: string; about: object | null }[] }>(
    'GET',
    `/workspaces/${workspace}/runs`,
  );
  const found = items.find((run) => run.prompt === prompt);
  if (!found) throw new Error(`nobody asked: ${prompt}`);
  return found;
}

describe('an investigation', () => {
  it('ends with findings that lead to their places', async () => {
    const { person, page } = anna;
    await person.batch({ op: 'add_node', id: 'old', type: 'worker', label: 'Old mailer' });
    const retry = { op: 'append_to_section', section: '## Mail', text: RETRY };
    const { revision: since } = await person.batch(retry);
    const why = 'It is sent anew. <img src=x onerror=alert(1)>';
    const findings = [
      { kind: 'section', section: '## Mail', evidence: RETRY, why },
      { kind: 'edge', id: 'api -> mail', evidence: 'sends', why },
      { kind: 'node', id: 'orders', section: '## Storage', evidence: 'kept in one database', why },
      { kind: 'node', id: 'old', evidence: 'Old mailer', why },
      { kind: 'commit', id: `${since}`, evidence: RETRY, why },
    ];
    await model.plays(request, [
      { calls: [['find_commits', { section: '## Mail' }]] },
      { calls: [['report_findings', { findings: [{ ...findings[0], evidence: 'Sent thrice.' }] }]] },
      { calls: [['report_findings', { findings }]] },
      { text: 'The retry sends a mail anew.' },
    ]);
    await anna.chooses('Investigate');
    const card = await (await anna.asks(request)).is('answered');
    await card.says('The retry sends a mail anew.');
    await card.box.getByText('5 findings', { exact: true }).waitFor();
    expect(await card.box.locator('img').count()).toBe(0);
    await finding(card, 'API → Mail').locator('.finding-name').click();
    await page
      .locator('.react-flow__edge[data-id="api--mail"] .edge-line.selected')
      .waitFor({ state: 'attached' });
    await finding(card, 'Orders').locator('.finding-name').press('Enter');
    await person.node('orders').locator('.selected').waitFor();
    await finding(card, 'Orders').getByRole('button', { name: 'Storage: show the quote' }).click();
    await page.locator('#document').getByText('Orders are kept in one database.').first().waitFor();
    await finding(card, `r${since}`).locator('.finding-name').click();
    await page.getByRole('region', { name: 'Old revision' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('says what was deleted since, and what reads differently; also after a reload and to others', async () => {
    await anna.person.batch(
      { op: 'delete_node', id: 'old' },
      { op: 'edit_section', section: '## Mail', find: RETRY, replace: 'Failed mails are lost.' },
    );
    const ben = await (await Asker.come(stage, 'Ben', anna.person.workspace)).open();
    await anna.reload();
    for (const { card } of [{ card: anna.card(request) }, { card: ben.card(request) }]) {
      await finding(card, 'Old mailer').getByText('deleted since').waitFor();
      expect(await finding(card, 'Old mailer').locator('.finding-name').isDisabled()).toBe(true);
      await finding(card, 'Mail').getByText('reads differently now').waitFor();
    }
    expect(await anna.panel.getByRole('radio', { name: 'Investigate' }).isChecked()).toBe(true);
    await anna.page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.page.emulateMedia({ colorScheme: 'light' });
    await ben.person.visit.page.close();
  });

  it('is no command: without a model the panel says so', async () => {
    await anna.person.visit.api('PATCH', `/workspaces/${anna.person.workspace}/assistant`, {
      provider: 'builtin',
    });
    await anna.reload();
    await anna.panel.getByText(/^Investigating takes an AI model/).waitFor();
    await finding(anna.card(request), 'Orders').waitFor();
    await anna.field.fill(request);
    expect(await anna.button('Send').isDisabled()).toBe(true);
    expect(
      await anna
        .card(request)
        .button(/^Propose a change/)
        .count(),
    ).toBe(0);
    await anna.field.fill('');
    await anna.person.visit.api('PATCH', `/workspaces/${anna.person.workspace}/assistant`, {
      provider: null,
    });
    await anna.reload();
  });

  it('turns a finding into a proposal, which is accepted and undone like any other', async () => {
    const proposal = 'Propose a change for this finding.';
    const op = { op: 'update_node', id: 'orders', technology: 'PostgreSQL with a key for each mail' };
    await model.plays(proposal, [{ calls: [diagram(op)] }, { text: 'A key for each mail.' }]);
    const before = await anna.bytes();
    await finding(anna.card(request), 'Orders')
      .getByRole('button', { name: 'Propose a change for: Orders' })
      .press('Enter');
    const card = await anna.card(proposal).is('proposed');
    await card.box.getByText('About Orders').waitFor();
    expect(await anna.bytes()).toBe(before);
    expect((await runOf(proposal)).about).toEqual({ run: (await runOf(request)).id, finding: 2 });
    await card.button('Accept').click();
    await card.is('applied');
    await card.button('Undo all').click();
    await card.is('undone');
    await anna.chooses('Edit');
  });
});

it('left no error on the console and asked nobody else', () => {
  const { complaints, strayRequests } = anna.person.visit;
  expect(complaints).toEqual([]);
  expect(strayRequests).toEqual([]);
});
