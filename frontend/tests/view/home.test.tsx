// @vitest-environment jsdom
/** The first page over a server of its own making: the list, what is done with its rows, and importing. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { CreatedWorkspace, NewWorkspace, WorkspaceItem } from '../../src/protocol/types';
import { HomePage } from '../../src/view/home/HomePage';
import { createQueryClient } from '../../src/view/queries';
import { ToastProvider } from '../../src/view/ui/overlay/Toasts';
import { allowDialogs, eventually, every, fill, found, holdMessages, key, press, says } from './operate';

type Warning = Pick<CreatedWorkspace['warnings'][number], 'code' | 'message' | 'candidates'>;
type Refusal = { code: string; problems: { path: string; message: string }[] };

const TEMPLATES = [
  { id: 'blank', name: 'Blank', description: 'Nothing yet.' },
  { id: 'web-service', name: 'Web service', description: 'A service with a database.' },
];

/** As much of the server as the first page talks to. What the real one answers is tested in `tests/integration`. */
class Workspaces {
  readonly items: WorkspaceItem[] = [];
  readonly sent: { call: string; body: unknown }[] = [];
  /** What the next creations are answered with. */
  readonly answers: (Warning[] | Refusal)[] = [];
  isAway = false;
  /** Calls whose answers wait for something. */
  readonly held = new Map<string, Promise<unknown>>();

  add(name: string, id = `w${this.items.length + 1}`): WorkspaceItem {
    const at = new Date(Date.UTC(2026, 0, 1, this.items.length)).toISOString();
    const counts = { nodes: 0, edges: 0, chars: 0, revision: 1 };
    const facts = { created_at: at, updated_at: at, deleted_at: null, changed_by: null, folder: null };
    const item: WorkspaceItem = { id, name, role: 'owner', ...counts, ...facts };
    this.items.push(item);
    return item;
  }

  /** Stands in for `fetch`. */
  readonly answer = async (address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(String(address), 'http://localhost');
    const call = `${init.method} ${pathname.replace('/api/v1', '')}`;
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    if (init.method !== 'GET') this.sent.push({ call, body });
    if (this.isAway) throw new TypeError('Failed to fetch');
    await this.held.get(call);
    const [status, said] = this.said(call, body, searchParams);
    return new Response(status === 204 ? null : JSON.stringify(said), { status });
  };

  private said(call: string, body: unknown, query: URLSearchParams): [number, unknown?] {
    const [, id] = /^\w+ \/workspaces\/(\w+)/.exec(call) ?? [];
    const item = this.items.find((one) => one.id === id);
    if (call === 'GET /workspaces') return [200, { items: this.listed(query), next_cursor: null }];
    if (call === 'POST /workspaces') return this.created(body as NewWorkspace);
    if (item && call.startsWith('DELETE')) return [204, this.set(item, { deleted_at: item.updated_at })];
    if (item && call.endsWith('/undelete')) return [200, this.set(item, { deleted_at: null })];
    if (item && call.startsWith('PATCH')) return [200, this.set(item, body as { name: string })];
    if (call === 'GET /me')
      return [200, { id: 'guest:ada', name: 'Ada', kind: 'person', color: '#123456', mode: 'local' }];
    if (call === 'GET /templates') return [200, { items: TEMPLATES }];
    if (call === 'GET /assistant') return [200, { provider: 'builtin', workflows: [] }];
    return [200, { items: [], next_cursor: null }];
  }

