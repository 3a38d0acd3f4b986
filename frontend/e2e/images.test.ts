/** Images in a document: brought in, shown, uploaded, given a width; others see them, and those of other servers wait. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strFromU8, unzipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atNewWorkspace, makeWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { holdPart } from './holding';
import { drawn, drop, gif, type MadeFile, paste, png, sha256, svg } from './imageFiles';
import type { Stage } from './stage';
import { Wire } from './wire';
import { withAnna } from './withAnna';

const NODES = [{ id: 'orders', type: 'service', label: 'Orders', position: { x: 0, y: 0 } }];
const TEXT = '# Plan\n\nFirst line.\n\nLast line.\n';

let stage: Stage;
let anna: Person;

withAnna((person, shared) => {
  anna = person;
  stage = shared;
});

/** Anna at a new workspace with this document, both halves in sight; what inserts images may not be there yet. */
const openEarly = (text = TEXT): Promise<Person> =>
  atNewWorkspace(anna, { text, nodes: NODES }, { view: 'document', look: 'source' });

async function open(text = TEXT): Promise<Person> {
  const here = await openEarly(text);
  await takesFiles(here);
  return here;
}

/**
 * Wait until files are inserted into the text at once, and images of copied text come along: what does so is read after the
 * editor, and stops files that are held over the text before the page hears of them.
 */
async function takesFiles(person: Person): Promise<void> {
  const isPassedOn = () =>
    person.lines.first().evaluate((line) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      let isHeard = false;
      const ends = new AbortController();
      addEventListener('dragover', () => (isHeard = true), ends);
      line.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }));
      ends.abort();
      return isHeard;
    });
  await expect.poll(isPassedOn).toBe(false);
}

const images = (person: Person): Locator => person.page.locator('#document .prose .image-frame img');
const handle = (person: Person): Locator => person.page.locator('#document .prose .image-handle');
const chosenText = (person: Person) => person.page.evaluate(() => getSelection()?.toString());

/** Wait until so many images are drawn in Read. */
const showsImages = (person: Person, count: number): Promise<void> =>
  expect
    .poll(() =>
      images(person).evaluateAll(
        (all) => all.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length,
      ),
    )
    .toBe(count);

/** Wait until the server has these files of the workspace. */
async function uploaded(person: Person, files: readonly MadeFile[]): Promise<void> {
  const there = async () => {
    const { items } = await person.visit.api<{ items: { sha256: string }[] }>(
      'GET',
      `/workspaces/${person.workspace}/images`,
    );
    return items.map((item) => item.sha256).sort();
  };
  await expect.poll(there).toEqual(files.map(sha256).sort());
}

const reference = (file: MadeFile, alt: string, extension = 'png') =>
  `![${alt}](images/${sha256(file)}.${extension})`;

/** Drop what the browser writes on the console about answers that are expected. */
function forgive({ visit }: Person, expected: RegExp): void {
  const others = visit.complaints.filter((text) => !expected.test(text));
  visit.complaints.splice(0, visit.complaints.length, ...others);
}

const message = (person: Person) => person.page.locator('.toast');

