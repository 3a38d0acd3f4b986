/** Images of nodes: brought to cards and to Properties, drawn in the place of icons, seen by others, kept without a server. */
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atNewWorkspace, makeWorkspace, Person } from './actors';
import { axeViolations } from './axe';
import { saved } from './exported';
import { drop, gif, type MadeFile, paste, png, sha256, svg } from './imageFiles';
import type { Stage } from './stage';
import { Wire } from './wire';
import { withAnna } from './withAnna';

const NODES = [
  { id: 'orders', type: 'service', label: 'Orders', technology: 'In-house', position: { x: 0, y: 0 } },
  { id: 'store', type: 'database', label: 'Store', position: { x: 260, y: 0 } },
  { id: 'fixed', type: 'queue', label: 'Fixed', position: { x: 520, y: 0 }, locked: true },
];
const TEXT = '# Plan\n';

let stage: Stage;
let anna: Person;

withAnna((person, shared) => {
  anna = person;
  stage = shared;
});

/** Anna at a new workspace with these nodes. */
async function open(choices: Record<string, string> = {}, nodes: object[] = NODES): Promise<Person> {
  const looks = { view: 'diagram', panel: 'none', ...choices };
  const here = await atNewWorkspace(anna, { text: TEXT, nodes }, looks);
  await takesImages(here);
  return here;
}

/** Wait until a file can be dropped on a card: what takes it is read after the first view. */
async function takesImages(person: Person): Promise<void> {
  const isMarked = async () => {
    await person.node('orders').evaluate((node) => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      node.firstElementChild?.dispatchEvent(
        new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    });
    return person.page.locator('.drop-target').count();
  };
  await expect.poll(isMarked).toBe(1);
}

const addressOf = (file: MadeFile, extension = 'png') => `images/${sha256(file)}.${extension}`;
const tile = (person: Person, id: string): Locator =>
  person.node(id).locator('.image-tile img:not([hidden])');
const icon = (person: Person, id: string): Locator => person.node(id).locator('.type-tile');
const message = (person: Person, text: string): Locator => person.page.locator('.toast', { hasText: text });

/** The nodes as the server holds them. */
async function storedNodes(person: Person): Promise<{ id: string; image: string }[]> {
  const { diagram } = await person.visit.api<{ diagram: { nodes: { id: string; image: string }[] } }>(
    'GET',
    `/workspaces/${person.workspace}`,
  );
  return diagram.nodes;
}

/** The images that nodes have there. */
const imagesOfNodes = async (person: Person): Promise<string[]> =>
  (await storedNodes(person)).flatMap(({ image }) => image || []);

/** Wait until the server holds this image of a node. */
async function isStored(person: Person, id: string, image: string): Promise<void> {
  const held = async () => (await storedNodes(person)).find((node) => node.id === id)?.image;
  await expect.poll(held).toBe(image);
}

async function hasUploaded(person: Person, file: MadeFile): Promise<void> {
  const there = async () => {
    const { items } = await person.visit.api<{ items: { sha256: string }[] }>(
      'GET',
      `/workspaces/${person.workspace}/images`,
    );
    return items.map((item) => item.sha256);
  };
  await expect.poll(there).toContain(sha256(file));
}

async function boxOf(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error('It is not in sight');
  return box;
}

/** Drop what the browser writes on the console about answers that are expected. */
function forgive({ visit }: Person, expected: RegExp): void {
  const others = visit.complaints.filter((text) => !expected.test(text));
  visit.complaints.splice(0, visit.complaints.length, ...others);
}

