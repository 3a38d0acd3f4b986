/** Tidying: the whole, a selection, around what is locked, with a way out, and one step to take back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from './axe';
import { holdAnswers, holdRequests } from './holding';
import { canvasFlaws } from './layout';
import { Stage, type Visit } from './stage';

let stage: Stage;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  stage = await Stage.shared({ hasMotion: true });
  visit = await stage.person();
  page = visit.page;
  await page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

interface Stored {
  revision: number;
  diagram: {
    nodes: { id: string; position: { x: number; y: number } }[];
    edges: { id: string; route: unknown[] | null; route_by: string | null }[];
  };
}

async function make(body: object, open = (id: string) => visit.openWithin(id, { view: 'diagram' })) {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'Tidy', ...body });
  await open(id);
  await page.locator('.node-card').first().waitFor();
  await atRevision(1);
  return id;
}

/** As `make`, in a page that has not started the engine yet: its script is held until what is returned is called. */
async function makeWithoutEngine(body: object): Promise<{ id: string; release: () => void }> {
  const release = await holdRequests(page, '**/engine/layout.js');
  const id = await make(body, async (made) => void (await page.goto(`/w/${made}`)));
  // The commands come with a part that is read behind the first view.
  await page.locator('.tidy-progress-place').waitFor({ state: 'attached' });
  return { id, release };
}

const stored = (id: string) => visit.api<Stored>('GET', `/workspaces/${id}`);
const places = async (id: string) =>
  new Map((await stored(id)).diagram.nodes.map(({ id, position }) => [id, position]));

async function atRevision(revision: number, condition = 'saved'): Promise<void> {
  const status = `[data-testid="status"][data-condition="${condition}"][data-revision="${revision}"]`;
  await page.locator(status).waitFor();
}

const at = (x: number, y: number) => ({ x, y });
const node = (id: string, x: number, y: number, more: object = {}) => ({
  id,
  type: 'service',
  label: id,
  position: { x, y },
  ...more,
});