describe('an image', () => {
  it('is pasted, and its description is there to be written over', async () => {
    const insertsImages = await holdPart(anna.page, 'DocumentImages');
    const here = await openEarly();
    await here.lines.first().waitFor();
    const file = png('Order flow.png', 120, 80);
    await here.caretAfter('First line.');
    await here.type(' ');
    expect(await paste(here.page, [file])).toBe(true);
    insertsImages();
    await here.reads(`First line. ${reference(file, 'Order flow')}`);
    await here.page.unrouteAll({ behavior: 'wait' });
    expect(await chosenText(here)).toBe('Order flow');
    await showsImages(here, 1);
    await here.type('How orders flow');
    await here.reads(`First line. ${reference(file, 'How orders flow')}`);
    await uploaded(here, [file]);
    await here.saved();
    expect((await here.stored()).text).toContain(reference(file, 'How orders flow'));
    // Read follows what is typed in its own time.
    await expect.poll(() => images(here).getAttribute('alt')).toBe('How orders flow');
    await here.page.reload();
    await showsImages(here, 1);
    const kept = await here.page.evaluate(
      async (address) => {
        const answer = await fetch(address);
        return { type: answer.headers.get('content-type'), size: (await answer.arrayBuffer()).byteLength };
      },
      (await images(here).getAttribute('src')) ?? '',
    );
    expect(kept).toEqual({ type: 'image/png', size: file.bytes.length });
  });

  it('is one step of undo', async () => {
    const here = await open();
    const [one, other] = [png('One.png', 30, 20), png('Two.png', 20, 30)];
    await here.caretAfter('First line.');
    await paste(here.page, [one, other]);
    await here.reads(`First line.${reference(one, 'One')}`);
    await here.reads(reference(other, 'Two'));
    await showsImages(here, 2);
    await here.key('Control+Z');
    await expect.poll(() => here.text()).toBe(TEXT);
    await here.saved();
    expect((await here.stored()).text).toBe(TEXT);
  });

  it('are dropped where the pointer is, and chosen from the bar', async () => {
    const here = await open();
    const files = {
      gif: gif('dot.gif'),
      svg: svg('sign.svg'),
      jpg: await drawn(here.page, 'photo.jpg', 'image/jpeg'),
      webp: await drawn(here.page, 'screen.webp', 'image/webp'),
    };
    const line = await here.lines.filter({ hasText: 'Last line.' }).boundingBox();
    if (!line) throw new Error('The line is not in sight');
    await drop(here.page, [files.gif, files.svg], { x: line.x + 3, y: line.y + line.height / 2 });
    await here.reads(reference(files.gif, 'dot', 'gif'));
    await here.reads(`${reference(files.svg, 'sign', 'svg')}Last line.`);
    await here.caretAfter('First line.');
    const chooser = here.page.waitForEvent('filechooser');
    await here.page.locator('#document').getByRole('button', { name: 'Image', exact: true }).click();
    await (await chooser).setFiles([
      { name: files.jpg.name, mimeType: files.jpg.type, buffer: files.jpg.bytes },
    ]);
    await here.reads(`First line.${reference(files.jpg, 'photo', 'jpg')}`);
    await here.caretAfter('First line.');
    const again = here.page.waitForEvent('filechooser');
    await here.key('Control+K');
    await here.page.getByPlaceholder('Search commands, nodes and sections').fill('image');
    await here.page.locator('[cmdk-item][aria-selected="true"]', { hasText: 'Image' }).waitFor();
    await here.key('Enter');
    await (await again).setFiles([
      { name: files.webp.name, mimeType: files.webp.type, buffer: files.webp.bytes },
    ]);
    await here.reads(reference(files.webp, 'screen', 'webp'));
    await showsImages(here, 4);
    await uploaded(here, Object.values(files));
  });

  it('that is dropped beside the text does not open in place of the page', async () => {
    const here = await open();
    const prose = await here.page.locator('#document .prose').boundingBox();
    if (!prose) throw new Error('There is no read half');
    const beside = { x: prose.x + 40, y: prose.y + 40 };
    // What keeps the page is read in the background.
    await expect.poll(() => drop(here.page, [png('Beside.png', 9, 9)], beside)).toBe(true);
    expect(await here.text()).toBe(TEXT);
  });

  it('says why it takes no other file', async () => {
    const here = await open();
    const cut = png('cut.png', 50, 50);
    const files = [
      { name: 'notes.pdf', type: 'image/png', bytes: Buffer.from('%PDF-1.7') },
      { ...cut, bytes: cut.bytes.subarray(0, 40) },
      { name: 'large.png', type: 'image/png', bytes: Buffer.alloc(10_000_001) },
    ];
    await here.caretAfter('First line.');
    await paste(here.page, files);
    await message(here).getByText('Some files were not inserted').waitFor();
    const words = (await message(here).textContent()) ?? '';
    expect(words).toContain(
      'notes.pdf is none of the images that can be shown: PNG, JPEG, GIF, WebP and SVG.',
    );
    expect(words).toContain('cut.png cannot be drawn: the file is damaged or cut off.');
    expect(words).toContain('large.png has 10.0 MB; an image may have 10 MB.');
    expect(await here.text()).toBe(TEXT);
    await uploaded(here, []);
  });

  it('stays text where a text processor has copied a picture of it', async () => {
    const here = await open();
    await here.caretAfter('First line.');
    await paste(here.page, [png('image.png', 9, 9)], {
      'text/plain': ' Sum 12',
      'text/html': '<b>Sum 12</b>',
    });
    await here.reads('First line.**Sum 12**');
    expect(await here.text()).not.toContain('images/');
  });

  it('that the server refuses stays, says why, and is tried again', async () => {
    const here = await open();
    const file = svg('own.svg', '<rect width="9" height="9"/>', '<!DOCTYPE svg [<!ENTITY a "b">]>');
    await here.caretAfter('First line.');
    await paste(here.page, [file]);
    const status = here.page.locator('.image-uploads');
    await status.getByText('own.svg was not uploaded:').waitFor();
    await showsImages(here, 1);
    const again = here.page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await status.getByRole('button', { name: 'Try again' }).press('Enter');
    expect((await again).status()).toBe(422);
    await status.getByText('own.svg was not uploaded:').waitFor();
    await status.getByRole('button', { name: 'Discard image' }).press('Enter');
    await status.waitFor({ state: 'hidden' });
    await here.page.locator('.image-note', { hasText: 'not on the server' }).waitFor();
    forgive(here, /status of (404|422)/);
  });

  it('is seen by others once it is uploaded', async () => {
    const here = await open();
    const ben = new Person((await Person.come(stage, 'Ben', here.workspace)).visit, here.workspace);
    await ben.visit.openWithin(here.workspace, { view: 'document', look: 'source' });
    await ben.saved();
    const file = png('Late.png', 64, 48, [20, 120, 60]);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await here.page.route(`**/images/${sha256(file)}`, async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    await here.caretAfter('First line.');
    await paste(here.page, [file]);
    await showsImages(here, 1);
    await ben.reads(reference(file, 'Late'));
    await ben.page.locator('.image-note', { hasText: 'not on the server, or not yet' }).waitFor();
    letGo();
    await showsImages(ben, 1);
    expect(await ben.page.locator('.image-frame.missing').count()).toBe(0);
    forgive(ben, /status of 404/);
    expect(ben.visit.complaints).toEqual([]);
  });
});

describe('a text that was copied in another workspace', () => {
  it('brings its images along, from Write and from Read, also into another window', async () => {
    const here = await open();
    const file = png('Moves.png', 60, 40, [90, 20, 160]);
    await here.caretAfter('First line.');
    await paste(here.page, [file]);
    await showsImages(here, 1);
    await uploaded(here, [file]);
    await here.lines.first().click();
    await here.key('Control+A');
    await here.key('Control+C');
    const there = await open('# Other\n\nHere:\n');
    await there.caretAfter('Here:');
    await there.key('Enter');
    await there.key('Control+V');
    await there.reads(reference(file, 'Moves'));
    await uploaded(there, [file]);
    await showsImages(there, 1);
    forgive(there, /status of 404/);

    await there.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      getSelection()?.selectAllChildren(document.querySelector('#document .prose') as HTMLElement);
    });
    await there.key('Control+C');
    const third = await makeWorkspace(anna.visit, { text: '# Third\n\nHere:\n', nodes: NODES });
    const window = new Person(await anna.visit.tab(), third);
    await window.page.goto(`/w/${third}`);
    await window.saved();
    await window.page.bringToFront();
    await takesFiles(window);
    await window.caretAfter('Here:');
    await window.key('Control+V');
    await window.reads(reference(file, 'Moves'));
    await uploaded(window, [file]);
    await showsImages(window, 1);
    await window.page.close();
  });

  it('says which images did not come along', async () => {
    const here = await open();
    await here.caretAfter('First line.');
    await paste(here.page, [], {
      'text/plain': reference(png('Lost.png', 7, 7), 'Lost'),
      'application/x-draftsmith-workspace': '0'.repeat(26),
    });
    await message(here).getByText('1 image did not come along').waitFor();
    await here.page.locator('.image-note', { hasText: 'not on the server' }).waitFor();
    forgive(here, /status of 404/);
  });
});

