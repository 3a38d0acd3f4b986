/** Mermaid flowcharts that are pasted: drawn where they come onto the canvas, offered where they come into the text. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import { axeViolations } from './axe';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;

const CHART =
  'flowchart LR\n  subgraph core[Core]\n    orders[Orders] --> db[(Orders DB)]\n  end\n  shop[Web shop] -->|buys| orders';
const SCENE: Scene = {
  text: '# Plan\n\n```mermaid\nflowchart LR\n  mail[Mail] --> log[Log]\n```\n\n',
  nodes: [{ id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } }],
};

const page = () => anna.page;
const content = () => page().locator('#document .cm-content');
const toast = (text: string) => page().locator('.toast', { hasText: text });
const draw = () => page().getByRole('button', { name: 'Draw it on the canvas' });
const option = () => page().locator('[cmdk-item][aria-selected="true"]', { hasText: 'Draw the flowchart' });

const copy = (text: string): Promise<void> =>
  page().evaluate((copied) => navigator.clipboard.writeText(copied), text);

async function labels(): Promise<string[]> {
  return [...(await anna.stored()).nodes.values()].map(({ label }) => label).sort();
}

/** Do something, and expect exactly so many revisions of it once everything is saved. */
async function steps(count: number, act: () => Promise<void>): Promise<void> {
  const before = (await anna.stored()).revision;
  await act();
  await expect.poll(async () => (await anna.stored()).revision).toBe(before + count);
  await anna.says({ revision: before + count, pending: 0, condition: 'saved' });
}

/** Put the caret into the block of the scene, and wait until the part that draws flowcharts of the text is there. */
async function toBlock(): Promise<void> {
  await anna.caretAfter('mail[Mail]');
  await expect
    .poll(async () => {
      await findCommand();
      const count = await option().count();
      await anna.key('Escape');
      await page().locator('[cmdk-root]').waitFor({ state: 'detached' });
      return count;
    })
    .toBe(1);
}

async function findCommand(): Promise<void> {
  await anna.key('Control+k');
  await page().locator('[cmdk-root] input').fill('Draw the flowchart');
  await page().locator('[cmdk-item], [cmdk-empty]').first().waitFor();
}

/** Paste at the end of the text. */
async function pasteIntoText(text: string): Promise<void> {
  await content().focus();
  await anna.key('Control+End');
  await copy(text);
  await anna.key('Control+v');
}

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
  await anna.visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
  await anna.openWithin({ panel: 'none', view: 'split' });
});

describe('a flowchart that is pasted on the canvas', () => {
  it('is drawn beside what is there, selected, as one step', async () => {
    await anna.focusCanvas();
    await copy(CHART);
    await steps(1, () => anna.key('Control+V'));
    const { nodes } = await anna.stored();
    expect([...nodes.keys()].sort()).toEqual(['core', 'db', 'orders', 'orders-2', 'shop']);
    expect(nodes.get('orders-2')?.parent).toBe('core');
    for (const id of ['core', 'shop']) await anna.node(id).locator('.selected').waitFor();
    expect(await page().locator('.react-flow__node .selected').count()).toBe(2);
    await toast('Drawn: 4 nodes and 2 connections').getByText('1 node is called like one').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await steps(1, () => anna.key('Control+Z'));
    expect(await labels()).toEqual(['Orders']);
  });

  it('comes as often as it is pasted, also before the first is there', async () => {
    await anna.focusCanvas();
    await copy(CHART);
    await steps(2, async () => {
      await anna.key('Control+V');
      await anna.key('Control+V');
    });
    expect(await labels()).toHaveLength(9);
  });

  it('is told with its line where it cannot be read', async () => {
    await anna.focusCanvas();
    await copy('flowchart LR\n  ??? what');
    await anna.key('Control+V');
    await toast('Nothing was drawn').getByText('Line 2:').waitFor();
    expect(await labels()).toEqual(['Orders']);
  });

  it('is an import where it is a chart of another kind', async () => {
    await anna.focusCanvas();
    await copy('sequenceDiagram\n  participant shop as Web shop\n  shop->>bank: pays');
    await expect
      .poll(async () => {
        await anna.key('Control+V');
        return page().getByRole('dialog').count();
      })
      .toBe(1);
    await page().getByRole('dialog').getByText('Web shop').first().waitFor();
    await steps(1, () =>
      page().getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click(),
    );
    expect(await labels()).toEqual(['Orders', 'Web shop', 'bank']);
  });
});

describe('a flowchart that is pasted into the text', () => {
  it('stays there, is offered, and is drawn by keyboard as one step', async () => {
    await toBlock();
    await pasteIntoText(CHART);
    await draw().waitFor();
    await toast('A Mermaid flowchart was pasted').getByText('4 nodes and 2 connections').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    const text = `${SCENE.text}\`\`\`mermaid\n${CHART}\n\`\`\``;
    await expect.poll(async () => (await anna.stored()).text).toBe(text);
    await anna.saved();
    const isReached = () => draw().evaluate((button) => button === document.activeElement);
    for (let tabs = 0; tabs < 60 && !(await isReached()); tabs += 1) await anna.key('Tab');
    expect(await isReached()).toBe(true);
    await steps(1, () => anna.key('Enter'));
    expect(await labels()).toEqual(['Core', 'Orders', 'Orders', 'Orders DB', 'Web shop']);
    expect((await anna.stored()).text).toBe(text);
    await draw().waitFor({ state: 'detached' });
  });

  it('is offered as long as it is there', async () => {
    await toBlock();
    await pasteIntoText(CHART);
    await draw().waitFor();
    await anna.key('Control+z');
    await draw().waitFor({ state: 'detached' });
    await expect.poll(async () => (await anna.stored()).text).toBe(SCENE.text);
  });

  it('is not offered where it cannot be drawn', async () => {
    await toBlock();
    const answered = page().waitForResponse('**/mermaid');
    await pasteIntoText('flowchart LR\n  ??? what');
    expect((await answered).status()).toBe(422);
    await expect.poll(async () => (await anna.stored()).text).toContain('??? what');
    await pasteIntoText('sequenceDiagram\n  A->>B: hi');
    await expect.poll(async () => (await anna.stored()).text).toContain('A->>B');
    expect(await draw().count()).toBe(0);
  });

  it('and any that stands there is drawn by a command, and shown where the diagram is not', async () => {
    await anna.visit.openWithin(anna.workspace, { view: 'document' });
    await content().waitFor();
    await anna.saved();
    await toBlock();
    await findCommand();
    await option().waitFor();
    await steps(1, () => anna.key('Enter'));
    expect(await labels()).toEqual(['Log', 'Mail', 'Orders']);
    await toast('Drawn: 2 nodes and 1 connection').getByRole('button', { name: 'Show it' }).click();
    await anna.node('mail').waitFor();
  });
});
