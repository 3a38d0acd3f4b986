/** A page that is opened while the server is away: what it says is true, and it opens by itself once the server answers. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { Stage } from './stage';

const BUILT = path.resolve(import.meta.dirname, '../dist');
const SCENE = {
  text: '# Plan\n\nTogether.\n',
  nodes: [{ id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } }],
};

let stage: Stage;
let anna: Person;

beforeAll(async () => {
  stage = await Stage.open();
  const visit = await stage.person('light', stage.url, { hasWorker: true });
  await visit.page.goto('/');
  anna = await new Person(visit, await makeWorkspace(visit, SCENE)).open();
  await anna.page.evaluate(async () => void (await navigator.serviceWorker.ready));
});

afterAll(() => stage?.close());

const page = () => anna.page;
const heading = () => page().getByRole('heading', { name: 'The Draftsmith server does not answer' });
const kept = () => page().locator('#kept');

/** Go there as a person does, who sees whatever the browser shows. */
async function come(address: string): Promise<void> {
  await page().goto(address);
  await heading().waitFor();
}

describe('while the server is away', () => {
  it('a page that is reloaded says that the work is kept, and opens again with it once the server answers', async () => {
    await anna.caretAfter('Together.');
    await stage.kill();
    await anna.says({ condition: 'offline' });
    await anna.type(' Typed offline.');
    await anna.keeps(1);
    await page().evaluate(() => history.replaceState(history.state, '', '#node/orders'));
    const address = page().url();
    await page().reload();
    await heading().waitFor();
    await expect.poll(() => kept().textContent()).toMatch(/^Your work is kept: what you did here/);
    expect(page().url()).toBe(address);
    for (const scheme of ['light', 'dark'] as const) {
      await page().emulateMedia({ colorScheme: scheme });
      expect(await axeViolations(page())).toEqual([]);
    }
    await stage.restart();
    await heading().waitFor({ state: 'detached' });
    await anna.reads('Together. Typed offline.');
    await anna.saved();
    expect(page().url()).toBe(address);
    expect((await anna.stored()).text).toContain('Together. Typed offline.');
    await anna.keepsNothing();
  });

  it('says so where nothing is kept, and where only other workspaces have something', async () => {
    await stage.kill();
    await come(`/w/${anna.workspace}`);
    await expect.poll(() => kept().textContent()).toMatch(/^This browser keeps no changes/);
    await page().evaluate(() => localStorage.setItem('draftsmith.left another tab', '{}'));
    await come('/');
    await expect.poll(() => kept().textContent()).toMatch(/^Your work is kept: changes to other workspaces/);
    await page().evaluate(() => localStorage.removeItem('draftsmith.left another tab'));
    await stage.restart();
    await page().getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
  });

  it('answers for pages of the editor in a window only, and stores nothing', async () => {
    expect(await page().evaluate(async () => (await caches.keys()).length)).toBe(0);
    await stage.kill();
    for (const address of ['/docs', '/api/v1/workspaces', '/healthz', `/w/${anna.workspace}?embed=1`]) {
      const tab = await anna.visit.context.newPage();
      await expect(tab.goto(address), address).rejects.toThrow(/ERR_CONNECTION_REFUSED/);
      await tab.close();
    }
    await come('/');
    const asked = await page().evaluate(() =>
      fetch('/api/v1/me').then(
        () => 'answered',
        () => 'failed',
      ),
    );
    expect(asked).toBe('failed');
    await stage.restart();
    await page().getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
  });
});

it('leaves a browser whose server is of a version without it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-editor-'));
  cpSync(BUILT, folder, { recursive: true });
  const other = await Stage.open({ settings: { EDITOR_DIR: folder } });
  try {
    const { page } = await other.person('light', other.url, { hasWorker: true });
    const count = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    expect(await count()).toBe(1);
    for (const name of ['offline.js', 'offline.js.br', 'offline.js.gz']) rmSync(path.join(folder, name));
    // Pages of that version ask for no worker: one that asks after the worker has left would have it back.
    await page.addInitScript(() => {
      navigator.serviceWorker.register = () => new Promise(() => {});
    });
    await page.reload();
    await expect.poll(count).toBe(0);
  } finally {
    await other.close();
    rmSync(folder, { recursive: true });
  }
});
