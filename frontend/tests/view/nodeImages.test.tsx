// @vitest-environment jsdom
/** Images of nodes: the field in Properties, what is said of one that is not there, and which are embedded in pictures. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { imagesShown, MAX_ALL_DRAWN_BYTES, MAX_DRAWN_BYTES } from '../../src/model/export/nodeImages';
import { imageAddress } from '../../src/model/text/images';
import { imageAddresses } from '../../src/view/export/contents';
import { embeddedImages } from '../../src/view/images/imageBytes';
import { MissingImages } from '../../src/view/images/missingImages';
import { ImageField } from '../../src/view/properties/ImageField';
import { node } from '../builders';
import { state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';

const SHA256 = 'ab'.repeat(32);
const ADDRESS = imageAddress(SHA256, 'image/png');

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
