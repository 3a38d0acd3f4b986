/** What can be read of a diagram at every zoom: names of nodes, titles of groups, labels of lines. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, settled } from './axe';
import { areLegible, laidOut, namesOf, seenOn } from './legibleScene';
import { Stage, type Visit } from './stage';

const THEMES = ['light', 'dark'] as const;

let stage: Stage;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  page = visit.page;
  await page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

afterEach(() => {
  expect(visit.complaints.splice(0)).toEqual([]);
});

const seen = () => seenOn(page);

async function open(
  diagram: object,
  view: string,
  choices: Record<string, string> = { panel: 'none' },
): Promise<string> {
  const content = {
    format: 'draftsmith/1',
    name: 'Legible',
    diagram,
    document: { text: '# Plan\n\nWhat it is for.\n' },
  };
  const body = { name: 'Legible', import: { format: 'json', content } };
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', body);
  await visit.openWithin(id, { view, ...choices });
  await page.locator('.node-card').first().waitFor();
  await page.locator('.workspace:not([data-read="first"])').waitFor();
  await page.keyboard.press('Shift+1');
  // Titles are a part that is read later than the first view.
  await page.locator('.frame-title').first().waitFor();
  await settled(page);
  return id;
}

const shot = async (name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/legible-${name}.png` });
};

describe('names', () => {
  it.each([15, 30, 60])(
    'of %i nodes are legible at "show everything", in Split and in Diagram',
    async (count) => {
      const diagram = laidOut(count);
      for (const view of ['diagram', 'split']) {
        await open(diagram, view);
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          const now = await seen();
          areLegible(now, namesOf(diagram));
          expect(now.titles.length).toBe(Math.ceil(count / 5));
          for (const { text, size } of now.titles) expect(size, text).toBeGreaterThanOrEqual(11);
          await shot(`${count}-${view}-${colorScheme}`);
        }
        if (count === 15) expect(await axeViolations(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
    },
  );
});

/** Expect that of names, titles and labels as they are now; how many cards are named. */
async function allLegible(diagram: ReturnType<typeof laidOut>, shown: string): Promise<number> {
  const now = await seen();
  const named = areLegible(now, namesOf(diagram));
  expect(now.titles.length, shown).toBeGreaterThan(0);
  for (const { text, size } of now.titles) expect(size, `${text} ${shown}`).toBeGreaterThanOrEqual(11);
  await shot(shown.replaceAll(' ', '-'));
  return named;
}