describe('an image of a node', () => {
  it('is dropped on its card, stands where the icon stood, and is one step of undo', async () => {
    const here = await open();
    const file = png('Logo.png', 300, 120);
    const before = await boxOf(icon(here, 'orders'));
    const name = await boxOf(here.node('orders').locator('.node-label'));
    expect(await drop(here.page, [file], await here.nodeAt('orders'))).toBe(true);
    await tile(here, 'orders').waitFor();
    expect(await boxOf(tile(here, 'orders'))).toEqual(before);
    expect(await boxOf(here.node('orders').locator('.node-label'))).toEqual(name);
    expect(await tile(here, 'orders').evaluate((image) => getComputedStyle(image).objectFit)).toBe('contain');
    await isStored(here, 'orders', addressOf(file));
    await hasUploaded(here, file);
    expect(await here.node('orders').getAttribute('aria-label')).toContain(
      'Service, In-house, with an image',
    );
    await here.focusCanvas();
    await here.key('Control+Z');
    await icon(here, 'orders').waitFor();
    await isStored(here, 'orders', '');
    expect(await here.node('orders').getAttribute('aria-label')).not.toContain('image');
  });

  it('is pasted while its node is selected alone, and nowhere else', async () => {
    const here = await open();
    const file = svg('sign.svg');
    await here.focusCanvas();
    await paste(here.page, [file]);
    await message(here, 'Select one node first').waitFor();
    await here.select('store');
    await paste(here.page, [file]);
    await tile(here, 'store').waitFor();
    await isStored(here, 'store', addressOf(file, 'svg'));
    await here.page.getByText('“Store” has an image', { exact: true }).waitFor();
    // Nor was it taken for text that makes no node.
    expect(await message(here, 'Nothing was pasted').count()).toBe(0);
    // By an element that runs nothing of it.
    expect(await here.node('store').locator('svg').count()).toBe(0);
    await here.page.reload();
    await tile(here, 'store').waitFor();
  });

  it('is chosen, pasted, dropped and removed in Properties, with the keyboard alone', async () => {
    const here = await open({ panel: 'properties' });
    await here.select('orders');
    const field = here.page.getByRole('group', { name: 'Image', exact: true });
    const files = { chosen: png('One.png', 40, 40), pasted: gif('two.gif'), dropped: svg('three.svg') };
    const chooser = here.page.waitForEvent('filechooser');
    await field.getByRole('button', { name: 'Choose image…' }).press('Enter');
    await (await chooser).setFiles([
      { name: files.chosen.name, mimeType: files.chosen.type, buffer: files.chosen.bytes },
    ]);
    await field.getByRole('img', { name: 'Orders' }).waitFor();
    await isStored(here, 'orders', addressOf(files.chosen));
    await field.getByRole('button', { name: 'Replace image…' }).focus();
    await paste(here.page, [files.pasted]);
    await isStored(here, 'orders', addressOf(files.pasted, 'gif'));
    const place = await boxOf(field);
    await drop(here.page, [files.dropped], { x: place.x + 20, y: place.y + 8 });
    await isStored(here, 'orders', addressOf(files.dropped, 'svg'));
    await field.getByRole('button', { name: 'Remove image' }).press('Enter');
    await isStored(here, 'orders', '');
    await field.getByRole('button', { name: 'Choose image…' }).and(here.page.locator(':focus')).waitFor();
    expect(await here.node('orders').locator('.image-tile').count()).toBe(0);
  });

  it('is chosen and removed by commands', async () => {
    const here = await open();
    await here.select('store');
    const run = async (command: string) => {
      await here.key('Control+K');
      await here.page.getByPlaceholder('Search commands, nodes and sections').fill(command);
      await here.page.locator('[cmdk-item][aria-selected="true"]', { hasText: command }).waitFor();
      await here.key('Enter');
    };
    const file = png('Store.png', 20, 30);
    const chooser = here.page.waitForEvent('filechooser');
    await run('Choose an image for the node');
    await (await chooser).setFiles([{ name: file.name, mimeType: file.type, buffer: file.bytes }]);
    await tile(here, 'store').waitFor();
    await isStored(here, 'store', addressOf(file));
    await run('Remove the image');
    await isStored(here, 'store', '');
    await icon(here, 'store').waitFor();
  });

  it('is an icon with a tip for others until it is uploaded, and then an image', async () => {
    const here = await open();
    const ben = new Person((await Person.come(stage, 'Ben', here.workspace)).visit, here.workspace);
    await ben.visit.openWithin(here.workspace, { view: 'diagram' });
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
    await drop(here.page, [file], await here.nodeAt('store'));
    await tile(here, 'store').waitFor();
    await ben
      .node('store')
      .locator('.image-tile[title="This image is not on the server, or not yet."]')
      .waitFor();
    await icon(ben, 'store').waitFor();
    letGo();
    await tile(ben, 'store').waitFor();
    expect(await icon(ben, 'store').count()).toBe(0);
    forgive(ben, /status of 404/);
    expect(ben.visit.complaints).toEqual([]);
  });

  it('comes along where its node is pasted into another workspace, here and in another window', async () => {
    const here = await open();
    const file = png('Moves.png', 40, 30, [90, 20, 160]);
    await drop(here.page, [file], await here.nodeAt('orders'));
    await tile(here, 'orders').waitFor();
    await hasUploaded(here, file);
    await here.select('orders');
    await here.key('Control+C');
    const elsewhere = await makeWorkspace(anna.visit, { text: TEXT, nodes: NODES });
    const window = new Person(await anna.visit.tab(), elsewhere);
    await window.page.goto(`/w/${elsewhere}`);
    await window.saved();
    for (const there of [await open(), window]) {
      await there.page.bringToFront();
      await there.focusCanvas();
      await there.key('Control+V');
      await there.page.locator('.react-flow__node .image-tile img:not([hidden])').waitFor();
      await hasUploaded(there, file);
      await there.saved();
      expect(await imagesOfNodes(there)).toEqual([addressOf(file)]);
      forgive(there, /status of 404/);
      expect(there.visit.complaints).toEqual([]);
    }
    await window.page.close();
  });

  it('that cannot be had where its node was copied is left out, which is said', async () => {
    const here = await open();
    const lost = {
      type: 'service',
      label: 'Lost',
      position: { x: 0, y: 200 },
      image: addressOf(png('', 3, 3)),
    };
    const copied = {
      'draftsmith-clip': 1,
      workspace: '0'.repeat(26),
      nodes: [{ id: 'lost', ...lost }],
      edges: [],
    };
    await here.focusCanvas();
    await paste(here.page, [], { 'text/plain': JSON.stringify(copied) });
    await message(here, 'Pasted without 1 image').waitFor();
    await here.page.locator('.react-flow__node', { hasText: 'Lost' }).waitFor();
    await here.saved();
    expect((await here.stored()).nodes.size).toBe(NODES.length + 1);
    expect(await imagesOfNodes(here)).toEqual([]);
    forgive(here, /status of 404/);
  });

  it('is drawn where icons are: not on cards that are names alone', async () => {
    const here = await open();
    const file = png('Far.png', 40, 40);
    await drop(here.page, [file], await here.nodeAt('orders'));
    await tile(here, 'orders').waitFor();
    const zoomOut = here.page.getByRole('button', { name: 'Zoom out' });
    for (let times = 0; times < 20 && (await here.page.locator('.node-card.brief').count()) === 0; times++)
      await zoomOut.click();
    await here.node('orders').locator('.node-card.brief').waitFor();
    expect(await here.node('orders').locator('img').count()).toBe(0);
  });
});

