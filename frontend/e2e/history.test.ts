/** The past of a workspace: undo and redo of one's own, old revisions in sight, comparisons, taking back and restoring. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { withTimeHeld } from './pageTime';
import { Stage, type Visit } from './stage';

const TEXT = '# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n';
const NODES = [
  { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
  { id: 'orders', type: 'service', label: 'Orders', position: { x: 360, y: 0 } },
  { id: 'db', type: 'database', label: 'Store', position: { x: 360, y: 200 } },
];
const EDGES = [{ id: 'reads', source: 'orders', target: 'db', label: 'reads' }];

let stage: Stage;
let ana: Visit;
let ben: Visit;
let w: string;

beforeAll(async () => {
  stage = await Stage.shared();
  ana = await stage.person('light');
  ben = await stage.person('dark');
  for (const [visit, name] of [
    [ana, 'Ana'],
    [ben, 'Ben'],
  ] as const) {
    await visit.api('PATCH', '/me', { name });
  }
  const made = await ana.api<{ id: string }>('POST', '/workspaces', {
    name: 'Past',
    document: { text: TEXT },
    diagram: { nodes: NODES, edges: EDGES },
  });
  w = made.id;
  await ana.page.goto(`/w/${w}`);
  await node('orders').waitFor();
});

afterAll(() => stage?.close());

const batch = (visit: Visit, ...operations: object[]) =>
  visit.api<{ revision: number }>('POST', `/workspaces/${w}/batches`, { operations });
const label = (id: string, text: string) => ({ op: 'update_node', id, label: text });
const page = () => ana.page;
const node = (id: string): Locator => page().locator(`.react-flow__node[data-id="${id}"]`);
const named = (id: string, text: string) => node(id).getByText(text, { exact: true }).waitFor();
const button = (name: string | RegExp) => page().getByRole('button', { name });
const editor = () => page().locator('#document .cm-content');
const toast = (text: string | RegExp) => page().locator('.toast', { hasText: text }).last();
const bar = () => page().getByRole('region', { name: 'Old revision' });
const stored = () => ana.api<{ revision: number; document: { text: string } }>('GET', `/workspaces/${w}`);

/** The row of the history whose newest commit this is. */
const row = (revision: number) => page().locator(`.commit[data-revision="${revision}"]`);

async function openRow(revision: number): Promise<Locator> {
  const head = row(revision).locator('.commit-head');
  await head.waitFor();
  if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
  return row(revision);
}

/** Put the keyboard on the canvas, selecting nothing. */
async function focusCanvas(): Promise<void> {
  await page().evaluate(() => document.getElementById('diagram')?.focus());
}

async function saved(): Promise<void> {
  await page().locator('[data-testid="status"][data-condition="saved"][data-pending="0"]').waitFor();
}

describe('undo and redo', () => {
  it('take one’s own newest change, which the buttons name', async () => {
    await batch(ana, label('orders', 'Shop'));
    await batch(ben, label('db', 'Ledger'));
    await named('orders', 'Shop');
    await named('db', 'Ledger');
    await button(/^Undo: .*Shop/).waitFor();
    await focusCanvas();
    await page().keyboard.press('Control+z');
    await named('orders', 'Orders');
    expect(await node('db').innerText()).toContain('Ledger');
    await toast(/^Undone: .*Shop/)
      .getByRole('button', { name: 'Redo' })
      .click();
    await named('orders', 'Shop');
  });

  it('can go on after the page was loaded anew', async () => {
    await button(/^Undo: /).click();
    await named('orders', 'Orders');
    await page().reload();
    await button(/^Redo: .*Shop/).click();
    await named('orders', 'Shop');
  });

  it('take in the document what was typed and what changed it, on the canvas the newest of all', async () => {
    await batch(ana, { op: 'edit_section', section: 'Risks', find: 'None', replace: 'Few' });
    await editor().getByText('Few known.').click();
    await page().keyboard.press('Control+End');
    await withTimeHeld(page(), () => page().keyboard.type('Typed here.'));
    await saved();
    await batch(ana, { op: 'move_nodes', positions: { web: { x: 0, y: 240 } } });
    await button('Undo: your typing').waitFor();

    await page().keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).document.text).not.toContain('Typed here.');
    await button(/^Undo: .*Risks/).waitFor();
    await page().keyboard.press('Control+z');
    await editor().getByText('None known.').waitFor();
    await button('Nothing of yours to undo in the document').waitFor();

    await page().keyboard.press('Control+Shift+z');
    await editor().getByText('Few known.').waitFor();
    await button('Redo: your typing').waitFor();
    await page().keyboard.press('Control+y');
    await editor().getByText('Typed here.').waitFor();

    await focusCanvas();
    await button(/^Undo: .*(Risks|Moved|moved)/).waitFor();
    await saved();
    const { revision } = await stored();
    await page().keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).revision).toBeGreaterThan(revision);
    expect((await stored()).document.text).toContain('Typed here.');
  });

  it('leave fields of forms their own', async () => {
    await batch(ana, label('web', 'Site'));
    await named('web', 'Site');
    await page().getByTitle('Rename', { exact: true }).click();
    await page().keyboard.type('Other');
    await page().keyboard.press('Control+z');
    await page().keyboard.press('Escape');
    await named('web', 'Site');
    await button(/^Undo: .*Site/).waitFor();
  });

  it('say what they leave out, show it, and take it too if asked', async () => {
    await batch(ana, label('orders', 'Mine'));
    await batch(ben, label('orders', 'His'));
    await named('orders', 'His');
    await focusCanvas();
    await button(/^Undo: .*(Mine|His)/).waitFor();
    await page().keyboard.press('Control+z');
    const first = toast('it has been changed since');
    await first.getByRole('button', { name: 'Show' }).click();
    await node('orders').locator('.selected').waitFor();
    expect(await node('orders').innerText()).toContain('His');
    await first.getByRole('button', { name: 'Undo it too' }).click();
    await named('orders', 'Shop');
    await toast(/^Undone: /)
      .getByRole('button', { name: 'Undo' })
      .click();
    await named('orders', 'His');
    await batch(ben, label('orders', 'Shop'));
    await named('orders', 'Shop');
  });

  it('take anybody’s newest only when asked, and say whose it is', async () => {
    await page().keyboard.press('Control+k');
    await page().locator('[cmdk-root] input').fill('newest change of anybody');
    await page().keyboard.press('Enter');
    const dialog = page().getByRole('dialog', { name: 'Undo the newest change of anybody?' });
    await dialog.getByRole('button', { name: 'Undo Ben’s change' }).click();
    await named('orders', 'His');
  });
});

