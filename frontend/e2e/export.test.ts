/** What leaves the editor as a file, opened by something else: every node, edge and label is there, whole. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import {
  type Content,
  mermaidOf,
  NASTY_TEXT,
  nastyDiagram,
  type Saved,
  saved,
  seenIn,
  toBeSeen,
  wholeTexts,
  workspaceWith,
} from './exported';
import { Stage, type Visit } from './stage';

/** Five workspaces are opened one after the other, on however busy a machine. */

let stage: Stage;
let visit: Visit;
let reader: Visit;
let dark: Visit;
const all: { id: string; content: Content }[] = [];
let nasty: { id: string; content: Content };

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url });
  reader = await stage.person();
  dark = await stage.person('dark');
  await visit.page.goto('/');
  const { items } = await visit.api<{ items: { id: string; name: string }[] }>('GET', '/templates');
  for (const { id, name } of items.filter((one) => one.id !== 'blank'))
    all.push(await workspaceWith(visit, { name, template: id }));
  nasty = await workspaceWith(visit, {
    name: 'A "name" </title>: /1',
    diagram: nastyDiagram(),
    document: { text: NASTY_TEXT },
  });
  all.push(nasty);
});

afterAll(async () => {
  await stage?.close();
});

async function open(id: string, at: Visit = visit): Promise<void> {
  await at.openWithin(id);
  await at.page.locator('.workspace:not([data-read="first"])').waitFor();
  await at.page.locator('[data-testid="status"][data-condition="saved"]').waitFor();
}

const dialog = () => visit.page.locator('dialog.export-dialog');

async function openDialog(...choices: string[]): Promise<void> {
  await visit.page.keyboard.press('Control+Shift+S');
  await dialog().waitFor();
  for (const choice of choices) await dialog().getByRole('radio', { name: choice, exact: true }).check();
}

const hasPicture = () => dialog().locator('.export-preview[data-kind="picture"]').waitFor();

async function save(...choices: string[]) {
  await openDialog(...choices);
  await dialog().locator('.export-preview:is([data-kind="picture"], [data-kind="text"])').waitFor();
  return saved(visit.page);
}

/** The same file under a name that tells a browser what it is. */
async function show(at: Visit, file: Saved, ending: 'svg' | 'html'): Promise<void> {
  const address = `${file.path}.${ending}`;
  writeFileSync(address, file.text());
  await at.page.goto(`file://${address}`);
}

const isHit = (at: Visit) => at.page.evaluate(() => 'hit' in window);

