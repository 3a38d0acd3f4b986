/** Documents as people keep them: the exported page in windows of all widths, and on paper; what the editor prints. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { nastyDiagram, saved, workspaceWith } from './exported';
import { type MadeFile, png, sha256, svg } from './imageFiles';
import { type Paper, printed } from './pdf';
import { Stage, type Visit } from './stage';

const IMAGE = png('Plan.png', 300, 200);
const PARTS = Array.from({ length: 14 }, (_, at) => at + 1);
/** So many headings with little between them that some come to the foot of a page; too low for the contents. */
const NOTES = Array.from({ length: 60 }, (_, at) => at + 1);

const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join('\n');

/** Of a length that differs, so that each kind of block comes to the foot of a page somewhere. */
const part = (number: number) => `## Part ${number}

Begin${number} ${'and so it goes on '.repeat(8 + ((number * 37) % 60))}.

\`\`\`ts
${many(12, (line) => `const line${line}of${number} = ${line};`)}
\`\`\`

| Row | Of part ${number} |
|---|---|
${many(6, (row) => `| cell${row}of${number} | ${row} |`)}
`;

const TEXT = `# The plan

<!-- Nobody reads this remark. -->

The [first](#node/n1) is [explained elsewhere](https://example.org/far-away) and in [part 9](#part-9).

<details><summary>More</summary>

This was folded.

</details>

$$a^2 + b^2$$

![The plan](images/${sha256(IMAGE)}.png)

\`\`\`mermaid
flowchart LR
  a[Alpha] --> b[Beta]
\`\`\`

${PARTS.map(part).join('\n')}
### Notes

${NOTES.map((note) => `#### Note ${note}\n\nStart${note} ${'and so it goes on '.repeat(14 + (note % 9) * 5)}.\n\n`).join('')}`;

const row = (count: number) => ({
  nodes: Array.from({ length: count }, (_, at) => ({
    id: `n${at + 1}`,
    type: 'service',
    label: `Service ${at + 1}`,
    position: { x: at * 260, y: 0 },
  })),
  edges: [],
});

let stage: Stage;
let editor: Visit;
let light: Visit;
let dark: Visit;
/** Addresses of exported pages, by how wide their diagram is. */
let wide: string;
let narrow: string;

beforeAll(async () => {
  stage = await Stage.shared();
  editor = await stage.person();
  light = await stage.person();
  dark = await stage.person('dark');
  wide = await exported(await make('Wide', nastyDiagram(), TEXT));
  narrow = await exported(await make('Narrow', row(2), TEXT));
});

afterAll(async () => {
  await stage?.close();
});

/** A workspace with the image that the text names. */
async function make(name: string, diagram: object, text: string): Promise<string> {
  const { id } = await workspaceWith(editor, { name, diagram, document: { text } });
  await put(id, IMAGE);
  return id;
}

async function put(id: string, file: MadeFile): Promise<void> {
  const answer = await editor.context.request.put(`/api/v1/workspaces/${id}/images/${sha256(file)}`, {
    data: file.bytes,
    headers: { 'content-type': file.type },
  });
  expect(answer.status()).toBe(201);
}

async function open(visit: Visit, id: string, choices: Record<string, string> = {}): Promise<void> {
  await visit.openWithin(id, choices);
  await visit.page.locator('.workspace:not([data-read="first"])').waitFor();
  await visit.page.locator('[data-testid="status"][data-condition="saved"]').waitFor();
}

const dialog = () => editor.page.locator('dialog.export-dialog');

/** Exports diagram and document of a workspace as a page, which is laid where a browser opens it. */
async function exported(id: string): Promise<string> {
  await open(editor, id);
  await editor.page.keyboard.press('Control+Shift+S');
  await dialog().getByRole('radio', { name: 'Both' }).check();
  await dialog().getByRole('radio', { name: 'HTML page' }).check();
  await dialog().locator('.export-preview[data-kind="picture"]').waitFor();
  const file = await saved(editor.page);
  writeFileSync(`${file.path}.html`, file.text());
  return `file://${file.path}.html`;
}

/** What reaches out of the window, and how wide the diagram is in it. */
const widths = (page: Page) =>
  page.evaluate(() => {
    const section = document.querySelector('.diagram') as HTMLElement;
    const svg = section.querySelector('svg') as SVGSVGElement;
    const box = svg.getBoundingClientRect();
    return {
      isCut: document.documentElement.scrollWidth > innerWidth || section.scrollWidth > section.clientWidth,
      isInside: box.left >= 0 && box.right <= innerWidth,
      width: Math.round(box.width),
      ratio: box.width / box.height,
      natural: svg.viewBox.baseVal.width,
      naturalRatio: svg.viewBox.baseVal.width / svg.viewBox.baseVal.height,
    };
  });

