/** Lines of a node that is being dragged, on the canvas: around what is in their way while it is held, and as they were shown afterwards. */
import { describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { withAnna } from './withAnna';

const at = (x: number, y: number) => ({ x, y });
const service = (id: string, x: number, y: number) => ({
  id,
  type: 'service',
  label: id,
  position: at(x, y),
});
/** So many lines at the dragged node, and so many nodes, that all lines are searched by a worker, not at once. */
const TARGETS = Array.from({ length: 12 }, (_, i) => service(`b${i}`, 1_000, i * 100));
const OTHERS = Array.from({ length: 128 }, (_, i) =>
  service(`n${i}`, (i % 16) * 210, 1_400 + Math.floor(i / 16) * 100),
);
const SCENE = {
  text: '# Plan\n',
  nodes: [
    service('dragged', 0, 600),
    service('wall', 500, 0),
    service('above', 0, -300),
    service('below', 0, 250),
    service('left', 1_300, -300),
    service('between', 1_600, -300),
    service('right', 1_900, -300),
    ...TARGETS,
    ...OTHERS,
  ],
  edges: [
    ...TARGETS.map(({ id }) => ({ id: `to-${id}`, source: 'dragged', target: id })),
    // These lead straight through a node until all lines have been searched.
    { id: 'at-first', source: 'left', target: 'right' },
    { id: 'after-the-drop', source: 'above', target: 'below' },
  ],
};

let anna: Person;

withAnna((person) => {
  anna = person;
});

const card = (id: string) => anna.page.locator(`.react-flow__node[data-id="${id}"]`);
const line = (id: string) => anna.page.locator(`.react-flow__edge[data-id="${id}"] .edge-line`);
const drawn = (id: string) => line(id).getAttribute('d');

async function boxOf(id: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await card(id).boundingBox();
  if (!box) throw new Error(`${id} is not in sight`);
  return box;
}

/** Whether a line as it is drawn now leads through a node. */
async function leadsThrough(id: string, nodeId: string): Promise<boolean> {
  const { x, y, width, height } = await boxOf(nodeId);
  const points = await line(id).evaluate((path) => {
    const shape = path as SVGPathElement;
    const matrix = shape.getScreenCTM() as DOMMatrix;
    return Array.from({ length: 400 }, (_, step) => {
      const { x, y } = shape.getPointAtLength((shape.getTotalLength() * step) / 399);
      return { x: matrix.a * x + matrix.e, y: matrix.d * y + matrix.f };
    });
  });
  return points.some(
    (point) => point.x > x + 1 && point.x < x + width - 1 && point.y > y + 1 && point.y < y + height - 1,
  );
}

describe('a node that is dragged behind another', () => {
  it('has lines that lead around it while it is held, and stay so after the drop', async () => {
    const workspace = await makeWorkspace(anna.visit, SCENE);
    anna = new Person(anna.visit, workspace);
    await anna.visit.openWithin(workspace, { view: 'diagram', panel: 'none' });
    await anna.saved();
    await expect.poll(() => leadsThrough('at-first', 'between')).toBe(false);
    expect(await leadsThrough('to-b0', 'wall')).toBe(false);

    const { x, y, width, height } = await boxOf('dragged');
    const middle = at(x + width / 2, y + height / 2);
    const wall = await boxOf('wall');
    const { mouse } = anna.page;
    await mouse.move(middle.x, middle.y);
    await mouse.down();
    await mouse.move(middle.x, (middle.y + wall.y) / 2, { steps: 4 });
    await mouse.move(middle.x, wall.y + wall.height / 2, { steps: 4 });
    await expect.poll(async () => (await boxOf('dragged')).y).toBeCloseTo(wall.y, 0);
    // What searches lines is loaded after the first view.
    await expect
      .poll(async () => {
        await mouse.move(middle.x + 1, wall.y + wall.height / 2);
        await mouse.move(middle.x, wall.y + wall.height / 2);
        return leadsThrough('to-b0', 'wall');
      })
      .toBe(false);
    const ids = TARGETS.map(({ id }) => `to-${id}`);
    const shown = await Promise.all(ids.map(drawn));
    expect(await leadsThrough('after-the-drop', 'dragged')).toBe(true);
    const revision = (await anna.stored()).revision;
    await mouse.up();
    await expect.poll(async () => (await anna.stored()).revision).toBe(revision + 1);
    // All lines have been searched anew; only those that what was dropped is in the way of have changed.
    await expect.poll(() => leadsThrough('after-the-drop', 'dragged')).toBe(false);
    expect(await Promise.all(ids.map(drawn))).toEqual(shown);
  });
});
