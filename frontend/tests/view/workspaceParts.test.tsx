// @vitest-environment jsdom
/** Parts of an open workspace: what they draw of its state, and what they ask the server when they are operated. */
import { ReactFlowProvider } from '@xyflow/react';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TYPE_CATEGORIES } from '../../src/model/words/kinds';
import type { Content, NodeFieldsStep, Role, Submit } from '../../src/protocol/live';
import { place } from '../../src/view/gestures/actions';
import { GestureLayer } from '../../src/view/gestures/GestureLayer';
import { Palette } from '../../src/view/palette/Palette';
import { Banners } from '../../src/view/people/Banners';
import { PropertiesPanel } from '../../src/view/properties/PropertiesPanel';
import { type Toasts, useToasts } from '../../src/view/ui/overlay/Toasts';
import { WorkspaceBar } from '../../src/view/workspace/WorkspaceBar';
import { WorkspaceCommands } from '../../src/view/workspace/WorkspaceCommands';
import { ADA, commit, committed, content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually, every, field, fill, key, press, says } from './operate';

const NODES: Content['nodes'] = [
  ['web', { birth: 1, type: 'web', label: 'Web app', position: { x: 40, y: 360 } }],
  ['api', { birth: 1, type: 'api', label: 'API', position: { x: 40, y: 70 } }],
  ['db', { birth: 1, type: 'database', label: 'Orders DB', position: { x: 300, y: 70 } }],
];
const EDGES: Content['edges'] = [['api--db', 'api', 'db', { birth: 1, label: 'SQL' }]];

let open: OpenWorkspace;

async function come(role: Role = 'owner'): Promise<void> {
  open = await OpenWorkspace.with(welcome({ role }), state(1, { ...content('', NODES), edges: EDGES }));
  document.body.append(open.page);
}

/** What the page sends meanwhile: a list of operations for each step. */
async function stepsOf(act: () => Promise<unknown>): Promise<object[][]> {
  const before = open.steps.length;
  await act();
  return open.steps.slice(before);
}

beforeEach(() => {
  localStorage.clear();
  const answer = (path: string) => (path.endsWith('/me') ? { ...ADA, mode: 'local' } : { items: [] });
  vi.stubGlobal('fetch', async (address: string) => new Response(JSON.stringify(answer(address))));
});

afterEach(async () => {
  open.page.remove();
  await open.close();
  vi.restoreAllMocks();
});

/** Try to place a node. */
async function placeNode(): Promise<void> {
  let toasts = null as Toasts | null;
  function Reader() {
    toasts = useToasts();
    return null;
  }
  await open.draw(<Reader />);
  const sent = open.sent.length;
  await act(async () => place(open.context, toasts as Toasts, 'service', { x: 0, y: 0 }));
  expect(open.page.textContent).toContain('Nothing was changed');
  expect(open.context.ui.get().making).toBeNull();
  expect(open.sent.length).toBe(sent);
}

const Bar = () => (
  <>
    <WorkspaceBar />
    <Banners />
    <WorkspaceCommands />
  </>
);
const views = () =>
  every('[aria-label="View"] button').map((one) => [one.textContent, one.getAttribute('aria-pressed')]);

describe('who may only look', () => {
  it('is told why no node is placed, and nothing is drawn or sent', async () => {
    await come('viewer');
    await placeNode();
  });
});

describe('a phone', () => {
  const WHY = 'View only on a screen this small. Open it on a larger one to edit.';
  const banner = () => document.querySelector('[data-banner="phone"]')?.textContent ?? null;
  const changing = () => every('.undo-buttons, .title-button').length;

  it('shows the diagram or the document, says why nothing can be changed, and offers nothing that does', async () => {
    await come();
    await open.draw(<Bar />);
    expect([banner(), changing()]).toEqual([null, 2]);
    await open.resize(true);
    expect([banner(), changing()]).toEqual([WHY, 0]);
    await says('View only', '.pill');
    expect(document.querySelector<HTMLElement>('.pill')?.title).toBe(WHY);
    expect(views()).toEqual([
      ['Diagram', 'true'],
      ['Document', 'false'],
    ]);
    await press('Document');
    expect(open.context.ui.get().mode).toBe('document');
    await open.resize(false);
    expect([banner(), changing()]).toEqual([null, 2]);
    expect(views()).toContainEqual(['Document', 'true']);
  });

  it('places nothing', async () => {
    await come();
    await open.resize(true);
    await placeNode();
    await says(WHY, '.toast');
  });
});