describe('tidying', () => {
  it.each(['light', 'dark'] as const)(
    'lays the whole out in one step, clearly and in sight, and is taken back in one, in %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      const id = await make({ template: 'sample' });
      const before = await places(id);
      await page.keyboard.press('Shift+L');
      await atRevision(2);
      const { diagram } = await stored(id);
      const moved = diagram.nodes.filter(({ id, position }) => {
        const was = before.get(id);
        return was?.x !== position.x || was.y !== position.y;
      });
      expect(moved.length).toBeGreaterThan(10);
      expect(diagram.edges.some(({ route }) => route && route.length > 0)).toBe(true);
      await settled(page);
      await expect.poll(() => canvasFlaws(page)).toEqual([]);
      await page.keyboard.press('Control+z');
      await atRevision(3);
      expect(await places(id)).toEqual(before);
    },
  );

  it.each(['web-service', 'event-driven', 'data-pipeline'])('leaves %s clear, too', async (template) => {
    await make({ template });
    await page.keyboard.press('Shift+L');
    await atRevision(2);
    await settled(page);
    await expect.poll(() => canvasFlaws(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await settled(page);
    await expect.poll(() => canvasFlaws(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('gently moves aside what lies on something else, keeps the picture, and is taken back in one', async () => {
    const nodes = [node('a', 0, 0), node('b', 60, 30), node('c', 500, 8), node('d', 10, 400)];
    const edges = [
      { source: 'a', target: 'c' },
      { source: 'b', target: 'd' },
    ];
    const id = await make({ diagram: { nodes, edges } });
    const before = await places(id);
    await page.keyboard.press('Shift+Alt+L');
    await atRevision(2);
    const now = await places(id);
    expect(now.get('d')?.y).toBeGreaterThan(now.get('b')?.y ?? Infinity);
    expect(now.get('c')?.x).toBeGreaterThan(now.get('a')?.x ?? Infinity);
    await settled(page);
    await expect.poll(() => canvasFlaws(page)).toEqual([]);
    await page.keyboard.press('Control+z');
    await atRevision(3);
    expect(await places(id)).toEqual(before);
  });

  it('gently says so where nothing is to be bettered', async () => {
    await make({
      diagram: { nodes: [node('a', 0, 0), node('b', 400, 0)], edges: [{ source: 'a', target: 'b' }] },
    });
    await page.keyboard.press('Shift+Alt+L');
    await page.getByText('The diagram is already as good as I can make it').waitFor();
    await atRevision(1);
  });

  it('leaves lines bent by hand as they are, unless it is told to redraw them, which is one step', async () => {
    const bend = { route: [at(100, 300)], route_by: 'hand' };
    const nodes = [node('a', 0, 0), node('b', 20, 10), node('rock', 900, 500, { locked: true })];
    const edges = [
      { id: 'free', source: 'a', target: 'b', ...bend },
      { id: 'held', source: 'a', target: 'rock', ...bend },
    ];
    const byHand = async () =>
      (await stored(id)).diagram.edges.filter(({ route_by }) => route_by === 'hand').map((one) => one.id);
    const id = await make({ diagram: { nodes, edges } });
    await page.keyboard.press('Shift+L');
    const kept = page.locator('.toast', { hasText: 'A line bent by hand was kept' });
    // It would lie on the menu.
    await kept.getByLabel('Dismiss').click();
    await kept.waitFor({ state: 'detached' });
    await atRevision(2);
    expect(await byHand()).toEqual(['free', 'held']);
    const before = await stored(id);
    await page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Tidy' }).click();
    await page.getByRole('menuitem', { name: 'Tidy and redraw lines bent by hand' }).click();
    await atRevision(3);
    expect(await byHand()).toEqual(['held']);
    expect((await places(id)).get('rock')).toEqual(at(900, 500));
    await page.keyboard.press('Control+z');
    await atRevision(4);
    expect((await stored(id)).diagram).toEqual(before.diagram);
  });

  it('can be chosen from the tool bar', async () => {
    await make({ diagram: { nodes: [node('a', 0, 0), node('b', 20, 10)], edges: [] } });
    await page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Tidy' }).click();
    await page.getByRole('menuitem', { name: 'Tidy gently' }).click();
    await atRevision(2);
  });

  it('from scratch holds while two others drag, all see the same, and each takes the own back', async () => {
    const id = await make({ template: 'sample' });
    const before = await places(id);
    const others = [await stage.person(), await stage.person('dark')];
    for (const other of others) {
      await other.context.addInitScript(() => localStorage.setItem('draftsmith.view', 'diagram'));
      await other.page.goto(`/w/${id}`);
      await other.page.locator('.node-card').first().waitFor();
    }
    const cards = ['Cart', 'Inventory'];
    const lift = async ({ page: theirs }: Visit, name: string, by: number) => {
      const box = await theirs.locator('.node-card', { hasText: name }).first().boundingBox();
      if (!box) throw new Error(`${name} is not to be seen.`);
      await theirs.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await theirs.mouse.down();
      for (let step = 1; step <= 10; step += 1)
        await theirs.mouse.move(box.x + box.width / 2 + step * by, box.y + box.height / 2 + step * 3);
    };
    // In the air before the layout begins: it would move a card away between where it was seen and the press.
    await Promise.all(others.map((other, at) => lift(other, cards[at] as string, 6 + at)));
    await Promise.all([page.keyboard.press('Shift+L'), ...others.map((other) => other.page.mouse.up())]);
    // Three commits, in whatever order.
    await atRevision(4);
    for (const other of others)
      await other.page.locator('[data-testid="status"][data-condition="saved"][data-revision="4"]').waitFor();
    const { diagram } = await stored(id);
    expect(diagram.edges.some(({ route }) => route && route.length > 0)).toBe(true);
    await Promise.all(
      [page, ...others.map((other) => other.page)].map((one) => one.keyboard.press('Control+z')),
    );
    // What only the layout has moved is where it was; what two have moved stays where the later of them left it.
    const dragged = ['cart', 'inventory'];
    const alone = [...before].filter(([id]) => !dragged.includes(id));
    await expect
      .poll(async () => {
        const now = await places(id);
        return alone.filter(([id, was]) => now.get(id)?.x !== was.x || now.get(id)?.y !== was.y);
      })
      .toHaveLength(0);
    // The others' steps may still be on their way.
    await expect
      .poll(async () => {
        const { revision } = await stored(id);
        const saved = `[data-testid="status"][data-condition="saved"][data-revision="${revision}"]`;
        const shown = [page, ...others.map((other) => other.page)].map((one) => one.locator(saved).count());
        return Promise.all(shown);
      })
      .toEqual([1, 1, 1]);
    for (const other of others) expect(other.complaints).toEqual([]);
  });

  it('lays a selection out and moves nothing else', async () => {
    const nodes = [node('a', 0, 0), node('b', 700, 40), node('c', 30, 500), node('far', 900, 600)];
    const edges = [{ source: 'a', target: 'b' }];
    const id = await make({ diagram: { nodes, edges } });
    await page.locator('.react-flow__node[data-id="a"]').click();
    await page.locator('.react-flow__node[data-id="b"]').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+k');
    // The palette is loaded when it is first wanted.
    await page.locator('[cmdk-root] input').fill('Tidy the selection');
    await page.locator('[cmdk-item][aria-selected="true"]', { hasText: 'Tidy the selection' }).waitFor();
    await page.keyboard.press('Enter');
    await atRevision(2);
    const now = await places(id);
    expect(now.get('a')).toEqual({ x: 0, y: 0 });
    expect(now.get('b')).not.toEqual({ x: 700, y: 40 });
    expect(now.get('c')).toEqual({ x: 30, y: 500 });
    expect(now.get('far')).toEqual({ x: 900, y: 600 });
  });

  it('says in words why nothing can be moved', async () => {
    const locked = { locked: true };
    await make({ diagram: { nodes: [node('a', 0, 0, locked), node('b', 500, 0, locked)], edges: [] } });
    await page.keyboard.press('Shift+L');
    await page.getByText('Everything is locked. Unlock what may move.').waitFor();
    await atRevision(1);
  });

  it('says what it is about when that takes long, and stops when told to', async () => {
    const nodes = Array.from({ length: 1000 }, (_, at) =>
      node(`n${at}`, (at % 40) * 240, Math.floor(at / 40) * 140),
    );
    const edges = nodes.flatMap(({ id }, at) => [
      { source: id, target: `n${(at * 7 + 1) % 1000}` },
      ...(at % 3 === 0 ? [{ source: id, target: `n${(at * 13 + 5) % 1000}`, kind: 'async' }] : []),
    ]);
    const { id, release } = await makeWithoutEngine({
      diagram: { nodes, edges: edges.filter((one) => one.source !== one.target) },
    });
    await page.keyboard.press('Shift+L');
    await page.getByText('Tidying… 1,000 nodes').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Tidying… 1,000 nodes').waitFor({ state: 'detached' });
    release();
    expect((await stored(id)).revision).toBe(1);
    await page.unrouteAll();
  });

  it('has nothing to cancel once it is done here, also while the server has not answered', async () => {
    const answers = await holdAnswers(page);
    const { release } = await makeWithoutEngine({ template: 'sample' });
    await page.keyboard.press('Shift+L');
    const progress = page.getByText(/^Tidying…/);
    await progress.waitFor();
    answers.hold();
    release();
    await progress.waitFor({ state: 'detached' });
    await atRevision(1, 'saving');
    answers.release();
    await atRevision(2);
    await page.unrouteAll();
  });

  it('asked no other origin for anything and left no error on the console', () => {
    expect(visit.strayRequests).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
});
