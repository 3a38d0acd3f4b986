/**
 * The page that programs of agents show, in a real browser: read as a resource of the server, in a sandbox without an
 * origin, beside a host that speaks its side of the protocol and passes calls of tools on to the server.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { Stage, type Visit } from './stage';

type Shape = Record<string, unknown>;

const HOSTILE = `</script><img src=x onerror="document.title='hit'"> & "quoted"`;

/** What the host's page runs: the other side of `postMessage`. */
const HOST = `
  const frame = document.querySelector('iframe');
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.seen = [];
  window.notify = (method, params) => send({ method, params });
  window.addEventListener('message', async ({ data, source }) => {
    if (source !== frame.contentWindow || data?.jsonrpc !== '2.0' || !data.method) return;
    window.seen.push(data);
    if (data.method === 'ui/notifications/size-changed') frame.style.height = data.params.height + 'px';
    if (data.id === undefined) return;
    if (data.method === 'ui/initialize') {
      const hostContext = { theme: window.theme, displayMode: 'inline' };
      const hostInfo = { name: 'test-host', version: '1' };
      send({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities: {}, hostContext } });
    } else if (data.method === 'tools/call') send({ id: data.id, result: await window.callTool(data.params) });
    else if (data.method === 'resources/read' && window.readResource)
      send({ id: data.id, result: await window.readResource(data.params) });
    else send({ id: data.id, result: {} });
  });`;

let stage: Stage;
let visit: Visit;
let page: Page;
let view: string;
let workspace: string;

