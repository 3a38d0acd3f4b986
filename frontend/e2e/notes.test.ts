/** Notes and texts on the canvas: placed by the mouse, written in place, taken back, kept, resized, and clear to see. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atNewWorkspace, type Person } from './actors';
import { axeViolations, settled } from './axe';
import { contrasts } from './contrast';
import { withAnna } from './withAnna';

const NODES = [
  { id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } },
  { id: 'store', type: 'database', label: 'Store', position: { x: 260, y: 0 } },
];
const COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink', 'grey'];
const LEAST = 4.5;

let anna: Person;

withAnna((person) => {
  anna = person;
});

const open = async (nodes: object[] = NODES): Promise<Person> => {
  const here = await atNewWorkspace(anna, { text: '# Plan\n', nodes }, { view: 'diagram', panel: 'none' });
  await here.page.locator('.workspace:not([data-read="first"])').waitFor();
  return here;
};

interface Written {
  id: string;
  type: string;
  label: string;
  description: string;
  size: { width: number; height: number } | null;
}
const stored = async (here: Person, type: string): Promise<Written | undefined> => {
  const { diagram } = await here.visit.api<{ diagram: { nodes: Written[] } }>(
    'GET',
    `/workspaces/${here.workspace}`,
  );
  return diagram.nodes.find((node) => node.type === type);
};

/** Choose a type in the palette and click an empty place below the cards. */
async function place(here: Person, type: string): Promise<void> {
  await here.page.locator(`.palette [data-type="${type}"]`).click();
  const { x, y } = await here.nodeAt('orders');
  await here.page.mouse.click(x, y + 220);
  await here.page.getByLabel(/^Text of /).waitFor();
}

const writing = (here: Person) => here.page.getByLabel(/^Text of /);

describe('a note', () => {
  it('is placed, written in several lines as one step, taken back, and there after a reload', async () => {
    const here = await open();
    const before = await here.revision();
    await place(here, 'note');
    await here.page.keyboard.type('Open question');
    await here.key('Enter');
    await here.page.keyboard.type('Who pays for what the other bank takes, ');
    await here.page.keyboard.type('and who is asked before it does so? '.repeat(6));
    await here.key('Control+Enter');
    await writing(here).waitFor({ state: 'detached' });
    await here.saved();
    expect(await here.revision()).toBe(before + 1);
    const note = await stored(here, 'note');
    expect(note?.label).toBe('Open question');
    expect(note?.description).toMatch(/^Who pays for .*does so\?$/);
    // It has grown, so that nothing of the text is cut off.
    expect(note?.size?.height).toBeGreaterThan(112);
    const { id } = note as Written;
    const words = here.node(id).locator('.written');
    expect(await words.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThan(2);
    await here.key('Control+Z');
    await here.node(id).waitFor({ state: 'detached' });
    await here.key('Control+Y');
    await here.node(id).waitFor();
    await here.saved();
    await here.page.reload();
    await here.saved();
    await here.node(id).locator('.written').filter({ hasText: 'Open question' }).waitFor();
    expect(await here.node(id).getAttribute('aria-label')).toMatch(/^Open question, Note, Who pays/);
  });

  it('keeps its old text by Escape, and none in place of nothing', async () => {
    const here = await open([...NODES, { id: 'n', type: 'note', label: 'Ask', position: { x: 0, y: 160 } }]);
    const before = await here.revision();
    const { x, y } = await here.nodeAt('n');
    for (const [text, end] of [
      ['Other words', 'Escape'],
      ['  \n ', 'Control+Enter'],
    ] as const) {
      await here.page.mouse.dblclick(x, y);
      await writing(here).fill(text);
      await here.key(end);
      await writing(here).waitFor({ state: 'detached' });
    }
    await here.labelled('n', 'Ask');
    await here.saved();
    expect(await here.revision()).toBe(before);
    await here.page.mouse.dblclick(x, y);
    await writing(here).fill('Ask the bank');
    await here.focusCanvas();
    await here.labelled('n', 'Ask the bank');
    await here.saved();
    expect(await here.revision()).toBe(before + 1);
  });

  it('is resized at a corner', async () => {
    const size = { width: 200, height: 112 };
    const here = await open([
      ...NODES,
      { id: 'n', type: 'note', label: 'Ask', position: { x: 0, y: 160 }, size },
    ]);
    await here.select('n');
    const corner = await here.node('n').locator('.pull.se').boundingBox();
    if (!corner) throw new Error('There is no corner');
    await here.page.mouse.move(corner.x + 12, corner.y + 12);
    await here.page.mouse.down();
    await here.page.mouse.move(corner.x + 92, corner.y + 60, { steps: 5 });
    await here.page.mouse.up();
    await expect.poll(async () => (await stored(here, 'note'))?.size?.width).toBeGreaterThan(240);
    expect((await stored(here, 'note'))?.size?.height).toBeGreaterThan(130);
  });
});

it('a text is words alone, with a border where its style says so', async () => {
  const here = await open();
  await place(here, 'text');
  await here.page.keyboard.type('Planned');
  await here.key('Control+Enter');
  await here.saved();
  const { id } = (await stored(here, 'text')) as Written;
  await here.focusCanvas();
  const border = () =>
    here
      .node(id)
      .locator('.node-card')
      .evaluate((card) => getComputedStyle(card).borderTopColor);
  await expect.poll(border).toBe('rgba(0, 0, 0, 0)');
  await here.batch({ op: 'update_node', id, style: 'dashed' });
  await expect.poll(border).not.toBe('rgba(0, 0, 0, 0)');
});

describe('notes and texts', () => {
  it.each(['light', 'dark'] as const)('are clear in the %s theme, near and far', async (colorScheme) => {
    const styles = ['', 'muted', 'bold'];
    const nodes = ['', ...COLORS].flatMap((color, column) =>
      ['note', 'text'].flatMap((type, kind) =>
        styles.map((style, row) => ({
          id: `${type}-${color || 'usual'}-${style || 'usual'}`,
          type,
          label: `A ${color || 'usual'} ${type}`,
          description: 'Who pays for it, and when?\nAsk the bank before.',
          ...(color && { color }),
          ...(style && { style }),
          position: { x: column * 190, y: (kind * 3 + row) * 130 },
          size: { width: 170, height: 100 },
        })),
      ),
    );
    const here = await open([
      ...NODES.map((node, at) => ({ ...node, position: { x: at * 260, y: -140 } })),
      ...nodes,
    ]);
    await here.page.emulateMedia({ colorScheme });
    await here.page.locator('.written').first().waitFor();
    for (const [keys, least] of [
      ['Shift+1', 40],
      ['Shift+2', 1],
    ] as const) {
      await here.focusCanvas();
      if (keys === 'Shift+2') await here.select('note-pink-usual');
      await here.key(keys);
      await settled(here.page);
      const found = await contrasts(here.page, ['.written']);
      expect(found.length).toBeGreaterThanOrEqual(least);
      const pale = found.filter(({ ratio }) => ratio < LEAST);
      expect(pale.map(({ what, ratio }) => `${what}: ${ratio.toFixed(2)}`)).toEqual([]);
      if (process.env.SHOTS) {
        mkdirSync(process.env.SHOTS, { recursive: true });
        await here.page.screenshot({
          path: path.join(process.env.SHOTS, `notes-${colorScheme}-${least}.png`),
        });
      }
    }
    expect(await axeViolations(here.page)).toEqual([]);
    await here.page.emulateMedia({ colorScheme: 'light' });
  });
});
