/**
 * Plugins in the editor: their health in the settings, the question before one changes something, its calls on the card;
 * what runs, compared with what is drawn.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { axeViolations } from './axe';
import { PluginServer, tool } from './pluginServer';
import { documentOf, Rehearsal } from './rehearsal';
import { Stage } from './stage';
import { TIMEOUT_MS } from './timeout';

/** What runs of the shop that is drawn: a database of another version, and a worker that nobody has drawn. */
const SHOP_RUNS = {
  format: 'workloads/1',
  cluster: 'prod',
  read_at: '2026-11-24T15:00:00Z',
  namespaces: ['billing', 'shop'],
  incomplete: ['Network policies may not be read.'],
  workloads: [
    runs('shop', 'api', 'service'),
    runs('shop', 'orders-db', 'database', { technology: 'PostgreSQL 16' }),
    runs('shop', 'packer', 'worker', { replicas: { desired: 3, ready: 2 } }),
    runs('billing', 'invoices', 'service'),
  ],
  connections: [
    line('shop/api', 'shop/orders-db', 'PostgreSQL queries'),
    line('shop/packer', 'shop/orders-db', 'PostgreSQL queries'),
    line('billing/invoices', 'shop/api', 'HTTP requests'),
  ],
  outside: [],
};

function runs(namespace: string, name: string, role: string, more: object = {}): object {
  const image = { images: [`ghcr.io/acme/${name}:1.4.2`], ports: [], description: '', application: null };
  return { id: `${namespace}/${name}`, namespace, kind: 'Deployment', name, role, ...image, ...more };
}

function line(source: string, target: string, label: string): object {
  const evidence = [{ kind: 'environment', text: `DATABASE_URL of ${source} names ${target}` }];
  return { source, target, port: 5432, protocol: 'TCP', label, evidence };
}

const REQUEST = 'Which chart of Redis is newest? Install it, and say so';
const charts = new PluginServer(
  'charts',
  [tool('newest', true), tool('install', false)],
  () => 'redis 21.2.5',
);
let answer: unknown = SHOP_RUNS;
let answered = Promise.resolve();
const cluster = new PluginServer('cluster', [tool('workloads', true)], () => answered.then(() => answer));
const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-plugins-'));
let stage: Stage;
let anna: Asker;

