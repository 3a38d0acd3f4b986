/** The canvas under fingers, as on a tablet. The browser is told of real touches, of which it makes its own gestures. */
import type { CDPSession, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeWorkspace, Person, type Point } from './actors';
import { Stage } from './stage';

const SCENE = {
  text: '# Shop\n',
  nodes: [
    { id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } },
    { id: 'store', type: 'database', label: 'Store', position: { x: 400, y: 0 } },
    { id: 'mail', type: 'service', label: 'Mail', position: { x: 0, y: 300 } },
  ],
  edges: [],
};

let stage: Stage;
let anna: Person;
let screen: CDPSession;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
  screen = await anna.visit.context.newCDPSession(anna.page);
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
  await anna.page.setViewportSize({ width: 1024, height: 768 });
  await anna.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
  moment = Date.now() / 1000;
  await anna.visit.openWithin(anna.workspace, { panel: 'none', view: 'diagram' });
  await anna.node('mail').waitFor();
  await anna.page.locator('.workspace:not([data-read="first"])').waitFor();
});

const page = () => anna.page;
const menu = () => page().getByRole('menu');
const selected = (id: string) => anna.node(id).locator('.selected');

/** When fingers do something, in seconds: a fiftieth after what they did last, however busy the machine is. */
let moment = 0;

async function touch(type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: Point[]): Promise<void> {
  const touchPoints = fingers.map(({ x, y }, id) => ({ x, y, id }));
  moment += 0.02;
  await screen.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: moment });
}

/** One finger, put down and taken along in steps, as fingers move. */
async function slide(from: Point, by: Point): Promise<void> {
  await touch('touchStart', from);
  for (let step = 1; step <= 8; step += 1)
    await touch('touchMove', { x: from.x + (by.x * step) / 8, y: from.y + (by.y * step) / 8 });
  await touch('touchEnd');
}

/** Down and up without a wait in between: a finger that stays is another gesture. */
async function tap(at: Point): Promise<void> {
  await Promise.all([touch('touchStart', at), touch('touchEnd')]);
}