  private listed(query: URLSearchParams): WorkspaceItem[] {
    const wanted = (query.get('q') ?? '').toLowerCase();
    const isTrash = query.get('trash') === 'true';
    const found = this.items.filter(
      ({ name, deleted_at }) => name.toLowerCase().includes(wanted) && (deleted_at !== null) === isTrash,
    );
    return query.get('sort') === 'name'
      ? found.sort((a, b) => a.name.localeCompare(b.name))
      : found.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  private created(body: NewWorkspace): [number, unknown] {
    const answer = this.answers.shift() ?? [];
    if (!Array.isArray(answer)) return [422, { status: 422, title: '', detail: '', ...answer }];
    const of = this.items.find(({ id }) => id === body.copy_of);
    const page = (body.import as { page?: number } | undefined)?.page;
    const item = this.add(body.name ?? (of ? `Copy of ${of.name}` : `Page ${page}`));
    return [201, { ...item, nodes: 2, edges: 1, warnings: answer }];
  }

  private set(item: WorkspaceItem, change: Partial<WorkspaceItem>): WorkspaceItem {
    return Object.assign(item, change);
  }
}

let server: Workspaces;
let root: Root;
let queries: ReturnType<typeof createQueryClient>;
let visited: string[];
const page = document.createElement('div');

/** Nothing is ever about to be seen. */
class Unseen {
  observe() {}
  unobserve() {}
  disconnect() {}
}

async function open(): Promise<void> {
  root = createRoot(page);
  queries = createQueryClient();
  const location = memoryLocation({ path: '/', record: true });
  visited = location.history;
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <Router hook={location.hook} searchHook={location.searchHook}>
            <HomePage />
          </Router>
        </ToastProvider>
      </QueryClientProvider>,
    ),
  );
}

async function close(): Promise<void> {
  await act(async () => root.unmount());
  queries.clear();
}

beforeEach(async () => {
  holdMessages();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('IntersectionObserver', Unseen);
  vi.stubGlobal('ResizeObserver', Unseen);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  allowDialogs();
  localStorage.clear();
  server = new Workspaces();
  vi.stubGlobal('fetch', server.answer);
  document.body.append(page);
});

