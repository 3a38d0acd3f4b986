/** The main job by hand: make a workspace, look, rename, see another's batch, take it back, over reloads and a crash. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saved } from './atWorkspace';
import { Stage, type Visit } from './stage';

let stage: Stage;
let visit: Visit;
let id: string;

const SENTENCE = 'The ledger keeps what was charged.';

/** One atomic change of both halves, as a script would send it. */
const batchFor = (section: string) => ({
  operations: [
    { op: 'add_node', id: 'e2e-ledger', type: 'database', label: 'Ledger', technology: 'PostgreSQL' },
    { op: 'append_to_section', section, text: `${SENTENCE}\n` },
  ],
  explanation: 'Keep what was charged',
});

const card = (label: string) =>
  visit.page.locator('.node-card', { has: visit.page.getByText(label, { exact: true }) });
const prose = () => visit.page.locator('.prose');
// Exact, since the undo button names what it takes back.
const button = (name: string | RegExp) =>
  visit.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
});

afterAll(async () => {
  await stage?.close();
});

describe('the first page', () => {
  it('starts empty and says what a workspace is', async () => {
    await visit.page.goto('/');
    await visit.page.getByRole('heading', { name: 'No workspaces yet' }).waitFor();
    expect(await visit.page.title()).toBe('Draftsmith');
  });

  it('makes a workspace from a template and shows its diagram and document', async () => {
    await button('New workspace').first().click();
    await visit.page.locator('input[name="template"][value="sample"]').check();
    await visit.page.getByLabel('Name', { exact: true }).fill('Our checkout');
    await button('Create workspace').click();
    await visit.page.waitForURL('**/w/*');
    id = new URL(visit.page.url()).pathname.split('/')[2] ?? '';
    await visit.page.locator('.node-card').first().waitFor();
    const { diagram } = await visit.api<{ diagram: { nodes: { type: string }[]; edges: unknown[] } }>(
      'GET',
      `/workspaces/${id}`,
    );
    const cards = diagram.nodes.filter(({ type }) => type !== 'group').length;
    expect(await visit.page.locator('.node-card').count()).toBe(cards);
    expect(await visit.page.locator('.group-frame').count()).toBe(diagram.nodes.length - cards);
    expect(await visit.page.locator('.react-flow__edge .edge-line').count()).toBe(diagram.edges.length);
    await button('Read').click();
    await prose().locator('h1').first().waitFor();
  });

  it('draws every node where it can be seen', async () => {
    const pane = await visit.page.locator('.diagram-pane').boundingBox();
    for (const box of await visit.page.locator('.node-card').all()) {
      const place = await box.boundingBox();
      expect(place?.x).toBeGreaterThanOrEqual(pane?.x ?? 0);
      expect(place?.y).toBeGreaterThanOrEqual(pane?.y ?? 0);
    }
  });

  it('selects a node whose link in the document is clicked', async () => {
    const link = prose().locator('a.node-link:not(.missing)').first();
    const node = (await link.getAttribute('data-node')) ?? '';
    await link.click();
    await visit.page.locator(`.react-flow__node[data-id="${node}"] .selected`).waitFor();
    expect(new URL(visit.page.url()).hash).toBe(`#node/${node}`);
    expect(await link.getAttribute('aria-current')).toBe('true');
  });

  it('finds a node from the keyboard', async () => {
    const label = (await visit.page.locator('.node-label').last().textContent()) ?? '';
    await visit.page.keyboard.press('Control+k');
    const commands = visit.page.locator('[cmdk-root]');
    await commands.waitFor();
    await visit.page.keyboard.type(label);
    await commands.getByRole('option', { name: `Go to ${label}`, selected: true }).waitFor();
    await visit.page.keyboard.press('Enter');
    await visit.page.locator('.node-card.selected', { hasText: label }).waitFor();
  });

  it('renames the workspace in place', async () => {
    await button('Our checkout').click();
    await visit.page.getByLabel('Name of this workspace').fill('Checkout, renamed');
    await visit.page.keyboard.press('Enter');
    await button('Checkout, renamed').waitFor();
    await visit.page.waitForFunction(() => document.title.startsWith('Checkout, renamed'));
    // The page shows it before the server has it.
    await saved(visit.page);
    const { name } = await visit.api<{ name: string }>('GET', `/workspaces/${id}`);
    expect(name).toBe('Checkout, renamed');
  });

  it('shows a batch that came from elsewhere in both halves, without a reload', async () => {
    const heading = (await prose().locator('h1').first().textContent()) ?? '';
    const answer = await visit.api<{ changed: boolean; revision: number }>(
      'POST',
      `/workspaces/${id}/batches`,
      batchFor(`# ${heading}`),
    );
    expect(answer.changed).toBe(true);
    await card('Ledger').waitFor();
    await prose().getByText(SENTENCE).waitFor();
    await visit.page.locator(`[data-testid="status"][data-revision="${answer.revision}"]`).waitFor();
  });

  it('takes the whole batch back with one press', async () => {
    await button(/^Undo: /).click();
    await card('Ledger').waitFor({ state: 'detached' });
    await prose().getByText(SENTENCE).waitFor({ state: 'detached' });
  });

  it('does it again after a reload, from the keyboard', async () => {
    await visit.page.reload();
    await button(/^Redo: /).waitFor();
    await visit.page.keyboard.press('Control+Shift+Z');
    await card('Ledger').waitFor();
    await button('Read').click();
    await prose().getByText(SENTENCE).waitFor();
    await visit.page.keyboard.press('Control+Z');
    await card('Ledger').waitFor({ state: 'detached' });
    await button(/^Redo: /).click();
    await card('Ledger').waitFor();
  });

  it('says so when the server dies, recovers by itself when it is back, and still knows what was undone', async () => {
    const { page } = visit;
    const status = page.getByTestId('status');
    await button(/^Undo: /).click();
    await card('Ledger').waitFor({ state: 'detached' });
    await page.locator('[data-testid="status"][data-condition="saved"]').waitFor();
    const saved = await status.getAttribute('data-revision');
    const loadedAt = await page.evaluate(() => performance.timeOrigin);

    await stage.kill();
    await page.locator('[data-testid="status"][data-condition="offline"]').waitFor();
    await status.getByText(/^Offline/).waitFor();
    expect(await page.locator('.node-card').count()).toBeGreaterThan(0);

    await stage.restart();
    await page.locator(`[data-testid="status"][data-condition="saved"][data-revision="${saved}"]`).waitFor();
    await button(/^Redo: /).click();
    await card('Ledger').waitFor();
    await prose().getByText(SENTENCE).waitFor();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
    visit.forgiveLostRequests();
  });

  it('says in the history who did what and why', async () => {
    await button('History').click();
    const drawer = visit.page.getByRole('complementary', { name: 'History' });
    await drawer.getByText('Keep what was charged').first().waitFor();
    expect(await drawer.locator('.commit').count()).toBeGreaterThanOrEqual(3);
    await button('Close panel').click();
  });

  it('asked no other origin for anything and left no error on the console', () => {
    expect(visit.strayRequests).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
});
