/** The finish: the tour, messages, and pages for what is not there or breaks. Settings: `settings.test.ts`. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace } from './actors';
import { SHOP } from './assistantActor';
import { axeViolations, settled } from './axe';
import { Stage, type Visit } from './stage';

let stage: Stage;
let host: Visit;
let workspace: string;

beforeAll(async () => {
  stage = await Stage.open();
  host = await stage.person();
  await host.page.goto('/');
  workspace = await makeWorkspace(host, SHOP);
});

afterAll(async () => {
  await stage?.close();
});

const THEMES = ['light', 'dark'] as const;
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const tour = (page: Page) => page.locator('.tour');
const step = (page: Page, name: string) => page.locator(`.tour[data-step="${name}"]`);

/** Somebody who opens a workspace for the first time in this browser. */
async function newcomer(theme: 'light' | 'dark' = 'light', view = 'split'): Promise<Visit> {
  const visit = await stage.person(theme, stage.url, { isNew: true });
  await visit.page.goto('/');
  await visit.page.evaluate((view) => localStorage.setItem('draftsmith.view', view), view);
  await visit.page.goto(`/w/${workspace}`);
  return visit;
}

/** Wait until everything of the page has been read, which is when a tour would begin. */
const isRead = (page: Page) => page.locator('.workspace:not([data-read="first"])').waitFor();

