/** What can be read of a diagram at every zoom: names of nodes, titles of groups, labels of lines. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, settled } from './axe';
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

const WORDS =
  'Checkout Orders Payments Inventory Recommendations Notifications Shipping Search Catalogue Identity'.split(
    ' ',
  );
const KINDS = ['service', 'API', 'worker', 'database', 'cache'];
const ASKED = [
  'places order',
  'authorises card',
  'reads',
  'publishes OrderPlaced',
  'stores session data',
  'asks for stock levels',
];

/** Groups of five nodes, in rows, with labelled lines within and between them, as somebody lays them out. */
function laidOut(count: number) {
  const name = (at: number) =>
    `${WORDS[at % WORDS.length]} ${KINDS[Math.floor(at / WORDS.length) % KINDS.length]}`;
  const columns = Math.ceil(Math.sqrt((count / 5) * 1.2));
  const groups = Array.from({ length: Math.ceil(count / 5) }, (_, at) => ({
    id: `g${at}`,
    type: 'group',
    label: `${WORDS[(at * 3) % WORDS.length]} domain`,
    position: { x: (at % columns) * 720, y: Math.floor(at / columns) * 560 },
    size: { width: 600, height: 440 },
  }));
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    type: ['service', 'gateway', 'queue', 'database', 'cache'][at % 5],
    label: name(at),
    technology: ['Go', 'Python 3.12', 'Kafka', 'PostgreSQL 17', 'Redis'][at % 5],
    parent: `g${Math.floor(at / 5)}`,
    position: { x: 40 + (at % 2) * 320, y: 56 + Math.floor((at % 5) / 2) * 128 },
  }));
  const edges = Array.from({ length: count - 1 }, (_, at) => ({
    source: `n${at}`,
    target: `n${at + 1}`,
    label: ASKED[at % ASKED.length],
  }));
  return { nodes: [...groups, ...nodes], edges };
}

async function open(diagram: object, view: string): Promise<void> {
  const content = {
    format: 'draftsmith/1',
    name: 'Legible',
    diagram,
    document: { text: '# Plan\n\nWhat it is for.\n' },
  };
  const body = { name: 'Legible', import: { format: 'json', content } };
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', body);
  await visit.openWithin(id, { view, panel: 'none' });
  await page.locator('.node-card').first().waitFor();
  await page.locator('.workspace:not([data-read="first"])').waitFor();
  await page.keyboard.press('Shift+1');
  await settled(page);
}

const shot = async (name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/legible-${name}.png` });
};

interface Seen {
  cards: {
    id: string;
    width: number;
    height: number;
    name: string;
    size: number;
    lines: number;
    over: string;
  }[];
  titles: { text: string; size: number }[];
  labels: { text: string; size: number; over: string }[];
}

/** What is written on the canvas, as large as it is on the screen, and what lies over the middle of each text. */
const seen = (): Promise<Seen> =>
  page.evaluate(() => {
    const zoom = new DOMMatrix(
      getComputedStyle(document.querySelector('.react-flow__viewport') as Element).transform,
    ).a;
    const sizeOf = (element: HTMLElement) => {
      const scale = element.getBoundingClientRect().width / Math.max(element.offsetWidth, 1);
      return Number.parseFloat(getComputedStyle(element).fontSize) * scale;
    };
    /** What is painted over a text: at five places of each of its lines. */
    const over = (element: Element, own: string) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      for (const { left, top, width, height } of range.getClientRects())
        for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          const there = document.elementsFromPoint(left + width * share, top + height / 2);
          const first = there.find((one) => one.closest('.react-flow__viewport'));
          if (first && !first.closest(own))
            return `${first.getAttribute('class')} over ${element.textContent}`;
        }
      return '';
    };
    const pane = document.querySelector('.react-flow')?.getBoundingClientRect() as DOMRect;
    const inSight = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left >= pane.left && right <= pane.right && top >= pane.top && bottom <= pane.bottom;
    };
    return {
      cards: [...document.querySelectorAll('.node-card')].filter(inSight).map((card) => {
        const { width, height } = card.getBoundingClientRect();
        const label = card.querySelector<HTMLElement>('.node-label');
        return {
          id: card.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? '',
          width,
          height,
          name: label?.textContent ?? '',
          size: label ? Number.parseFloat(getComputedStyle(label).fontSize) * zoom : 0,
          lines: label?.children.length ?? 0,
          over: label ? over(label, '.react-flow__node') : '',
        };
      }),
      titles: [...document.querySelectorAll<HTMLElement>('.frame-title')].map((title) => ({
        text: title.textContent ?? '',
        size: sizeOf(title),
      })),
      labels: [...document.querySelectorAll<HTMLElement>('.edge-label')].map((label) => ({
        text: label.textContent ?? '',
        size: sizeOf(label),
        over: over(label, '.edge-label'),
      })),
    };
  });

const namesOf = (diagram: ReturnType<typeof laidOut>) =>
  new Map(diagram.nodes.map(({ id, label }) => [id, label]));

function areLegible({ cards, labels }: Seen, names: ReadonlyMap<string, string>): number {
  let named = 0;
  for (const { id, width, height, name, size, lines, over } of cards) {
    if (width < 60 || height < 24) continue;
    const whole = names.get(id) ?? '';
    const isRead = name === whole || (name.endsWith('…') && name.startsWith(whole.slice(0, 16)));
    expect(isRead, `${name} for ${whole} at ${width}`).toBe(true);
    expect(size, name).toBeGreaterThanOrEqual(11);
    expect(lines, name).toBeLessThanOrEqual(2);
    expect(over).toBe('');
    named += 1;
  }
  for (const { text, size, over } of labels) {
    expect(size, text).toBeGreaterThanOrEqual(11);
    expect(over).toBe('');
  }
  return named;
}

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
