/** Token mode in the browser: the first administrator, share links, roles that are felt, and what is taken away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentOf, called, sent } from './agentActor';
import { axeViolations } from './axe';
import { Stage, type Visit } from './stage';

let stage: Stage;
let ada: Visit;
let w: string;

const NODES = [
  { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
  { id: 'orders', type: 'service', label: 'Orders', position: { x: 360, y: 0 } },
];

beforeAll(async () => {
  stage = await Stage.open({ isShared: true });
  ada = await stage.person('light');
});

afterAll(() => stage?.close());

const button = (visit: Visit, name: string | RegExp) => visit.page.getByRole('button', { name });
const node = (visit: Visit, id: string) => visit.page.locator(`.react-flow__node[data-id="${id}"]`);
const pill = (visit: Visit, text: string) => visit.page.locator('.pill', { hasText: text });
const dialog = (visit: Visit) => visit.page.getByRole('dialog', { name: 'Share' });

/** Make a link of a role in the Share dialog; its address. */
async function linkOf(role: string): Promise<string> {
  await button(ada, 'Share').click();
  await dialog(ada).getByLabel('Role of the link').selectOption({ label: role });
  await dialog(ada).getByRole('button', { name: 'Create link' }).click();
  const url = await dialog(ada).getByLabel('The new link, shown once').inputValue();
  await dialog(ada).getByRole('button', { name: 'Done' }).click();
  return url;
}

/** Somebody new opens a link and says their name. */
async function guest(url: string, name: string, scheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const visit = await stage.person(scheme);
  await visit.page.goto(url);
  await visit.page.getByLabel('Your name').fill(name);
  await button(visit, 'Open').click();
  await node(visit, 'orders').waitFor();
  return visit;
}

describe('a server that is shared', () => {
  it('shows a stranger how to sign in, and nothing else', async () => {
    const stranger = await stage.person('dark');
    await stranger.page.goto('/');
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await stranger.page.getByText('Open a share link').waitFor();
    expect(await axeViolations(stranger.page)).toEqual([]);
    await stranger.page.goto('/w/00000000000000000000000000');
    await stranger.page.getByRole('heading', { name: 'Sign in to open this workspace' }).waitFor();
    await stranger.page.getByRole('link', { name: 'Sign in' }).click();
    await stranger.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await stranger.context.close();
  });

  it('makes whoever opens the first link an administrator, and keeps its secret out of the address', async () => {
    await ada.page.goto(stage.firstLink);
    await ada.page.getByRole('heading', { name: 'Sign in as an administrator' }).waitFor();
    expect(ada.page.url()).not.toContain('#');
    await ada.page.getByLabel('Your name').fill('Ada');
    await button(ada, 'Sign in').click();
    await ada.page.getByRole('heading', { name: 'Workspaces', exact: true }).waitFor();
    await button(ada, 'You are Ada').waitFor();
    const made = await ada.api<{ id: string }>('POST', '/workspaces', {
      name: 'Shop',
      document: { text: '# Shop\n\nWe sell.\n' },
      diagram: { nodes: NODES, edges: [] },
    });
    w = made.id;
    await ada.page.goto(`/w/${w}`);
    await node(ada, 'orders').waitFor();
  });
});