describe('an image without a server', () => {
  it('pasted offline is kept in the browser, shown from there, and uploaded by a later page', async () => {
    const wire = await Wire.to(stage.url);
    const cut = await Person.come(stage, 'Cut off', null, wire);
    const person = new Person(cut.visit, await makeWorkspace(cut.visit, { text: TEXT, nodes: NODES }), wire);
    await person.visit.openWithin(person.workspace, { view: 'document', look: 'source' });
    await person.saved();
    await takesFiles(person);
    const file = png('Offline.png', 70, 50, [10, 60, 160]);
    await person.caretAfter('First line.');
    await person.offline(true);
    await paste(person.page, [file]);
    await person.reads(reference(file, 'Offline'));
    await showsImages(person, 1);
    await message(person).getByText('The image is kept in this browser').waitFor();
    await person.page.getByText('1 image will be uploaded when the server is back').waitFor();
    await person.keeps(1);
    await person.page.goto('about:blank');
    await person.offline(false);
    await person.page.goto(`/w/${person.workspace}`);
    await person.saved();
    await uploaded(person, [file]);
    await showsImages(person, 1);
    expect((await person.stored()).text).toContain(reference(file, 'Offline'));
    await wire.close();
  });
});

describe('the width of an image', () => {
  it('gets a width by its edge, by pointer and by keyboard, as one step', async () => {
    const here = await open();
    const file = png('Wide.png', 300, 100);
    await here.caretAfter('First line.');
    await here.key('Enter');
    await paste(here.page, [file]);
    await showsImages(here, 1);
    await uploaded(here, [file]);
    const before = await here.text();
    await handle(here).hover();
    const box = await handle(here).boundingBox();
    if (!box) throw new Error('There is no handle');
    await here.page.mouse.down();
    await here.page.mouse.move(box.x + box.width / 2 - 100, box.y + box.height / 2, { steps: 4 });
    expect(await images(here).getAttribute('width')).toBe('200');
    await images(here).evaluate((image) => image.setAttribute('data-before', ''));
    await here.page.mouse.up();
    const tag = (width: number) => `<img src="images/${sha256(file)}.png" alt="Wide" width="${width}">`;
    await here.reads(tag(200));
    // Drawn anew, it has the keyboard again.
    await here.page.locator('.prose img[width="200"]:not([data-before])').waitFor();
    await handle(here).and(here.page.locator(':focus')).waitFor();
    expect(await handle(here).getAttribute('aria-valuenow')).toBe('200');
    await here.key('ArrowRight');
    await here.key('Shift+ArrowRight');
    expect(await images(here).getAttribute('width')).toBe('260');
    await here.key('Escape');
    expect(await images(here).getAttribute('width')).toBe('200');
    await here.key('ArrowLeft');
    await here.key('Enter');
    await here.reads(tag(190));
    await here.saved();
    await here.lines.filter({ hasText: tag(190) }).click();
    await here.key('Control+Z');
    await here.reads(tag(200));
    await here.key('Control+Z');
    await expect.poll(() => here.text()).toBe(before);
    await here.page.locator('.prose img[data-image]:not([width])').waitFor();
    await handle(here).focus();
    await here.key('ArrowLeft');
    await here.key('Enter');
    await here.reads(tag(290));
    await handle(here).and(here.page.locator(':focus')).waitFor();
    await here.key('Delete');
    await expect.poll(() => here.text()).toBe(before);
  });
});

