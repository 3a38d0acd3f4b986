/** The canvas by mouse and by keyboard: selecting, dragging, groups, connecting. Every gesture is one commit. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saved } from './atWorkspace';
import { settled } from './axe';
import { withTimeHeld } from './pageTime';
import { Stage, type Visit } from './stage';

interface StoredNode {
  id: string;
  position: { x: number; y: number };
  parent: string | null;
  size: { width: number; height: number } | null;
}
interface Stored {
  revision: number;
  diagram: { nodes: StoredNode[]; edges: { id: string; source: string; target: string }[] };
}

let stage: Stage;
let visit: Visit;
let id: string;

/** Two services beside a group with one in it, one that is locked, and two lines. */
const DIAGRAM = [
  { op: 'add_node', id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } },
  { op: 'add_node', id: 'billing', type: 'service', label: 'Billing', position: { x: 0, y: 160 } },
  {
    op: 'add_node',
    id: 'zone',
    type: 'group',
    label: 'Zone',
    position: { x: 320, y: 0 },
    size: { width: 320, height: 280 },
  },
  {
    op: 'add_node',
    id: 'store',
    type: 'database',
    label: 'Store',
    parent: 'zone',
    position: { x: 64, y: 64 },
  },
  { op: 'add_node', id: 'fixed', type: 'queue', label: 'Fixed', position: { x: 0, y: 336 }, locked: true },
  { op: 'add_edge', id: 'orders--store', source: 'orders', target: 'store', label: 'writes' },
  { op: 'add_edge', id: 'billing--store', source: 'billing', target: 'store' },
];

const page = () => visit.page;
const node = (name: string) => page().locator(`.react-flow__node[data-id="${name}"]`);
const selected = () => page().locator('.react-flow__node > .selected');
const stored = () => visit.api<Stored>('GET', `/workspaces/${id}`);
const find = (state: Stored, name: string) =>
  state.diagram.nodes.find((one) => one.id === name) as StoredNode;

async function middleOf(name: string): Promise<{ x: number; y: number }> {
  const box = await node(name).boundingBox();
  if (!box) throw new Error(`${name} is not in sight`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Press, go there in steps as a hand does, let go. */
async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page().mouse.move(from.x, from.y);
  await page().mouse.down();
  await page().mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page().mouse.move(to.x, to.y, { steps: 4 });
  await page().mouse.up();
}

/** Wait until the server holds so many more revisions than before, and everything of this page. */
async function committed(before: Stored, count = 1): Promise<Stored> {
  await saved(page(), { revision: before.revision + count });
  const now = await stored();
  expect(now.revision).toBe(before.revision + count);
  return now;
}

/** Expect that nothing of this page is on its way, and the server as it was. */
async function isUnchanged(before: Stored): Promise<void> {
  await saved(page());
  expect(await stored()).toEqual(before);
}

async function selectionIs(...names: string[]): Promise<void> {
  await expect
    .poll(() =>
      selected().evaluateAll((found) =>
        found.map((one) => (one.parentElement as HTMLElement).dataset.id).sort(),
      ),
    )
    .toEqual([...names].sort());
}

const clear = async () => {
  await page()
    .locator('.react-flow__pane')
    .click({ position: { x: 8, y: 200 } });
  await selectionIs();
};

/** In how many steps the canvas moves when a button is pressed. */
const picturesOf = (button: string) =>
  page()
    .getByRole('button', { name: button, exact: true })
    .evaluate(async (pressed) => {
      const view = document.querySelector('.react-flow__viewport') as HTMLElement;
      const seen = new Set([view.style.transform]);
      (pressed as HTMLElement).click();
      for (let frame = 0; frame < 40; frame++) {
        await new Promise(requestAnimationFrame);
        seen.add(view.style.transform);
      }
      return seen.size - 1;
    });

beforeAll(async () => {
  stage = await Stage.shared({ hasMotion: true });
  visit = await stage.person();
  await page().goto('/');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  const made = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'Canvas' });
  id = made.id;
  await visit.api('POST', `/workspaces/${id}/batches`, { operations: DIAGRAM });
  await visit.openWithin(id, { view: 'diagram', name: 'declined' });
  await page().locator('[data-testid="status"][data-condition="saved"]').waitFor();
  await node('fixed').waitFor();
});

