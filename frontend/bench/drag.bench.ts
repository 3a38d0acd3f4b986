/**
 * What a frame of a drag costs the page's thread, on our canvas and in bare React Flow with the same nodes and lines, seen at the
 * same zoom, in the trace of a real browser: `npx vitest run --config bench/vitest.config.ts bench/drag.bench.ts`. Both are built as
 * for production and measured in turns, so that what else the machine does meets both. Prints a table; the ratios in it hold on
 * any machine, the milliseconds on this one. `PROFILE=40` prints the functions that took most of one more drag of each, so many; names are
 * readable where the page was built with `npx vite build --minify false`. Not part of the tests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, it } from 'vitest';
import { findChromium, Stage, Visit } from '../e2e/stage';
import type { Given } from './bareFlow/main';
import { gridOf } from './grid';
import { forcedLayouts, type ProfileEvent, SAMPLES, STACKS, sharesOf } from './traceProfile';

const SCENES = [
  { nodes: 150, edges: 250 },
  { nodes: 1000, edges: 1200 },
];
/** As on our canvas (`CULL_ABOVE`). */
const CULL_ABOVE = 300;
const MOVES = 60;
/** So that each move has a frame of its own. */
const MOVE_MS = 30;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const PROFILED = Number(process.env.PROFILE ?? 0);

/** Processor time of the page's thread for a frame, in milliseconds. */
interface Figures {
  script: number;
  layout: number;
  both: number;
}

const SCRIPT = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FunctionCall',
  'RunMicrotasks',
  'TimerFire',
  'v8.callFunction',
]);
const LAYOUT = new Set(['Layout', 'UpdateLayoutTree', 'PrePaint', 'HitTest', 'IntersectionObserverController::computeIntersections']);

let stage: Stage;
let browser: Browser;
let visit: Visit;
let bare: Page;
let bareFlow: PreviewServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-bare-'));
  const root = path.join(import.meta.dirname, 'bareFlow');
  // Otherwise React is the one for development: tests have a name of their own for this.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  await build({ configFile: false, root, logLevel: 'error', mode: 'production', build: { outDir: folder, target: 'es2022' } });
  process.env.NODE_ENV = before;
  bareFlow = await preview({
    configFile: false,
    root,
    build: { outDir: folder },
    preview: { port: 0, host: '127.0.0.1' },
  });
  stage = await Stage.open();
  // Unlike in tests, code is optimized as for everybody.
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  const options = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...options, baseURL: stage.url });
  await context.addInitScript(() => {
    localStorage.setItem('draftsmith.view', 'diagram');
    localStorage.setItem('draftsmith.name', 'declined');
    localStorage.setItem('draftsmith.tour', 'seen');
  });
  visit = new Visit(context, await context.newPage(), stage.url);
  bare = await (await browser.newContext(options)).newPage();
});

afterAll(async () => {
  await browser?.close();
  await bareFlow?.close();
  await stage?.close();
  if (folder) rmSync(folder, { recursive: true });
});

it.each(SCENES)('measures $nodes nodes and $edges lines', async (scene) => {
  const grid = gridOf(scene.nodes, scene.edges);
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: `${scene.nodes} nodes` });
  await visit.api('POST', `/workspaces/${id}/batches`, { operations: [{ op: 'replace_diagram', ...grid }] });
  await visit.page.goto(`${stage.url}/w/${id}`);
  await visit.page.locator('.react-flow__node .node-card').first().waitFor();
  await visit.page.locator('.page.workspace:not([data-read="first"])').waitFor();
  const viewport = await visit.page.locator('.react-flow__viewport').evaluate((element) => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(element).transform);
    const { left, top } = (element.closest('.react-flow') as Element).getBoundingClientRect();
    return { x: e + left, y: f + top, zoom: a };
  });
  const given: Given = { ...grid, viewport, isCulled: scene.nodes > CULL_ABOVE };
  await bare.addInitScript((all) => Object.assign(window, { given: all }), given);
  await bare.goto(bareFlow.resolvedUrls?.local[0] as string);
  await bare.locator('.react-flow__edge').first().waitFor({ state: 'attached' });
  const held = await middlemost(visit.page);
  const [ours, theirs]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(figuresOf(await traceOfDrag(visit.page, held)));
    theirs.push(figuresOf(await traceOfDrag(bare, held)));
  }
  const pairs = ours.map((one, at) => one.both / (theirs[at] as Figures).both);
  console.log(`${scene.nodes} nodes, ${scene.edges} lines, zoom ${viewport.zoom.toFixed(2)}, dragging ${held}`);
  console.table({ ours: medians(ours), bare: medians(theirs) });
  console.log(`script and layout of a frame, ours / bare: ${quantile(pairs, 0.5).toFixed(2)} (${pairs.map((one) => one.toFixed(2)).join(', ')})`);
  if (PROFILED === 0) return;
  for (const [name, page] of [
    ['ours', visit.page],
    ['bare', bare],
  ] as const) {
    const events = await traceOfDrag(page, held, [SAMPLES, STACKS]);
    const { first, frames } = movesIn(events);
    console.log(`${name}, by kind of work, milliseconds of a frame`);
    const own = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid);
    for (const kind of [...SCRIPT, ...LAYOUT]) {
      const sum = outermost(own.sort((one, other) => one.ts - other.ts), new Set([kind])) / frames;
      if (sum > 0.01) console.log(`${sum.toFixed(3)} ${kind}`);
    }
    console.log(`${name}, layout that scripts ask for, milliseconds of a frame`);
    for (const [who, took] of forcedLayouts(events, first.pid, first.tid, frames)) console.log(`${took.toFixed(3)} ${who}`);
    const shares = sharesOf(events, first.pid, first.tid, frames);
    for (const by of ['self', 'total'] as const) {
      console.log(`${name}, by ${by}, milliseconds of a frame`);
      const most = [...shares].sort((one, other) => other[by] - one[by]).slice(0, PROFILED);
      for (const one of most) console.log(`${one.self.toFixed(3)} ${one.total.toFixed(3)} ${one.function}`);
    }
  }
}, 600_000);