describe('what is exported of every template and of the worst diagram', () => {
  interface Exported {
    id: string;
    content: Content;
    svg: Saved;
    inDark: Saved;
    png: Saved;
    text: Saved;
    mermaid: Saved;
    drawio: Saved;
  }

  /** By workspace, all of one visit to it. */
  const files: Exported[] = [];

  beforeAll(async () => {
    for (const { id, content } of all) {
      await open(id);
      files.push({
        id,
        content,
        svg: await save('Whole diagram', 'SVG'),
        inDark: await save('Whole diagram', 'SVG', 'Dark'),
        png: await save('Whole diagram', 'PNG', 'Light', '1×'),
        text: await save('Whole diagram', 'Text'),
        mermaid: await save('Whole diagram', 'Mermaid'),
        drawio: await save('Whole diagram', 'draw.io'),
      });
    }
  });

  it('as SVG shows every node, edge and label in another browser, legible and uncovered', async () => {
    for (const { content, svg } of files) {
      await show(reader, svg, 'svg');
      expect(wholeTexts(await seenIn(reader.page), content), content.name).toEqual(toBeSeen(content));
      expect(await isHit(reader)).toBe(false);
    }
    expect(reader.complaints).toEqual([]);
  });

  it('as SVG is what the server draws, to the byte, in both themes', async () => {
    const drawn = (id: string, theme: string) =>
      visit.page.evaluate(
        async (address) => (await fetch(address)).text(),
        `/api/v1/workspaces/${id}/picture.svg?theme=${theme}`,
      );
    expect(files).toHaveLength(all.length);
    for (const { id, content, svg, inDark } of files) {
      expect(inDark.text(), content.name).toBe(await drawn(id, 'dark'));
      expect(svg.text(), content.name).toBe(await drawn(id, 'light'));
    }
  });

  it('as pixels is what the server makes of it, with few letters that differ at their edges', async () => {
    for (const { id, content, png } of files) {
      const { count, differing } = await visit.page.evaluate(
        async ([own, address]) => {
          const pixelsOf = async (source: string) => {
            const image = new Image();
            image.src = source;
            await image.decode();
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [image.width, image.height];
            const context = canvas.getContext('2d') as CanvasRenderingContext2D;
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, image.width, image.height).data;
          };
          const [ours, other] = [await pixelsOf(own), await pixelsOf(address)];
          if (ours.length !== other.length) throw new Error('They are not of one size.');
          let differing = 0;
          for (let at = 0; at < ours.length; at += 4)
            if ([0, 1, 2].some((part) => Math.abs((ours[at + part] ?? 0) - (other[at + part] ?? 0)) > 32))
              differing += 1;
          return { count: ours.length / 4, differing };
        },
        [
          `data:image/png;base64,${readFileSync(png.path).toString('base64')}`,
          `/api/v1/workspaces/${id}/picture.png`,
        ] as const,
      );
      // What Inter lacks (the worst names have some of it) each draws in its own way.
      expect(differing / count, content.name).toBeLessThan(0.02);
    }
  });

  it('as text is what the server writes, to the byte, and comes in again', async () => {
    for (const { id, content, text } of files) {
      const written = text.text();
      expect(text.name, content.name).toMatch(/\.diagram\.txt$/);
      expect(written, content.name).toBe(
        await visit.page.evaluate(
          async (address) => (await fetch(address)).text(),
          `/api/v1/workspaces/${id}/export?format=text`,
        ),
      );
      const again = await workspaceWith(visit, { import: { format: 'text', content: written } });
      expect(again.content.nodes, content.name).toHaveLength(content.nodes.length);
      expect(again.content.edges, content.name).toHaveLength(content.edges.length);
    }
  });

  it('for Mermaid is drawn by it with every node, edge and label', async () => {
    const plain = (text: string) => text.replace(/\s+/g, '');
    const { page } = await stage.person();
    for (const { content, mermaid } of files) {
      const drawn = await mermaidOf(page, mermaid.text());
      const groups = content.nodes.filter(({ type }) => type === 'group');
      expect(drawn.nodes, content.name).toHaveLength(content.nodes.length - groups.length);
      for (const { type, label } of content.nodes) {
        const among = type === 'group' ? drawn.groups : drawn.nodes;
        expect(
          among.some((text) => text.includes(plain(label))),
          `${content.name}: ${label}`,
        ).toBe(true);
      }
      expect(drawn.lines, content.name).toBe(content.edges.length);
      const labels = content.edges.map(({ label }) => plain(label)).filter(Boolean);
      expect([...drawn.labels].sort(), content.name).toEqual(labels.sort());
    }
  });

  it('for draw.io comes in again with every node, edge and label under its id', async () => {
    const parts = (of: Pick<Content, 'nodes' | 'edges'>) => ({
      nodes: Object.fromEntries(of.nodes.map(({ id, type, label }) => [id, [type, label]])),
      edges: Object.fromEntries(of.edges.map(({ id, label, direction }) => [id, [label, direction]])),
    });
    for (const { content, drawio } of files) {
      const body = { import: { format: 'drawio', content: drawio.text() } };
      const { id } = await visit.api<{ id: string }>('POST', '/workspaces', body);
      const again = await visit.api<Content>('GET', `/workspaces/${id}/diagram`);
      expect(parts(again), content.name).toEqual(parts(content));
    }
  });
});

describe('an exported picture', () => {
  it('in pixels is as large as was said, and what is in it can be seen', async () => {
    await open(nasty.id);
    await openDialog('Whole diagram', 'PNG', 'Dark', '3×');
    await hasPicture();
    const said =
      (await dialog()
        .getByText(/ pixels$/)
        .textContent()) ?? '';
    const file = await saved(visit.page);
    await reader.page.goto('about:blank');
    const { size, colors } = await reader.page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      const colors = new Set<number>();
      for (let at = 0; at < pixels.length; at += 4)
        colors.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0));
      return { size: [image.width, image.height], colors: colors.size };
    }, readFileSync(file.path).toString('base64'));
    expect(said).toBe(`${size.map((one) => one.toLocaleString('en')).join(' × ')} pixels`);
    expect(colors).toBeGreaterThan(100);
    expect(file.name).toBe('A -name- -title- -1.png');
  });

  it('of what is selected holds that, what stands in it, and the groups around it', async () => {
    await open(nasty.id);
    await visit.page.locator('.react-flow__node[data-id="inner"] .group-title').click();
    await visit.page.locator('.react-flow__node[data-id="inner"] .selected').waitFor();
    await visit.page.getByRole('button', { name: 'Export' }).click();
    await dialog().getByRole('radio', { name: 'SVG', exact: true }).check();
    expect(await dialog().getByRole('radio', { name: 'Selection (3)' }).isChecked()).toBe(true);
    await hasPicture();
    await show(reader, await saved(visit.page), 'svg');
    const seen = await seenIn(reader.page);
    expect(Object.keys(seen.nodes).sort()).toEqual(['inner', 'n0', 'n1', 'outer']);
    expect(Object.keys(seen.heads)).toEqual(['e0']);
    expect(seen.outside).toEqual([]);
  });
});

