/** Every screen of the editor and how it is brought up, each from a workspace that is opened anew. Not here: what is looked for in them. */
import type { Page } from 'playwright-core';
import type { Rehearsal } from './rehearsal';
import type { Visit } from './stage';
import type { Wire } from './wire';

/** What the screens are shown with. */
export interface Scene {
  visit: Visit;
  page: Page;
  /** A workspace from the sample with a past. */
  sample: string;
  wire: Wire;
  /** Somebody else, whose way to the server is never cut. */
  other: Visit;
  /** What the stand-in for a model answers, where there is one. */
  model?: Rehearsal;
}

export interface Screen {
  name: string;
  open: (scene: Scene) => Promise<void>;
  /** Whether a diagram is shown, fitted into its room. */
  isFitted?: boolean;
  /** Whether the page itself may scroll downwards. */
  mayScroll?: boolean;
  /** Only at this size, where the screen is made for it. */
  only?: { width: number; height: number };
  /** What the browser itself says on the console here. */
  saying?: RegExp;
  /** Put back what others would stumble over. */
  close?: (scene: Scene) => Promise<void>;
}

type View = 'diagram' | 'split' | 'document';

export async function openSample({ visit, page, sample }: Scene, view: View, panel = 'none'): Promise<void> {
  await visit.openWithin(sample, { view, panel });
  await page.locator('[data-testid="status"][data-condition="saved"]').waitFor();
  if (view !== 'document') {
    await page.locator('.node-card').first().waitFor();
    await page.locator('.edge-label').first().waitFor();
  }
  if (view !== 'diagram') await page.locator('#document .cm-line').first().waitFor();
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

/** Groups are taken by their titles: what stands in them covers the rest. */
async function pick(page: Page, id: string): Promise<void> {
  const title = node(page, id).locator('.group-title');
  await ((await title.count()) > 0 ? title : node(page, id)).click();
  await node(page, id).locator('.selected').waitFor();
}

async function goHome({ page }: Scene): Promise<void> {
  await page.goto('/');
  await page.locator('.row-link').first().waitFor();
}

async function read(page: Page): Promise<void> {
  await button(page, 'Read').click();
  await page.locator('#document .prose h1').first().waitFor();
}

async function openRow(page: Page): Promise<void> {
  await page.locator('.commit').first().waitFor();
  await page.locator('.commit .commit-head').first().click();
  const open = page.locator('.commit.open');
  await open.waitFor();
  await open.getByText('Loading…').waitFor({ state: 'detached' });
}

export const HOME_SCREENS: readonly Screen[] = [
  { name: 'home', mayScroll: true, open: goHome },
  {
    name: 'trash',
    mayScroll: true,
    open: async (scene) => {
      await goHome(scene);
      await button(scene.page, 'Trash').click();
      await button(scene.page, /^Put back /)
        .first()
        .waitFor();
    },
  },
  {
    name: 'new-workspace',
    mayScroll: true,
    open: async (scene) => {
      await goHome(scene);
      await button(scene.page, 'New workspace').first().click();
      await scene.page.locator('.template-name').first().waitFor();
    },
  },
  {
    name: 'import',
    mayScroll: true,
    open: async (scene) => {
      await goHome(scene);
      await button(scene.page, 'Import').first().click();
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'home-commands',
    mayScroll: true,
    open: async (scene) => {
      await goHome(scene);
      await scene.page.keyboard.press('Control+k');
      await scene.page.locator('[cmdk-item]').first().waitFor();
    },
  },
  {
    name: 'no-such-page',
    saying: /status of 404/,
    open: async ({ page }) => {
      await page.goto('/no/such/page');
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    },
  },
  {
    name: 'no-such-workspace',
    open: async ({ page }) => {
      await page.goto('/w/00000000000000000000000000');
      await page.getByRole('heading', { name: 'This workspace is not here' }).waitFor();
    },
  },
];

export const WORKSPACE_SCREENS: readonly Screen[] = [
  { name: 'diagram', isFitted: true, open: (scene) => openSample(scene, 'diagram') },
  { name: 'split-write', isFitted: true, open: (scene) => openSample(scene, 'split') },
  {
    name: 'split-read',
    isFitted: true,
    open: async (scene) => {
      await openSample(scene, 'split');
      await read(scene.page);
    },
  },
  { name: 'document', open: (scene) => openSample(scene, 'document') },
  {
    name: 'palette',
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await button(scene.page, 'Show names').click();
      await scene.page
        .getByRole('searchbox', { name: 'Search node types' })
        .or(scene.page.getByLabel('Search node types'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'properties-node',
    open: async (scene) => {
      await openSample(scene, 'diagram', 'properties');
      await pick(scene.page, 'checkout');
      await scene.page.getByLabel('Technology').waitFor();
    },
  },
  {
    name: 'properties-edge',
    open: async (scene) => {
      await openSample(scene, 'diagram', 'properties');
      await scene.page.locator('.edge-label').first().click();
      await scene.page.getByLabel('Kind', { exact: true }).waitFor();
    },
  },
  {
    name: 'properties-several',
    open: async (scene) => {
      await openSample(scene, 'diagram', 'properties');
      await pick(scene.page, 'checkout');
      await node(scene.page, 'orders').click({ modifiers: ['Shift'] });
      await scene.page.getByText('2 nodes').first().waitFor();
    },
  },
  {
    name: 'properties-none',
    open: async (scene) => {
      await openSample(scene, 'diagram', 'properties');
      await scene.page.getByRole('region', { name: 'Worth a look' }).waitFor();
    },
  },
  {
    name: 'menu',
    only: { width: 1440, height: 900 },
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await node(scene.page, 'checkout').click({ button: 'right' });
      await scene.page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'history',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await openRow(scene.page);
    },
  },
  {
    name: 'what-changed',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await button(scene.page, 'What changed since…').click();
      await button(scene.page, 'Tell me').click();
      await scene.page.getByText(/^All in all: /).waitFor();
    },
  },
  {
    name: 'old-revision',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await openRow(scene.page);
      await button(scene.page, 'View').first().click();
      await scene.page.getByRole('region', { name: 'Old revision' }).waitFor();
    },
  },
  {
    name: 'comparison',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await scene.page.locator('.commit').nth(1).locator('.commit-head').click();
      await button(scene.page, /^Compare/)
        .first()
        .click();
      await scene.page.locator('.node-card.is-added, .is-added .node-card').first().waitFor();
    },
  },
  {
    name: 'checkpoint',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await button(scene.page, 'Name this state').click();
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'restore',
    open: async (scene) => {
      await openSample(scene, 'split', 'history');
      await scene.page.locator('.commit').nth(1).locator('.commit-head').click();
      await button(scene.page, /^More about revision/)
        .first()
        .click();
      await scene.page.getByRole('menuitem', { name: /^Restore this revision/ }).click();
      await scene.page.getByRole('dialog', { name: /^Restore revision/ }).waitFor();
    },
  },
  {
    name: 'commands',
    open: async (scene) => {
      await openSample(scene, 'split');
      await scene.page.keyboard.press('Control+k');
      await scene.page.locator('[cmdk-item]').first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await scene.page.keyboard.press('?');
      await scene.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'export',
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await scene.page.keyboard.press('Control+Shift+S');
      await scene.page.locator('.export-preview[data-kind="picture"]').waitFor();
    },
  },
  {
    name: 'settings',
    open: async (scene) => {
      await openSample(scene, 'split');
      await scene.page.keyboard.press('Control+Comma');
      await scene.page.getByRole('dialog', { name: 'Settings' }).getByText('Who answers').waitFor();
    },
  },
  {
    name: 'tour',
    open: async (scene) => {
      await openSample(scene, 'split');
      await scene.page.locator('.workspace:not([data-read="first"])').waitFor();
      await scene.page.keyboard.press('Control+Comma');
      await button(scene.page, 'Show the tour again').click();
      await scene.page.locator('.tour[data-step="draw"]').waitFor();
    },
  },
  {
    name: 'delete',
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await pick(scene.page, 'edge');
      await scene.page.keyboard.press('Delete');
      await scene.page.getByRole('dialog', { name: /^Delete/ }).waitFor();
    },
  },
  {
    name: 'connect',
    open: async (scene) => {
      await openSample(scene, 'diagram');
      await node(scene.page, 'checkout').click({ button: 'right' });
      await scene.page.getByRole('menuitem', { name: /^Connect to/ }).click();
      await scene.page.getByRole('dialog', { name: /^Connect/ }).waitFor();
    },
  },
  {
    name: 'phone',
    only: { width: 390, height: 844 },
    open: async (scene) => {
      await scene.page.goto('about:blank');
      await scene.page.goto(`/w/${scene.sample}`);
      await scene.page.locator('.node-card').first().waitFor();
    },
  },
  {
    name: 'tablet',
    only: { width: 820, height: 1180 },
    isFitted: true,
    open: (scene) => openSample(scene, 'diagram'),
  },
];