describe('selecting', () => {
  it('by click, with Shift for more, and not at all on the empty canvas', async () => {
    await node('orders').click();
    await selectionIs('orders');
    await node('billing').click({ modifiers: ['Shift'] });
    await selectionIs('orders', 'billing');
    await node('orders').click({ modifiers: ['Shift'] });
    await selectionIs('billing');
    await clear();
  });

  it('takes what stands in a group that is selected', async () => {
    await page().locator('.group-title', { hasText: 'Zone' }).click();
    await selectionIs('zone');
    await node('store').click();
    await selectionIs('store');
  });

  it('takes a connection by a click near its line', async () => {
    await page().locator('.edge-label[data-edge="orders--store"]').click();
    await page().locator('.react-flow__edge[data-id="orders--store"] .edge-line.selected').waitFor();
    await selectionIs();
  });

  it('walks from node to node and along connections with the keyboard alone', async () => {
    await page().locator('.react-flow__node[tabindex="0"]').focus();
    await page().keyboard.press('Enter');
    await page().keyboard.press('Escape');
    await node('orders').focus();
    await page().keyboard.press('Enter');
    await selectionIs('orders');
    expect(await node('orders').getAttribute('aria-label')).toMatch(
      /^Orders, Service, \d of 5, 1 connection$/,
    );
    await page().keyboard.press('Alt+ArrowDown');
    await selectionIs('billing');
    await page().waitForFunction(() => (document.activeElement as HTMLElement).dataset.id === 'billing');
    expect(await page().locator('.react-flow__node[tabindex="0"]').count()).toBe(1);
    await page().keyboard.press('e');
    await page().locator('.react-flow__edge[data-id="billing--store"] .edge-line.selected').waitFor();
    await page().keyboard.press('Escape');
    await selectionIs('billing');
    await page().keyboard.press('Escape');
    await selectionIs();
    await page().keyboard.press('Control+a');
    await selectionIs('orders', 'billing', 'zone', 'store', 'fixed');
  });
});

describe('dragging', () => {
  it('moves a node with one commit, on the grid', async () => {
    const before = await stored();
    const from = await middleOf('orders');
    await drag(from, { x: from.x + 37, y: from.y - 51 });
    const { position } = find(await committed(before), 'orders');
    expect(position.x).toBeGreaterThan(0);
    expect(position.y).toBeLessThan(0);
    expect([position.x % 8, position.y % 8].map(Math.abs)).toEqual([0, 0]);
  });

  it('takes it back with Escape', async () => {
    const before = await stored();
    const from = await middleOf('orders');
    const box = await node('orders').boundingBox();
    await page().mouse.move(from.x, from.y);
    await page().mouse.down();
    await page().mouse.move(from.x + 60, from.y - 60, { steps: 5 });
    await page().locator('.board.moving').waitFor();
    await page().keyboard.press('Escape');
    await page().locator('.board:not(.moving)').waitFor();
    await page().mouse.up();
    expect(await node('orders').boundingBox()).toEqual(box);
    await isUnchanged(before);
  });

  it('moves all that a rectangle has selected with one commit', async () => {
    const before = await stored();
    const [first, second] = [await middleOf('orders'), await middleOf('billing')];
    await drag({ x: first.x - 150, y: first.y - 80 }, { x: second.x + 20, y: second.y + 10 });
    await selectionIs('orders', 'billing');
    await drag(first, { x: first.x, y: first.y - 70 });
    const now = await committed(before);
    const moved = ['orders', 'billing'].map(
      (name) => find(now, name).position.y - find(before, name).position.y,
    );
    expect(moved[0]).toBeLessThan(-20);
    expect(moved[1]).toBe(moved[0]);
  });

  it('drops a node into a group and out of it again, one commit each', async () => {
    const before = await stored();
    const zone = await middleOf('zone');
    await drag(await middleOf('orders'), { x: zone.x, y: zone.y + 60 });
    const inside = await committed(before);
    expect(find(inside, 'orders').parent).toBe('zone');
    const from = await middleOf('orders');
    const fixed = await middleOf('fixed');
    await drag(from, { x: fixed.x + 260, y: fixed.y + 60 });
    const outside = await committed(inside);
    expect(find(outside, 'orders').parent).toBeNull();
    expect(find(outside, 'store').position).toEqual(find(before, 'store').position);
  });

  it('says why nothing is dropped into a group while a part of the page cannot be loaded, and drops it then', async () => {
    const usual = visit;
    visit = await usual.tab(); // This page has not read the part.
    try {
      const part = '**/assets/arranging-*.js';
      await page().route(part, (route) => route.abort('connectionrefused'));
      await visit.openWithin(id);
      await node('orders').waitFor();
      await settled(page());
      const before = await stored();
      const there = async () => {
        const { x, y } = await middleOf('zone');
        await drag(await middleOf('orders'), { x, y: y + 60 });
      };
      const at = await node('orders').boundingBox();
      await there();
      const said = page().locator('.toast.bad', { hasText: 'A part of this page could not be loaded' });
      await said.getByText('Try again later, or reload the page.').waitFor();
      await page().locator('.drop-target').waitFor({ state: 'detached' });
      expect(await node('orders').boundingBox()).toEqual(at);
      await isUnchanged(before);
      await page().unroute(part);
      await there();
      expect(find(await committed(before), 'orders').parent).toBe('zone');
    } finally {
      await page().close();
      visit = usual;
    }
  });

  it('moves a group with all that stands in it', async () => {
    const before = await stored();
    const box = await node('store').boundingBox();
    const title = await page().locator('.group-title', { hasText: 'Zone' }).boundingBox();
    if (!box || !title) throw new Error('not in sight');
    await drag({ x: title.x + 8, y: title.y + 8 }, { x: title.x + 8, y: title.y - 60 });
    const now = await committed(before);
    expect(find(now, 'zone').position.y).toBeLessThan(-20);
    expect(find(now, 'store').position).toEqual(find(before, 'store').position);
    expect((await node('store').boundingBox())?.y).toBeLessThan(box.y - 20);
  });

  it('does not move what is locked', async () => {
    const before = await stored();
    const box = await node('fixed').boundingBox();
    const from = await middleOf('fixed');
    await drag(from, { x: from.x + 80, y: from.y - 20 });
    expect(await node('fixed').boundingBox()).toEqual(box);
    await isUnchanged(before);
    expect(await node('fixed').locator('.lock-mark').getAttribute('title')).toContain('Locked');
  });

  it('resizes a group, not below what stands in it', async () => {
    const before = await stored();
    const title = await page().locator('.group-title', { hasText: 'Zone' }).boundingBox();
    if (!title) throw new Error('not in sight');
    await page().mouse.click(title.x + 8, title.y + 8);
    await selectionIs('zone');
    const corner = await node('zone').locator('[data-handle="se"]').boundingBox();
    if (!corner) throw new Error('no corner');
    const from = { x: corner.x + 12, y: corner.y + 12 };
    await drag(from, { x: from.x - 600, y: from.y - 600 });
    const { size, position } = find(await committed(before), 'zone');
    expect(position).toEqual(find(before, 'zone').position);
    expect(size).toEqual({ width: 64 + 180 + 24, height: 64 + 72 + 24 });
  });
});