afterEach(async () => {
  await close();
  page.remove();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const names = () => every('.row-name').map((one) => one.textContent);
const shows = (...rows: string[]) => eventually(() => expect(names()).toEqual(rows));
const sent = () => server.sent.map(({ call }) => call);

/** Choose in the menu of a row. The first press of all reads the menu, which is open then; later ones are Radix's, by keyboard. */
async function choose(name: string, item: string): Promise<void> {
  const find = () =>
    every('[role="menuitem"]').find((one) => one.querySelector('.menu-text')?.textContent === item);
  const button = await found('button', `More for ${name}`);
  await act(async () => {
    if (!button.hasAttribute('data-state')) button.click();
    else button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  });
  await eventually(() => expect(find(), item).toBeDefined());
  await act(async () => find()?.click());
}

describe('the list', () => {
  beforeEach(async () => {
    server.add('Shop');
    server.add('Bank');
    await open();
    await shows('Bank', 'Shop');
  });

  it('is sorted by name where that is chosen, also in a page that is opened later', async () => {
    server.add('Able').updated_at = '2025-01-01T00:00:00Z';
    await fill('Sort by', 'name');
    await shows('Able', 'Bank', 'Shop');
    await close();
    await open();
    await shows('Able', 'Bank', 'Shop');
    await fill('Sort by', 'changed');
    await shows('Bank', 'Shop', 'Able');
  });

  it('is searched, and says where nothing is called so', async () => {
    await fill('Search workspaces', 'sho');
    await shows('Shop');
    await fill('Search workspaces', 'no such');
    await says('Nothing is called “no such”');
    await fill('Search workspaces', '');
    await shows('Bank', 'Shop');
  });

  it('renames in place, and keeps the old name on Escape', async () => {
    await choose('Bank', 'Rename');
    await fill('Name of the workspace', 'Never');
    await key('Escape');
    await shows('Bank', 'Shop');
    // A frame later the keyboard is back at the row, which closes what is opened before.
    await eventually(() => expect(document.activeElement?.textContent).toBe('Bank'));
    await choose('Bank', 'Rename');
    await fill('Name of the workspace', 'Till');
    await key('Enter');
    await shows('Till', 'Shop');
    expect(server.sent).toEqual([{ call: 'PATCH /workspaces/w2', body: { name: 'Till' } }]);
  });

  it('duplicates a workspace, and offers to open the copy', async () => {
    await choose('Shop', 'Duplicate');
    await shows('Copy of Shop', 'Bank', 'Shop');
    expect(server.sent).toEqual([{ call: 'POST /workspaces', body: { copy_of: 'w1' } }]);
    await says('“Copy of Shop” was made', '.toast');
    expect(visited.at(-1)).toBe('/');
    await press('Open');
    expect(visited.at(-1)).toBe('/w/w3');
  });

  it('throws away, takes that back, throws away again, and puts back from the trash', async () => {
    await choose('Shop', 'Move to trash');
    await shows('Bank');
    await press('Undo');
    await shows('Bank', 'Shop');
    await says('“Shop” is back', '.toasts');
    await choose('Shop', 'Move to trash');
    await shows('Bank');
    await press('Trash');
    await shows('Shop');
    await press('Put back Shop');
    await says('The trash is empty');
    await press('All');
    await shows('Bank', 'Shop');
    const [put, away] = ['POST /workspaces/w1/undelete', 'DELETE /workspaces/w1'];
    expect(sent()).toEqual([away, put, away, put]);
  });

  it('keeps what could not be thrown away, and says why', async () => {
    server.isAway = true;
    await choose('Shop', 'Move to trash');
    await eventually(() => expect(every('.toast.bad')).toHaveLength(1));
    expect(names()).toContain('Shop');
  });
});

describe('where there is no workspace', () => {
  const heading = () => document.querySelector('.first-steps h2')?.textContent;

  it('one press on a template makes one, and opens it', async () => {
    await open();
    await eventually(() => expect(heading()).toBe('No workspaces yet'));
    await press('Web serviceA service with a database.');
    await eventually(() => expect(visited.at(-1)).toBe('/w/w1'));
    expect(server.sent).toEqual([
      { call: 'POST /workspaces', body: { name: 'Web service', template: 'web-service' } },
    ]);
    await close();
    await open();
    await shows('Web service');
    expect(heading()).toBeUndefined();
  });

  it('one that is in the list before the rest is read anew is opened all the same', async () => {
    await open();
    await eventually(() => expect(heading()).toBe('No workspaces yet'));
    let letGo = () => {};
    server.held.set('GET /folders', new Promise<void>((resolve) => (letGo = resolve)));
    await press('Web serviceA service with a database.');
    await shows('Web service');
    expect(heading()).toBeUndefined();
    letGo();
    await eventually(() => expect(visited.at(-1)).toBe('/w/w1'));
  });

  it('a file can be imported', async () => {
    await open();
    await press('import a file');
    await says('Import', 'dialog h2');
  });
});

describe('importing', () => {
  const format = () => every<HTMLSelectElement>('dialog select').find((one) => one.value)?.value;
  const submit = () => found('dialog button', 'Import') as Promise<HTMLButtonElement>;
  const body = () => server.sent.at(-1)?.body;
  /** The fields of the dialog: what is pasted, or the content of a file. */
  const paste = (text: string) => fill('Or paste text', text);

  async function chooseFile(name: string, content: string): Promise<void> {
    const field = await found('input[type="file"]', 'File to import');
    Object.defineProperty(field, 'files', { value: [new File([content], name)], configurable: true });
    await act(async () => void field.dispatchEvent(new Event('change', { bubbles: true })));
    await says(name, '.import-file-name');
  }

  beforeEach(async () => {
    server.add('Shop');
    await open();
    await shows('Shop');
    await press('Import');
    await eventually(() => expect(every('dialog')).toHaveLength(1));
  });

  it('takes a chosen Markdown file under the name of its heading, and opens it', async () => {
    await chooseFile('design.md', '# Written elsewhere\n\nSome words.\n');
    expect(format()).toBe('markdown');
    await act(async () => (await submit()).click());
    await eventually(() => expect(visited.at(-1)).toBe('/w/w2'));
    expect(body()).toEqual({
      name: 'Written elsewhere',
      import: { format: 'markdown', content: '# Written elsewhere\n\nSome words.\n' },
    });
  });

  it('takes a pasted flowchart, and says which line could not be taken over before it is opened', async () => {
    const message = 'Line 3 was not taken over: it is no connection. “classDef hot fill:#f00”';
    server.answers.push([{ code: 'line_unread', message, candidates: [] }]);
    await paste('flowchart LR\n  web[Web] --> orders[(Orders)]\n  classDef hot fill:#f00\n');
    expect(format()).toBe('mermaid');
    await fill('Name', 'Pasted');
    await act(async () => (await submit()).click());
    await says('1 line was not taken over', 'dialog h2');
    await says('The rest is in “Pasted”: 2 nodes and 1 connection.', 'dialog');
    expect(document.querySelector('.import-unread')?.textContent).toBe(
      'Line 3: it is no connectionclassDef hot fill:#f00',
    );
    expect(body()).toMatchObject({ name: 'Pasted', import: { format: 'mermaid' } });
    expect(visited.at(-1)).toBe('/');
    await press('Open workspace');
    expect(visited.at(-1)).toBe('/w/w2');
  });

  it('takes a diagram as text by the ending of its file, and says which line could not be taken over', async () => {
    const message = 'Line 3 was not taken over: “vault” is no type. “Safe (vault)”';
    server.answers.push([{ code: 'line_unread', message, candidates: [] }]);
    await chooseFile('Market.diagram.txt', 'Till -> Bank: pays\nBank (external)\nSafe (vault)\n');
    await says('3 lines. Each is a node or a connection', 'dialog');
    expect(format()).toBe('text');
    await act(async () => (await submit()).click());
    await says('1 line was not taken over', 'dialog h2');
    await says(/^Line 3: “vault” is no typeSafe \(vault\)$/, '.import-unread');
    expect(body()).toMatchObject({ name: 'Market', import: { format: 'text' } });
    await press('Open workspace');
    expect(visited.at(-1)).toBe('/w/w2');
  });

  it('takes the first page of a drawing of draw.io, then the others, and lists what was not taken over', async () => {
    const left = { code: 'pages_left', message: '', candidates: ['2'] };
    const message = 'Shape lost was not taken over: it has one end only. “nowhere”';
    server.answers.push([left, { code: 'shape_unread', message, candidates: [] }]);
    await chooseFile('plan.drawio', '<mxfile><diagram name="Shop"/><diagram name="Tills"/></mxfile>');
    await says('2 pages: the first one now', 'dialog');
    expect(format()).toBe('drawio');
    await act(async () => (await submit()).click());
    await says('1 thing was not taken over', 'dialog h2');
    await says(/^Shape lost: it has one end onlynowhere$/, '.import-unread');
    await press('Import the other 1 page as well');
    await eventually(() =>
      expect(every<HTMLAnchorElement>('dialog a').map((one) => [one.textContent, one.pathname])).toEqual([
        ['plan', '/w/w2'],
        ['Page 2', '/w/w3'],
      ]),
    );
    expect(server.sent.map((one) => (one.body as NewWorkspace).import)).toMatchObject([
      { format: 'drawio' },
      { format: 'drawio', page: 2 },
    ]);
    expect(every('dialog button').map((one) => one.textContent)).not.toContain(
      'Import the other 1 page as well',
    );
    await press('Open workspace');
    expect(visited.at(-1)).toBe('/w/w2');
  });

  it('says what is wrong before anything is sent', async () => {
    for (const [text, words] of [
      ['{\n  "format": oops', 'This is not valid JSON'],
      ['{"format": "other/3"}', 'This JSON is not an export of Draftsmith'],
      ['gantt\n title Plan', 'This is a Mermaid gantt'],
    ] as const) {
      await paste(text);
      await says(words, 'dialog [role="alert"]');
      expect((await submit()).disabled, words).toBe(true);
    }
    expect(server.sent).toEqual([]);
  });

  it('says where it is wrong when the server refuses, and takes it once it is corrected', async () => {
    const path = '/import/content/diagram/nodes/0/type';
    server.answers.push({ code: 'batch_rejected', problems: [{ path, message: 'There is no such type.' }] });
    await paste('{"format": "draftsmith/1", "name": "Ours", "diagram": {"nodes": [{}], "edges": []}}');
    await act(async () => (await submit()).click());
    await says('It was not imported: 1 thing in it cannot be taken.', 'dialog [role="alert"]');
    await says('node 1, type: There is no such type.', '.import-places');
    expect(visited.at(-1)).toBe('/');
    await act(async () => (await submit()).click());
    await eventually(() => expect(visited.at(-1)).toBe('/w/w2'));
  });
});
