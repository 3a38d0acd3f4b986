/**
 * Takes the pictures of the documentation anew: `node scripts/pictures.mjs [folder]`, default docs/images.
 *
 * A server of its own on the sample, two people, the built-in commands; nothing is drawn that the product does not show.
 * EDITOR_DIR names another build than frontend/dist, CHROMIUM another browser.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.resolve(process.argv[2] ?? path.join(ROOT, 'docs/images'));
const REQUEST =
  'add a rate limiter between API gateway and Checkout; add a Redis cache called Price cache connected to Pricing; ' +
  'in section Cart and Pricing add a bullet "Prices are cached for a minute."';
const SIZE = { width: 1440, height: 810 };
const TIMEOUT_MS = 30_000;

const data = mkdtempSync(path.join(tmpdir(), 'ds-'));
const server = spawn(
  path.join(ROOT, '.venv/bin/draftsmith'),
  ['serve', '--sample', '--port', '0', '--data-dir', data],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

/** Where the server answers, once it says so. */
const address = () =>
  new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (bytes) => {
      said += bytes;
      const found = /ready: (http:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });

let browser;

/** Somebody with a name, in the workspace, with these choices of theirs remembered. */
async function come(url, workspace, name, choices, colorScheme = 'light') {
  const context = await browser.newContext({ baseURL: url, viewport: SIZE, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto('/');
  await page.evaluate(
    ([name, choices]) => {
      for (const [key, value] of Object.entries(choices)) localStorage.setItem(`draftsmith.${key}`, value);
      return fetch('/api/v1/me', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    },
    [name, { tour: 'seen', ...choices }],
  );
  await page.goto(`/w/${workspace}`);
  await page.locator('[data-testid="status"][data-condition="saved"]').waitFor();
  await page.locator('.node-card').first().waitFor();
  return page;
}

/** What is in sight once nothing moves any more. */
async function take(page, name) {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity),
  );
  writeFileSync(path.join(FOLDER, `${name}.png`), packed(await page.screenshot()));
}

/** The same picture, packed as tightly as the format allows: the browser packs quickly. */
function packed(png) {
  const chunks = [];
  const pixels = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IDAT') pixels.push(body);
    else chunks.push([type, body]);
  }
  const end = chunks.findIndex(([type]) => type === 'IEND');
  chunks.splice(end, 0, ['IDAT', deflateSync(inflateSync(Buffer.concat(pixels)), { level: 9, memLevel: 9 })]);
  return Buffer.concat([png.subarray(0, 8), ...chunks.map(([type, body]) => chunk(type, body))]);
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Ask for a preview and wait for its card. */
async function ask(page, request) {
  const field = page.getByRole('textbox', { name: 'Ask the assistant' });
  await field.fill(request);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('article.assistant-card[data-state="proposed"]').last().waitFor();
  await page.locator('.ghost-node').first().waitFor();
}

/** Drag the border between document and diagram sideways. */
async function drag(page, x, by) {
  await page.mouse.move(x, SIZE.height / 3);
  await page.mouse.down();
  await page.mouse.move(x + by, SIZE.height / 3, { steps: 6 });
  await page.mouse.up();
}

/** Point at a node, as somebody does who explains something. */
async function pointAt(page, id) {
  const box = await page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.move(box.x + box.width - 12, box.y + box.height - 10, { steps: 5 });
}

async function takeAll() {
  const url = await address();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const listed = await (await fetch(`${url}/api/v1/workspaces`)).json();
  const workspace = listed.items[0].id;
  for (const [name, template] of [
    ['Order events', 'event-driven'],
    ['Sales figures', 'data-pipeline'],
  ]) {
    const body = JSON.stringify({ name, template });
    await fetch(`${url}/api/v1/workspaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  }

  const ben = await come(url, workspace, 'Ben', { view: 'diagram' });
  for (const colorScheme of ['light', 'dark']) {
    const ana = await come(
      url,
      workspace,
      'Ana',
      { view: 'split', panel: 'assistant', assistant: 'propose' },
      colorScheme,
    );
    if (colorScheme === 'light') {
      await ana.goto('/');
      await ana.locator('.row-link').first().waitFor();
      await ana.setViewportSize({ width: 1440, height: 460 });
      await take(ana, 'home');
      await ana.setViewportSize(SIZE);
      await ana.goto(`/w/${workspace}`);
      await ana.locator('.node-card').first().waitFor();
    }
    await ask(ana, REQUEST);
    const border = await ana.locator('[role="separator"]:visible').first().boundingBox();
    await drag(ana, border.x + border.width / 2, -60);
    await ana.getByRole('button', { name: 'Show everything' }).click();
    await ana.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await pointAt(ben, 'orders');
    await ana.locator('.others-cursor').waitFor();
    await ana.getByRole('button', { name: /^Accept all/ }).scrollIntoViewIfNeeded();
    await take(ana, `editor-${colorScheme}`);
    if (colorScheme === 'light') {
      await ana
        .getByRole('radio', { name: 'Diagram' })
        .or(ana.getByRole('button', { name: 'Diagram', exact: true }))
        .first()
        .click();
      await take(ana, 'assistant');
    }
    await ana.getByRole('button', { name: 'Discard', exact: true }).last().click();
    await ana.evaluate(
      (address) => fetch(address, { method: 'DELETE' }),
      `/api/v1/workspaces/${workspace}/conversation`,
    );
    await ana.context().close();
  }

  const ana = await come(url, workspace, 'Ana', { view: 'split' });
  await ben.locator('.react-flow__node[data-id="checkout"]').click();
  await pointAt(ben, 'checkout');
  await take(ana, 'together');
}

try {
  await takeAll();
} finally {
  await browser?.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()));
  rmSync(data, { recursive: true, force: true });
}