describe('a share link', () => {
  it('for viewing asks a name once, shows everything and offers nothing that would be refused', async () => {
    const url = await linkOf('Can view');
    const vera = await guest(url, 'Vera', 'dark');
    await pill(vera, 'View only').waitFor();
    expect(vera.page.url()).not.toContain('#dss');
    // What is offered comes in parts, some of them later.
    await vera.page.locator('.workspace:not([data-read="first"])').waitFor();
    expect(await vera.page.getByRole('navigation', { name: 'Node types' }).count()).toBe(0);
    expect(await vera.page.getByRole('group', { name: 'Undo and redo' }).count()).toBe(0);
    await node(vera, 'orders').click();
    await node(vera, 'orders').locator('.selected').waitFor();
    expect(await node(vera, 'orders').locator('.connect-dot').count()).toBe(0);
    await vera.page.keyboard.press('Delete');
    await node(vera, 'orders').waitFor();
    await vera.page.locator('#document').getByText('We sell.').waitFor();
    await vera.page.keyboard.press('ControlOrMeta+J');
    await vera.page.getByText('asking the assistant takes the role').waitFor();
    await ada.api('POST', `/workspaces/${w}/batches`, {
      operations: [{ op: 'update_node', id: 'orders', label: 'Sales' }],
    });
    await node(vera, 'orders').getByText('Sales').waitFor();
    await vera.page.goto(url);
    await vera.page.getByText('You open it as Vera.').waitFor();
    expect(vera.complaints).toEqual([]);
    await vera.context.close();
  });

  it('for editing lets two people edit, each with an undo of their own', async () => {
    const url = await linkOf('Can edit');
    const [eve, finn] = [await guest(url, 'Eve'), await guest(url, 'Finn', 'dark')];
    for (const [visit, id] of [
      [eve, 'eves'],
      [finn, 'finns'],
    ] as const)
      await visit.api('POST', `/workspaces/${w}/batches`, {
        operations: [{ op: 'add_node', id, type: 'cache', label: id }],
      });
    await node(eve, 'finns').waitFor();
    await button(eve, /^Undo: .*eves/).click();
    await node(eve, 'eves').waitFor({ state: 'detached' });
    await node(finn, 'eves').waitFor({ state: 'detached' });
    await node(finn, 'finns').waitFor();
    await eve.context.close();
    await finn.context.close();
  });

  it('that is revoked closes its pages at once', async () => {
    const url = await linkOf('Can edit');
    const gil = await guest(url, 'Gil');
    await button(ada, 'Share').click();
    const links = dialog(ada).getByRole('button', { name: /^Revoke the link/ });
    await expect.poll(() => links.count()).toBeGreaterThan(2);
    const before = await links.count();
    for (let left = before; left > 0; left -= 1) {
      await links.last().click();
      await dialog(ada)
        .getByRole('button', { name: /^Yes, revoke/ })
        .click();
      await expect.poll(() => links.count()).toBe(left - 1);
    }
    await gil.page.getByRole('heading', { name: 'This workspace is not here' }).waitFor();
    await dialog(ada).getByText('There are no links yet.').waitFor();
    expect(await axeViolations(ada.page)).toEqual([]);
    await dialog(ada).getByRole('button', { name: 'Done' }).click();
    await gil.page.goto(url);
    await button(gil, 'Open').click();
    await gil.page.getByText('This link opens nothing').waitFor();
    await gil.context.close();
  });
});

describe('a link to a picture', () => {
  /** How wide the only image of a page of another origin is drawn; 0 where it is not shown. */
  const shownOn = async (wiki: Visit, html: string): Promise<number> => {
    const page = await wiki.context.newPage(); // a page that is there shows again what it has
    await page.setContent(html);
    const image = page.locator('img');
    await expect.poll(() => image.evaluate((found: HTMLImageElement) => found.complete)).toBe(true);
    const source = await image.evaluate((found: HTMLImageElement) => found.currentSrc);
    expect(source).toContain('theme=dark');
    return image.evaluate((found: HTMLImageElement) => found.naturalWidth);
  };

  it('is made by keyboard, shows the diagram on a page of another origin, and nothing once revoked', async () => {
    const { keyboard } = ada.page;
    await button(ada, 'Share').click();
    await dialog(ada).getByLabel('Colours of the picture').selectOption({ label: 'As the reader has it' });
    await dialog(ada).getByLabel('When the picture ends').focus();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    const html = await dialog(ada).getByLabel('The picture in HTML, shown once').inputValue();
    expect(await dialog(ada).getByLabel('The picture in Markdown, shown once').count()).toBe(0);
    const address = await dialog(ada).getByLabel('The workspace with a preview, shown once').inputValue();
    const looked = await (await fetch(address)).text(); // as a program of a chat looks, with no credential
    expect(looked).toMatch(
      /property="og:title" content="Shop".*property="og:image" content="http[^"]*link=dsp_/,
    );
    await dialog(ada).getByLabel('Colours of the picture').selectOption({ label: 'Dark' });
    const markdown = await dialog(ada).getByLabel('The picture in Markdown, shown once').inputValue();
    expect(markdown).toMatch(/^!\[Shop]\(http:.*\/api\/v1\/picture\.svg\?link=dsp_[\w-]+&theme=dark\)$/);
    await dialog(ada).getByText('Picture of the whole diagram · made by Ada').waitFor();
    expect(await axeViolations(ada.page)).toEqual([]);

    const wiki = await stage.person('dark');
    expect(await shownOn(wiki, html)).toBeGreaterThan(100);
    await dialog(ada)
      .getByRole('button', { name: 'Revoke the link of Ada, picture of the whole diagram' })
      .click();
    await keyboard.press('Enter');
    await dialog(ada).getByText('There are no links yet.').waitFor();
    expect(await shownOn(wiki, html)).toBe(0);
    await wiki.context.close();
    await dialog(ada).getByRole('button', { name: 'Done' }).click();
  });
});

