/** Lines by hand: bent, slid, led elsewhere and given back, by mouse and by keyboard; each is one step that one undo takes back. */
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import { axeViolations } from './axe';
import { withAnna } from './withAnna';

interface Line {
  id: string;
  source: string;
  target: string;
  route: { x: number; y: number }[] | null;
  route_by: string | null;
  label_at: number | null;
  shape: string;
}

const at = (x: number, y: number) => ({ x, y });
const SCENE: Scene = {
  text: '# Plan\n',
  nodes: [
    { id: 'web', type: 'web', label: 'Web', position: at(0, 0) },
    { id: 'api', type: 'api', label: 'API', position: at(500, 200) },
    { id: 'mail', type: 'external', label: 'Mail', position: at(0, 420) },
    { id: 'store', type: 'database', label: 'Store', position: at(500, 420), locked: true },
  ],
  edges: [
    { id: 'e', source: 'web', target: 'api', label: 'calls' },
    { id: 'kept', source: 'mail', target: 'store' },
  ],
};
const BENDS = [at(300, 36), at(300, 236)];

let anna: Person;

withAnna((person) => {
  anna = person;
});

beforeEach(async () => {
  const workspace = await makeWorkspace(anna.visit, SCENE);
  anna = new Person(anna.visit, workspace);
  await anna.visit.openWithin(workspace, { view: 'diagram', panel: 'none' });
  await anna.saved();
});

const page = () => anna.page;
const grips = (kind: string): Locator => page().locator(`.edge-grip.is-${kind}`);
const path = (id = 'e'): Locator => page().locator(`.react-flow__edge[data-id="${id}"] .edge-line`);

async function stored(id = 'e'): Promise<Line> {
  const { diagram } = await anna.visit.api<{ diagram: { edges: Line[] } }>(
    'GET',
    `/workspaces/${anna.workspace}`,
  );
  return diagram.edges.find((one) => one.id === id) as Line;
}

/** Do something, and expect exactly one revision of it once everything is saved. */
async function oneStep(act: () => Promise<void>): Promise<void> {
  const before = (await anna.stored()).revision;
  await act();
  await expect.poll(async () => (await anna.stored()).revision).toBe(before + 1);
  await anna.says({ revision: before + 1, pending: 0, condition: 'saved' });
}

/** The line as it was bent by somebody, selected, with its handles. */
async function bentLine(): Promise<void> {
  await anna.batch({ op: 'update_edge', id: 'e', route: BENDS, route_by: 'hand' });
  await select();
}

async function select(id = 'e'): Promise<void> {
  await anna.says({ revision: (await anna.stored()).revision, pending: 0, condition: 'saved' });
  const hit = page().locator(`.react-flow__edge[data-id="${id}"] .edge-hit`);
  const on = await hit.evaluate((line) => {
    const shape = line as SVGPathElement;
    const { x, y } = shape.getPointAtLength(shape.getTotalLength() * 0.1);
    const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM() as DOMMatrix);
    return { x: point.x, y: point.y };
  });
  await page().mouse.click(on.x, on.y);
  // A straight line has no height, and is none that can be seen to the driver.
  await page()
    .locator(`.react-flow__edge[data-id="${id}"] .edge-line.selected`)
    .waitFor({ state: 'attached' });
}

/** Drag a handle by pixels of the diagram. */
async function drag(handle: Locator, by: { x: number; y: number }): Promise<void> {
  await handle.waitFor();
  const box = await handle.boundingBox();
  if (!box) throw new Error('no handle');
  const zoom = await page()
    .locator('.react-flow__viewport')
    .evaluate((one) => new DOMMatrix(getComputedStyle(one).transform).a);
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page().mouse.move(from.x, from.y);
  await page().mouse.down();
  await page().mouse.move(from.x + by.x * zoom, from.y + by.y * zoom, { steps: 6 });
  await page().mouse.up();
}

/** Give the selected line a shape by its menu. */
async function chooseLine(name: string): Promise<void> {
  await anna.key('Shift+F10');
  await page().getByRole('menuitem', { name: 'Line', exact: true }).focus();
  await anna.key('ArrowRight');
  await oneStep(() => page().getByRole('menuitemradio', { name }).click());
}

