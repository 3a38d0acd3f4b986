/** What is proposed, drawn beside diagram and document: seen, told apart without colour, and never part of anything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from './actors';
import { Asker } from './assistantActor';
import { axeViolations } from './axe';
import { Stage } from './stage';

const WISH = [
  'add a Redis cache between API and Orders',
  'rename Web shop to Shop',
  'delete Mail',
  'in section Storage replace "one database" with "two databases"',
].join('; ');

let stage: Stage;
let ana: Asker;

beforeAll(async () => {
  stage = await Stage.shared({ hasMotion: true });
  ana = await (await Asker.come(stage, 'Ana')).open();
  await ana.becomes('Preview');
  await ana.asks(WISH);
  await ghost().waitFor();
});

afterAll(() => stage?.close());

const page = () => ana.page;
const ghost = () => ana.ghostNode('redis-cache');
const mark = (id: string, state: string) => ana.person.node(id).locator(`.is-${state}`);
const bar = () => page().getByRole('region', { name: 'Proposed changes' });
const nodesOf = async () => [...(await ana.person.stored()).nodes.keys()].sort();

/** Have the workspace as it was before the test. */
async function takenBack(change: () => Promise<void>): Promise<void> {
  const before = await ana.bytes();
  await change();
  expect(await ana.bytes()).toBe(before);
}

