// @vitest-environment jsdom
/** Images of nodes: the field in Properties, what is said of one that is refused or not there, and which are embedded in pictures. */
import { File } from 'node:buffer';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MadeFile, png, sha256, svg } from '../../e2e/imageFiles';
import { imagesShown, MAX_ALL_DRAWN_BYTES, MAX_DRAWN_BYTES } from '../../src/model/export/nodeImages';
import { imageAddress } from '../../src/model/text/images';
import type { Content } from '../../src/protocol/live';
import { upload } from '../../src/protocol/upload';
import { IndexedImages } from '../../src/sync/images/imageStore';
import { Uploads } from '../../src/sync/images/uploads';
import { CanvasProvider, createCanvasStore } from '../../src/view/canvas/canvasState';
import { NodeImages } from '../../src/view/canvas/NodeImages';
import { useLive } from '../../src/view/context/EditorContext';
import { imageAddresses } from '../../src/view/export/contents';
import { ImagesHost } from '../../src/view/images/ImagesHost';
import { ImageTile } from '../../src/view/images/ImageTile';
import { embeddedImages } from '../../src/view/images/imageBytes';
import { MissingImages } from '../../src/view/images/missingImages';
import { ImageField } from '../../src/view/properties/ImageField';
import { PropertiesPanel } from '../../src/view/properties/PropertiesPanel';
import { node } from '../builders';
import { content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually, every, holdMessages, press, says } from './operate';

const SHA256 = 'ab'.repeat(32);
const ADDRESS = imageAddress(SHA256, 'image/png');

beforeEach(() => localStorage.clear());

describe('the field of an image', () => {
  let open: OpenWorkspace;

  const draw = async (image: string, isDisabled: boolean): Promise<HTMLElement> => {
    open = await OpenWorkspace.with(welcome({}), state(1));
    await open.draw(<ImageField node={node('orders', { label: 'Orders', image })} isDisabled={isDisabled} />);
    return open.page;
  };
  const buttons = (page: HTMLElement) => [...page.querySelectorAll('button')].map((one) => one.textContent);

  afterEach(async () => {
    await open.close();
    vi.restoreAllMocks();
  });

  it('offers to choose one, and to replace and remove the one that is there', async () => {
    expect(buttons(await draw('', false))).toEqual(['Choose image…']);
    await open.close();
    expect(buttons(await draw(ADDRESS, false))).toEqual(['Replace image…', 'Remove image']);
  });

  it('is nothing but the image for those who may not write, and nothing where there is none', async () => {
    expect((await draw('', true)).querySelector('.image-field')).toBeNull();
    await open.close();
    const page = await draw(ADDRESS, true);
    expect(buttons(page)).toEqual([]);
    expect(page.querySelector('img')?.alt).toBe('Orders');
    expect(page.querySelector('img')?.getAttribute('src')).toBe(`/api/v1/workspaces/w/${ADDRESS}`);
  });

  it('says what is missing, with the icon in its place', async () => {
    const page = await draw(ADDRESS, false);
    const status = page.querySelector('[role="status"].field-hint');
    expect(status?.textContent).toBe('');
    await act(async () => {
      page.querySelector('img')?.dispatchEvent(new Event('error'));
    });
    expect(status?.textContent).toBe('This image is not on the server, or not yet.');
    expect(page.querySelector('.type-tile')).not.toBeNull();
    await act(async () => {
      page.querySelector('img')?.dispatchEvent(new Event('load'));
    });
    expect(status?.textContent).toBe('');
    expect(page.querySelector('.type-tile')).toBeNull();
    expect(page.querySelector('img')?.hidden).toBe(false);
  });
});

/** Takes images, or refuses them in these words, or is away. */
class ImageServer {
  refusal = '';
  isAway = false;
  readonly tried: string[] = [];

