/** Pages of other origins, one that the operator has named and one that is a stranger; and the path of a proxy. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage, type Visit } from './stage';

const NODES = [
  { op: 'add_node', id: 'web', type: 'web', label: 'Web' },
  { op: 'add_node', id: 'orders', type: 'service', label: 'Orders' },
];

let stage: Stage;
let ours: Visit;
let named: Site;
let stranger: Site;
let w: string;

/** A web site of somebody else: an empty page at a host name that is not the server's. */
class Site {
  /** What stands on its page, as HTML. */
  content = '<h1>Our handbook</h1>';

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async open(): Promise<Site> {
    const server = createServer((_, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Site</title>${site.content}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const site = new Site(server, `http://localhost:${(server.address() as AddressInfo).port}`);
    return site;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

beforeAll(async () => {
  [named, stranger] = [await Site.open(), await Site.open()];
  stage = await Stage.open({
    settings: { ROOT_PATH: '/drafts', ALLOWED_ORIGINS: named.origin, FRAME_ANCESTORS: named.origin },
  });
  ours = await stage.person();
  await ours.page.goto('/drafts/');
});

afterAll(async () => {
  await stage?.close();
  named?.close();
  stranger?.close();
});

/** What a page gets for a request with `fetch`; the word `refused` where the browser keeps it from the page. */
const asks = (visit: Visit, path: string, body?: unknown) =>
  visit.page.evaluate(
    async ([url, json]) => {
      try {
        const init = json
          ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json }
          : {};
        const response = await fetch(url as string, init);
        return (await response.json()) as { id?: string; revision?: number };
      } catch {
        return 'refused' as const;
      }
    },
    [stage.url + path, body ? JSON.stringify(body) : null] as const,
  );

describe('below the path of a proxy', () => {
  it('makes a workspace, opens it, and finds it again after a reload', async () => {
    const { page } = ours;
    await page.getByRole('button', { name: 'New workspace' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/drafts\/w\/[0-9a-z]{26}/);
    w = /\/w\/([0-9a-z]{26})/.exec(page.url())?.[1] ?? '';
    await page.locator('#diagram').waitFor();
    await page.reload();
    await page.locator('#diagram').waitFor();
    const made = await asks(ours, `/drafts/api/v1/workspaces/${w}/batches`, { operations: NODES });
    expect(made).toMatchObject({ kind: 'edit' });
    await page.locator('.react-flow__node[data-id="orders"]').waitFor();
    await page.getByRole('link', { name: /all workspaces/ }).click();
    await page.waitForURL(/\/drafts\/?$/);
    expect(ours.strayRequests).toEqual([]);
    expect(ours.complaints).toEqual([]);
  });
});

describe('the view without what is around it', () => {
  it('shows the workspace to look at, and the way to it', async () => {
    const visit = await stage.person();
    await visit.page.goto(`/drafts/w/${w}?embed=1`);
    await visit.page.locator('.react-flow__node[data-id="orders"]').waitFor();
    expect(await visit.page.getByRole('banner').count()).toBe(0);
    expect(await visit.page.locator('.palette').count()).toBe(0);
    const outside = visit.page.getByRole('link', { name: 'Open in Draftsmith' });
    expect(await outside.getAttribute('href')).toBe(`/drafts/w/${w}`);
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  });
});

describe('the editor in a frame', () => {
  const framed = (site: Site) => {
    site.content = `<iframe title="Design" width="900" height="600" src="${stage.url}/drafts/w/${w}?embed=1"></iframe>`;
  };

  it('is shown by a page of an origin that is named, live, though the browser keeps nothing for it', async () => {
    framed(named);
    const visit = await stage.person('light', named.origin);
    await visit.page.goto('/');
    const frame = visit.page.frameLocator('iframe');
    await frame.locator('.react-flow__node[data-id="orders"]').waitFor();
    const operations = [{ op: 'add_node', id: 'later', type: 'service', label: 'Later' }];
    await asks(ours, `/drafts/api/v1/workspaces/${w}/batches`, { operations });
    await frame.locator('.react-flow__node[data-id="later"]').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  });

  it('is not shown by any other', async () => {
    framed(stranger);
    const visit = await stage.person('light', stranger.origin);
    const refused = visit.page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await visit.page.goto('/');
    await refused;
    expect(await visit.page.frameLocator('iframe').locator('.react-flow__node').count()).toBe(0);
    await visit.context.close();
  });
});

describe('a page of an origin that is named', () => {
  it('reads and writes', async () => {
    const visit = await stage.person('light', named.origin);
    await visit.page.goto('/');
    const made = await asks(visit, '/drafts/api/v1/workspaces', { name: 'From elsewhere' });
    expect(made).toMatchObject({ name: 'From elsewhere' });
    expect(await asks(visit, `/drafts/api/v1/workspaces/${w}`)).toMatchObject({ id: w });
    await visit.context.close();
  });
});

describe('a page of any other origin', () => {
  it('reads nothing and writes nothing', async () => {
    const visit = await stage.person('light', stranger.origin);
    await visit.page.goto('/');
    expect(await asks(visit, `/drafts/api/v1/workspaces/${w}`)).toBe('refused');
    expect(await asks(visit, '/drafts/api/v1/workspaces', { name: 'Stolen' })).toBe('refused');
    const { items } = (await asks(ours, '/drafts/api/v1/workspaces')) as unknown as {
      items: { name: string }[];
    };
    expect(items.map(({ name }) => name)).not.toContain('Stolen');
    await visit.context.close();
  });
});