describe('a line', () => {
  it('is bent by dragging a segment, stays bent when its node moves, and one undo takes each back', async () => {
    await bentLine();
    await oneStep(() => drag(grips('segment').nth(1), at(60, 0)));
    const line = await stored();
    expect(line.route_by).toBe('hand');
    expect(line.route?.map(({ y }) => y)).toEqual([36, 236]);
    expect(Math.abs((line.route?.[0]?.x ?? 0) - 360)).toBeLessThan(4);
    const drawn = await path().getAttribute('d');

    await oneStep(() => anna.drag('web', at(0, 60)));
    const moved = await stored();
    expect(moved.route_by).toBe('hand');
    expect(moved.route?.[0]?.x).toBe(line.route?.[0]?.x);
    expect(moved.route?.[0]?.y).toBeGreaterThan(36);
    expect(moved.route?.[1]).toEqual(line.route?.[1]);
    await expect.poll(() => path().getAttribute('d')).not.toBe(drawn);

    await oneStep(() => anna.key('Control+z'));
    expect(await stored()).toMatchObject({ route: line.route, route_by: 'hand' });
    await expect.poll(() => path().getAttribute('d')).toBe(drawn);
    await oneStep(() => anna.key('Control+z'));
    expect(await stored()).toMatchObject({ route: BENDS, route_by: 'hand' });
  });

  it('gets a bend by the dot of a segment, and keeps it as it is drawn while it is dragged', async () => {
    await bentLine();
    await oneStep(() => drag(grips('bend').nth(1), at(40, 0)));
    expect((await stored()).route).toHaveLength(4);
    await expect.poll(() => grips('segment').count()).toBe(5);
  });

  it('is bent with the keyboard alone, is told in words, and breaks no rule of accessibility', async () => {
    await bentLine();
    const segment = page().getByRole('button', { name: /^Segment 2 of Web → API/ });
    await segment.focus();
    await oneStep(() => page().keyboard.press('ArrowRight'));
    expect((await stored()).route).toEqual([at(308, 36), at(308, 236)]);
    await segment.focus();
    await oneStep(() => page().keyboard.press('Shift+ArrowLeft'));
    expect((await stored()).route).toEqual([at(268, 36), at(268, 236)]);
    expect(await axeViolations(page())).toEqual([]);
  });

  it('is given back to automatic routing by its menu', async () => {
    await bentLine();
    await anna.key('Shift+F10');
    await oneStep(() => page().getByRole('menuitem', { name: 'Draw anew' }).click());
    expect(await stored()).toMatchObject({ route: null, route_by: null });
  });

  it('leads in a curve by its menu, with its handles and its label on it, and is bent like any other', async () => {
    await bentLine();
    await chooseLine('Curved');
    expect(await stored()).toMatchObject({ shape: 'curved', route: BENDS, route_by: 'hand' });
    const hit = page().locator('.react-flow__edge[data-id="e"] .edge-hit');
    await expect.poll(() => hit.getAttribute('d')).toMatch(/^M180,36L240,36Q300,36 300,136/);
    const off = await hit.evaluate((line) => {
      const shape = line as SVGPathElement;
      const back = (shape.getScreenCTM() as DOMMatrix).inverse();
      const label = document.querySelector('.edge-label[data-edge="e"]');
      return [...document.querySelectorAll('.edge-grip'), label].filter((one) => {
        const { left, top, width, height } = (one as Element).getBoundingClientRect();
        const middle = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(back);
        return !shape.isPointInStroke(middle);
      }).length;
    });
    expect(off).toBe(0);
    expect(await grips('segment').count()).toBeGreaterThan(1);
    await oneStep(() => drag(grips('segment').nth(1), at(60, 0)));
    expect((await stored()).route?.map(({ y }) => y)).toEqual([36, 236]);
    expect(await stored()).toMatchObject({ shape: 'curved', route_by: 'hand' });
    expect(await axeViolations(page())).toEqual([]);
  });

  it('leads straight by its menu without its bends, which one undo brings back', async () => {
    await bentLine();
    await chooseLine('Straight');
    expect(await stored()).toMatchObject({ shape: 'straight', route: null, route_by: null });
    await expect.poll(() => path().getAttribute('d')).toMatch(/^M[-\d.]+,[-\d.]+L[-\d.]+,[-\d.]+$/);
    await oneStep(() => anna.key('Control+z'));
    expect(await stored()).toMatchObject({ shape: '', route: BENDS, route_by: 'hand' });
  });

  it('that is straight is bent anywhere by mouse and keyboard, and straight again where its bend is dropped on the way', async () => {
    await anna.batch({ op: 'update_edge', id: 'e', shape: 'straight' });
    await select();
    await oneStep(() => drag(grips('bend').first(), at(30, -60)));
    const [bend] = (await stored()).route ?? [];
    expect(await grips('corner').count()).toBe(1);
    const corner = page().getByRole('button', { name: /^Bend 1 of Web → API/ });
    await corner.focus();
    await oneStep(() => page().keyboard.press('ArrowDown'));
    expect((await stored()).route).toEqual([{ x: bend?.x, y: (bend?.y ?? 0) + 8 }]);
    await oneStep(() => drag(grips('corner'), at(-30, 52)));
    expect(await stored()).toMatchObject({ shape: 'straight', route: null, route_by: null });
  });

  it('and another get a shape together in the properties', async () => {
    await anna.batch({ op: 'update_node', id: 'store', locked: false });
    await select();
    await anna.key('Control+a');
    await page().getByRole('button', { name: 'Properties', exact: true }).click();
    const field = page()
      .getByRole('complementary', { name: 'Properties' })
      .getByLabel('Line', { exact: true });
    await oneStep(async () => void (await field.selectOption('curved')));
    expect([(await stored()).shape, (await stored('kept')).shape]).toEqual(['curved', 'curved']);
  });

  it('leads to another node when its end is dropped there, and nowhere else', async () => {
    await bentLine();
    const before = await anna.revision();
    await drag(grips('end').nth(1), at(0, -120));
    await anna.says({ revision: before, pending: 0 });
    expect((await stored()).target).toBe('api');
    const to = await anna.nodeAt('mail');
    const box = await grips('end').nth(1).boundingBox();
    if (!box) throw new Error('no end');
    await page().mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page().mouse.down();
    await page().mouse.move(to.x, to.y, { steps: 6 });
    await oneStep(() => page().mouse.up());
    expect(await stored()).toMatchObject({ source: 'web', target: 'mail', route_by: 'hand' });
  });

  it('has no handles at what is locked', async () => {
    await select();
    await grips('end').first().waitFor();
    await select('kept');
    expect(await page().locator('.edge-grip').count()).toBe(0);
  });

  it('that runs through a title after a move is offered to be drawn anew', async () => {
    await anna.batch(
      { op: 'add_node', id: 'zone', type: 'group', label: 'A zone with a title', position: at(250, 160) },
      { op: 'update_edge', id: 'e', route: BENDS, route_by: 'hand' },
    );
    await select();
    await grips('segment').first().waitFor();
    await oneStep(() => anna.drag('web', at(0, 16)));
    const toast = page().locator('.toast', { hasText: 'A line bent by hand no longer fits' });
    await oneStep(() => toast.getByRole('button', { name: 'Draw anew' }).click());
    expect(await stored()).toMatchObject({ route: null, route_by: null });
  });
});

describe('a label', () => {
  it('slides along its line, by mouse and by keyboard, and is placed anew on request', async () => {
    await bentLine();
    const label = page().locator('.edge-label[data-edge="e"]');
    const before = await label.boundingBox();
    await oneStep(() => drag(grips('label'), at(-60, -120)));
    const { label_at } = await stored();
    expect(label_at).toBeLessThan(0.35);
    await expect.poll(async () => (await label.boundingBox())?.y).toBeLessThan(before?.y ?? 0);
    await grips('label').focus();
    await oneStep(() => page().keyboard.press('ArrowRight'));
    expect((await stored()).label_at).toBeCloseTo((label_at ?? 0) + 0.05, 5);
    await anna.key('Shift+F10');
    await oneStep(() => page().getByRole('menuitem', { name: 'Place the label anew' }).click());
    expect((await stored()).label_at).toBeNull();
  });

  it('is renamed by a double-click as before', async () => {
    await bentLine();
    await grips('label').dblclick();
    const field = page().getByRole('textbox', { name: /^Name of|^Label/ });
    await field.fill('asks');
    await oneStep(() => page().keyboard.press('Enter'));
    await page().locator('.edge-label[data-edge="e"]', { hasText: 'asks' }).waitFor();
  });
});