describe.each(['light', 'dark'] as const)('an exported page in the %s theme', (theme) => {
  const reader = () => (theme === 'light' ? light : dark);
  it.each([390, 1024, 1440])('fits its diagram to a window of %i pixels', async (width) => {
    const { page } = reader();
    await page.setViewportSize({ width, height: 900 });
    for (const address of [wide, narrow]) {
      await page.goto(address);
      const seen = await widths(page);
      expect(seen).toMatchObject({ isCut: false, isInside: true });
      expect(seen.ratio).toBeCloseTo(seen.naturalRatio, 1);
      expect(seen.width).toBeLessThanOrEqual(seen.natural);
      // As large as the window allows: what is left over is no more than its padding.
      if (address === wide) expect(seen.width).toBeGreaterThan(width - 70);
      expect(await axeViolations(page)).toEqual([]);
    }
    expect(reader().complaints).toEqual([]);
  });

  it('shows its diagram in full size on demand, within a frame that scrolls', async () => {
    const { page } = reader();
    await page.setViewportSize({ width: 1024, height: 900 });
    await page.goto(wide);
    const choice = page.getByRole('checkbox', { name: 'Full size' });
    await choice.focus();
    await page.keyboard.press('Space');
    const seen = await widths(page);
    expect(seen.width).toBe(seen.natural);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
    await page.goto(narrow);
    expect(await choice.isVisible()).toBe(false);
  });
});

/** On which sheet, from 0, a word stands; the contents do not count. */
const sheetOf = (papers: readonly Paper[], word: string): number =>
  papers.findIndex(({ text }) => !/\bContents\b/.test(text) && new RegExp(`\\b${word}\\b`).test(text));

const sheetOfHeading = (papers: readonly Paper[], title: string): number =>
  papers.findIndex(
    ({ text }) => !/\bContents\b/.test(text) && new RegExp(`^\\s*${title}\\s*$`, 'm').test(text),
  );

const isLying = ({ width, height }: Paper): boolean => width > height;

const withoutDay = (papers: readonly Paper[]) =>
  papers.map((paper) => ({ ...paper, text: paper.text.replace(/[A-Z]\w+ \d{1,2}, \d{4}/, 'today') }));

