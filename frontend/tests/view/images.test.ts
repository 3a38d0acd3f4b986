// @vitest-environment jsdom
/** Images between the text of a document and the page: which get in, which wait, and which files are meant as images. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { imageAddress } from '../../src/model/text/images';
import { markdownToHtml } from '../../src/model/text/markdown';
import { copyImages } from '../../src/view/images/copiedImages';
import { imagesCopied } from '../../src/view/images/copiedText';
import { drawRemote, LoadedRemotely } from '../../src/view/images/remoteImages';
import { pastedFiles } from '../../src/view/images/takenFiles';
import { sanitised } from '../../src/view/prose/sanitise';

const OWN = imageAddress('ab'.repeat(32), 'image/png');

function shown(text: string): HTMLElement {
  const prose = document.createElement('article');
  prose.append(sanitised(markdownToHtml(text)));
  return prose;
}

describe('an own image', () => {
  it('gets into the page with its description, and without an address: the page finds it', () => {
    const images = [...shown(`![A "flow"](${OWN})`).querySelectorAll('img')];
    expect(images).toHaveLength(1);
    expect(images[0]?.getAttributeNames().sort()).toEqual(['alt', 'data-image']);
    expect(images[0]?.dataset.image).toBe(OWN);
    expect(images[0]?.alt).toBe('A "flow"');
  });

  it('is the only image that gets through the second barrier', () => {
    const hostile = [
      '<img src="https://evil.example/x.png">',
      `<img data-image="https://evil.example/${OWN}">`,
      `<img data-image="../${OWN}" alt="x">`,
      `<img data-image="${OWN}" src="https://evil.example/x.png" onerror="alert(1)" width="9999999">`,
    ];
    const inside = hostile.map((html) => {
      const element = document.createElement('div');
      element.append(sanitised(html));
      return element.innerHTML;
    });
    expect(inside).toEqual(['', '', '', `<img data-image="${OWN}">`]);
  });
});

describe('an image of another server', () => {
  const text =
    '![One](https://a.example/1.png) ![Two](https://a.example/2.png) ![Three](https://b.example/3.png)';
  const buttons = (prose: HTMLElement) =>
    [...prose.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'));
  const frames = (prose: HTMLElement) => [...prose.querySelectorAll('iframe')].map(({ title }) => title);
  const press = (prose: HTMLElement, name: string) =>
    prose.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click();

  it('waits for a person, who loads one or all of its server', () => {
    const prose = shown(text);
    drawRemote(prose, new LoadedRemotely());
    expect(frames(prose)).toEqual([]);
    expect(buttons(prose)).toEqual([
      'Load One from a.example',
      'Load all images of a.example',
      'Load Two from a.example',
      'Load all images of a.example',
      'Load Three from b.example',
    ]);
    press(prose, 'Load Three from b.example');
    expect(frames(prose)).toEqual(['Three']);
    press(prose, 'Load all images of a.example');
    expect(frames(prose)).toEqual(['One', 'Two', 'Three']);
    expect(prose.querySelectorAll('a.image-placeholder')).toHaveLength(3);
  });

  it('is loaded in a frame without scripts that does not say from where', () => {
    const prose = shown(text);
    drawRemote(prose, new LoadedRemotely());
    press(prose, 'Load One from a.example');
    const frame = prose.querySelector('iframe');
    expect(frame?.getAttribute('src')).toBe('/remote-image?address=https%3A%2F%2Fa.example%2F1.png');
    expect(frame?.getAttribute('sandbox')).toBe('allow-same-origin');
    expect(frame?.referrerPolicy).toBe('no-referrer');
  });

  it('stays loaded where the text around it is drawn anew', () => {
    const loaded = new LoadedRemotely();
    loaded.want('https://a.example/1.png');
    const prose = shown(text);
    drawRemote(prose, loaded);
    expect(frames(prose)).toEqual(['One']);
  });
});

/** What a clipboard carries, as far as it is read. */
const carried = (files: string[], texts: Record<string, string> = {}): DataTransfer =>
  ({
    files: files.map((name) => new File(['x'], name)),
    getData: (type: string) => texts[type] ?? '',
  }) as unknown as DataTransfer;

describe('files of a clipboard', () => {
  const names = (data: DataTransfer) => pastedFiles(data).map(({ name }) => name);

  it('are images where there is nothing beside them, or a page that is no more than that image', () => {
    expect(names(carried(['image.png']))).toEqual(['image.png']);
    expect(
      names(
        carried(['image.png'], { 'text/html': '<meta charset="utf-8"><img src="https://a.example/x.png">' }),
      ),
    ).toEqual(['image.png']);
  });

  it('are images where file managers write their names beside them', () => {
    const data = carried(['a.png', 'b.png'], { 'text/plain': '/home/ada/a.png\n/home/ada/b.png' });
    expect(names(data)).toEqual(['a.png', 'b.png']);
  });

  it('are left where the text is meant: text processors and spreadsheets copy a picture of it, too', () => {
    expect(names(carried(['image.png'], { 'text/plain': 'Sum 12', 'text/html': '<td>Sum</td>' }))).toEqual(
      [],
    );
    expect(names(carried(['image.png'], { 'text/html': '<p>Words <img src="x"></p>' }))).toEqual([]);
    expect(names(carried([], { 'text/plain': 'words' }))).toEqual([]);
    expect(pastedFiles(null)).toEqual([]);
  });
});

describe('images of a copied text', () => {
  const address = (letter: string) => imageAddress(letter.repeat(64), 'image/png');
  const [one, two] = [address('a'), address('b')];
  const elsewhere = '01kf0000000000000000000000';

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('are those that it names, with the workspace where it was copied, from either half', () => {
    const written = {
      'text/plain': `![One](${one}) and <img src="${two}" alt="" width="40">`,
      'application/x-draftsmith-workspace': elsewhere,
    };
    expect(imagesCopied(carried([], written))).toEqual({ workspace: elsewhere, addresses: [one, two] });
    const read = { 'text/html': `<img data-image="${one}" data-workspace="${elsewhere}" src="blob:x">` };
    expect(imagesCopied(carried([], read))).toEqual({ workspace: elsewhere, addresses: [one] });
    const other = { 'text/plain': 'images/x.png', 'text/html': '<img data-image="images/../x.png">' };
    expect(imagesCopied(carried([], other))).toEqual({ workspace: '', addresses: [] });
  });

  it('are asked for where they were copied, and said to be missing where nobody has them', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (from: string) => {
      asked.push(from.replace('/api/v1/workspaces/', ''));
      const listed = { items: [{ sha256: 'b'.repeat(64) }] };
      return from.endsWith('/images') ? Response.json(listed) : new Response(null, { status: 403 });
    });
    const copied = await copyImages(elsewhere, 'here', [one, two, one, 'images/no.png']);
    expect(asked).toEqual(['here/images', `${elsewhere}/${one}`]);
    expect([...copied.missing]).toEqual([one, 'images/no.png']);
    expect(copied.problems).toHaveLength(1);
    expect(copied.images).toEqual([]);
  });

  it('are asked for nowhere else than in a workspace', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (from: string) => {
      asked.push(from);
      return Response.json({ items: [] });
    });
    for (const from of ['', '..', '../../evil'])
      expect([...(await copyImages(from, 'here', [one])).missing]).toEqual([one]);
    expect(new Set(asked)).toEqual(new Set(['/api/v1/workspaces/here/images']));
  });
});
