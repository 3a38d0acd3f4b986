/** What is written on the canvas as it is on the screen, whether it can be read, and diagrams to look at. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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
export function laidOut(count: number) {
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

export interface Seen {
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
export const seenOn = (page: Page): Promise<Seen> =>
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
          // Another card or label lies over it as well as anything else does.
          if (first && first.closest(own) !== element.closest(own))
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

export const namesOf = (diagram: ReturnType<typeof laidOut>) =>
  new Map(diagram.nodes.map(({ id, label }) => [id, label]));

/** Expect that of all cards that are large enough, and of all labels; how many are named. */
export function areLegible({ cards, labels }: Seen, names: ReadonlyMap<string, string>): number {
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