/** A request to the server's own door, as a program without a handshake sends it. */
async function mcp(method: string, params: Shape): Promise<Shape> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.name ?? params.uri;
  const answer = await fetch(`${stage.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  const { result, error } = (await answer.json()) as { result?: Shape; error?: unknown };
  if (!result) throw new Error(JSON.stringify(error));
  return result;
}

const call = (name: string, args: Shape) => mcp('tools/call', { name, arguments: args });

const api = (path: string, body: Shape) =>
  visit.page.request.post(`${stage.url}/api/v1/workspaces${path}`, { data: body });

async function show(theme: 'light' | 'dark'): Promise<void> {
  await page.goto('about:blank');
  await page.setContent(
    `<body style="margin:0;background:${theme === 'dark' ? '#111' : '#fff'}">
     <iframe sandbox="allow-scripts" style="width:100%;height:200px;border:0" title="view"></iframe></body>`,
  );
  await page.evaluate((chosen) => Object.assign(window, { theme: chosen }), theme);
  await page.addScriptTag({ content: HOST });
  await page.evaluate((html) => document.querySelector('iframe')?.setAttribute('srcdoc', html), view);
  await expect.poll(() => methods()).toContain('ui/notifications/initialized');
}

const seen = () => page.evaluate(() => (window as unknown as { seen: Shape[] }).seen);
const methods = async () => (await seen()).map((message) => message.method);
const notify = (method: string, params: Shape) =>
  page.evaluate(
    ([name, given]) =>
      (window as unknown as { notify: (m: unknown, p: unknown) => void }).notify(name, given),
    [method, params] as const,
  );
/** Whether the host gives the page exactly the height that it takes. */
const isWhole = () =>
  inside()
    .locator('html')
    .evaluate((html) => Math.abs(html.getBoundingClientRect().height - window.innerHeight) <= 1);
const width = () =>
  inside()
    .locator('html')
    .evaluate(() => window.innerWidth);
const inside = () => page.frameLocator('iframe');

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  page = visit.page;
  const made = await api('', {
    name: `Shop ${HOSTILE}`,
    document: { text: '# Shop\n\nOrders are taken.\n' },
  });
  workspace = ((await made.json()) as { id: string }).id;
  await api(`/${workspace}/batches`, {
    operations: [
      { op: 'add_node', id: 'orders', type: 'service', label: `Orders ${HOSTILE}` },
      { op: 'add_node', id: 'db', type: 'database', label: 'Orders store', technology: 'Postgres 17' },
      { op: 'add_edge', source: 'orders', target: 'db', label: 'orders' },
    ],
  });
  await page.exposeFunction('callTool', (params: Shape) => mcp('tools/call', params));
  await page.exposeFunction('readResource', (params: Shape) => mcp('resources/read', params));
  const read = await mcp('resources/read', { uri: 'ui://draftsmith/view' });
  const [content] = read.contents as [Shape];
  expect(content.mimeType).toBe('text/html;profile=mcp-app');
  view = content.text as string;
});

afterAll(() => stage?.close());

describe('the page that programs of agents show', () => {
  it('is named by the tools whose answers it shows, and asks no address for anything', async () => {
    const { tools } = (await mcp('tools/list', {})) as { tools: { name: string; _meta?: { ui?: Shape } }[] };
    const shown = tools.filter((tool) => tool._meta?.ui?.resourceUri === 'ui://draftsmith/view');
    expect(shown.map(({ name }) => name).sort()).toEqual(['edit', 'proposals', 'read_workspace']);
    expect(view).toContain("default-src 'none'");
    expect(view).not.toMatch(/(?:src|href)=["']?https?:/);
  });

  for (const theme of ['light', 'dark'] as const)
    it(`draws the workspace of the answer in the ${theme} theme of its host; texts stay texts`, async () => {
      await show(theme);
      await notify('ui/notifications/tool-result', await call('read_workspace', { workspace }));
      await inside().locator('.picture svg').waitFor();
      expect(await inside().locator('h1').innerText()).toBe(`Shop ${HOSTILE}`);
      expect(await inside().locator('.picture').innerText()).toContain('Orders store');
      expect(await inside().locator('img').count()).toBe(0);
      const ground = theme === 'light' ? 'rgb(247, 248, 250)' : 'rgb(11, 13, 17)';
      expect(
        await inside()
          .locator('body')
          .evaluate((body) => getComputedStyle(body).backgroundColor),
      ).toBe(ground);
      await page.setViewportSize({ width: 420, height: 700 }); // texts wrap, so more height is needed
      await expect.poll(width).toBe(420); // a sandboxed page may be of another process, and hear of it later
      await expect.poll(isWhole).toBe(true);
      expect(await axeViolations(page.frames().at(-1) as unknown as Page)).toEqual([]);
    });

  it('shows the icons of technologies, and those of types where its program passes no resources on', async () => {
    await show('light');
    await notify('ui/notifications/tool-result', await call('read_workspace', { workspace }));
    const image = inside().locator('.picture image');
    await image.waitFor({ state: 'attached' });
    const size = await image.evaluate(async (one: SVGImageElement) => {
      const drawn = new Image();
      drawn.src = one.href.baseVal;
      await drawn.decode();
      return [drawn.src.slice(0, 19), drawn.naturalWidth > 0];
    });
    expect(size).toEqual(['data:image/svg+xml;', true]);
    expect(await inside().locator('.picture [data-id="db"] use').count()).toBe(1);
    await show('light');
    await page.evaluate(() => Object.assign(window, { readResource: null }));
    await notify('ui/notifications/tool-result', await call('read_workspace', { workspace }));
    await inside().locator('.picture [data-id="db"] .icon').waitFor({ state: 'attached' });
    await expect.poll(methods).toContain('resources/read');
    expect(await image.count()).toBe(0);
  });

  it('accepts what a person proposes, and says so; what an agent proposes waits for a person', async () => {
    await show('light');
    await api(`/${workspace}/batches`, {
      propose: true,
      explanation: 'Look-ups are slow',
      operations: [{ op: 'add_node', id: 'cache', type: 'cache', label: 'Orders cache' }],
    });
    const edited = await call('edit', {
      workspace,
      base_revision: 2,
      mode: 'propose',
      explanation: 'By an agent',
      operations: [{ op: 'add_node', id: 'queue', type: 'queue', label: 'Orders queue' }],
    });
    await notify('ui/notifications/tool-result', edited);
    const { proposal } = edited.structuredContent as { proposal: string };
    const cards = inside().locator('.card');
    await expect.poll(() => cards.count()).toBe(2);
    const ours = cards.filter({ hasText: 'By an agent' });
    expect(await ours.getByRole('button').allInnerTexts()).toEqual(['Review in Draftsmith', 'Withdraw']);
    await ours.getByRole('button', { name: 'Review in Draftsmith' }).click();
    await expect
      .poll(async () => (await seen()).find(({ method }) => method === 'ui/open-link')?.params)
      .toEqual({ url: `${stage.url}/w/${workspace}#proposal/${proposal}` });
    const theirs = cards.filter({ hasText: 'Look-ups are slow' });
    await theirs.getByRole('button', { name: 'Accept' }).click();
    await inside().getByText('Accepted as revision 3.').waitFor();
    await expect.poll(() => inside().locator('.picture').innerText()).toContain('Orders cache');
    await ours.getByRole('button', { name: 'Withdraw' }).click();
    await inside().getByText('Withdrawn.').waitFor();
    await expect.poll(() => cards.count()).toBe(0);
  });

  it('follows the theme of its host, and says what was refused', async () => {
    await notify('ui/notifications/host-context-changed', { theme: 'dark' });
    await expect
      .poll(() =>
        inside()
          .locator('html')
          .evaluate((html) => html.dataset.theme),
      )
      .toBe('dark');
    await show('light');
    await notify('ui/notifications/tool-result', await call('read_workspace', { workspace: '0'.repeat(26) }));
    await expect.poll(() => inside().locator('.message').innerText()).not.toBe('');
  });
});