describe('a group on a group', () => {
  const POOL = [
    {
      op: 'add_node',
      id: 'pool',
      type: 'group',
      label: 'Pool',
      position: { x: 320, y: 420 },
      size: { width: 240, height: 150 },
    },
    {
      op: 'add_node',
      id: 'worker',
      type: 'worker',
      label: 'Worker',
      parent: 'pool',
      position: { x: 30, y: 50 },
    },
    { op: 'add_node', id: 'beside', type: 'cache', label: 'Beside', position: { x: 680, y: 80 } },
    { op: 'add_node', id: 'below', type: 'cache', label: 'Below', position: { x: 400, y: 310 } },
  ];
  const place = () => page().locator('.drop-place');

  /** What lies on something else on the screen, but for a group and what it holds. */
  const coveredThere = async () => {
    const { diagram } = await stored();
    const boxes = await Promise.all(
      diagram.nodes.map(async ({ id: one }) => [one, await node(one).boundingBox()] as const),
    );
    const parentOf = (one: string) => diagram.nodes.find((found) => found.id === one)?.parent ?? null;
    const isHeld = (one: string, by: string): boolean => {
      const parent = parentOf(one);
      return parent !== null && (parent === by || isHeld(parent, by));
    };
    return boxes.flatMap(([one, a], at) =>
      boxes.slice(at + 1).flatMap(([other, b]) => {
        if (!a || !b) throw new Error(`${one} or ${other} is not in sight`);
        const meets =
          a.x < b.x + b.width - 1 &&
          b.x < a.x + a.width - 1 &&
          a.y < b.y + b.height - 1 &&
          b.y < a.y + a.height - 1;
        return meets && !isHeld(one, other) && !isHeld(other, one) ? [`${one} ${other}`] : [];
      }),
    );
  };

  beforeEach(async () => {
    await visit.api('POST', `/workspaces/${id}/batches`, { operations: POOL });
    await node('below').waitFor();
    // Where the canvas glides, nothing has a place until it has come to rest.
    await page().emulateMedia({ reducedMotion: 'reduce' });
    await page().keyboard.press('Shift+1');
    await settled(page());
    await page().emulateMedia({ reducedMotion: 'no-preference' });
    expect(await coveredThere()).toEqual([]);
  });

  /** It is where it was shown, on nothing, by one revision, which one undo takes back. */
  const isThere = async (before: Stored, shown: { x: number; y: number }) => {
    const now = await committed(before);
    expect(find(now, 'pool').parent).toBe('zone');
    await place().waitFor({ state: 'detached' });
    await settled(page());
    const box = await node('pool').boundingBox();
    expect(Math.abs((box?.x ?? 0) - shown.x)).toBeLessThan(2);
    expect(Math.abs((box?.y ?? 0) - shown.y)).toBeLessThan(2);
    expect(await coveredThere()).toEqual([]);
    await page().keyboard.press('Control+z');
    const back = await committed(now);
    expect(back.diagram.nodes).toEqual(before.diagram.nodes);
  };

  it('by mouse: is shown where it goes, and lies on nothing there', async () => {
    const before = await stored();
    const title = await page().locator('.group-title', { hasText: 'Pool' }).boundingBox();
    const store = await middleOf('store');
    if (!title) throw new Error('not in sight');
    await page().mouse.move(title.x + 8, title.y + 8);
    await page().mouse.down();
    await page().mouse.move(store.x, store.y + 30, { steps: 6 });
    await page().mouse.move(store.x, store.y, { steps: 6 });
    await place().waitFor();
    const shown = await place().boundingBox();
    const frame = await page().locator('.drop-target').boundingBox();
    if (!shown || !frame) throw new Error('it is not shown where it goes');
    expect(shown.x).toBeGreaterThan(frame.x);
    expect(shown.y + shown.height).toBeLessThan(frame.y + frame.height);
    await page().mouse.up();
    await isThere(before, shown);
  });

  it('by keyboard: is shown where it goes while its group is chosen, and lies on nothing there', async () => {
    const before = await stored();
    await page().locator('.group-title', { hasText: 'Pool' }).click();
    await selectionIs('pool');
    await page().keyboard.press('Shift+F10');
    await page().getByRole('menuitem', { name: 'Move to group' }).focus();
    await page().keyboard.press('ArrowRight');
    await page().getByRole('menuitemradio', { name: 'No group' }).waitFor();
    await page().keyboard.press('End');
    await place().waitFor();
    const shown = await place().boundingBox();
    if (!shown) throw new Error('it is not shown where it goes');
    await page().keyboard.press('Enter');
    await isThere(before, shown);
  });
});