describe('the views', () => {
  const shown = (view: string) =>
    ['Diagram', 'Split', 'Document'].map((name) => [name, String(name === view)]);

  it('are Diagram, Split and Document, by button and by key, and the one chosen is there again', async () => {
    await come();
    await open.draw(<Bar />);
    expect(views()).toEqual(shown('Split'));
    await press('Diagram');
    expect(views()).toEqual(shown('Diagram'));
    for (const [name, view] of [
      ['1', 'Diagram'],
      ['2', 'Split'],
      ['3', 'Document'],
    ] as const) {
      expect(await key(name, { altKey: true })).toBe(true);
      expect(views()).toEqual(shown(view));
      expect(open.context.ui.get().mode).toBe(view.toLowerCase());
    }
    open.page.remove();
    await open.close();
    await come();
    await open.draw(<Bar />);
    expect(views()).toEqual(shown('Document'));
  });
});

describe('properties', () => {
  const choices = (select: HTMLSelectElement) => [...select.options].map(({ text }) => text);
  const webStep = (v: NodeFieldsStep['v']): NodeFieldsStep => ({ k: 'node=', id: 'web', b: 1, v });
  const web = (change: object) => [{ op: 'update_node', id: 'web', ...change }];

  beforeEach(async () => {
    await come();
    await open.draw(<PropertiesPanel />);
    await open.select(['web']);
  });

  it('of a node are saved when a field is left, once, and brought back with Escape', async () => {
    const technology = await field('Technology');
    const written = async () => {
      await fill('Technology', 'React');
      await key('Enter');
    };
    expect(await stepsOf(written)).toEqual([web({ technology: 'React' })]);
    const { id } = open.sent.findLast(({ t }) => t === 'submit') as Submit;
    // What somebody else makes of it since is shown, and not overwritten.
    const overtaken = async () => {
      await open.hear(committed(id, 2), commit(2, [webStep({ technology: [null, 'React'] })]));
      await open.hear(commit(3, [webStep({ technology: ['React', 'Svelte'] })]));
      expect(technology.value).toBe('Svelte');
      await act(async () => technology.blur());
    };
    expect(await stepsOf(overtaken)).toEqual([]);
    const left = async () => {
      await fill('Technology', 'Vue');
      await act(async () => technology.blur());
    };
    expect(await stepsOf(left)).toEqual([web({ technology: 'Vue' })]);
    const givenUp = async () => {
      await fill('Technology', 'Angular');
      await key('Escape');
      await act(async () => technology.blur());
    };
    expect(await stepsOf(givenUp)).toEqual([]);
    expect(technology.value).toBe('Vue');
    expect(await stepsOf(() => fill('Type', 'mobile'))).toEqual([web({ type: 'mobile' })]);
    const moved = async () => {
      await fill('x', '64');
      await key('Enter');
    };
    expect(await stepsOf(moved)).toEqual([web({ position: { x: 64, y: 360 } })]);
    expect(open.context.client.view.nodes.get('web')).toMatchObject({ type: 'mobile', technology: 'Vue' });
  });

  it('hold further facts, which are added, changed and removed, each as one step', async () => {
    const added = async () => {
      await fill('Name of a new property', 'owner');
      await fill('Value of a new property', 'Team A');
      await press('Add property');
    };
    expect(await stepsOf(added)).toEqual([web({ properties: { owner: 'Team A' } })]);
    const changed = async () => {
      await fill('Value of owner', 'Team B');
      await key('Enter');
    };
    expect(await stepsOf(changed)).toEqual([web({ properties: { owner: 'Team B' } })]);
    expect((await field('Value of owner')).value).toBe('Team B');
    expect(await stepsOf(() => press('Remove owner'))).toEqual([web({ properties: { owner: null } })]);
    await eventually(() => expect(every('[aria-label="Remove owner"]')).toEqual([]));
  });

  it('of several are changed together, as one step', async () => {
    await open.select(['web', 'api', 'db'], ['api--db']);
    await says('3 nodes, 1 connection', 'h2');
    const written = async () => {
      await fill('Technology', 'Anything');
      await key('Enter');
    };
    const [step, ...others] = await stepsOf(written);
    expect(others).toEqual([]);
    expect(step).toEqual(
      ['web', 'api', 'db'].map((id) => ({ op: 'update_node', id, technology: 'Anything' })),
    );
    expect(await stepsOf(() => fill('Kind', 'data'))).toEqual([
      [{ op: 'update_edge', id: 'api--db', kind: 'data' }],
    ]);
  });

  it('keep what is being written when somebody else changes it, and say so', async () => {
    await fill('Name', 'Mine');
    await open.hear(commit(2, [webStep({ label: ['Web app', 'Theirs'] })]));
    await says('Bob changed this to “Theirs”. Yours is saved when you leave the field; Escape takes theirs.');
    expect((await field('Name')).value).toBe('Mine');
    expect(await stepsOf(() => key('Enter'))).toEqual([web({ label: 'Mine' })]);
    await says('Mine', 'h2');
  });

  describe('of a connection', () => {
    const line = (change: object) => [[{ op: 'update_edge', id: 'api--db', ...change }]];
    const drawn = () => open.context.client.view.edges.get('api--db');

    beforeEach(() => open.select([], ['api--db']));

    it('say of what kind it is, and let another one be chosen', async () => {
      const kind = await field<HTMLSelectElement>('Kind');
      expect(choices(kind)).toEqual(['Synchronous call', 'Asynchronous message', 'Data flow', 'Dependency']);
      expect(kind.value).toBe('sync');
      expect(await stepsOf(() => fill('Kind', 'async'))).toEqual(line({ kind: 'async' }));
      expect(kind.value).toBe('async');
      expect(drawn()?.kind).toBe('async');
    });

    it('say where it leads, and let it be turned round and led elsewhere', async () => {
      const direction = await field<HTMLSelectElement>('Direction');
      expect(choices(direction)).toEqual(['From source to target', 'Both ways', 'No direction']);
      expect(direction.value).toBe('forward');
      expect(await stepsOf(() => fill('Direction', 'both'))).toEqual(line({ direction: 'both' }));
      expect(direction.value).toBe('both');
      const [turned, ...others] = await stepsOf(() => press(' Swap ends'));
      expect(others).toEqual([]);
      expect(turned).toMatchObject([
        { op: 'rewire_edge', id: 'api--db', new_source: 'db', new_target: 'api' },
      ]);
      const [led] = await stepsOf(() => fill('Target', 'web'));
      expect(led).toMatchObject([{ op: 'rewire_edge', id: 'api--db', new_target: 'web' }]);
      expect(drawn()).toMatchObject({ source: 'db', target: 'web', direction: 'both' });
    });
  });
});

