/**
 * How fast the canvas opens and how evenly it moves, with 100 and with 1,000 nodes, in a real browser against a real
 * server: `npx vitest run --config bench/vitest.config.ts`. Prints a table; the ratios in it hold on any machine, the
 * milliseconds on this one. Not part of the tests.
 */
import { afterAll, beforeAll, it } from 'vitest';
import { Stage, type Visit } from '../e2e/stage';
import { gridOf } from './grid';

const SIZES = [100, 1000];
const OPENINGS = 5;
const FRAMES = 240;
const ROUNDS = 3;

interface Figures {
  open: number;
  /** The palette, opened for the first time by its key. */
  palette: number;
  drag: number;
  pan: number;
  longest: number;
}

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.open();
  visit = await stage.person();
  await visit.context.addInitScript(() => {
    localStorage.setItem('draftsmith.view', 'diagram');
    localStorage.setItem('draftsmith.name', 'declined');
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
      buffered: true,
    });
  });
  await visit.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

it('measures', async () => {
  const ids = new Map<number, string>();
  for (const size of SIZES) ids.set(size, await workspaceOf(size));
  const all = new Map<number, Figures[]>(SIZES.map((size) => [size, []]));
  // One after the other, so that what else the machine does meets both.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const size of SIZES) all.get(size)?.push(await measure(ids.get(size) as string));
  const [few, many] = SIZES.map((size) => medians(all.get(size) as Figures[])) as [Figures, Figures];
  console.table({ [`${SIZES[0]} nodes`]: few, [`${SIZES[1]} nodes`]: many, ratio: ratios(few, many) });
}, 600_000);

/** A grid of nodes with 1.2 lines each. */
async function workspaceOf(size: number): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: `${size} nodes` });
  const operations = [{ op: 'replace_diagram', ...gridOf(size, Math.round(size * 1.2)) }];
  await visit.api('POST', `/workspaces/${id}/batches`, { operations });
  return id;
}

async function measure(id: string): Promise<Figures> {
  const openings: number[] = [];
  const palettes: number[] = [];
  for (let i = 0; i < OPENINGS; i += 1) {
    openings.push(await opening(id));
    palettes.push(await openingPalette());
  }
  const { page } = visit;
  // At zoom 1 the middle of the canvas holds what a screen holds, whatever the size of the diagram.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Alt+ArrowRight');
  await zoomToOne();
  const node = page.locator('.react-flow__node .node-card.selected').first();
  const box = await node.boundingBox();
  if (!box) throw new Error('no node in sight');
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const drag = await framesWhile(start, 'left');
  const pan = await framesWhile({ x: 720, y: 500 }, 'middle');
  const longest = await page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks));
  return { open: median(openings), palette: median(palettes), drag, pan, longest };
}

/** From the navigation to the frame in which nodes and lines are there. */
async function opening(id: string): Promise<number> {
  await visit.page.goto('about:blank');
  await visit.page.goto(`${stage.url}/w/${id}`, { waitUntil: 'commit' });
  return visit.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const isThere =
            document.querySelector('.react-flow__node .node-card') &&
            document.querySelector('.react-flow__edge .edge-line');
          if (isThere) requestAnimationFrame(() => resolve(performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** From the key to the frame in which the palette is there; its file comes from the browser's cache, or from the server once. */
async function openingPalette(): Promise<number> {
  const { page } = visit;
  await page.locator('.page.workspace:not([data-read="first"])').waitFor();
  const opened = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let pressed = 0;
        window.addEventListener('keydown', () => (pressed ||= performance.now()), true);
        const look = () => {
          if (document.querySelector('dialog.finder[open]'))
            requestAnimationFrame(() => resolve(performance.now() - pressed));
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await page.keyboard.press('Control+k');
  const time = await opened;
  await page.keyboard.press('Escape');
  return time;
}

async function zoomToOne(): Promise<void> {
  const { page } = visit;
  const zoom = () =>
    page
      .locator('.react-flow__viewport')
      .evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  for (let i = 0; i < 40 && (await zoom()) < 0.98; i += 1) {
    await page.mouse.move(720, 450);
    await page.mouse.wheel(0, -60);
    await page.waitForTimeout(60);
  }
}

/** The 95th percentile of the time between frames while a button is held and the pointer goes round. */
async function framesWhile(start: { x: number; y: number }, button: 'left' | 'middle'): Promise<number> {
  const { page } = visit;
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button });
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      if (!(window as unknown as { isOver: boolean }).isOver) requestAnimationFrame(tick);
    };
    Object.assign(window, { frames, isOver: false });
    requestAnimationFrame(tick);
  });
  for (let i = 0; i < FRAMES; i += 1) {
    const angle = (i / FRAMES) * 4 * Math.PI;
    await page.mouse.move(start.x + 160 * Math.sin(angle), start.y + 90 * (1 - Math.cos(angle)));
  }
  const frames = await page.evaluate(() => {
    Object.assign(window, { isOver: true });
    return (window as unknown as { frames: number[] }).frames.slice(2);
  });
  if (button === 'left') await page.keyboard.press('Escape');
  await page.mouse.up({ button });
  return percentile(frames, 0.95);
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: readonly number[]): number => percentile(values, 0.5);

const medians = (all: readonly Figures[]): Figures => mapped((name) => median(all.map((one) => one[name])));
const ratios = (few: Figures, many: Figures): Figures => mapped((name) => many[name] / few[name]);
const mapped = (figure: (name: keyof Figures) => number): Figures => {
  const round = (name: keyof Figures) => Math.round(figure(name) * 100) / 100;
  return { open: round('open'), palette: round('palette'), drag: round('drag'), pan: round('pan'), longest: round('longest') };
};