describe('an image of another server', () => {
  const seen: { url: string; referer: string | undefined }[] = [];
  let other: Server;

  beforeAll(async () => {
    const { bytes } = png('flow.png', 90, 60);
    other = createServer((request, response) => {
      seen.push({ url: request.url ?? '', referer: request.headers.referer });
      if (request.url === '/gone.png') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => other.close(resolve)));

  it('of another server is loaded when a person says so, and not before', async () => {
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const text = `# Plan\n\n![Flow](http://${host}/flow.png) ![Gone](http://${host}/gone.png) ![Two](http://${host}/2.png)\n`;
    const here = await open(text);
    const prose = here.page.locator('#document .prose');
    const load = (name: string) => prose.getByRole('button', { name, exact: true });
    await load(`Load Flow from ${host}`).waitFor();
    expect(seen).toEqual([]);
    await load(`Load Flow from ${host}`).press('Enter');
    await prose.locator('.remote-image.is-loaded iframe[title="Flow"]').waitFor();
    expect(seen).toEqual([{ url: '/flow.png', referer: undefined }]);
    expect((await prose.locator('iframe').boundingBox())?.width).toBe(90);
    await load(`Load all images of ${host}`).first().press('Enter');
    await prose.locator('.remote-image.is-loaded iframe[title="Two"]').waitFor();
    await prose.getByText(`${host} gave no image.`).waitFor();
    expect(seen.map(({ url }) => url).sort()).toEqual(['/2.png', '/flow.png', '/gone.png']);
    expect(await prose.locator('img').count()).toBe(0);
    forgive(here, /status of 404/);
  });
});

describe('an export', () => {
  it('holds the images: a page within itself, an archive as files beside the text', async () => {
    const here = await open();
    const [one, other] = [png('One.png', 30, 20), svg('two.svg')];
    await here.caretAfter('First line.');
    await paste(here.page, [one, other]);
    await showsImages(here, 2);
    await uploaded(here, [one, other]);
    await here.saved();
    const dialog = here.page.getByRole('dialog', { name: 'Export' });
    const save = async (format: string) => {
      await here.key('Control+Shift+S');
      await dialog.getByRole('radio', { name: 'Both' }).check();
      await dialog.getByRole('radio', { name: format, exact: true }).check();
      const [download] = await Promise.all([
        here.page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      const path = await download.path();
      await dialog.waitFor({ state: 'detached' });
      return readFileSync(path);
    };
    const page = (await save('HTML page')).toString();
    expect(page).toContain(`src="data:image/png;base64,${one.bytes.toString('base64')}"`);
    expect(page).toContain(`src="data:image/svg+xml;base64,${other.bytes.toString('base64')}"`);
    const files = unzipSync(await save('ZIP archive'));
    const { text } = await here.stored();
    expect(Object.keys(files).sort()).toEqual(
      [
        'diagram.dot',
        'diagram.drawio',
        'diagram.mmd',
        'diagram.svg',
        'diagram.txt',
        'document.md',
        'workspace.dsl',
        'workspace.json',
        `images/${sha256(one)}.png`,
        `images/${sha256(other)}.svg`,
      ].sort(),
    );
    expect(strFromU8(files['document.md'] ?? new Uint8Array())).toBe(text);
    expect(Buffer.from(files[`images/${sha256(one)}.png`] ?? [])).toEqual(one.bytes);
    expect(JSON.parse(strFromU8(files['workspace.json'] ?? new Uint8Array())).document.text).toBe(text);
  });
});

describe.each(['light', 'dark'] as const)('images in the %s theme', (scheme) => {
  it.each([1440, 1024, 390])(
    'have no flaw of accessibility and reach out of nothing at %i pixels',
    async (width) => {
      const here = await open();
      await here.page.emulateMedia({ colorScheme: scheme });
      await here.caretAfter('First line.');
      await paste(here.page, [png('Huge.png', 2_000, 40)]);
      await showsImages(here, 1);
      await here.page.setViewportSize({ width, height: 900 });
      // With less room one half is in sight; on a phone the one to read.
      if (width === 1024)
        await here.page.locator('#document').getByRole('button', { name: 'Read', exact: true }).click();
      await showsImages(here, 1);
      expect(await axeViolations(here.page)).toEqual([]);
      const overflow = await here.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await here.page.setViewportSize({ width: 1440, height: 900 });
    },
  );
});