  /** Stands in for `XMLHttpRequest`. */
  request(): object {
    const server = this;
    return class {
      upload = {};
      status = 0;
      responseText = '';
      onload = () => {};
      onerror = () => {};
      private address = '';
      setRequestHeader() {}
      open(method: string, address: string) {
        this.address = `${method} ${address}`;
      }
      send() {
        server.tried.push(this.address);
        this.status = server.refusal ? 422 : 201;
        this.responseText = JSON.stringify({ status: 422, code: 'image_refused', detail: server.refusal });
        queueMicrotask(() => (server.isAway ? this.onerror() : this.onload()));
      }
    };
  }
}

describe('an image that is brought to a node', () => {
  const at = { x: 0, y: 0 };
  const NODES: Content['nodes'] = [
    ['orders', { birth: 1, type: 'service', label: 'Orders', position: at }],
    ['fixed', { birth: 1, type: 'queue', label: 'Fixed', position: at, locked: true }],
  ];
  const NOT_SET = 'The image was not set';
  let open: OpenWorkspace;
  let server: ImageServer;
  let opened = 0;

  const imageOf = (decode: () => Promise<void>) =>
    class {
      naturalWidth = 9;
      naturalHeight = 9;
      decode = decode;
    };

  /** As much of the canvas as images are dropped on. */
  function Cards() {
    const nodes = useLive((live) => live.diagram.nodes);
    return nodes.map((one) => (
      <div key={one.id} className="react-flow__node" data-id={one.id}>
        <div className="node-card">
          <ImageTile {...one} />
        </div>
      </div>
    ));
  }

  beforeEach(async () => {
    holdMessages();
    server = new ImageServer();
    vi.stubGlobal('XMLHttpRequest', server.request());
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ items: [] })));
    vi.stubGlobal('indexedDB', new IDBFactory());
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
    // jsdom draws no images.
    const ofThisPage = { createObjectURL: () => 'blob:of-this-page', revokeObjectURL() {} };
    vi.stubGlobal('URL', Object.assign(class extends URL {}, ofThisPage));
    vi.stubGlobal(
      'Image',
      imageOf(async () => undefined),
    );
    opened += 1;
    open = await OpenWorkspace.called(`images-${opened}`, welcome(), state(1, content('', NODES)));
    document.body.append(open.page);
    await open.draw(
      <CanvasProvider value={{ store: createCanvasStore(), isWritable: true, isFar: false }}>
        <Cards />
        <NodeImages />
        <PropertiesPanel />
        <ImagesHost />
      </CanvasProvider>,
    );
    await open.select(['orders']);
  });

  afterEach(async () => {
    open.page.remove();
    await open.close();
    vi.useRealTimers();
  });

  const card = (id: string) => document.querySelector(`[data-id="${id}"] .node-card`);
  const address = (file: MadeFile) => imageAddress(sha256(file), file.type as 'image/png');
  const put = (file: MadeFile) => `PUT /api/v1/workspaces/images-${opened}/images/${sha256(file)}`;
  const heldBy = (id: string) => open.context.client.view.nodes.get(id)?.image ?? '';

  /** Bring files as browsers do. Answers whether the page takes care of them. */
  async function bring(kind: 'drop' | 'paste', files: readonly MadeFile[], target = document.body) {
    const data = {
      types: ['Files'],
      files: files.map(({ name, type, bytes }) => new File([new Uint8Array(bytes)], name, { type })),
      getData: () => '',
    };
    const event = new Event(kind, { bubbles: true, cancelable: true });
    Object.assign(event, { [kind === 'drop' ? 'dataTransfer' : 'clipboardData']: data });
    await act(async () => void target.dispatchEvent(event));
    return event.defaultPrevented;
  }

  const drop = (id: string, ...files: MadeFile[]) => bring('drop', files, card(id) as HTMLElement);

  /** It is shown from the bytes that this page has: on its card, and in Properties. */
  async function isShown(id: string): Promise<void> {
    for (const place of [`[data-id="${id}"]`, '.image-preview']) {
      const image = () => document.querySelector<HTMLImageElement>(`${place} img`);
      await eventually(() => expect(image()?.getAttribute('src'), place).toBe('blob:of-this-page'));
      await act(async () => void image()?.dispatchEvent(new Event('load')));
      await eventually(() => expect(image()?.hidden, place).toBe(false));
      expect(document.querySelector(`${place} .type-tile`), place).toBeNull();
    }
  }

  it('is not set where it is none, one of several or for a locked node, which is said', async () => {
    const one = png('One.png', 9, 9);
    const other = { name: 'notes.pdf', type: 'image/png', bytes: Buffer.from('%PDF-1.7') };
    for (const [node, files, words] of [
      ['orders', [one, png('Two.png', 9, 9)], `${NOT_SET}A node shows one image: bring one file.`],
      ['orders', [other], `${NOT_SET}notes.pdf is none of the images that can be shown`],
      ['fixed', [one], `${NOT_SET}: “Fixed” is lockedUnlock it first.`],
    ] as const) {
      expect(await drop(node, ...files)).toBe(true);
      await says(words, '.toast:last-child .toast-text');
    }
    expect(every('.toast.bad')).toHaveLength(3);
    expect(open.steps).toEqual([]);
    expect([heldBy('orders'), heldBy('fixed'), server.tried]).toEqual(['', '', []]);
    expect(every('.image-field img')).toEqual([]);
  });

  it('is not set where it cannot be drawn, which is said', async () => {
    vi.stubGlobal(
      'Image',
      imageOf(() => Promise.reject(new Error('damaged'))),
    );
    await drop('orders', png('Torn.png', 9, 9));
    await says(`${NOT_SET}Torn.png cannot be drawn: the file is damaged or cut off.`, '.toast-text');
    expect([open.steps, server.tried]).toEqual([[], []]);
  });

  it('is shown here where the server refuses it, which is said with its reason, also when it is tried again', async () => {
    server.refusal = 'An SVG may not declare entities.';
    const file = svg('own.svg', '<rect width="9" height="9"/>', '<!DOCTYPE svg [<!ENTITY a "b">]>');
    expect(await bring('paste', [file])).toBe(true);
    const refused = `The image was not uploadedown.svg: ${server.refusal}`;
    await says(refused, '.toast');
    await isShown('orders');
    expect(open.steps).toEqual([[{ op: 'update_node', id: 'orders', image: address(file) }]]);
    await says(`Not uploaded: ${server.refusal}`, '.image-field [role="status"]');
    const before = document.querySelector('.toast');
    const again = () => every('.toast button').find((one) => one.textContent === 'Try again');
    await act(async () => again()?.click());
    await eventually(() => expect(document.querySelector('.toast')).not.toBe(before));
    await says(refused, '.toast');
    expect(server.tried).toEqual([put(file), put(file)]);
    expect(heldBy('orders')).toBe(address(file));
    server.refusal = '';
    await press('Try again');
    await eventually(() => expect(server.tried).toHaveLength(3));
    await eventually(() =>
      expect(document.querySelector('.image-field [role="status"]')?.textContent).toBe(''),
    );
  });

  it('is kept in this browser while the server is away, shown from there, and uploaded by a later page', async () => {
    const file = png('Offline.png', 70, 50);
    server.isAway = true;
    await open.lose();
    await drop('orders', file);
    await says('The image is kept in this browser', '.toast');
    await isShown('orders');
    await says('Not uploaded yet.', '.image-field [role="status"]');
    expect(heldBy('orders')).toBe(address(file));
    const tries = server.tried.length;
    expect(new Set(server.tried)).toEqual(new Set([put(file)]));
    // A later page finds it there, and uploads it.
    const later = new Uploads(`images-${opened}`, {
      store: new IndexedImages(),
      send: upload,
      clock: { setTimeout, clearTimeout: () => {} },
      locks: null,
      channel: null,
    });
    await later.ready;
    expect(later.all().map(({ name }) => name)).toEqual(['Offline.png']);
    server.isAway = false;
    later.retry();
    await eventually(() => expect(later.get(sha256(file))?.state).toBe('sent'));
    expect(server.tried.length).toBeGreaterThan(tries);
    expect(await new IndexedImages().all(`images-${opened}`)).toEqual([]);
  });
});