describe('paper', () => {
  let id: string;
  let papers: Paper[];

  beforeAll(async () => {
    id = await make('Shop </style>', row(7), TEXT);
    await light.page.goto(await exported(id));
    papers = await printed(light.page);
  });

  it('has the contents first, the whole diagram on a sheet that lies, and then the document', () => {
    const [first, second, ...others] = papers;
    expect(first?.text).toContain('Contents');
    for (const number of PARTS) expect(first?.text).toContain(`Part ${number}`);
    expect(first?.links.filter((link) => link === '#')).toHaveLength(2 + PARTS.length);
    expect(isLying(second as Paper)).toBe(true);
    for (let at = 1; at <= 7; at++) expect(second?.text).toContain(`Service ${at}`);
    expect(others.length).toBeGreaterThan(5);
    expect([first as Paper, ...others].filter(isLying)).toEqual([]);
  });

  it('numbers its sheets and says whose they are', () => {
    papers.forEach(({ text }, at) => {
      expect(text).toContain(`${at + 1} / ${papers.length}`);
      expect(text).toContain('Shop </style>');
    });
  });

  it('keeps a heading with what it is of, and code and tables in one piece', () => {
    for (const number of PARTS) {
      expect(sheetOf(papers, `Begin${number}`), `part ${number}`).toBe(
        sheetOfHeading(papers, `Part ${number}`),
      );
      expect(sheetOf(papers, `line1of${number}`), `code ${number}`).toBe(
        sheetOf(papers, `line12of${number}`),
      );
      expect(sheetOf(papers, `cell1of${number}`), `table ${number}`).toBe(
        sheetOf(papers, `cell6of${number}`),
      );
    }
    for (const note of NOTES)
      expect(sheetOf(papers, `Start${note}`), `note ${note}`).toBe(sheetOfHeading(papers, `Note ${note}`));
  });

  it('unfolds what is folded, and prints neither remarks nor the addresses of links', () => {
    const all = papers.map(({ text }) => text).join('\n');
    expect(all).toContain('This was folded.');
    expect(all).not.toMatch(/Nobody reads|example\.org|Full size/);
    expect(papers.flatMap(({ links }) => links)).toContain('https://example.org/far-away');
  });

  it('is light, whatever the theme', async () => {
    await dark.page.goto(light.page.url());
    const looks = () =>
      dark.page.evaluate(() => {
        const styleOf = (query: string) => getComputedStyle(document.querySelector(query) as Element);
        const mermaid = document.querySelector('.mermaid-block img') as HTMLImageElement;
        return {
          ground: styleOf('body').backgroundColor,
          words: styleOf('.prose p').color,
          keyword: styleOf('.code-keyword').color,
          card: styleOf('.node .box').fill,
          isMermaidLight: mermaid.currentSrc === mermaid.src,
        };
      });
    expect(await looks()).toMatchObject({ isMermaidLight: false });
    await dark.page.emulateMedia({ media: 'print' });
    await expect.poll(looks).toEqual({
      ground: 'rgb(255, 255, 255)',
      words: 'rgb(16, 24, 40)',
      keyword: 'rgb(122, 46, 158)',
      card: 'rgb(255, 255, 255)',
      isMermaidLight: true,
    });
    await dark.page.emulateMedia({ media: null });
  });

  /** Stands in for the browser's dialog, which a browser without windows does not have. */
  const waitsForDialog = async ({ page }: Visit, open: () => Promise<void>) => {
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-dialog', 'print');
    });
    await open();
    await page.locator('body[data-dialog="print"]').waitFor();
    await page.evaluate(() => document.body.removeAttribute('data-dialog'));
  };

  it('gets from the editor what it gets of the export, once all of it is drawn', async () => {
    // With the diagram alone in sight nothing of the document has been drawn, and the theme is another one.
    await open(dark, id, { view: 'diagram' });
    const { page } = dark;
    await waitsForDialog(dark, () => page.keyboard.press('Control+p'));
    const sheet = page.locator('.print-sheet');
    expect(await sheet.locator('.code-keyword').count()).toBeGreaterThan(100);
    expect(await sheet.locator('.maths math').count()).toBe(1);
    const images = await sheet
      .locator('.prose img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    expect(images).toHaveLength(2);
    expect(Math.min(...images)).toBeGreaterThan(0);
    const screen = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await screen();
    expect(withoutDay(await printed(page))).toEqual(withoutDay(papers));
    expect(await sheet.count()).toBe(0);
    expect(await screen()).toBe(before);
    expect(dark.complaints).toEqual([]);
  });

  it('waits for the images of nodes', async () => {
    const files = [png('Card.png', 64, 48, [20, 120, 60]), svg('card.svg')];
    const addresses = [
      `images/${sha256(files[0] as MadeFile)}.png`,
      `images/${sha256(files[1] as MadeFile)}.svg`,
    ];
    const { nodes } = row(2);
    const withImages = { nodes: nodes.map((node, at) => ({ ...node, image: addresses[at] })), edges: [] };
    const workspace = await make('With images', withImages, '');
    for (const file of files) await put(workspace, file);
    await open(dark, workspace, { view: 'document' });
    const { page } = dark;
    await page.evaluate(() => {
      const loaded = new Set<EventTarget | null>();
      document.addEventListener('load', ({ target }) => loaded.add(target), true);
      window.print = () => {
        const images = [...document.querySelectorAll('.print-sheet svg image')];
        const count = images.filter((image) => loaded.has(image)).length;
        document.body.setAttribute('data-dialog', `${count} of ${images.length} drawn`);
      };
    });
    await page.keyboard.press('Control+p');
    await page.locator('body[data-dialog]').waitFor();
    expect(await page.locator('body').getAttribute('data-dialog')).toBe('2 of 2 drawn');
    await page.evaluate(() => {
      document.body.removeAttribute('data-dialog');
      window.dispatchEvent(new Event('afterprint'));
    });
    expect(await page.locator('.print-sheet').count()).toBe(0);
    expect(dark.complaints).toEqual([]);
  });

  it('gets what is chosen in the dialog of exports', async () => {
    await open(editor, id);
    await editor.page.keyboard.press('Control+Shift+S');
    await dialog().getByRole('radio', { name: 'Document' }).check();
    await waitsForDialog(editor, () =>
      dialog().getByRole('button', { name: 'Print or save as PDF…' }).click(),
    );
    const chosen = await printed(editor.page);
    expect(chosen).toHaveLength(papers.length - 1);
    expect(chosen.map(({ text }) => text).join('\n')).not.toContain('Service 3');
    expect(editor.complaints).toEqual([]);
  });

  it('gets diagram and document from the menu of the browser, and nothing of the editor', async () => {
    await open(dark, id, { view: 'split' });
    const { page } = dark;
    await page.emulateMedia({ media: 'print' });
    // Who prints is listened to once the rest of the page is there.
    await page.waitForFunction(() => {
      window.dispatchEvent(new Event('beforeprint'));
      return document.querySelector('.print-sheet');
    });
    expect(
      await page.locator('body > :visible').evaluateAll((all) => all.map((one) => one.className)),
    ).toEqual(['print-sheet']);
    expect(await page.locator('.print-sheet svg .node').count()).toBe(7);
    expect(await page.locator('.print-sheet .prose h1').textContent()).toContain('The plan');
    expect(await page.locator('.print-sheet').evaluate((one) => getComputedStyle(one).color)).toBe(
      'rgb(16, 24, 40)',
    );
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: null });
    expect(await page.locator('.print-sheet').count()).toBe(0);
    expect(dark.complaints).toEqual([]);
  });
});
