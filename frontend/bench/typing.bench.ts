/**
 * What a keystroke costs beside the rendered document, in a short text and in long ones, in a real browser against a real
 * server: `npx vitest run --config bench/vitest.config.ts bench/typing.bench.ts`. Prints a table; the ratios in it hold on any
 * machine, the milliseconds on this one. `LOOK=live` measures live preview. Not part of the tests.
 */
import { afterAll, beforeAll, it } from 'vitest';
import { Stage, type Visit } from '../e2e/stage';

const SIZES = [2_000, 80_000, 900_000];
const KEYS = 40;
const KEY_MS = 90;
const ROUNDS = 3;
/** How Write shows the text. */
const LOOK = process.env.LOOK ?? 'source';

interface Figures {
  /** Of the page's thread for each key, with what follows it: script, style and layout, everything. */
  script: number;
  layout: number;
  task: number;
  /** From a key to the frame that shows it: the middle one, and one in twenty. */
  p50: number;
  p95: number;
}

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  await visit.context.addInitScript((look) => {
    localStorage.setItem('draftsmith.view', 'document');
    localStorage.setItem('draftsmith.name', 'declined');
    localStorage.setItem('draftsmith.look', look);
  }, LOOK);
});

afterAll(async () => {
  await stage?.close();
});

it('measures', async () => {
  const ids = new Map<number, string>();
  for (const size of SIZES) {
    const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
      name: `${size} characters`,
      document: { text: textOf(size) },
    });
    ids.set(size, id);
  }
  const all = new Map<number, Figures[]>(SIZES.map((size) => [size, []]));
  // One after the other, so that what else the machine does meets all.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const size of SIZES) all.get(size)?.push(await measure(ids.get(size) as string));
  const table: Record<string, Figures> = {};
  const [short] = SIZES.map((size) => medians(all.get(size) as Figures[]));
  for (const size of SIZES) {
    const figures = medians(all.get(size) as Figures[]);
    table[`${size / 1000} kB`] = figures;
    if (size !== SIZES[0]) table[`${size / 1000} kB / short`] = ratios(short as Figures, figures);
  }
  console.table(table);
}, 900_000);

/** Sections with a paragraph, a list, and now and then a table and code. */
function textOf(size: number): string {
  const parts = ['# Plan\n\nThe first words.\n'];
  for (let at = 0, length = 0; length < size; at += 1) {
    const part = [
      `## Section ${at}\n`,
      `It says **something** about [part ${at}](#section-${at}) and \`code\`, in ${'words '.repeat(40)}.\n`,
      `- [ ] one of ${at}\n- two\n- three with *emphasis*\n`,
      ...(at % 5 ? [] : [`| a | b |\n| --- | --- |\n| ${at} | 2 |\n`, '```js\nconst a = 1;\n```\n']),
    ].join('\n');
    parts.push(part);
    length += part.length;
  }
  return parts.join('\n');
}

async function measure(id: string): Promise<Figures> {
  const { page } = visit;
  await page.goto(`${stage.url}/w/${id}`);
  await page.locator('#document .cm-content').waitFor();
  await page.locator('#document .prose > *').first().waitFor();
  await page.locator('#document .cm-line', { hasText: 'The first words.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('Begun. ');
  await page.locator('#document .prose', { hasText: 'Begun.' }).waitFor();
  await page.evaluate(() => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    window.addEventListener('keydown', () => {
      const pressed = performance.now();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => delays.push(performance.now() - pressed);
        port2.postMessage(null);
      });
    }, true);
  });
  const session = await visit.context.newCDPSession(page);
  await session.send('Performance.enable');
  const before = await metrics(session);
  await page.keyboard.type('words '.repeat(KEYS / 6 + 1).slice(0, KEYS), { delay: KEY_MS });
  await page.keyboard.type('End.');
  await page.locator('#document .prose', { hasText: 'End.' }).waitFor();
  const after = await metrics(session);
  await session.detach();
  const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
  const each = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) * 1000) / KEYS;
  return {
    script: each('ScriptDuration'),
    layout: each('LayoutDuration') + each('RecalcStyleDuration'),
    task: each('TaskDuration'),
    p50: quantile(delays, 0.5),
    p95: quantile(delays, 0.95),
  };
}

interface Session {
  send(method: 'Performance.getMetrics'): Promise<{ metrics: { name: string; value: number }[] }>;
}

async function metrics(session: Session): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

const NAMES = ['script', 'layout', 'task', 'p50', 'p95'] as const;

const of = (value: (name: keyof Figures) => number): Figures =>
  Object.fromEntries(NAMES.map((name) => [name, Number(value(name).toFixed(2))])) as unknown as Figures;

const medians = (all: readonly Figures[]): Figures =>
  of((name) =>
    quantile(
      all.map((one) => one[name]),
      0.5,
    ),
  );

const ratios = (few: Figures, many: Figures): Figures => of((name) => many[name] / few[name]);

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
