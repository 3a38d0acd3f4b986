/** Adding, connecting, naming, copying, deleting, grouping and describing, each by pointer and by keyboard, each one step. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import { axeViolations } from './axe';
import { holdPart } from './holding';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;

const at = (x: number, y: number) => ({ x, y });
const SCENE: Scene = {
  text: '# Plan\n\nText to copy.\n',
  nodes: [
    { id: 'zone', type: 'group', label: 'Zone', position: at(0, 0), size: { width: 520, height: 220 } },
    { id: 'api', type: 'api', label: 'API', parent: 'zone', position: at(40, 70) },
    { id: 'db', type: 'database', label: 'Orders DB', parent: 'zone', position: at(300, 70) },
    { id: 'web', type: 'web', label: 'Web app', position: at(40, 360) },
    { id: 'mail', type: 'external', label: 'Mail', position: at(300, 360) },
  ],
  edges: [{ id: 'api--db', source: 'api', target: 'db', label: 'SQL' }],
};

interface Edge {
  id: string;
  source: string;
  target: string;
  label: string;
  kind: string;
}

const page = () => anna.page;
const edges = async (): Promise<Edge[]> => {
  const { diagram } = await anna.visit.api<{ diagram: { edges: Edge[] } }>(
    'GET',
    `/workspaces/${anna.workspace}`,
  );
  return diagram.edges;
};
const palette = () => page().getByRole('navigation', { name: 'Node types' });
const field = (name: string) => page().getByRole('textbox', { name, exact: true });

/** Do something, and expect exactly one revision of it once everything is saved. */
async function oneStep(act: () => Promise<void>): Promise<void> {
  const before = (await anna.stored()).revision;
  await act();
  await expect.poll(async () => (await anna.stored()).revision).toBe(before + 1);
  await anna.says({ revision: before + 1, pending: 0, condition: 'saved' });
}

/** The field in which a new thing is named has the keyboard; keep its first name. */
async function keepName(name: string): Promise<void> {
  const naming = field(`Name of ${name}`);
  await expect.poll(() => naming.evaluate((one) => one === document.activeElement)).toBe(true);
  await page().keyboard.press('Escape');
  await naming.waitFor({ state: 'detached' });
}

/** Open the menu of what is selected by keyboard, and wait until the keyboard is in it. */
async function openMenu(): Promise<void> {
  await anna.key('Shift+F10');
  await page().waitForFunction(() => document.activeElement?.closest('[role="menu"]') != null);
}

/** What was placed here has an id of its own each time; it is the last of that name, once the server has it. */
async function idOf(label: string): Promise<string> {
  const find = async () =>
    [...(await anna.stored()).nodes.values()].findLast((one) => one.label === label)?.id;
  await expect.poll(find).toBeDefined();
  return (await find()) as string;
}

/** Draw a line from the web app to a place where nothing is. */
async function dropLine(): Promise<void> {
  await anna.select('web');
  const dot = await anna.node('web').locator('.connect-dot.bottom').boundingBox();
  if (!dot) throw new Error('no handle');
  const to = await emptyPlace();
  await page().mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
  await page().mouse.down();
  await page().mouse.move(to.x, to.y, { steps: 8 });
  await page().mouse.up();
}

/** A place of the canvas where nothing is, in pixels of the window. */
async function emptyPlace(): Promise<{ x: number; y: number }> {
  const [web, mail] = [await anna.nodeAt('web'), await anna.nodeAt('mail')];
  return { x: (web.x + mail.x) / 2, y: web.y + 90 };
}

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
  await anna.visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  await stage?.close();
});

// Each begins with the same small diagram.
beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
  await anna.openWithin({ panel: 'none' });
});

