/** Tidying: the whole, a selection, around what is locked, with a way out, and one step to take back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from './axe';
import { canvasFlaws } from './layout';
import { Stage, type Visit } from './stage';

let stage: Stage;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  page = visit.page;
  await visit.context.addInitScript(() => localStorage.setItem('draftsmith.view', 'diagram'));
  await page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

interface Stored {
  revision: number;
  diagram: {
    nodes: { id: string; position: { x: number; y: number } }[];
    edges: { id: string; route: unknown[] | null }[];
  };
}

async function make(body: object): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'Tidy', ...body });
  await page.goto(`/w/${id}`);
  await page.locator('.node-card').first().waitFor();
  await atRevision(1);
  return id;
}

const stored = (id: string) => visit.api<Stored>('GET', `/workspaces/${id}`);
const places = async (id: string) =>
  new Map((await stored(id)).diagram.nodes.map(({ id, position }) => [id, position]));

async function atRevision(revision: number): Promise<void> {
  await page.locator(`[data-testid="status"][data-condition="saved"][data-revision="${revision}"]`).waitFor();
}

const node = (id: string, x: number, y: number, more: object = {}) => ({
  id,
  type: 'service',
  label: id,
  position: { x, y },
  ...more,
});

describe('tidying', () => {
  it('lays the whole diagram out in one step, clearly and in sight, and is taken back in one', async () => {
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
    expect(await canvasFlaws(page)).toEqual([]);
    await page.keyboard.press('Control+z');
    await atRevision(3);
    expect(await places(id)).toEqual(before);
  });

  it.each(['web-service', 'event-driven', 'data-pipeline'])('leaves %s clear, too', async (template) => {
    await make({ template });
    await page.keyboard.press('Shift+L');
    await atRevision(2);
    await settled(page);
    expect(await canvasFlaws(page)).toEqual([]);
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

  it('leaves what is locked in its place', async () => {
    const nodes = [
      node('rock', 300, 100, { locked: true }),
      node('a', 310, 110),
      node('b', 900, 0),
      node('c', 0, 900),
    ];
    const id = await make({ diagram: { nodes, edges: [{ source: 'a', target: 'b' }] } });
    await page.keyboard.press('Shift+L');
    await atRevision(2);
    expect((await places(id)).get('rock')).toEqual({ x: 300, y: 100 });
    await settled(page);
    expect(await canvasFlaws(page)).toEqual([]);
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
    const id = await make({ diagram: { nodes, edges: edges.filter((one) => one.source !== one.target) } });
    await page.keyboard.press('Shift+L');
    await page.getByText('Tidying… 1,000 nodes').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Tidying… 1,000 nodes').waitFor({ state: 'detached' });
    expect((await stored(id)).revision).toBe(1);
  });

  it('asked no other origin for anything and left no error on the console', () => {
    expect(visit.strayRequests).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
});