describe('images that are missing', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('are shown once the server has them, and asked for ever less often until then', async () => {
    const asked: number[] = [];
    const there = new Set<string>();
    const begun = Date.now();
    const missing = new MissingImages(async () => {
      asked.push((Date.now() - begun) / 1000);
      return there;
    });
    const shown: string[] = [];
    missing.wait('one', () => shown.push('one'));
    const leave = missing.wait('two', () => shown.push('two'));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(asked).toEqual([1, 3, 7]);
    leave();
    there.add('one').add('two');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown).toEqual(['one']);
    expect(asked).toEqual([1, 3, 7, 15]);
  });

  it('are asked for soon where another one is missing, and not always anew where one cannot be drawn', async () => {
    let asked = 0;
    const missing = new MissingImages(async () => {
      asked += 1;
      return new Set(['broken']);
    });
    const waitAgain = () => void missing.wait('broken', waitAgain);
    waitAgain();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toBeLessThan(10);
    const before = asked;
    missing.wait('new', () => {});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toBe(before + 1);
  });

  it('are asked for again where the server did not answer', async () => {
    let answers = 0;
    const missing = new MissingImages(async () => {
      answers += 1;
      if (answers === 1) throw new Error('away');
      return new Set(['one']);
    });
    const shown = vi.fn();
    missing.wait('one', shown);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shown).toHaveBeenCalledOnce();
  });
});

