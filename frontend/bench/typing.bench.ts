/**
 * What a keystroke costs beside the rendered document, in a short text and in long ones, in a real browser against a real
 * server: `npx vitest run --config bench/vitest.config.ts bench/typing.bench.ts`. Prints a table; the ratios in it hold on any
 * machine, the milliseconds on this one. `LOOK=live` measures live preview, `VIEW=split` has the diagram in place of Read.
 * Not part of the tests.
 */
import { afterAll, beforeAll, it } from 'vitest';
import { Stage, type Visit } from '../e2e/stage';

const SIZES = [2_000, 80_000, 1_000_000];
const KEYS = 60;
const KEY_MS = 90;
const ROUNDS = 3;
/** How Write shows the text, and what it stands beside: Read, or in `split` the diagram. */
const LOOK = process.env.LOOK ?? 'source';
const VIEW = process.env.VIEW ?? 'document';

interface Figures {
  /** Of the page's thread for each key, with what follows it: script, style and layout, everything. */
  script: number;
  layout: number;
  task: number;
  /** Processor time of that thread for a key: the middle one, and one in a hundred. */
  cpu50: number;
  cpu99: number;
  /** From a key to the frame that shows it: the middle one, and one in twenty. */
  p50: number;
  p95: number;
}

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  await visit.context.addInitScript(
    ({ look, view }) => {
      localStorage.setItem('draftsmith.view', view);
      localStorage.setItem('draftsmith.name', 'declined');
      localStorage.setItem('draftsmith.look', look);
    },
    { look: LOOK, view: VIEW },
  );
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
  if (VIEW === 'document') await page.locator('#document .prose > *').first().waitFor();
  await page.locator('#document .cm-line', { hasText: 'The first words.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('Begun. ');
  const shown = VIEW === 'document' ? '#document .prose' : '#document .cm-content';
  await page.locator(shown, { hasText: 'Begun.' }).waitFor();
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
  const readings = [await metrics(session)];
  for (const key of 'words '.repeat(KEYS / 6 + 1).slice(0, KEYS)) {
    await page.keyboard.type(key);
    await page.waitForTimeout(KEY_MS);
    readings.push(await metrics(session));
  }
  await session.detach();
  const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
  const all = (name: string) =>
    readings.slice(1).map((now, at) => ((now[name] ?? 0) - (readings[at]?.[name] ?? 0)) * 1000);
  const each = (name: string) => all(name).reduce((sum, one) => sum + one, 0) / KEYS;
  return {
    script: each('ScriptDuration'),
    layout: each('LayoutDuration') + each('RecalcStyleDuration'),
    task: each('TaskDuration'),
    cpu50: quantile(all('ThreadTime'), 0.5),
    cpu99: quantile(all('ThreadTime'), 0.99),
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

const NAMES = ['script', 'layout', 'task', 'cpu50', 'cpu99', 'p50', 'p95'] as const;

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