describe('an image of a node without a server', () => {
  it('is kept in the browser, shown from there, and uploaded by a later page', async () => {
    const wire = await Wire.to(stage.url);
    const cut = await Person.come(stage, 'Cut off', null, wire);
    const person = new Person(cut.visit, await makeWorkspace(cut.visit, { text: TEXT, nodes: NODES }), wire);
    await person.visit.openWithin(person.workspace, { view: 'diagram' });
    await person.saved();
    await takesImages(person);
    const file = png('Offline.png', 70, 50, [10, 60, 160]);
    await person.offline(true);
    await drop(person.page, [file], await person.nodeAt('orders'));
    await tile(person, 'orders').waitFor();
    await message(person, 'The image is kept in this browser').waitFor();
    await person.keeps(1);
    await person.page.goto('about:blank');
    await person.offline(false);
    await person.page.goto(`/w/${person.workspace}`);
    await person.saved();
    await hasUploaded(person, file);
    await isStored(person, 'orders', addressOf(file));
    await tile(person, 'orders').waitFor();
    await wire.close();
  });
});

describe('exports with an image of a node', () => {
  it('hold it: a picture as the server makes it, a page, pixels, and an archive as a file', async () => {
    const here = await open();
    const file = png('Logo.png', 24, 24, [230, 20, 30]);
    await drop(here.page, [file], await here.nodeAt('orders'));
    await tile(here, 'orders').waitFor();
    await hasUploaded(here, file);
    await here.saved();
    const data = `data:image/png;base64,${file.bytes.toString('base64')}`;
    const dialog = here.page.getByRole('dialog', { name: 'Export' });
    const save = async (...choices: string[]) => {
      await here.key('Control+Shift+S');
      for (const choice of choices) await dialog.getByRole('radio', { name: choice, exact: true }).check();
      await dialog.locator('.export-preview:is([data-kind="picture"], [data-kind="text"])').waitFor();
      return readFileSync((await saved(here.page)).path);
    };
    const svgFile = (await save('Whole diagram', 'SVG', 'Light')).toString();
    const drawn = await here.page.evaluate(
      async (address) => (await fetch(address)).text(),
      `/api/v1/workspaces/${here.workspace}/picture.svg`,
    );
    expect(svgFile).toBe(drawn);
    expect(svgFile.split(data)).toHaveLength(2);
    expect((await save('Both', 'HTML page')).toString()).toContain(`href="${data}"`);
    const pixels = await save('Whole diagram', 'PNG', '2×');
    expect(await redIn(here, pixels)).toBeGreaterThan(50 * 50);
    const files = unzipSync(await save('Both', 'ZIP archive'));
    expect(Buffer.from(files[addressOf(file)] ?? [])).toEqual(file.bytes);
    expect(strFromU8(files['diagram.svg'] ?? new Uint8Array())).toContain(data);
    const whole = JSON.parse((await save('Both', 'JSON')).toString());
    expect(whole.images[sha256(file)].data).toBe(file.bytes.toString('base64'));
  });
});