describe('the tour', () => {
  it.each(THEMES)('shows three steps beside the real things, once, in the %s theme', async (theme) => {
    const { page, context } = await newcomer(theme);
    for (const [index, name] of ['draw', 'write', 'ask'].entries()) {
      await step(page, name).waitFor();
      expect(await step(page, name).textContent()).toContain(`${index + 1} of 3`);
      if (name === 'draw') expect(await axeViolations(page)).toEqual([]);
      const isNext = await tour(page)
        .locator('.primary')
        .evaluate((one) => one === document.activeElement);
      expect(isNext).toBe(true);
      await page.keyboard.press('Enter');
    }
    await tour(page).waitFor({ state: 'detached' });
    await page.reload();
    await isRead(page);
    expect(await tour(page).count()).toBe(0);
    await context.close();
  });

  it.each(THEMES)('covers nothing that it speaks of, in the %s theme', async (theme) => {
    const { page, context } = await newcomer(theme);
    for (const [name, thing] of Object.entries({
      draw: '.palette',
      write: '#document',
      ask: '.panel-switch',
    })) {
      await step(page, name).waitFor();
      const [card, shown] = await Promise.all([
        tour(page).boundingBox(),
        page.locator(thing).first().boundingBox(),
      ]);
      if (!card || !shown) throw new Error(`${name} is not in sight`);
      const isApart =
        card.x >= shown.x + shown.width ||
        card.x + card.width <= shown.x ||
        card.y >= shown.y + shown.height ||
        card.y + card.height <= shown.y;
      expect(isApart, name).toBe(true);
      await page.keyboard.press('Enter');
    }
    await context.close();
  });

  it('goes when somebody starts to work, and that work is done', async () => {
    const { page, context } = await newcomer();
    await step(page, 'draw').waitFor();
    await page.locator('.react-flow__node[data-id="api"]').click();
    await tour(page).waitFor({ state: 'detached' });
    await page.locator('.react-flow__node[data-id="api"] .selected').waitFor();
    await page.reload();
    await isRead(page);
    expect(await tour(page).count()).toBe(0);
    await context.close();
  });

  it('is skipped with Escape, and comes again when it is asked for', async () => {
    const { page, context } = await newcomer();
    await step(page, 'draw').waitFor();
    await page.keyboard.press('Escape');
    await tour(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Comma');
    await button(page, 'Show the tour again').click();
    await step(page, 'draw').waitFor();
    await button(page, 'Skip').click();
    await tour(page).waitFor({ state: 'detached' });
    await context.close();
  });

  it('passes over what is not in sight, and stays away from small screens', async () => {
    const { page, context } = await newcomer('light', 'document');
    await step(page, 'write').waitFor();
    expect(await tour(page).textContent()).toContain('1 of 2');
    await page.setViewportSize({ width: 390, height: 844 });
    await tour(page).waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('messages', () => {
  it('cover neither what one writes in nor what one acts with', async () => {
    const { page, context } = await stage.person();
    await page.addInitScript(() => localStorage.setItem('draftsmith.panel', 'assistant'));
    await page.goto(`/w/${workspace}`);
    await page.locator('.composer').waitFor();
    await page.locator('.toasts').evaluate((box) => {
      const one = document.createElement('div');
      one.className = 'toast';
      one.textContent =
        'A message of some length, as they are when something did not go as it should. '.repeat(2);
      for (let count = 0; count < 3; count += 1) box.append(one.cloneNode(true));
    });
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await settled(page);
      expect(await page.evaluate(coveredByToasts), `at ${size.width}`).toEqual([]);
    }
    await context.close();
  });
});

/** What lies below a message, of what must not. */
function coveredByToasts(): string[] {
  const boxes = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect());
  return ['.composer', '.tool-bar', '.app-bar'].filter((selector) =>
    [...document.querySelectorAll(selector)].some((thing) => {
      const { left, top, right, bottom, width } = thing.getBoundingClientRect();
      const isIn = (box: DOMRect) =>
        box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      return width > 0 && boxes.some(isIn);
    }),
  );
}

describe('what is not there, and what breaks', () => {
  /** How many there are once the page has waited so long that it asks again for what it could not read. */
  const passed = async (page: Page, what: Locator): Promise<number> => {
    await page.clock.fastForward(5_000);
    return what.count();
  };

  it('says so in a page of its own, with the way back', async () => {
    const { page, context, complaints } = await stage.person();
    const says = async (title: string) => {
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('link', { name: 'Go to all workspaces' }).waitFor();
    };
    await page.goto('/w/00000000000000000000000000');
    await says('This workspace is not here');
    await page.getByRole('link', { name: 'Go to all workspaces' }).click();
    await page.getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
    await page.evaluate(() => history.pushState(null, '', '/w/mistyped'));
    await says('This workspace is not here');
    expect(complaints).toEqual([]);
    await page.goto('/no/such/page');
    await says('There is no such page');
    await context.close();
  });

  it.each(THEMES)('is a page that can be reloaded, with details to copy, in the %s theme', async (theme) => {
    const { page, context } = await stage.person(theme);
    await page.addInitScript(() => {
      if (!sessionStorage.getItem('mended'))
        window.matchMedia = () => {
          throw new Error('No such media');
        };
    });
    await page.goto(`/w/${workspace}`);
    await page.getByRole('heading', { name: 'Something broke while drawing this page' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copy details').click();
    await button(page, 'Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^Draftsmith \d+\.\d+\.\d+(?:\.dev0)?\n/);
    expect(copied).toContain('No such media');
    await page.evaluate(() => sessionStorage.setItem('mended', 'yes'));
    await button(page, 'Reload').click();
    await page.locator('.react-flow__node').first().waitFor();
    await context.close();
  });

  it('is said of a part that cannot be read', async () => {
    const { page, context } = await stage.person();
    let asked = 0;
    await page.route('**/assets/SidePanel-*.js', (route) => {
      asked += 1;
      return route.abort();
    });
    await page.clock.install();
    await page.goto(`/w/${workspace}`);
    await page.locator('.react-flow__node').first().waitFor();
    await page.locator('.panel-switch button').first().click();
    const said = page.getByRole('heading', { name: 'A part of this page could not be loaded' });
    await expect.poll(() => passed(page, said)).toBe(1);
    expect(asked).toBeGreaterThanOrEqual(12); // a minute of tries
    await page.getByText(/Your work is not touched by that/).waitFor();
    await context.close();
  });

  it('is not said of a part that nobody has opened: the page goes on without it until it can be read', async () => {
    const { page, context } = await stage.person();
    let asked = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/AssistantHost-*.js', async (route) => {
      asked += 1;
      if (asked <= 2) return route.abort();
      await held;
      return route.continue();
    });
    await page.clock.install();
    await page.goto(`/w/${workspace}`);
    await page.locator('.react-flow__node').first().waitFor();
    const said = page.getByRole('heading', { name: 'A part of this page could not be loaded' });
    await expect.poll(async () => [await passed(page, said), asked]).toEqual([0, 3]);
    release();
    await page.locator('.workspace[data-read="needed"]').waitFor();
    await page.locator('.panel-switch button').first().click();
    await page.getByRole('complementary').first().waitFor();
    await context.close();
  });
});

it('leaves the browser of who did nothing wrong without a complaint', () => {
  expect(host.complaints).toEqual([]);
  expect(host.strayRequests).toEqual([]);
});