/** The node that is nearest to the middle of the window. */
const middlemost = (page: Page): Promise<string> =>
  page.locator('.react-flow__node').evaluateAll((all) => {
    const off = (one: Element) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return Math.hypot(x + width / 2 - innerWidth / 2, y + height / 2 - innerHeight / 2);
    };
    return [...all].sort((one, other) => off(one) - off(other))[0]?.getAttribute('data-id') as string;
  });

/** The trace of one drag; the node is where it was afterwards. */
async function traceOfDrag(page: Page, id: string, more: readonly string[] = []): Promise<TraceEvent[]> {
  await page.bringToFront();
  const box = await page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox();
  if (!box) throw new Error('no node in sight');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const at = (step: number): [number, number] => {
    const angle = (step / MOVES) * 2 * Math.PI;
    return [x + 120 * Math.sin(angle), y + 80 * (1 - Math.cos(angle))];
  };
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Whatever the first moves load and prepare is no part of a frame.
  for (const step of [1, 2, 3]) await page.mouse.move(...at(step));
  await page.waitForTimeout(10 * MOVE_MS);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink', 'cc', 'toplevel', ...more] });
  for (let step = 4; step < MOVES; step += 1) {
    await page.mouse.move(...at(step));
    await page.waitForTimeout(MOVE_MS);
  }
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  await page.mouse.move(x, y);
  await page.mouse.up();
  await page.waitForTimeout(10 * MOVE_MS);
  return trace.traceEvents;
}

interface TraceEvent extends ProfileEvent {
  ph: string;
  /** Microseconds: when it began, how long it took, and how much of that the thread was at work. */
  ts: number;
  dur?: number;
  tdur?: number;
}

function movesIn(events: readonly TraceEvent[]): { first: TraceEvent; frames: number } {
  const moves = events.filter(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'pointermove');
  const [first] = moves;
  if (!first) throw new Error('nothing was dragged');
  return { first, frames: new Set(moves.map(({ ts }) => ts)).size };
}

function figuresOf(events: readonly TraceEvent[]): Figures {
  const { first, frames } = movesIn(events);
  const own = events
    .filter(({ ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid)
    .sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  const script = outermost(own, SCRIPT);
  const layout = outermost(own, LAYOUT);
  // Layout that a script asks for is part of both.
  const both = outermost(own, new Set([...SCRIPT, ...LAYOUT]));
  return { script: script / frames, layout: layout / frames, both: both / frames };
}

/** Milliseconds at work in events of these names that lie in no other of them. */
function outermost(events: readonly TraceEvent[], names: ReadonlySet<string>): number {
  let [until, sum] = [0, 0];
  for (const { name, ts, dur = 0, tdur = dur } of events) {
    if (!names.has(name) || ts < until) continue;
    until = ts + dur;
    sum += tdur / 1000;
  }
  return sum;
}

const medians = (all: readonly Figures[]): Figures => {
  const of = (name: keyof Figures) => Number(quantile(all.map((one) => one[name]), 0.5).toFixed(2));
  return { script: of('script'), layout: of('layout'), both: of('both') };
};

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