describe('ghosts', () => {
  it('stand beside what is there, each with its sign', async () => {
    await ana.ghostEdge('api--redis-cache').waitFor({ state: 'attached' });
    await ana.ghostEdge('redis-cache--orders').waitFor({ state: 'attached' });
    expect(await ghost().innerText()).toMatch(/Redis[\s\S]*\+/);
    await mark('mail', 'removed').waitFor();
    expect(await mark('mail', 'removed').locator('.mark-sign').innerText()).toBe('−');
    expect(
      await mark('mail', 'removed')
        .locator('.node-label')
        .evaluate((label) => getComputedStyle(label).textDecorationLine),
    ).toBe('line-through');
    expect(await mark('web', 'changed').locator('.mark-sign').innerText()).toBe('Δ');
    expect(await page().locator('.ghost-note[data-of="web"]').innerText()).toBe('Web shop → Shop');
    await page().locator('.edge-line.is-removed').first().waitFor({ state: 'attached' });
    await page()
      .locator('.ghost-words')
      .getByText('on the diagram: 3 to be added, 1 to be changed, 3 to be removed')
      .waitFor({ state: 'attached' });
  });

  it('can be told apart from afar', async () => {
    const zoom = page().getByRole('button', { name: 'Zoom out' });
    await expect
      .poll(async () => {
        await zoom.click();
        return page().locator('.ghost-node.far').count();
      })
      .toBe(1);
    expect(await page().locator('.ghost-far.removed').innerText()).toBe('−');
    expect(await page().locator('.ghost-far.changed').innerText()).toBe('Δ');
    await page()
      .getByRole('button', { name: /^Fit|^Show everything/ })
      .first()
      .click();
    await page().locator('.ghost-node:not(.far)').waitFor();
  });

  it('stand in the diagram as text as lines that go and lines that come', async () => {
    const text = page().getByRole('region', { name: 'Diagram as text' });
    await takenBack(async () => {
      await page().keyboard.press('Alt+t');
      await expect
        .poll(() => text.locator('.is-going').allTextContents())
        .toEqual(['Mail (external)', 'API -> Mail: sends', 'API -> Orders: stores']);
      expect(await text.locator('.text-coming').allTextContents()).toEqual([
        'Shop (web)',
        'Redis Cache [Redis]',
        'Shop -> API: requests\nAPI -> Redis Cache: stores\nRedis Cache -> Orders: stores',
      ]);
      expect(await axeViolations(page())).toEqual([]);
      await text.getByRole('button', { name: 'Close the text' }).click();
      await text.waitFor({ state: 'detached' });
    });
  });

  it('stand in the document as lines that go and lines that come', async () => {
    await expect
      .poll(() => page().locator('.ghost-removed').allTextContents())
      .toEqual(['Orders are kept in one database.']);
    expect(await page().locator('.ghost-added').allTextContents()).toEqual([
      'Orders are kept in two databases.',
    ]);
    await bar().getByText('1 place').waitFor();
    expect((await ana.person.stored()).text).toContain('one database');
    expect(await ana.person.text()).not.toContain('two databases');
  });

  it('are no part of what is selected, copied or deleted, and take no press', async () => {
    const nodes = await nodesOf();
    const at = await ghost().boundingBox();
    if (!at) throw new Error('The ghost is not in sight');
    await page().mouse.click(at.x + at.width / 2, at.y + at.height / 2);
    await page().locator('#diagram').focus();
    await ana.person.key('Control+a');
    await expect.poll(() => page().locator('.react-flow__node.selected').count()).toBe(nodes.length);
    expect(await page().locator('.ghost-node.selected').count()).toBe(0);
    await ana.person.key('Escape');
    await ana.person.select('web');
    await ana.person.key('Delete');
    await ana.person.node('web').waitFor({ state: 'detached' });
    await ana.person.saved();
    expect(await nodesOf()).toEqual(nodes.filter((id) => id !== 'web'));
    await ghost().waitFor();
    await ana.person.key('Control+z');
    await ana.person.node('web').waitFor();
    await ana.person.saved();
    expect(await nodesOf()).toEqual(nodes);
  });

  it('are there again each time somebody deletes what they are about and takes that back', async () => {
    const ben = await Person.come(stage, 'Ben', ana.person.workspace);
    await ben.open();
    const card = ana.card(WISH);
    for (let time = 0; time < 3; time++) {
      await ben.select('web');
      await ben.key('Delete');
      await ben.node('web').waitFor({ state: 'detached' });
      await ben.saved();
      // Once it has been told that it no longer fits, once before anybody may have looked.
      if (time !== 1) await card.says(/no longer fits/);
      await ben.key('Control+z');
      await ben.node('web').waitFor();
      await ben.saved();
      await mark('web', 'changed').waitFor();
      await card.box.getByText('no longer fits').waitFor({ state: 'detached' });
      expect((await card.ticks()).every(Boolean)).toBe(true);
    }
    await ben.page.close();
  });

  it('move along with what others type before them', async () => {
    await ana.person.batch({
      op: 'edit_section',
      section: 'API',
      find: 'The API takes',
      replace: 'The API checks and takes',
    });
    await ana.person.reads('checks and takes');
    await page().locator('.ghost-removed').waitFor();
    expect(await page().locator('.ghost-removed').allTextContents()).toEqual([
      'Orders are kept in one database.',
    ]);
    await bar().getByRole('button', { name: 'Next proposed change' }).click();
    await page().locator('.cm-flash.ghost-removed').waitFor();
  });

  it('show the text as it is and as it would be to whoever reads, and the prose on demand', async () => {
    await page().getByRole('button', { name: 'Read', exact: true }).click();
    const compared = page().locator('#document .text-comparison');
    await compared.locator('.compared.added').getByText('two databases').waitFor();
    expect(await compared.locator('.compared.removed').count()).toBe(1);
    await bar().getByRole('button', { name: 'Show the text as it is' }).click();
    await page().locator('#document .prose').getByText('kept in one database').waitFor();
    await bar().getByRole('button', { name: 'Show what would change' }).click();
    await compared.waitFor();
    await page().getByRole('button', { name: 'Write', exact: true }).click();
    await page().locator('.ghost-added').waitFor();
  });

  it.each(['light', 'dark'] as const)('leave nothing for axe to find in %s', async (colorScheme) => {
    await page().emulateMedia({ colorScheme });
    await ghost().waitFor();
    expect(await axeViolations(page())).toEqual([]);
  });

  it('are there again after a reload, and change nothing by being there', async () => {
    await takenBack(async () => {
      await ana.reload();
      await ghost().waitFor();
      await page().locator('.ghost-added').waitFor();
    });
  });

  it('are there also where the card is drawn before the page knows who one is', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page().routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer();
      let sent = released;
      server.onMessage((text) => {
        sent = sent.then(() => socket.send(text));
      });
    });
    await page().goto('about:blank');
    await page().goto(`/w/${ana.person.workspace}`);
    await ana.card(WISH).box.locator('.card-said-name').getByText('Ana').waitFor();
    release();
    await ana.card(WISH).box.locator('.card-said-name').getByText('You').waitFor();
    await ghost().waitFor();
  });

  it('are gone with their proposal', async () => {
    await takenBack(async () => {
      await ana.card(WISH).button('Discard').click();
      await ana.seesNoGhosts();
      await mark('mail', 'removed').waitFor({ state: 'detached' });
      await bar().waitFor({ state: 'detached' });
    });
  });

  it('come into sight where there is nothing else', async () => {
    const { id } = await ana.person.visit.api<{ id: string }>('POST', '/workspaces', { name: 'Empty' });
    await page().goto(`/w/${id}`);
    await page().getByText('The diagram is empty').waitFor();
    await ana.field.waitFor();
    await ana.becomes('Preview');
    const wish = 'add a service called Billing; add section Security with text "All calls are signed."';
    await (await ana.asks(wish)).is('proposed');
    await ana.ghostNode('billing').waitFor();
    await page().getByText('The diagram is empty').waitFor({ state: 'detached' });
    await page().locator('.ghost-added').getByText('All calls are signed.').waitFor();
    // The view glides there.
    await expect
      .poll(async () => {
        const seen = await ana.ghostNode('billing').boundingBox();
        const canvas = await page().locator('#diagram').boundingBox();
        if (!seen || !canvas) return false;
        const isRight = seen.x > canvas.x + 16 && seen.x + seen.width <= canvas.x + canvas.width;
        return isRight && seen.y > canvas.y + 16;
      })
      .toBe(true);
    expect(await page().locator('.react-flow__node').count()).toBe(0);
  });

  it('leave the security policy alone', () => {
    expect(ana.person.visit.complaints).toEqual([]);
    expect(ana.person.visit.strayRequests).toEqual([]);
  });
});