describe('where there is less room', () => {
  const WINDOWS = [
    { name: '768 pixels wide', width: 768, height: 900, least: 15 },
    // What a browser makes of a window of 1440 by 900 at that zoom.
    { name: 'at 200 %', width: 720, height: 450, least: 0 },
  ];

  it.each(WINDOWS)('names are legible in a window $name', async ({ name, least, ...size }) => {
    await page.setViewportSize(size);
    try {
      for (const count of [15, 30]) {
        const diagram = laidOut(count);
        for (const view of ['diagram', 'split']) {
          await open(diagram, view);
          expect(await page.evaluate(() => window.innerWidth)).toBe(size.width);
          const named = await allLegible(diagram, `${count} ${view} ${name}`);
          if (view === 'diagram' && count === 15) expect(named).toBeGreaterThanOrEqual(least);
        }
      }
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  it.each(['properties', 'history', 'assistant'])('names are legible beside the panel %s', async (panel) => {
    const diagram = laidOut(15);
    for (const view of ['diagram', 'split']) {
      await open(diagram, view, { panel });
      await page.locator('.side-panel').waitFor();
      await page.keyboard.press('Shift+1');
      await settled(page);
      const named = await allLegible(diagram, `${view} beside ${panel}`);
      if (view === 'diagram') expect(named).toBe(15);
    }
  });

  it('names are legible in a comparison with an old revision', async () => {
    const diagram = laidOut(15);
    const id = await open(diagram, 'diagram');
    const operations = [
      { op: 'delete_node', id: 'n3' },
      { op: 'update_node', id: 'n5', label: 'Recommendations of others' },
      {
        op: 'add_node',
        id: 'new',
        type: 'queue',
        label: 'Letters that are left',
        position: { x: 760, y: 700 },
      },
      { op: 'add_edge', source: 'n0', target: 'new', label: 'leaves letters' },
    ];
    await visit.api('POST', `/workspaces/${id}/batches`, { operations });
    for (const view of ['diagram', 'split']) {
      await visit.openWithin(id, { view, panel: 'history' });
      await page.locator('.commit').last().locator('.commit-head').click();
      await page.locator('.commit').last().getByRole('button', { name: 'Compare with now' }).click();
      await page.locator('.is-removed').first().waitFor();
      await page.keyboard.press('Shift+1');
      await settled(page);
      const names = new Map([
        ...namesOf(diagram),
        ['n5', 'Recommendations of others'],
        ['new', 'Letters that are left'],
      ]);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        expect(areLegible(await seen(), names)).toBeGreaterThan(10);
        await shot(`compared-${view}-${colorScheme}`);
        expect(await axeViolations(page, { only: 'colours' })).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });
});

describe('at every zoom', () => {
  it('names stay legible while one zooms; far nodes are named for who points at them or walks to them', async () => {
    const diagram = laidOut(15);
    await open(diagram, 'diagram');
    const pane = await page.locator('.react-flow').boundingBox();
    if (!pane) throw new Error('There is no canvas');
    await page.mouse.move(pane.x + pane.width / 2, pane.y + pane.height / 2);
    let named = 0;
    for (let step = 0; step < 8; step += 1) {
      const before = await page.locator('.react-flow__viewport').getAttribute('style');
      await page.mouse.wheel(0, 90);
      await expect.poll(() => page.locator('.react-flow__viewport').getAttribute('style')).not.toBe(before);
      await settled(page);
      named += areLegible(await seen(), namesOf(diagram));
    }
    expect(named).toBeGreaterThan(30);
    const card = page.locator('.react-flow__node[data-id="n4"]');
    expect(await card.locator('.node-label').count()).toBe(0);
    await card.hover();
    const name = card.locator('.far-name');
    await expect.poll(() => name.isVisible()).toBe(true);
    expect(await name.textContent()).toBe('Recommendations service');
    expect((await name.boundingBox())?.height).toBeGreaterThan(15);
    await shot('far-hover');
    await page.mouse.move(pane.x + 5, pane.y + 5);
    await expect.poll(() => name.count()).toBe(0);
    await card.focus();
    await expect.poll(() => name.isVisible()).toBe(true);
  });
});

describe('labels of lines', () => {
  const label = () => page.locator('.edge-label[data-edge="n0--n1"]');

  it('without a free place are shown to who points at the line, and all of them by a key', async () => {
    const diagram = laidOut(15);
    // Hardly any room between the two: no label has a free place there.
    const near = diagram.nodes.find(({ id }) => id === 'n1');
    Object.assign(near ?? {}, { position: { x: 240, y: 56 } });
    await open(diagram, 'diagram');
    // All labels are placed together.
    await page.locator('.edge-label').first().waitFor();
    expect(await label().count()).toBe(0);
    const line = page.locator('.react-flow__edge[data-id="n0--n1"] .edge-hit');
    const box = await line.boundingBox();
    if (!box) throw new Error('There is no line');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await label().waitFor();
    const [shown] = (await seen()).labels.filter(({ text }) => text === 'places order');
    expect(shown?.size).toBeGreaterThanOrEqual(11);
    expect(shown?.over).toBe('');
    await page.mouse.move(5, 5);
    await expect.poll(() => label().count()).toBe(0);
    await page.keyboard.press('Shift+E');
    await expect.poll(() => page.locator('.edge-label').count()).toBe(14);
    await shot('labels-all');
    await page.keyboard.press('Shift+E');
    await expect.poll(() => label().count()).toBe(0);
  });
});