describe('the history', () => {
  let first: number;
  let second: number;

  it('lists who did what, newest first, and shows the next at once', async () => {
    first = (await batch(ben, label('orders', 'Cart'))).revision;
    await focusCanvas();
    await page().keyboard.press('Shift+H');
    await row(first).getByText('Ben').waitFor();
    second = (await batch(ana, { op: 'add_node', id: 'audit', type: 'storage', label: 'Audit' })).revision;
    await row(second).waitFor();
    const opened = await openRow(second);
    await opened.getByRole('button', { name: 'Audit', exact: true }).waitFor();
    expect(await axeViolations(page())).toEqual([]);
  });

  it('can be walked through by keyboard alone', async () => {
    await row(second).locator('.commit-head').focus();
    await page().keyboard.press('ArrowDown');
    const head = row(first).locator('.commit-head');
    await expect.poll(() => head.evaluate((one) => one === document.activeElement)).toBe(true);
    await page().keyboard.press('Enter');
    await row(first).getByRole('button', { name: 'View' }).waitFor();
    await page().keyboard.press('Home');
    expect(
      await row(second)
        .locator('.commit-head')
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
  });

  it('is filtered by person, node and section', async () => {
    const who = page().getByLabel('By whom');
    const where = page().getByLabel('Where');
    await who.selectOption({ label: 'Ben' });
    await row(second).waitFor({ state: 'detached' });
    await row(first).waitFor();
    expect(await page().locator('.commit-name').allInnerTexts()).not.toContain('Ana');
    await who.selectOption({ label: 'Assistant' });
    await page().getByText('No such changes').waitFor();
    await button('Show all changes').click();
    await row(second).waitFor();
    await where.selectOption({ label: await risks(where) });
    await row(second).waitFor({ state: 'detached' });
    await page().locator('.commit').first().waitFor();
    await button('Show all changes').click();
    await node('audit').click();
    await where.selectOption({ label: 'At “Audit”' });
    await row(first).waitFor({ state: 'detached' });
    await row(second).waitFor();
    await button('Show all changes').click();
    await row(first).waitFor();
  });

  it('shows a revision as it was, where nothing can be changed, and leads back', async () => {
    await (await openRow(first)).getByRole('button', { name: 'View' }).click();
    await bar().getByText(`Revision ${first}`).waitFor();
    await node('audit').waitFor({ state: 'detached' });
    await named('orders', 'Cart');
    expect(await button(/^Undo: /).count()).toBe(0);
    await bar().getByRole('button', { name: 'Older revision' }).click();
    await named('orders', 'His');
    expect(await axeViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    await node('audit').waitFor();
  });

  it('compares with now in both halves', async () => {
    await batch(ana, { op: 'append_to_section', section: 'Risks', text: 'Audit grows.' });
    await batch(ana, { op: 'delete_node', id: 'web' });
    await (await openRow(first)).getByRole('button', { name: 'Compare with now' }).click();
    await node('audit').locator('.is-added').waitFor();
    await node('web').locator('.is-removed').waitFor();
    await page().locator('#document .compared.added', { hasText: 'Audit grows.' }).waitFor();
    await bar().getByText('− 1 removed').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await bar().getByRole('button', { name: 'Back to now' }).click();
    await node('web').waitFor({ state: 'detached' });
  });

  it('takes one change back, after showing what that does', async () => {
    // One right after the other: a row holds what one person does without a long pause.
    const added = (await batch(ana, { op: 'add_node', id: 'spare', type: 'storage', label: 'Spare' }))
      .revision;
    await batch(ana, { op: 'append_to_section', section: 'Risks', text: 'The spare is cold.' });
    const farther = { op: 'append_to_section', section: 'Risks', text: 'It is far away.' };
    const newest = (await batch(ana, farther)).revision;
    const opened = await openRow(newest);
    await opened.getByText(/^\d+ changes$/).waitFor();
    await opened.locator(`[data-revision="${added}"] .commit-part`).click();
    await opened.getByRole('button', { name: 'Revert…' }).click();
    const preview = opened.getByRole('group', { name: 'Revert' });
    await preview.getByText('Reverting would change').waitFor();
    await preview.getByRole('button', { name: 'Revert', exact: true }).click();
    await node('spare').waitFor({ state: 'detached' });
    await toast(/^Taken back: .*Spare/).waitFor();
  });

  it('is told in a few sentences, since a row, a checkpoint, or one’s last visit', async () => {
    const panel = page().getByRole('region', { name: 'What changed' });
    const { revision } = await stored();
    await openRow(first);
    await row(first)
      .getByRole('button', { name: `More about revision ${first}`, exact: true })
      .click();
    await page().getByRole('menuitem', { name: 'What changed since then' }).click();
    await panel.getByText(`${revision - first} commits after revision ${first}, by Ana.`).waitFor();
    await panel.getByText(/^All in all: .*Audit/).waitFor();
    await panel
      .getByText(/^Built-in commands \(no AI model\) · \d+ changes, revisions \d+ to \d+$/)
      .waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await panel.getByLabel('Since').selectOption('the beginning');
    await panel.getByText('Nothing leaves the server.').waitFor();
    await panel.getByRole('button', { name: 'Tell me' }).click();
    await panel.getByText(/commits after revision 1, by /).waitFor();
    // As if the last time had been an hour ago.
    await page().evaluate(
      ([workspace, last]) => {
        const at = Date.now() - 3_600_000;
        localStorage.setItem(
          'draftsmith.visits',
          JSON.stringify({ [workspace]: { before: null, last, at } }),
        );
      },
      [w, first] as const,
    );
    await page().reload();
    await row(first).waitFor();
    const visited = () => page().evaluate(() => localStorage.getItem('draftsmith.visits') ?? '');
    await expect.poll(visited).toContain(`"before":${first}`);
    await button('What changed since…').click();
    expect(await panel.getByLabel('Since').locator('option').allTextContents()).toContain('my last visit');
    await panel.getByRole('button', { name: 'Tell me' }).click();
    await panel.getByText(`${revision - first} commits after revision ${first}, by Ana.`).waitFor();
    await button('Close what changed').click();
    await panel.waitFor({ state: 'detached' });
  });

  it('names a state and restores it', async () => {
    await button('Name this state').click();
    const naming = page().getByRole('dialog');
    await naming.getByLabel('Name').fill('Before the review');
    expect(await axeViolations(page())).toEqual([]);
    await naming.getByRole('button', { name: 'Save checkpoint' }).click();
    await button(/^Before the review/).waitFor();
    await batch(ana, label('orders', 'Wrong'));
    await named('orders', 'Wrong');
    await button('More about “Before the review”').click();
    await page().getByRole('menuitem', { name: 'Restore…' }).click();
    const asking = page().getByRole('dialog', { name: /^Restore revision/ });
    await asking.getByText('In the diagram: 1 changed.').waitFor();
    await asking.getByRole('button', { name: /^Restore revision/ }).click();
    await named('orders', 'Cart');
    await toast(/^Restored revision/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await named('orders', 'Wrong');
    await button('More about “Before the review”').click();
    await page().getByRole('menuitem', { name: 'Delete the name' }).click();
    await button(/^Before the review/).waitFor({ state: 'detached' });
  });

  it('breaks no security policy and asks nobody else', () => {
    expect([...ana.strayRequests, ...ana.complaints]).toEqual([]);
  });
});

/** The choice of a section carries its depth in its text. */
async function risks(where: Locator): Promise<string> {
  const options = await where.locator('option').allTextContents();
  return options.find((text) => text.endsWith('Risks')) ?? '';
}