describe('the settings of somebody who is signed in', () => {
  it('make a key that acts as them, and revoke it; list where they are signed in', async () => {
    await button(ada, 'You are Ada').click();
    await ada.page.getByRole('menuitem', { name: /^Settings/ }).click();
    const settings = ada.page.getByRole('dialog', { name: 'Settings' });
    await settings.getByText('This browser', { exact: true }).waitFor();
    await settings.getByLabel('What the key is for').fill('build server');
    await settings.getByRole('button', { name: 'Create key' }).click();
    const secret = await settings.getByLabel('The new key, shown once').inputValue();
    const me = await fetch(`${stage.url}/api/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(((await me.json()) as { name: string }).name).toBe('Ada');
    expect(await axeViolations(ada.page)).toEqual([]);
    await settings.getByRole('button', { name: 'Revoke build server' }).click();
    await settings.getByRole('button', { name: 'Yes, revoke build server' }).click();
    await settings.getByText('You have no keys yet.').waitFor();
    const refused = await fetch(`${stage.url}/api/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(refused.status).toBe(401);
    await ada.page.keyboard.press('Escape');
  });

  it('connect an agent with a key that may less than its person, until it is revoked', async () => {
    await button(ada, 'Share').click();
    await dialog(ada).getByRole('button', { name: 'Connect your agent…' }).click();
    const connect = ada.page.getByRole('dialog', { name: 'Connect your agent' });
    const command = connect.getByRole('region', { name: 'what the program is given' });
    await connect.getByText('Put a key in place of YOUR_KEY').waitFor();
    expect(await command.textContent()).toContain('Bearer YOUR_KEY');
    await connect.getByLabel('Name of the key').fill('Reader');
    await connect.getByLabel('What it may do').selectOption({ label: 'Can read' });
    await connect.getByRole('button', { name: 'Create key' }).click();
    await connect.getByText('is shown only now').waitFor();
    const agent = agentOf((await command.textContent()) ?? '');
    const { role } = await called<{ role: string }>(agent, 'read_workspace', { workspace: w });
    expect(role).toBe('viewer');
    expect(await axeViolations(ada.page)).toEqual([]);
    await connect.getByRole('button', { name: 'Revoke Reader' }).click();
    await connect.getByRole('button', { name: 'Yes, revoke Reader' }).click();
    await connect.getByText('You have no keys yet.').waitFor();
    // The list, which is read again and again, may know of it before the answer is here.
    await expect.poll(() => command.textContent()).toContain('Bearer YOUR_KEY');
    expect((await sent(agent, 'read_workspace', { workspace: w })).status).toBe(401);
    await connect.getByRole('button', { name: 'Done' }).click();
  });

  it('show an owner who changed who may what', async () => {
    await button(ada, 'Share').click();
    await dialog(ada).getByRole('button', { name: 'Show who changed what' }).click();
    await dialog(ada).getByText('Ada · share created').first().waitFor();
    expect(await axeViolations(ada.page)).toEqual([]);
    await dialog(ada).getByRole('button', { name: 'Done' }).click();
  });
});

describe('a role that changes', () => {
  it('is felt at once: who could edit reads on', async () => {
    const made = await ada.api<{ url: string; id: string }>('POST', `/workspaces/${w}/shares`, {
      role: 'editor',
    });
    const hana = await guest(made.url, 'Hana');
    await button(hana, /^(Undo|Nothing)/)
      .first()
      .waitFor();
    await ada.api('PATCH', `/workspaces/${w}/access`, { everyone: 'viewer' });
    await ada.api('POST', `/workspaces/${w}/batches`, {
      operations: [{ op: 'update_node', id: 'orders', label: 'Orders since' }],
    });
    await node(hana, 'orders').getByText('Orders since').waitFor();
    const comment = await ada.api<{ url: string }>('POST', `/workspaces/${w}/shares`, { role: 'commenter' });
    await hana.page.goto(comment.url);
    await button(hana, 'Open').click();
    await pill(hana, 'Can comment').waitFor();
    await hana.context.close();
  });

  it('ends with signing out', async () => {
    await button(ada, 'You are Ada').click();
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await ada.page.goto(`/w/${w}`);
    await ada.page.getByRole('heading', { name: 'Sign in to open this workspace' }).waitFor();
  });

  it('left no error on the console', () => {
    const refusals = /status of (401|403|404|422)/;
    expect(ada.complaints.filter((text) => !refusals.test(text))).toEqual([]);
    expect(ada.strayRequests).toEqual([]);
  });
});