/** What is seen when the way to the server is cut, and what comes of a change that no longer fits. */
export const CUT_SCREENS: readonly Screen[] = [
  {
    name: 'offline',
    open: async (scene) => {
      await openSample(scene, 'split');
      scene.wire.cut();
      await scene.page.locator('[data-testid="status"][data-condition="offline"]').waitFor();
      await button(scene.page, 'Try now').waitFor();
    },
    close: async ({ wire, visit }) => {
      wire.mend();
      visit.forgiveLostRequests();
    },
  },
  {
    name: 'tray',
    open: async (scene) => {
      const { page, wire, other, sample } = scene;
      await openSample(scene, 'diagram');
      wire.cut();
      await page.locator('[data-testid="status"][data-condition="offline"]').waitFor();
      await node(page, 'ledger').dblclick();
      await page.getByLabel(/^Name of /).fill('Journal');
      await page.keyboard.press('Enter');
      await node(page, 'ledger').getByText('Journal').waitFor();
      const operations = [{ op: 'delete_node', id: 'ledger' }];
      await other.api('POST', `/workspaces/${sample}/batches`, { operations });
      wire.mend();
      await button(page, 'Look').click();
      await page.locator('.tray-item').first().waitFor();
    },
    close: async ({ visit }) => visit.forgiveLostRequests(),
  },
];
