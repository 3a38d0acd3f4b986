// @vitest-environment jsdom
/** Links to nodes in the document pane: what is said of the selected node's, and that they select theirs. */
import { EditorView } from '@codemirror/view';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Content } from '../../src/protocol/live';
import { DocumentPane } from '../../src/view/document/DocumentPane';
import { WorkspaceCommands } from '../../src/view/workspace/WorkspaceCommands';
import { content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually, every, found, key, press, says } from './operate';

const at = { x: 0, y: 0 };
const NODES: Content['nodes'] = [
  ['orders', { birth: 1, type: 'service', label: 'Orders', position: at }],
  ['odb', { birth: 1, type: 'database', label: 'Orders DB', position: at }],
];
const TEXT = `# Plan

Led by [Orders](#node/orders), stored in [Orders DB](#node/odb), once in [Nowhere](#node/gone).

## Later

[Orders](#node/orders) again.
`;

let open: OpenWorkspace;

class Unseen {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const inWrite = (selector: string) => every(`.cm-content ${selector}`);
const inRead = (selector: string) => every(`.prose ${selector}`);
const texts = (elements: HTMLElement[]) => elements.map((one) => one.textContent);
const selected = () => [...open.context.ui.get().selection.nodes];
const editor = () =>
  EditorView.findFromDOM(document.querySelector('.cm-editor') as HTMLElement) as EditorView;

beforeEach(async () => {
  localStorage.clear();
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ items: [] })));
  vi.stubGlobal('ResizeObserver', Unseen);
  vi.stubGlobal('IntersectionObserver', Unseen);
  // jsdom lays nothing out.
  Object.assign(Element.prototype, { scrollIntoView() {}, scrollTo() {} });
  Object.assign(Range.prototype, { getClientRects: () => [] });
  open = await OpenWorkspace.with(welcome(), state(1, content(TEXT, NODES)));
  document.body.append(open.page);
  await act(async () => open.context.ui.set({ mode: 'document', half: 'write' }));
  await open.draw(
    <>
      <DocumentPane />
      <WorkspaceCommands />
    </>,
  );
  await eventually(() => expect(inWrite('.cm-nodeLink').length).toBe(4));
});

afterEach(async () => {
  open.page.remove();
  await open.close();
  vi.restoreAllMocks();
  for (const name of ['scrollIntoView', 'scrollTo']) Reflect.deleteProperty(Element.prototype, name);
  Reflect.deleteProperty(Range.prototype, 'getClientRects');
});

/** Press a button, and look at once: what is pointed out fades as time passes. */
async function step(name: string): Promise<void> {
  const button = await found('button', name);
  act(() => button.click());
}

describe('the selected node', () => {
  it('has its mentions counted and marked in both halves; the keyboard and the place stay', async () => {
    expect(every('.mentions')).toEqual([]);
    await act(async () => editor().focus());
    await act(async () => editor().dispatch({ selection: { anchor: 3 } }));
    await open.select(['orders']);
    await says('2 mentions', '.mentions [role="status"]');
    expect(document.querySelector('.mentions')?.getAttribute('aria-label')).toBe('Mentions of Orders');
    expect(texts(inWrite('.cm-nodeLink.is-mention'))).toEqual(['Orders', 'Orders']);
    expect(document.activeElement).toBe(editor().contentDOM);
    expect(editor().state.selection.main.head).toBe(3);
    expect(inWrite('.cm-flash')).toEqual([]);
    await press('Read');
    await eventually(() => expect(texts(inRead('a.is-mention'))).toEqual(['Orders', 'Orders']));
    expect(inRead('.is-new')).toEqual([]);
    await open.select(['odb']);
    await says('1 mention', '.mentions [role="status"]');
    expect(texts(inRead('a.is-mention'))).toEqual(['Orders DB']);
    await open.select(['orders', 'odb']);
    await says('3 mentions', '.mentions [role="status"]');
    await open.select([]);
    await eventually(() => expect(every('.mentions')).toEqual([]));
    expect(inRead('a.is-mention')).toEqual([]);
  });

  it('has them gone to one after the other, round and round, in the half that is shown', async () => {
    await open.select(['orders']);
    for (const [button, words] of [
      ['Next mention', 'Led by'],
      ['Next mention', 'again.'],
      ['Next mention', 'Led by'],
      ['Previous mention', 'again.'],
    ] as const) {
      await step(button);
      expect(texts(inWrite('.cm-flash')).join()).toContain(words);
      expect(editor().state.doc.lineAt(editor().state.selection.main.head).text).toContain(words);
    }
    await press('Read');
    await eventually(() => expect(inRead('a.is-mention')).toHaveLength(2));
    const shown: Element[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      shown.push(this);
    });
    await step('Next mention');
    await step('Next mention');
    expect(shown).toEqual(inRead('a.is-mention'));
    expect(texts(inRead('.is-new')).join()).toContain('again.');
  });
});

describe('a link to a node', () => {
  it('selects it and shows it: in Read by a click, in Write by Ctrl and a click or Alt+Enter', async () => {
    const shows = (id: string) =>
      eventually(() => {
        expect(selected()).toEqual([id]);
        expect(open.context.ui.get().reveal).toMatchObject({ ids: [id], pulse: true });
      });
    const clickAt = async (words: string, ctrlKey: boolean) => {
      vi.spyOn(EditorView.prototype, 'posAtCoords').mockReturnValue(TEXT.indexOf(words) + 2);
      const event = new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0, ctrlKey });
      await act(async () => void inWrite('.cm-line')[2]?.dispatchEvent(event));
    };
    await clickAt('[Orders DB]', true);
    await shows('odb');
    await clickAt('[Orders]', true);
    await shows('orders');
    await clickAt('Led by', true);
    await clickAt('[Orders DB]', false);
    expect(selected()).toEqual(['orders']);
    await act(async () => {
      editor().focus();
      editor().dispatch({ selection: { anchor: TEXT.indexOf('[Orders DB]') + 3 } });
    });
    expect(await key('Enter', { altKey: true })).toBe(true);
    await shows('odb');
    expect(editor().state.doc.toString()).toBe(TEXT);
    await press('Read');
    await eventually(() => expect(inRead('a[data-node]')).toHaveLength(4));
    await act(async () => inRead('a[data-node="orders"]')[0]?.click());
    await shows('orders');
    const current = inRead('a[data-node]').map((one) => one.getAttribute('aria-current'));
    expect(current).toEqual(['true', null, null, 'true']);
  });

  it('that leads nowhere says so in both halves', async () => {
    const words = 'There is no node “gone” in the diagram';
    expect(inWrite('.cm-nodeLink.is-missing').map((one) => one.title)).toEqual([words]);
    await press('Read');
    await eventually(() => expect(inRead('a.missing').map((one) => one.title)).toEqual([words]));
  });
});
