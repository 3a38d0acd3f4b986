/**
 * What the pane of the diagram as text costs the page's thread, as processor time, in a real browser against a real server: of 1,000
 * nodes and 1,500 connections, and of a tenth of that. Prints a table; the ratios in it hold on any machine. Not part of the tests.
 */
import { afterAll, beforeAll, it } from 'vitest';
import { Stage, type Visit } from '../e2e/stage';

const SIZES = [1000, 100];
const ROUNDS = 5;
const WORDS = 'Billing desk';

type Figures = Record<'opening' | 'a key' | 'leaving a line, until it is saved', number>;

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  await visit.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

it('costs', async () => {
  const all = new Map<number, Figures[]>(SIZES.map((size) => [size, []]));
  const ids = new Map<number, string>();
  for (const size of SIZES) ids.set(size, await workspaceOf(size));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const size of SIZES) all.get(size)?.push(await measure(ids.get(size) as string));
  const [large, small] = SIZES.map((size) => medians(all.get(size) as Figures[])) as [Figures, Figures];
  const ratio = Object.fromEntries(
    Object.entries(large).map(([name, value]) => [
      name,
      Number((value / small[name as keyof Figures]).toFixed(1)),
    ]),
  );
  console.table({ '1,000 nodes': large, '100 nodes': small, ratio });
}, 600_000);

/** Groups of ten on a grid, half as many connections more than nodes. */
async function workspaceOf(size: number): Promise<string> {
  const nodes = Array.from({ length: size }, (_, at) => ({
    id: `n${at}`,
    type: at % 10 === 0 ? 'group' : 'service',
    label: at % 10 === 0 ? `Area ${at}` : `Service ${at}`,
    parent: at % 10 === 0 ? null : `n${at - (at % 10)}`,
    position:
      at % 10 === 0
        ? { x: ((at / 10) % 10) * 900, y: Math.floor(at / 100) * 700 }
        : { x: 30 + ((at % 10) % 3) * 260, y: 60 + Math.floor((at % 10) / 3) * 140 },
    ...(at % 10 === 0 && { size: { width: 820, height: 620 } }),
  }));
  const edges = Array.from({ length: size * 1.5 }, (_, at) => ({
    id: `e${at}`,
    source: `n${at % size}`,
    target: `n${(at * 7 + 1) % size}`,
    label: `call ${at}`,
  })).filter(({ source, target }) => source !== target);
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: `${size} nodes`,
    diagram: { nodes, edges },
  });
  return id;
}

async function measure(id: string): Promise<Figures> {
  const { page } = visit;
  await visit.openWithin(id, { panel: 'none', view: 'diagram', text: 'closed' });
  const saved = () => page.locator('[data-testid="status"][data-condition="saved"][data-pending="0"]').waitFor();
  await saved();
  await page.locator('.react-flow__node').first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  /** Milliseconds of the page's thread until it has nothing to do for a while. */
  const costOf = async (act: () => Promise<void>): Promise<number> => {
    await idle();
    const before = await threadTime(session);
    await act();
    await idle();
    return ((await threadTime(session)) - before) * 1000;
  };
  const idle = async () => {
    for (let at = -1, now = await threadTime(session); now - at > 0.002; ) {
      await page.waitForTimeout(400);
      [at, now] = [now, await threadTime(session)];
    }
  };
  const opening = await costOf(async () => {
    await page.keyboard.press('Alt+t');
    await page.locator('.text-pane .cm-line', { hasText: /^Area 0$/ }).waitFor();
  });
  await page.locator('.text-pane .cm-line', { hasText: /^Area 0$/ }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  const keys = await costOf(() => page.keyboard.type(WORDS));
  const revision = Number(await page.getByTestId('status').getAttribute('data-revision'));
  const leaving = await costOf(async () => {
    await page.keyboard.press('Enter');
    await page.locator(`[data-testid="status"][data-revision="${revision + 1}"][data-pending="0"]`).waitFor();
  });
  await page.keyboard.press('Control+z');
  await page.locator(`[data-testid="status"][data-revision="${revision + 2}"][data-pending="0"]`).waitFor();
  await session.detach();
  return {
    opening: rounded(opening),
    'a key': rounded(keys / WORDS.length),
    'leaving a line, until it is saved': rounded(leaving),
  };
}

interface Session {
  send(method: 'Performance.getMetrics'): Promise<{ metrics: { name: string; value: number }[] }>;
}

async function threadTime(session: Session): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

function medians(all: readonly Figures[]): Figures {
  const of = (name: keyof Figures) =>
    all.map((one) => one[name]).sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
  return { opening: of('opening'), 'a key': of('a key'), 'leaving a line, until it is saved': of('leaving a line, until it is saved') };
}
