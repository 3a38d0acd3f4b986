/** Nothing that was written or moved is lost where somebody goes on before it was let go: by a link, a reload, a key. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;

const page = () => anna.page;

/** To the list of workspaces as the browser's own button goes there: no field hears of it. */
async function goHome(): Promise<void> {
  await page().evaluate(() => history.back());
  await page().waitForURL((url) => url.pathname === '/');
}

const labelOnServer = async (id: string) => (await anna.stored()).nodes.get(id)?.label;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  const nodes = [
    { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
    { id: 'db', type: 'database', label: 'Store', position: { x: 320, y: 0 } },
  ];
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, { text: '# Plan\n', nodes }));
  await page().goto('/');
  await page().evaluate(() => localStorage.setItem('draftsmith.panel', 'properties'));
  await page().reload();
  await page().locator(`a[href="/w/${anna.workspace}"]`).first().click();
  await anna.saved();
  await anna.node('web').waitFor();
});

afterEach(() => {
  expect(anna.visit.complaints).toEqual([]);
});

describe('going away', () => {
  it('keeps a field of the properties that was not left', async () => {
    await anna.select('web');
    await page().getByLabel('Name', { exact: true }).fill('Shop');
    await goHome();
    await expect.poll(() => labelOnServer('web')).toBe('Shop');
  });

  it('keeps it over a reload', async () => {
    await anna.select('web');
    await page().getByLabel('Name', { exact: true }).fill('Shop');
    await anna.reload();
    await anna.labelled('web', 'Shop');
    await expect.poll(() => labelOnServer('web')).toBe('Shop');
  });

  it('keeps a name that is being written on the canvas', async () => {
    await anna.node('web').dblclick();
    await page().locator('.inline-name').fill('Shop');
    await goHome();
    await expect.poll(() => labelOnServer('web')).toBe('Shop');
  });

  it('sends the last word that was typed', async () => {
    await anna.caretAfter('Plan');
    await anna.type(' of today');
    await goHome();
    await expect.poll(async () => (await anna.stored()).text).toBe('# Plan of today\n');
  });
});

describe('a name that somebody else gives meanwhile', () => {
  it('stands where nothing was written on the canvas', async () => {
    await anna.node('web').dblclick();
    await page().locator('.inline-name').waitFor();
    await anna.batch({ op: 'update_node', id: 'web', label: 'Theirs' });
    await page().getByLabel('Name of Theirs').waitFor();
    await anna.focusCanvas();
    await anna.labelled('web', 'Theirs');
    expect(await labelOnServer('web')).toBe('Theirs');
  });

  it('does not take away what is being written as the name of the workspace', async () => {
    await page().getByTitle('Rename', { exact: true }).click();
    const field = page().getByLabel('Name of this workspace');
    await field.fill('Mine');
    const rev = await anna.revision();
    await anna.batch({ op: 'rename_workspace', name: 'Theirs' });
    await expect.poll(() => anna.revision()).toBe(rev + 1);
    expect(await field.inputValue()).toBe('Mine');
    await anna.key('Enter');
    await expect.poll(async () => (await anna.stored()).name).toBe('Mine');
  });
});

describe('going on', () => {
  it('takes back the step just made, not the change before it', async () => {
    await anna.select('web');
    await page().getByLabel('Name', { exact: true }).fill('Shop');
    await anna.key('Enter');
    await anna.labelled('web', 'Shop');
    await anna.saved();
    await anna.select('db');
    const before = (await anna.stored()).nodes.get('db')?.position;
    const rev = await anna.revision();
    await anna.key('ArrowRight');
    await anna.key('Control+z');
    await expect.poll(() => anna.revision()).toBe(rev + 2);
    const { nodes } = await anna.stored();
    expect([nodes.get('db')?.position, nodes.get('web')?.label]).toEqual([before, 'Shop']);
  });

  it('shows the field for a name also from far away', async () => {
    await anna.select('web');
    const at = await anna.nodeAt('web');
    await page().mouse.move(at.x, at.y + 200);
    await page().keyboard.down('Control');
    for (let turn = 0; turn < 8; turn++) await page().mouse.wheel(0, 400);
    await page().keyboard.up('Control');
    await page().locator('.node-card.far').first().waitFor();
    await anna.key('F2');
    await page().locator('.inline-name').fill('Shop');
    await anna.key('Enter');
    await expect.poll(() => labelOnServer('web')).toBe('Shop');
  });
});