/** How many pixels of a PNG are of the colour of the image. */
const redIn = (person: Person, bytes: Buffer): Promise<number> =>
  person.page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if (Number(data[at]) > 220 && Number(data[at + 1]) < 40 && Number(data[at + 2]) < 50) count += 1;
      return count;
    },
    `data:image/png;base64,${bytes.toString('base64')}`,
  );

describe.each(['light', 'dark'] as const)('images of nodes in the %s theme', (scheme) => {
  it.each([1440, 1024, 390])('are clear at %i pixels, one that is missing as well', async (width) => {
    const missing = { ...NODES[1], image: `images/${'ab'.repeat(32)}.png` };
    const here = await open({ panel: 'properties' }, [NODES[0] as object, missing]);
    await here.page.emulateMedia({ colorScheme: scheme });
    await drop(here.page, [png('Logo.png', 30, 30)], await here.nodeAt('orders'));
    await tile(here, 'orders').waitFor();
    await here.node('store').locator('.image-tile[title]').waitFor();
    await here.select('orders');
    await here.page.getByRole('img', { name: 'Orders' }).waitFor();
    await here.page.setViewportSize({ width, height: 900 });
    expect(await axeViolations(here.page)).toEqual([]);
    const overflow = await here.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await here.page.setViewportSize({ width: 1440, height: 900 });
    forgive(here, /status of 404/);
  });
});