describe('images for a picture', () => {
  const address = (letter: string) => imageAddress(letter.repeat(64), 'image/png');

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('are embedded as far as there is room, in their order, and nothing else is downloaded', async () => {
    const sizes: Record<string, number> = {
      [address('a')]: MAX_DRAWN_BYTES + 1,
      [address('b')]: 900_000,
      [address('c')]: 900_000,
      [address('d')]: MAX_ALL_DRAWN_BYTES - 1_800_000 + 1,
      [address('e')]: MAX_ALL_DRAWN_BYTES - 1_800_000,
    };
    const downloaded: string[] = [];
    const cancelled: string[] = [];
    vi.stubGlobal('fetch', async (from: string) => {
      const image = from.replace('/api/v1/workspaces/w/', '');
      const size = sizes[image];
      const body = { cancel: async () => void cancelled.push(image) };
      if (size === undefined) return { ok: false, body };
      return {
        ok: true,
        headers: new Headers({ 'content-length': String(size) }),
        body,
        blob: async () => {
          downloaded.push(image);
          return new Blob([new Uint8Array(size)], { type: 'image/png' });
        },
      };
    });
    const found = await embeddedImages('w', [...Object.keys(sizes), address('f')]);
    expect(Object.keys(found)).toEqual(['b', 'c', 'e'].map(address));
    expect(downloaded).toEqual(['b', 'c', 'e'].map(address));
    expect(cancelled).toEqual(['a', 'd', 'f'].map(address));
    expect(found[address('e')]).toMatch(/^data:image\/png;base64,AAAA/);
  });

  it('are left out as well where the server does not say how long they are', async () => {
    vi.stubGlobal('fetch', async () => ({
      ok: true,
      headers: new Headers(),
      body: null,
      blob: async () => new Blob([new Uint8Array(MAX_DRAWN_BYTES + 1)], { type: 'image/png' }),
    }));
    expect(await embeddedImages('w', [address('a')])).toEqual({});
  });

  it('are those of cards, each once and sorted, and an archive has those of groups as well', () => {
    const nodes = [
      node('one', { image: address('b') }),
      node('two', { image: address('a') }),
      node('three', { image: address('b') }),
      node('group', { type: 'group', image: address('c') }),
    ];
    expect(imagesShown(nodes)).toEqual(['a', 'b'].map(address));
    const text = `![One](${address('d')}) ![Two](${address('a')})`;
    expect(imageAddresses({ text, diagram: { nodes, edges: [] } })).toEqual(
      ['d', 'a', 'b', 'c'].map(address),
    );
  });
});