describe('the palette', () => {
  const types = () => every('.palette [data-type]').map(({ dataset }) => dataset.type);
  const stops = () => every('.palette [data-type]').filter(({ tabIndex }) => tabIndex === 0);
  const all = TYPE_CATEGORIES.flatMap(({ types }) => types).sort();

  it('has every type once, as a rail and open, and is one stop of the Tab key with arrows inside', async () => {
    await come();
    await open.draw(<Palette />);
    expect(all).toHaveLength(27);
    for (const isOpen of [false, true]) {
      await act(async () => open.context.ui.set({ isPaletteOpen: isOpen }));
      await eventually(() => expect(every('.palette-name')).toHaveLength(isOpen ? 27 : 0));
      expect(types().sort()).toEqual(all);
      expect(stops()).toHaveLength(1);
    }
    const order = types();
    await act(async () => stops()[0]?.focus());
    for (const [name, at] of [
      ['ArrowDown', 1],
      ['End', 26],
      ['ArrowRight', 0],
      ['ArrowUp', 26],
      ['Home', 0],
    ] as const) {
      await key(name);
      expect(document.activeElement).toBe(stops()[0]);
      expect(stops().map(({ dataset }) => dataset.type)).toEqual([order[at]]);
    }
  });
});

describe('what is selected', () => {
  beforeEach(async () => {
    await come();
    await open.draw(
      <ReactFlowProvider>
        <GestureLayer />
      </ReactFlowProvider>,
    );
  });

  it('is duplicated beside, as one step, and the copy is selected', async () => {
    await open.select(['web']);
    const copied = async () => {
      expect(await key('d', { ctrlKey: true })).toBe(true);
      await eventually(() => expect(open.context.client.view.nodes.size).toBe(4));
    };
    const [step, ...others] = await stepsOf(copied);
    expect(others).toEqual([]);
    expect(step).toMatchObject([
      { op: 'add_node', type: 'web', label: 'Web app', position: { x: 72, y: 392 } },
    ]);
    const [copy] = open.context.ui.get().selection.nodes;
    expect(copy).not.toBe('web');
    expect(open.context.client.view.nodes.get(copy ?? '')?.label).toBe('Web app');
  });

  it('stays alone where there is nothing to paste, which is said', async () => {
    const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: { getData: () => 'just words' },
    });
    expect(await stepsOf(() => act(async () => void document.body.dispatchEvent(paste)))).toEqual([]);
    await says('Nothing was pasted');
  });

  it.each(['Delete', 'Backspace'])('is deleted with its lines at once, as one step, by %s', async (name) => {
    await open.select(['api']);
    expect(await stepsOf(() => key(name))).toEqual([[{ op: 'delete_nodes', ids: ['api'], children: 'up' }]]);
    const { nodes, edges } = open.context.client.view;
    expect([...nodes.keys()]).toEqual(['web', 'db']);
    expect(edges.size).toBe(0);
    expect(open.context.ui.get().selection.nodes.size).toBe(0);
  });
});