describe('the palette', () => {
  it('finds Cache by "redis" and places it from the keyboard, to be named at once', async () => {
    await anna.focusCanvas();
    await anna.key('/');
    const search = page().getByLabel('Search node types');
    await expect.poll(() => search.evaluate((one) => one === document.activeElement)).toBe(true);
    await anna.type('redis');
    await palette().locator('[data-type]').first().waitFor();
    expect(await palette().locator('[data-type]').first().getAttribute('data-type')).toBe('cache');
    await anna.key('Enter');
    await expect
      .poll(() => page().evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Name of Cache');
    await oneStep(async () => {
      await anna.type('Sessions');
      await anna.key('Enter');
    });
    const id = await idOf('Sessions');
    await anna.labelled(id, 'Sessions');
    expect(await anna.node(id).locator('.selected').count()).toBe(1);
  });

  it('places by click, inside the group there, and takes Escape for no', async () => {
    const cache = palette().locator('[data-type="cache"]');
    await cache.click();
    expect(await cache.getAttribute('aria-pressed')).toBe('true');
    await anna.key('Escape');
    expect(await cache.getAttribute('aria-pressed')).toBe('false');
    await cache.click();
    const [api, db] = [await anna.nodeAt('api'), await anna.nodeAt('db')];
    await oneStep(async () => {
      await page().mouse.click((api.x + db.x) / 2, api.y + 60);
      await keepName('Cache');
    });
    expect((await anna.stored()).nodes.get(await idOf('Cache'))?.parent).toBe('zone');
  });

  it('places by dragging', async () => {
    const to = await emptyPlace();
    const from = await palette().locator('[data-type="queue"]').boundingBox();
    if (!from) throw new Error('no palette');
    await oneStep(async () => {
      await page().mouse.move(from.x + 10, from.y + 10);
      await page().mouse.down();
      await page().mouse.move(to.x - 20, to.y, { steps: 4 });
      await page().mouse.move(to.x, to.y, { steps: 2 });
      await page().mouse.up();
      await keepName('Queue');
    });
    const centre = await anna.nodeAt(await idOf('Queue'));
    expect(Math.hypot(centre.x - to.x, centre.y - to.y)).toBeLessThan(12);
  });
});

describe('connecting', () => {
  it('goes by name in a dialog, from the menu, by keyboard alone', async () => {
    await anna.select('web');
    await openMenu();
    const item = page().getByRole('menuitem', { name: 'Connect to…' });
    await anna.key('ArrowDown');
    await anna.key('ArrowDown');
    await expect.poll(() => item.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await axeViolations(page())).toEqual([]);
    await anna.key('Enter');
    await page().getByRole('dialog', { name: 'Connect “Web app” to' }).waitFor();
    await anna.type('orders');
    await page()
      .getByRole('option', { name: /Orders DB/ })
      .waitFor();
    await oneStep(() => anna.key('Enter'));
    expect((await edges()).map(({ id }) => id)).toContain('web--db');
  });

  it('says in words why a second equal line is not drawn', async () => {
    await anna.batch({ op: 'add_edge', source: 'web', target: 'mail' });
    await page().locator('.react-flow__edge[data-id="web--mail"]').waitFor({ state: 'attached' });
    const { revision } = await anna.stored();
    await anna.select('web');
    await page().mouse.click((await anna.nodeAt('web')).x, (await anna.nodeAt('web')).y, { button: 'right' });
    await page().getByRole('menuitem', { name: 'Connect to…' }).click();
    await page().getByRole('option', { name: /Mail/ }).click();
    await page().getByText('“Web app” is already connected to “Mail”').waitFor();
    await anna.saved();
    expect((await anna.stored()).revision).toBe(revision);
  });

  it('keeps what is typed for the picker before that is there', async () => {
    const release = await holdPart(page(), 'TypePicker');
    await page().reload();
    await anna.says({ condition: 'saved' });
    const { revision } = await anna.stored();
    await dropLine();
    await page().getByLabel('Search node types: loading').waitFor({ state: 'attached' });
    await anna.type('redi');
    release();
    const field = page().getByRole('combobox', { name: 'Search node types' });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await anna.type('s');
    expect(await field.inputValue()).toBe('redis');
    await page().getByRole('option', { name: /Cache/ }).waitFor();
    await anna.key('Escape');
    await page().unrouteAll({ behavior: 'wait' });
    await anna.saved();
    expect((await anna.stored()).revision).toBe(revision);
  });

  it('adds a connected node where a line is dropped on nothing, as one step', async () => {
    await dropLine();
    await page()
      .getByRole('dialog', { name: /connect “Web app”/ })
      .waitFor();
    await anna.type('kafka');
    await oneStep(async () => {
      await page().getByRole('option', { name: /Queue/ }).waitFor();
      await anna.key('Enter');
      await keepName('Queue');
    });
    expect((await edges()).map(({ id }) => id)).toContain(`web--${await idOf('Queue')}`);
  });

  it('adds a connected node on the right by Control and an arrow', async () => {
    await anna.select('mail');
    await oneStep(async () => {
      await anna.key('Control+ArrowRight');
      await keepName('External system');
    });
    const id = await idOf('External system');
    const [mail, added] = [await anna.placeOf('mail'), await anna.placeOf(id)];
    expect(added.x).toBeGreaterThan(mail.x + 180);
    expect((await edges()).map(({ id }) => id)).toContain(`mail--${id}`);
  });

  it('brings a connected node into sight where it was added out of it', async () => {
    const outside = async () => {
      const [canvas, node] = await Promise.all([
        anna.page.locator('.react-flow').boundingBox(),
        anna.page.locator('.react-flow__node.selected').boundingBox(),
      ]);
      if (!canvas || !node) return Number.NaN;
      return Math.max(0, canvas.y - node.y, node.y + node.height - canvas.y - canvas.height);
    };
    await anna.select('mail');
    for (let times = 0; times < 4; times += 1) {
      await anna.key('Control+ArrowDown');
      await expect.poll(outside).toBe(0);
      await oneStep(() => anna.key('Enter'));
    }
  });
});

describe('naming', () => {
  it('renames by double click, and Escape keeps the old name', async () => {
    await oneStep(() => anna.rename('web', 'Shop'));
    await anna.select('web');
    await anna.key('F2');
    await anna.type('Nonsense');
    await anna.key('Escape');
    await anna.labelled('web', 'Shop');
    await oneStep(() => anna.rename('mail', 'Post'));
  });

  it('labels a connection by double click, and takes its label away', async () => {
    const label = page().locator('.edge-label[data-edge="api--db"]');
    const box = await label.boundingBox();
    if (!box) throw new Error('no label');
    await page().mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await oneStep(async () => {
      await field('Label of SQL').fill('');
      await anna.key('Enter');
    });
    await label.waitFor({ state: 'detached' });
    expect((await edges())[0]?.label).toBe('');
  });
});

describe('the clipboard', () => {
  it('copies a group with its contents and pastes it beside itself', async () => {
    await selectGroup();
    await anna.key('Control+C');
    await oneStep(() => anna.key('Control+V'));
    const { nodes } = await anna.stored();
    const copied = (label: string) => [...nodes.values()].findLast((one) => one.label === label)?.id;
    expect(nodes.get(copied('API') ?? '')?.parent).toBe(copied('Zone'));
    expect(copied('Zone')).not.toBe('zone');
    expect(nodes.get(copied('Zone') ?? '')?.parent ?? null).toBe(null);
    const boxes = await page()
      .locator('.group-frame, .node-card')
      .evaluateAll((all) =>
        all.map((one) => ({
          id: one.closest<HTMLElement>('.react-flow__node')?.dataset.id,
          box: one.getBoundingClientRect().toJSON() as DOMRect,
        })),
      );
    const copy = boxes.find(({ id }) => id === copied('Zone'))?.box as DOMRect;
    const inside = [copied('Zone'), copied('API'), copied('Orders DB')];
    for (const { id, box } of boxes.filter((one) => !inside.includes(one.id)))
      expect(
        box.left >= copy.right || copy.left >= box.right || box.top >= copy.bottom || copy.top >= box.bottom,
        id,
      ).toBe(true);
    expect((await edges()).map(({ id }) => id)).toContain(`${copied('API')}--${copied('Orders DB')}`);
  });

  it('cuts, and pastes into another workspace', async () => {
    await anna.select('mail');
    await oneStep(() => anna.key('Control+X'));
    await anna.node('mail').waitFor({ state: 'detached' });
    anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
    await anna.batch({ op: 'delete_node', id: 'mail' });
    await anna.openWithin();
    await anna.focusCanvas();
    await oneStep(() => anna.key('Control+V'));
    await anna.labelled(await idOf('Mail'), 'Mail');
  });
});

/** Near the top left, where a group is nothing but itself. */
function corner(box: { x: number; y: number; height: number } | null): [number, number] {
  if (!box) throw new Error('not in sight');
  return [box.x + 12, box.y + box.height - 12];
}

const selectGroup = async () => {
  await page().mouse.click(...corner(await anna.node('zone').boundingBox()));
  await anna.node('zone').locator('.selected').waitFor();
};

describe('deleting', () => {
  it('asks about what stands in a group: kept, or deleted too', async () => {
    const dialog = page().getByRole('dialog', { name: 'Delete “Zone”?' });
    await selectGroup();
    await anna.key('Delete');
    await dialog.getByText('2 nodes stand in it:').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await anna.key('Escape');
    await dialog.waitFor({ state: 'detached' });
    await anna.key('Delete');
    await oneStep(() => dialog.getByRole('button', { name: 'Keep contents' }).click());
    const kept = (await anna.stored()).nodes;
    expect([kept.has('zone'), kept.get('api')?.parent]).toEqual([false, null]);
    await anna.press('Undo', /./);
    await anna.node('zone').waitFor();
    await selectGroup();
    await anna.key('Delete');
    await oneStep(() => dialog.getByRole('button', { name: 'Delete contents too' }).click());
    expect([...(await anna.stored()).nodes.keys()].sort()).toEqual(['mail', 'web']);
  });

  it('says which node is locked', async () => {
    await anna.batch({ op: 'update_node', id: 'web', locked: true });
    await anna.node('web').locator('.lock-mark').waitFor();
    await anna.select('web');
    await anna.key('Delete');
    await page().getByText('Nothing was deleted: “Web app” is locked').waitFor();
  });
});

describe('groups', () => {
  it('are made with G, named, and dissolved with Shift+G', async () => {
    await anna.select('web', 'mail');
    const before = await anna.placeOf('web');
    await oneStep(() => anna.key('g'));
    await keepName('Group');
    expect((await anna.stored()).nodes.get('mail')?.parent).toBe(await idOf('Group'));
    expect(await anna.placeOf('web')).toEqual(before);
    await oneStep(() => anna.key('Shift+G'));
    expect((await anna.stored()).nodes.get('mail')?.parent).toBeNull();
    expect(await anna.placeOf('web')).toEqual(before);
  });

  it('are moved into by the menu, without dragging', async () => {
    await anna.select('web');
    await openMenu();
    const item = page().getByRole('menuitem', { name: 'Move to group' });
    await item.focus();
    await anna.key('ArrowRight');
    await oneStep(() => page().getByRole('menuitemradio', { name: 'Zone' }).click());
    expect((await anna.stored()).nodes.get('web')?.parent).toBe('zone');
  });
});

describe('arranging', () => {
  const places = async (...ids: string[]) => Promise.all(ids.map((id) => anna.placeOf(id)));

  it('aligns by the menu, as one change that one undo takes back', async () => {
    const before = await places('web', 'mail');
    await anna.select('web', 'mail');
    await openMenu();
    const item = page().getByRole('menuitem', { name: 'Align' });
    await item.focus();
    await anna.key('ArrowRight');
    await page().getByRole('menuitem', { name: 'Align left edges' }).waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await oneStep(() => page().getByRole('menuitem', { name: 'Align left edges' }).click());
    // Side by side before: in one column, with a gap.
    expect(await places('web', 'mail')).toEqual([at(40, 360), at(40, 456)]);
    await anna.press('Undo', /./);
    await expect.poll(() => places('web', 'mail')).toEqual(before);
  });

  it('aligns by keys across groups, and says why where it cannot', async () => {
    await anna.select('web', 'db');
    await oneStep(() => anna.key('Alt+d'));
    expect(await places('web')).toEqual([at(300, 360)]);
    await anna.key('Alt+d');
    await page().getByText('They are arranged like that already.').waitFor();
    await anna.batch({ op: 'update_node', id: 'web', locked: true });
    await anna.node('web').locator('.lock-mark').waitFor();
    await anna.key('Alt+a');
    await page().getByText('Nothing was moved: “Web app” is locked').waitFor();
  });

  it('selects what is of the same kind', async () => {
    await anna.batch({ op: 'add_node', id: 'shop', type: 'web', label: 'Shop', position: at(600, 360) });
    await anna.node('shop').waitFor();
    await anna.select('web');
    await openMenu();
    await page().getByRole('menuitem', { name: 'Select the same kind' }).click();
    await anna.node('shop').locator('.selected').waitFor();
    await anna.node('web').locator('.selected').waitFor();
    expect(await anna.node('mail').locator('.selected').count()).toBe(0);
  });
});

describe('properties', () => {
  it('give nodes a colour, several as one step', async () => {
    await anna.select('web', 'mail');
    const red = panel().getByRole('radio', { name: 'Red' });
    await red.waitFor();
    await oneStep(() => red.check());
    await anna.node('mail').locator('[data-color="red"]').waitFor();
    await anna.node('web').locator('[data-color="red"]').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await oneStep(() => panel().getByRole('radio', { name: 'None' }).check());
    await anna.node('web').locator('[data-color]').waitFor({ state: 'detached' });
  });

  it('give a line a colour and a style, with heads in that colour, and a node its border', async () => {
    await anna.select('api');
    await panel().getByRole('button', { name: 'Properties of the connection to Orders DB' }).click();
    await oneStep(() => panel().getByRole('radio', { name: 'Teal' }).check());
    const style = panel().getByLabel('Style');
    await oneStep(async () => void (await style.selectOption('dashed')));
    expect(await edges()).toMatchObject([{ color: 'teal', style: 'dashed' }]);
    await anna.select('web');
    await oneStep(async () => void (await style.selectOption('dotted')));
    await anna.focusCanvas();
    await anna.key('Escape');
    const line = page().locator('.react-flow__edge .edge-line[data-style="dashed"]:not(.near)');
    await line.waitFor({ state: 'attached' });
    const drawn = await line.evaluate((one) => {
      const { stroke, strokeDasharray, markerEnd } = getComputedStyle(one);
      const head = document.querySelector(`${/#[\w-]+/.exec(markerEnd)?.[0]} path`);
      return { stroke, strokeDasharray, head: head && getComputedStyle(head).fill };
    });
    expect(drawn).toEqual({
      stroke: 'rgb(15, 118, 110)',
      strokeDasharray: '6px, 4px',
      head: 'rgb(15, 118, 110)',
    });
    const card = anna.node('web').locator('.node-card');
    expect(await card.evaluate((one) => getComputedStyle(one).borderTopStyle)).toBe('dotted');
    expect(await axeViolations(page())).toEqual([]);
  });

  const panel = () => page().getByRole('complementary', { name: 'Properties' });

  beforeEach(async () => {
    await page().getByRole('button', { name: 'Properties', exact: true }).click();
    await panel().waitFor();
  });

  it('save a field when it is left, once, and bring it back with Escape', async () => {
    await anna.select('web');
    const technology = panel().getByLabel('Technology');
    await oneStep(async () => {
      await technology.fill('React');
      await technology.press('Enter');
    });
    await technology.fill('Angular');
    await technology.press('Escape');
    expect(await technology.inputValue()).toBe('React');
    await oneStep(() =>
      panel()
        .getByLabel('Type')
        .selectOption('mobile')
        .then(() => undefined),
    );
    await oneStep(async () => {
      await panel().getByLabel('x', { exact: true }).fill('64');
      await panel().getByLabel('x', { exact: true }).press('Enter');
    });
    await expect.poll(() => anna.placeOf('web')).toMatchObject({ x: 64 });
  });

  it('are shut, with the reason, where a lock holds', async () => {
    await anna.batch({ op: 'update_node', id: 'zone', locked: true });
    await anna.select('api');
    await panel().getByText('Locked by the group “Zone”. Unlock that to change something.').waitFor();
    expect(await panel().getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  });
});

describe('a pattern', () => {
  const dialog = () => page().getByRole('dialog', { name: /^Insert a pattern/ });
  const inserted = async () => (await edges()).map(({ source, target }) => `${source}→${target}`).sort();

  it('is found by its words and inserted around the selection by keyboard, as one step', async () => {
    await anna.select('api');
    await page().keyboard.down('Shift');
    await anna.node('db').click();
    await page().keyboard.up('Shift');
    await anna.node('db').locator('.selected').waitFor();
    await anna.key('Shift+P');
    const search = dialog().getByRole('combobox', { name: 'Search patterns' });
    await search.waitFor();
    await dialog()
      .getByText(/^One entry in front of several services/)
      .waitFor();
    await anna.type('slow reads');
    await dialog().getByRole('option', { selected: true }).getByText('Cache-aside').waitFor();
    await dialog().getByText('What drops an entry when its data changes', { exact: false }).waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await oneStep(() => anna.key('Enter'));
    await anna.labelled('cache', 'Cache');
    expect(await inserted()).toEqual(['api→cache', 'api→db']);
    await oneStep(() => anna.key('Control+Z'));
    await anna.node('cache').waitFor({ state: 'detached' });
    expect(await inserted()).toEqual(['api→db']);
  });

  it('goes into a connection from its menu, and stands alone from the palette', async () => {
    await page().locator('.edge-label[data-edge="api--db"]').click();
    await page()
      .locator('.react-flow__edge[data-id="api--db"] .edge-line.selected')
      .waitFor({ state: 'attached' });
    await openMenu();
    await page()
      .getByRole('menuitem', { name: /Insert a pattern/ })
      .click();
    await oneStep(() => dialog().locator('[data-choice="circuit-breaker"]').click());
    await anna.labelled('circuit-breaker', 'Circuit breaker');
    expect(await inserted()).toContain('circuit-breaker→db');
    expect(await inserted()).not.toContain('api→db');
    await anna.key('Escape');
    await palette().getByRole('button', { name: 'Patterns' }).click();
    await oneStep(() => dialog().locator('[data-choice="saga"]').click());
    await anna.labelled('saga-orchestrator', 'Saga orchestrator');
    expect(await inserted()).toContain('saga-orchestrator→saga-log');
  });
});

it('nothing was ever complained about, and nothing asked for elsewhere', () => {
  expect(anna.visit.complaints).toEqual([]);
  expect(anna.visit.strayRequests).toEqual([]);
});