async function middleOf(place: Locator): Promise<Point> {
  const box = await place.boundingBox();
  if (!box) throw new Error('It is not in sight');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const viewport = () =>
  page()
    .locator('.react-flow__viewport')
    .evaluate((one) => {
      const { a, e, f } = new DOMMatrix(getComputedStyle(one).transform);
      return { zoom: a, x: e, y: f };
    });

it('moves a node with one finger, as one step', async () => {
  const before = await anna.placeOf('mail');
  await slide(await anna.nodeAt('mail'), { x: 120, y: 40 });
  await expect.poll(async () => (await anna.placeOf('mail')).x).toBeGreaterThan(before.x);
  await expect
    .poll(async () => (await anna.stored()).nodes.get('mail')?.position.x)
    .toBeGreaterThan(before.x);
  await page().keyboard.press('Control+z');
  await expect.poll(async () => (await anna.stored()).nodes.get('mail')?.position.x).toBe(before.x);
});

it('selects several by drawing around them with one finger', async () => {
  const [orders, store] = [await anna.nodeAt('orders'), await anna.nodeAt('store')];
  const from = { x: (orders.x + store.x) / 2, y: orders.y + 120 };
  await slide(from, { x: store.x - from.x, y: store.y - from.y });
  await selected('store').waitFor();
  expect(await selected('orders').count()).toBe(0);
  const seen = await viewport();
  await slide({ x: orders.x, y: orders.y + 120 }, { x: store.x - orders.x, y: -120 });
  await selected('orders').waitFor();
  await selected('store').waitFor();
  expect(await viewport()).toEqual(seen);
});

it('zooms and moves with two fingers, also where they are put down on nodes, and changes nothing', async () => {
  const { revision } = await anna.stored();
  const before = await viewport();
  const [left, right] = [await anna.nodeAt('orders'), await anna.nodeAt('store')];
  await touch('touchStart', left);
  await touch('touchStart', left, right);
  for (let step = 1; step <= 8; step += 1)
    await touch('touchMove', { x: left.x + step * 10, y: left.y }, { x: right.x - step * 10, y: right.y });
  await touch('touchEnd');
  await expect.poll(async () => (await viewport()).zoom).toBeLessThan(before.zoom);
  expect(await page().locator('.react-flow__node .selected').count()).toBe(0);
  await anna.saved();
  expect((await anna.stored()).revision).toBe(revision);
  const { x } = await viewport();
  await touch('touchStart', left);
  await touch('touchStart', left, right);
  for (let step = 1; step <= 8; step += 1)
    await touch('touchMove', { x: left.x + step * 10, y: left.y }, { x: right.x + step * 10, y: right.y });
  await touch('touchEnd');
  await expect.poll(async () => (await viewport()).x).toBeGreaterThan(x);
});

it('lets go of a node when a second finger comes', async () => {
  const before = await anna.placeOf('mail');
  const at = await anna.nodeAt('mail');
  await touch('touchStart', at);
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', { x: at.x + step * 10, y: at.y });
  await expect.poll(async () => (await anna.placeOf('mail')).x).toBeGreaterThan(before.x);
  await touch('touchStart', { x: at.x + 80, y: at.y }, { x: at.x + 300, y: at.y });
  await touch('touchEnd');
  await expect.poll(() => anna.placeOf('mail')).toEqual(before);
});

it('opens the menu where a finger rests, which acts on what lies there', async () => {
  await touch('touchStart', await anna.nodeAt('store'));
  await menu().waitFor();
  await touch('touchEnd');
  await selected('store').waitFor();
  await tap(await middleOf(menu().getByRole('menuitem', { name: /^Lock/ })));
  await expect.poll(async () => (await anna.stored()).nodes.get('store')).toMatchObject({ locked: true });
  await menu().waitFor({ state: 'detached' });
  const { x, y } = await anna.nodeAt('mail');
  await touch('touchStart', { x: x + 300, y });
  await menu()
    .getByRole('menuitem', { name: /^Paste here/ })
    .waitFor();
  await touch('touchEnd');
  await page().keyboard.press('Escape');
});

it('renames by two taps', async () => {
  const at = await anna.nodeAt('mail');
  await tap(at);
  await selected('mail').waitFor();
  await tap(at);
  const field = page().getByLabel(/^Name of /);
  await field.fill('Post');
  await field.press('Enter');
  await anna.labelled('mail', 'Post');
});

it('moves the canvas with one finger by the hand', async () => {
  const before = await viewport();
  const place = await anna.placeOf('mail');
  await page().keyboard.press('h');
  await page().locator('.board.tool-hand').waitFor();
  await slide(await anna.nodeAt('mail'), { x: 100, y: 0 });
  await expect.poll(async () => (await viewport()).x).toBeGreaterThan(before.x);
  expect(await anna.placeOf('mail')).toEqual(place);
});

/** A line with bends, selected by a tap, with its handles. */
async function tappedLine(): Promise<void> {
  const route = [
    { x: 290, y: 36 },
    { x: 290, y: 220 },
    { x: 490, y: 220 },
  ];
  await anna.batch({ op: 'add_edge', id: 'e', source: 'orders', target: 'store', route, route_by: 'hand' });
  await anna.saved();
  const hit = page().locator('.react-flow__edge[data-id="e"] .edge-hit');
  await hit.waitFor({ state: 'attached' });
  const on = await hit.evaluate((line) => {
    const shape = line as SVGPathElement;
    const { x, y } = shape.getPointAtLength(shape.getTotalLength() * 0.6);
    const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM() as DOMMatrix);
    return { x: point.x, y: point.y };
  });
  await tap(on);
  await grips('end').nth(1).waitFor();
}

const grips = (kind: string): Locator => page().locator(`.edge-grip.is-${kind}`);
const lineStored = async () => {
  const { diagram } = await anna.visit.api<{
    diagram: { edges: { target: string; route: Point[] | null; route_by: string | null }[] };
  }>('GET', `/workspaces/${anna.workspace}`);
  return diagram.edges[0];
};

it('bends a line by its segments and dots with one finger, and leads its end elsewhere', async () => {
  await tappedLine();
  const seen = await viewport();
  await slide(await middleOf(grips('segment').nth(1)), { x: 60 * seen.zoom, y: 0 });
  await expect.poll(async () => Math.round((await lineStored())?.route?.[0]?.x ?? 0)).toBeGreaterThan(330);
  await anna.saved();
  const bends = (await lineStored())?.route?.length ?? 0;
  await slide(await middleOf(grips('bend').first()), { x: 60 * seen.zoom, y: 60 * seen.zoom });
  await expect.poll(async () => (await lineStored())?.route?.length).toBeGreaterThan(bends);
  await anna.saved();
  const [from, to] = [await middleOf(grips('end').nth(1)), await anna.nodeAt('mail')];
  await slide(from, { x: to.x - from.x, y: to.y - from.y });
  await expect.poll(lineStored).toMatchObject({ target: 'mail', route_by: 'hand' });
  expect(await viewport()).toEqual(seen);
});

it('has handles of a line that are as large as a fingertip and lie on no other', async () => {
  await tappedLine();
  await expect.poll(() => grips('segment').count()).toBeGreaterThan(1);
  const boxes = await page()
    .locator('.edge-grip')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(43.9);
  const meeting = boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (other) =>
          one.left < other.right - 0.1 &&
          other.left < one.right - 0.1 &&
          one.top < other.bottom - 0.1 &&
          other.top < one.bottom - 0.1,
      ),
  );
  expect(meeting).toEqual([]);
});