beforeAll(async () => {
  const plugins = [
    { name: 'charts', url: await charts.open() },
    { name: 'cluster', url: await cluster.open() },
  ];
  const file = path.join(folder, 'plugins.json');
  writeFileSync(file, JSON.stringify({ plugins }));
  stage = await Stage.open({ model: 'stand-in', settings: { PLUGINS_FILE: file } });
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  await stage?.close();
  await charts.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a plugin', () => {
  it('is in the settings with its health and its tools', async () => {
    const { page } = anna;
    await page.getByRole('button', { name: /^You are Anna/ }).click();
    await page.getByRole('menuitem', { name: /^Settings/ }).click();
    const row = page.getByRole('dialog', { name: 'Settings' }).locator('[data-plugin="charts"]');
    await expect.poll(() => row.getAttribute('data-status'), { timeout: TIMEOUT_MS }).toBe('ready');
    await row.getByText(/charts 1\.0 · calls go to 127\.0\.0\.1:\d+ · 2 tools · 1 after a yes/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('is called to change something after a yes only, which a page that is loaded anew still asks for', async () => {
    await new Rehearsal(stage.rehearsal).plays(REQUEST, [
      { calls: [['charts__newest', { chart: 'redis' }]] },
      { calls: [['charts__install', { chart: 'redis' }]] },
      { calls: [documentOf({ op: 'append_to_section', section: '## Storage', text: 'Redis is 21.2.5.' })] },
      { text: 'It says 21.2.5; nothing was installed.' },
    ]);
    await anna.becomes('Preview');
    const card = await anna.asks(REQUEST);
    const question = anna.panel.getByRole('group', { name: /May the plugin charts be called/ });
    await question.waitFor();
    await question.getByText('"chart": "redis"').waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.reload();
    await question.waitFor();
    expect(charts.called).toEqual(['newest']);
    await question.getByRole('button', { name: 'No' }).click();
    await card.is('proposed');
    expect(charts.called).toEqual(['newest']);
  });

  it('is on the card with every call: input, result and what was declined', async () => {
    const calls = anna.card(REQUEST).box.locator('.card-calls');
    await calls.locator('summary').first().click();
    await calls.getByText('Did not call “install” of charts').waitFor();
    await calls.getByText('Called “newest” of charts').click();
    await calls.getByText(/redis 21\.2\.5/).waitFor();
  });
});

describe('what runs', () => {
  const dialog = () => anna.page.getByRole('dialog', { name: /what runs$/ });
  const row = (list: string, title: string) =>
    dialog().getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: title });
  const shot = async (name: string) => {
    if (!process.env.SHOTS) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await anna.page.emulateMedia({ colorScheme });
      await anna.page.screenshot({ path: path.join(process.env.SHOTS, `${name}-${colorScheme}.png`) });
    }
    await anna.page.emulateMedia({ colorScheme: 'light' });
  };

  it('is compared with what is drawn, by keyboard, and says that it is being read', async () => {
    const { page } = anna;
    let release = () => {};
    answered = new Promise((resolve) => {
      release = resolve;
    });
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
    await page.keyboard.type('compare cluster');
    await page.getByRole('option', { name: /Compare with what runs/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog()
      .getByText(/Reading what runs by “cluster”/)
      .waitFor();
    release();
    await row('Runs and is not drawn', 'packer').waitFor();
    await shot('compared');
    expect(await axeViolations(page)).toEqual([]);
    await dialog().getByText('Fits (2)').click();
    await row('Fits', 'Orders').getByText('likely', { exact: true }).waitFor();
    await row('Drawn, and not found running', 'Web shop').waitFor();
    await row('Connections that run and are not drawn', 'packer → Orders').getByText('1 piece').click();
    await dialog().getByText('DATABASE_URL of shop/packer names shop/orders-db').waitFor();
    expect(await dialog().getByRole('button', { name: 'Propose' }).isDisabled()).toBe(true);
  });

  it('becomes one proposal of the rows that are chosen, with the lines that they make possible', async () => {
    const { page } = anna;
    await dialog().getByRole('checkbox', { name: 'billing' }).click();
    await row('Runs and is not drawn', 'invoices').waitFor({ state: 'detached' });
    await row('Runs and is not drawn', 'packer').getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    const lineRow = row('Connections that run and are not drawn', 'packer → Orders');
    await expect.poll(() => lineRow.getByRole('checkbox').isChecked()).toBe(true);
    await row('Drawn, and not found running', 'Web shop').getByRole('combobox').selectOption('mark');
    await dialog().getByText('4 changes').waitFor();
    await shot('chosen');
    await dialog().getByRole('button', { name: 'Propose' }).click();
    await dialog().waitFor({ state: 'detached' });
    const card = anna.cards.last();
    await expect.poll(() => card.getAttribute('data-state')).toBe('proposed');
    await anna.ghostNode('packer').waitFor();
    await shot('proposed');
    await card
      .getByRole('button', { name: /^Accept|^Apply/ })
      .first()
      .click();
    await page.locator('.react-flow__node[data-id="packer"]').waitFor();
    await anna.seesNoGhosts();
    await shot('drawn');
    const { nodes } = await anna.person.visit.api<{
      nodes: { id: string; properties: Record<string, string> }[];
    }>('GET', `/workspaces/${anna.person.workspace}/diagram`);
    const of = (id: string) => nodes.find((one) => one.id === id)?.properties;
    expect(of('packer')).toMatchObject({ workload: 'shop/packer', replicas: '3' });
    expect(of('web')).toEqual({ running: 'not found in prod on 2026-11-24' });
  });

  it('says what is wrong with the plugin, and what to do', async () => {
    answer = { ...SHOP_RUNS, cluster: '' };
    await anna.page.getByRole('button', { name: 'What runs' }).click();
    await dialog().getByRole('alert').getByText('The plugin needs to be corrected or updated.').waitFor();
    await shot('failed');
    expect(await axeViolations(anna.page)).toEqual([]);
    answer = SHOP_RUNS;
    await dialog().getByRole('button', { name: 'Read again' }).click();
    // To draw, everything that is not drawn is chosen already.
    await row('Runs and is not drawn', 'invoices').waitFor();
    await dialog().getByText('3 changes').waitFor();
    await shot('to-draw');
    await anna.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
});