describe('an exported page, opened by a browser of its own', () => {
  it('holds diagram and document, leads from one to the other, and runs and asks nothing', async () => {
    await open(nasty.id);
    const file = await save('Both', 'HTML page');
    for (const at of [reader, dark]) {
      await show(at, file, 'html');
      const { page } = at;
      expect(wholeTexts(await seenIn(page), nasty.content)).toEqual(toBeSeen(nasty.content));
      expect(await page.title()).toBe(nasty.content.name);
      expect(await page.locator('.prose table tr').count()).toBe(2);
      expect(await page.locator('.prose .task-box.done').count()).toBe(1);
      expect(await page.locator('.prose pre code').textContent()).toContain('print("<b>")');
      expect(
        await page.locator('.mermaid-block img').evaluate((one: HTMLImageElement) => one.naturalWidth),
      ).toBeGreaterThan(50);
      await page.getByRole('link', { name: 'first' }).click();
      expect(await page.locator(':target').getAttribute('data-id')).toBe('n0');
      expect(await page.getByRole('link', { name: 'nobody' }).count()).toBe(0);
      await page.getByRole('link', { name: 'the table' }).click();
      expect(await page.locator(':target').textContent()).toBe('The table');
      expect(await page.locator('footer').textContent()).toMatch(/revision 1 · \w+ \d+, \d{4}/);
      expect(await isHit(at)).toBe(false);
      expect(await axeViolations(page)).toEqual([]);
    }
    const ground = (at: Visit) => at.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground(reader)).not.toBe(await ground(dark));
    expect([...reader.complaints, ...dark.complaints]).toEqual([]);
    expect(
      [...reader.strayRequests, ...dark.strayRequests].filter((one) => !one.startsWith('file:')),
    ).toEqual([]);
  });
});

describe('the dialog', () => {
  it('copies pictures and texts, and says so where it may not', async () => {
    await open(nasty.id);
    await openDialog('Whole diagram', 'Mermaid');
    await dialog().getByRole('button', { name: 'Copy' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^flowchart LR/);
    await openDialog('Whole diagram', 'PNG', '1×');
    await hasPicture();
    await dialog().getByRole('button', { name: 'Copy' }).click();
    await dialog().waitFor({ state: 'detached' });
    const types = await visit.page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap((one) => one.types),
    );
    expect(types).toEqual(['image/png']);
    await visit.page.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new DOMException('No', 'NotAllowedError'));
    });
    await openDialog('Whole diagram', 'PNG', '1×');
    await hasPicture();
    await dialog().getByRole('button', { name: 'Copy' }).click();
    expect(await dialog().getByRole('alert').textContent()).toContain('Use Download instead');
    await visit.page.keyboard.press('Escape');
  });

  it('works by keyboard alone, in both looks without a finding', async () => {
    await open(nasty.id);
    await visit.page.keyboard.press('Control+Shift+S');
    await hasPicture();
    await visit.page.keyboard.press('ArrowRight');
    await visit.page.keyboard.press('ArrowRight');
    expect(await dialog().getByRole('radio', { name: 'Both' }).isChecked()).toBe(true);
    await dialog().locator('button:enabled', { hasText: 'Download' }).waitFor();
    const [download] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.page.keyboard.press('Enter'),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.html$/);
    await dialog().waitFor({ state: 'detached' });
    await openDialog('Whole diagram', 'PNG');
    await hasPicture();
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme });
      expect(await axeViolations(visit.page)).toEqual([]);
    }
    await dialog().getByRole('radio', { name: 'Mermaid' }).check();
    await dialog().locator('.export-preview[data-kind="text"]').waitFor();
    expect(await axeViolations(visit.page)).toEqual([]);
    await visit.page.emulateMedia({ colorScheme: 'light' });
  });

  it('says that there is nothing to draw', async () => {
    const { id } = await workspaceWith(visit, { name: 'Nothing yet' });
    await open(id);
    await openDialog('Whole diagram');
    await dialog().getByText('The diagram is empty. Add a node first.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Download' }).isDisabled()).toBe(true);
  });
});

describe('a large diagram', () => {
  it('is drawn in steps between which the page goes on', async () => {
    const nodes = Array.from({ length: 400 }, (_, at) => ({
      id: `n${at}`,
      type: 'service',
      label: `Service number ${at}`,
      position: { x: (at % 20) * 260, y: Math.floor(at / 20) * 140 },
    }));
    const edges = nodes
      .slice(1)
      .map(({ id }, at) => ({ id: `e${at}`, source: `n${at}`, target: id, label: 'calls' }));
    const { id } = await workspaceWith(visit, { name: 'Large', diagram: { nodes, edges } });
    await open(id);
    await openDialog('PNG', '1×');
    await hasPicture();
    await visit.page.evaluate(() => {
      const steps = new Set<number>();
      Object.assign(window, { steps });
      new MutationObserver(() => {
        const value = document.querySelector<HTMLProgressElement>('.export-progress')?.value;
        if (value !== undefined) steps.add(value);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    const file = await saved(visit.page);
    expect(file.name).toBe('Large.png');
    // Each step is a moment at which the page could do something else.
    const steps = await visit.page.evaluate(() => (window as unknown as { steps: Set<number> }).steps.size);
    expect(steps).toBeGreaterThan(3);
    expect(visit.complaints).toEqual([]);
  });
});