describe('with the keyboard', () => {
  it('nudges what is selected; all steps are one commit', async () => {
    const before = await stored();
    await node('orders').click();
    await withTimeHeld(page(), async () => {
      for (let step = 0; step < 3; step += 1) await page().keyboard.press('ArrowRight');
      await page().keyboard.press('Shift+ArrowUp');
    });
    const now = await committed(before);
    expect(find(now, 'orders').position).toEqual({ x: 24, y: -40 });
  });

  it('connects with the connecting tool', async () => {
    const before = await stored();
    await page().keyboard.press('c');
    await page().locator('.board.tool-connect').waitFor();
    await node('orders').click();
    await node('billing').click();
    const { edges } = (await committed(before)).diagram;
    expect(edges.map(({ source, target }) => `${source} ${target}`)).toContain('orders billing');
    await page().keyboard.press('Escape');
    await page().locator('.board.tool-select').waitFor();
  });
});

describe('groups and lines', () => {
  it('collapses a group to a card at which its lines end, and remembers it', async () => {
    await page().getByRole('button', { name: 'Collapse Zone' }).click();
    await node('zone').locator('.node-card').getByText('1 node inside').waitFor();
    expect(await node('store').count()).toBe(0);
    expect(await page().locator('.react-flow__edge').count()).toBe(2);
    await page().reload();
    await node('zone').locator('.node-card').waitFor();
    await page().getByRole('button', { name: 'Expand Zone' }).click();
    await node('store').waitFor();
    expect((await stored()).revision).toBe(2);
  });

  it('connects two nodes by a line drawn from one to the other', async () => {
    const before = await stored();
    await node('orders').hover();
    const dot = await node('orders').locator('.connect-dot.bottom').boundingBox();
    if (!dot) throw new Error('no dot');
    await drag({ x: dot.x + 12, y: dot.y + 16 }, await middleOf('billing'));
    const { edges } = (await committed(before)).diagram;
    expect(edges.map(({ source, target }) => `${source} ${target}`)).toContain('orders billing');
  });

  it('zooms at once until what animates it is loaded, and glides from then on', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page().route('**/assets/d3-transition-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page().reload();
    await node('fixed').waitFor();
    expect(await picturesOf('Zoom in')).toBe(1);
    release();
    await expect.poll(() => picturesOf('Zoom out')).toBeGreaterThan(1);
    await page().unrouteAll({ behavior: 'wait' });
  });

  it('left no error on the console', () => {
    expect(visit.complaints).toEqual([]);
  });
});
