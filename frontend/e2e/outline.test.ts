/** The outline by hand: sections moved, folded, counted, marked and linked; and Read and Write in step with each other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saved } from './atWorkspace';
import { axeViolations } from './axe';
import { Stage, type Visit } from './stage';

const FILLER = 'Filler line.\n\n'.repeat(40);
const TEXT = `# Plan\n\nFirst words.\n\n## Goals\n\nTwo words.\n\n### Cheap\n\nCosts little.\n\n## Parts\n\nSee [goals](#goals).\n\n## Risks\n\nNone at all.\n`;

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url });
  await visit.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

const page = () => visit.page;
const content = () => page().locator('#document .cm-content');
const prose = () => page().locator('#document .prose');
const outline = () => page().getByRole('dialog', { name: 'Outline' });
const section = (name: string) => outline().getByRole('button', { name, exact: true });
const row = (name: string, mark = '') =>
  outline().locator(`.outline-row${mark}`, { has: page().getByRole('button', { name, exact: true }) });
const said = (words: string) => outline().getByRole('status').filter({ hasText: words }).waitFor();

interface Stored {
  revision: number;
  document: { text: string };
}

const stored = (id: string) => visit.api<Stored>('GET', `/workspaces/${id}`);
const titles = async (id: string) =>
  ((await stored(id)).document.text.match(/^#+ .*/gm) ?? []).map((line) => line.trim());

async function open(text: string, view: 'split' | 'document' = 'document'): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', { name: 'Shop', document: { text } });
  await visit.openWithin(id, { view });
  await content().waitFor();
  return id;
}

async function openOutline(): Promise<void> {
  await page().locator('#document').getByRole('button', { name: 'Outline', exact: true }).click();
  await page().waitForFunction(() => document.activeElement?.matches('.outline-filter'));
}

/** Press on a section and go to a part of another's row, from its upper edge, without letting go. */
async function dragOver(from: string, to: string, share: number): Promise<void> {
  await section(from).hover();
  await page().mouse.down();
  const box = await section(to).boundingBox();
  if (!box) throw new Error(`${to} is not in sight`);
  await page().mouse.move(box.x + 40, box.y + box.height * share, { steps: 4 });
}

describe('a section in the outline', () => {
  it('is dragged to its place, as one change that one undo takes back', async () => {
    const id = await open(TEXT);
    const { revision } = await stored(id);
    await openOutline();
    await dragOver('Risks', 'Goals', 0.1);
    await row('Goals', '.is-before').waitFor();
    await said('Moved “Risks” before “Goals”');
    expect((await stored(id)).revision).toBe(revision);
    await page().mouse.up();
    await expect.poll(() => titles(id)).toEqual(['# Plan', '## Risks', '## Goals', '### Cheap', '## Parts']);
    expect((await stored(id)).revision).toBe(revision + 1);
    // What was dragged was not clicked: the outline is still there.
    await expect
      .poll(() => outline().locator('.outline-item').allTextContents())
      .toEqual([...['Plan', 'Risks', 'Goals', 'Cheap', 'Parts']]);
    await page().keyboard.press('Escape');
    await outline().waitFor({ state: 'detached' });
    await page().keyboard.press('Control+z');
    await expect.poll(async () => (await stored(id)).document.text).toBe(TEXT);
  });

  it('is dragged into another, with its subsections one level deeper', async () => {
    const id = await open(TEXT);
    await openOutline();
    await dragOver('Goals', 'Parts', 0.5);
    await row('Parts', '.is-into').waitFor();
    await page().mouse.up();
    await expect
      .poll(() => titles(id))
      .toEqual(['# Plan', '## Parts', '### Goals', '#### Cheap', '## Risks']);
  });

  it('stays where it is when it is dropped on itself or let go by Escape', async () => {
    const id = await open(TEXT);
    await openOutline();
    await dragOver('Goals', 'Cheap', 0.5);
    await said('A section cannot be moved into itself.');
    expect(await outline().locator('.is-into, .is-before, .is-after').count()).toBe(0);
    await page().mouse.up();
    await said('A section cannot be moved into itself.');
    await dragOver('Goals', 'Risks', 0.9);
    await outline().locator('.outline-row.is-after').waitFor();
    await page().keyboard.press('Escape');
    await outline().locator('.outline-row.is-after').waitFor({ state: 'detached' });
    await page().mouse.up();
    // Let go where it was taken it is not clicked either, which would close the outline.
    await dragOver('Goals', 'Goals', 0.9);
    await outline().locator('.outline-row.is-dragged').waitFor();
    await page().mouse.up();
    await outline().locator('.outline-row.is-dragged').waitFor({ state: 'detached' });
    await section('Goals').waitFor();
    await saved(page());
    expect((await stored(id)).document.text).toBe(TEXT);
  });

  it('moves by keys, keeps the focus, and says where it went or why not', async () => {
    const id = await open(TEXT);
    await openOutline();
    await section('Parts').focus();
    await page().keyboard.press('Alt+Shift+ArrowUp');
    await expect.poll(() => titles(id)).toEqual(['# Plan', '## Parts', '## Goals', '### Cheap', '## Risks']);
    await said('Moved “Parts” before “Goals”');
    await page().waitForFunction(() => document.activeElement?.textContent === 'Parts');
    await page().keyboard.press('Alt+Shift+ArrowUp');
    await said('“Parts” is the first one here.');
    await section('Risks').focus();
    await page().keyboard.press('Alt+Shift+ArrowRight');
    await expect.poll(() => titles(id)).toContain('### Risks');
    await page().waitForFunction(() => document.activeElement?.textContent === 'Risks');
    await page().keyboard.press('Alt+Shift+ArrowLeft');
    await expect.poll(() => titles(id)).toContain('## Risks');
    // Two at once: the second goes on from where the first leads.
    await section('Parts').focus();
    await page().keyboard.press('Alt+Shift+ArrowDown');
    await page().keyboard.press('Alt+Shift+ArrowDown');
    await expect.poll(() => titles(id)).toEqual(['# Plan', '## Goals', '### Cheap', '## Risks', '## Parts']);
    await page().waitForFunction(() => document.activeElement?.textContent === 'Parts');
  });

  it('that has its name twice is not moved, and the reason is said', async () => {
    const twice = '# Plan\n\n## Notes\n\none\n\n## Notes\n\ntwo\n\n## Last\n';
    const id = await open(twice);
    await openOutline();
    await section('Notes').first().focus();
    await page().keyboard.press('Alt+Shift+ArrowDown');
    await said('Rename one of them first');
    await saved(page());
    expect((await stored(id)).document.text).toBe(twice);
  });

  it('folds by keys and by its sign, and stays folded for the next time', async () => {
    await open(TEXT);
    await openOutline();
    await section('Goals').focus();
    await page().keyboard.press('ArrowLeft');
    await section('Cheap').waitFor({ state: 'detached' });
    await page().keyboard.press('Escape');
    await outline().waitFor({ state: 'detached' });
    await openOutline();
    expect(await section('Cheap').count()).toBe(0);
    const sign = outline().getByRole('button', { name: 'Subsections of Goals' });
    expect(await sign.getAttribute('aria-expanded')).toBe('false');
    await sign.click();
    await section('Cheap').waitFor();
  });

  it('says how many words it has with its subsections, and the document in all', async () => {
    await open('# Plan\n\nThree little words.\n\n## Japanese\n\nこれは文書です\n');
    await openOutline();
    await row('Plan').getByTitle('9 words').waitFor();
    await row('Japanese').getByTitle('5 words').waitFor();
    await outline().getByText('9 words', { exact: true }).waitFor();
  });

  it('is marked while it is in view', async () => {
    await open(`# Plan\n\n${FILLER}## Middle\n\n${FILLER}## Last\n\n${FILLER}`);
    await openOutline();
    const marked = () => outline().locator('[aria-current="location"]').textContent();
    expect(await marked()).toBe('Plan');
    await page()
      .locator('#document .cm-scroller')
      .evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
    await expect.poll(marked).toBe('Last');
  });
});

describe('the link to a heading', () => {
  const copied = () => page().evaluate(() => navigator.clipboard.readText());
  const isSaid = () => page().getByRole('status').getByText('Copied', { exact: true }).waitFor();

  it('is copied in the outline and in Read, which is said, and opens from outside', async () => {
    const filler = 'Filler line.\n\n'.repeat(60);
    const id = await open(`# Plan\n\n${filler}## Über uns\n\nhere\n\n${filler}`);
    await openOutline();
    await row('Über uns').hover();
    await outline().getByRole('button', { name: 'Copy the link to Über uns' }).click();
    await isSaid();
    const address = await copied();
    expect(address).toBe(`${stage.url}/w/${id}#${encodeURIComponent('über-uns')}`);
    await page().evaluate(() => navigator.clipboard.writeText(''));
    await page().keyboard.press('Escape');
    await prose().locator('h2 > .heading-anchor').click({ force: true });
    await expect.poll(copied).toBe(address);
    await page().goto('about:blank');
    await page().goto(address);
    await page().locator('#document .cm-line', { hasText: 'here' }).waitFor();
  });

  it('opens in the right part of a document of many parts', async () => {
    const id = await open(`${`## Section\n\n${'word '.repeat(100)}\n\n`.repeat(400)}## The last one\n`);
    await page().goto('about:blank');
    await page().goto(`${stage.url}/w/${id}#the-last-one`);
    await prose().getByRole('heading', { name: 'The last one' }).waitFor();
    await page().locator('.cm-line', { hasText: 'The last one' }).waitFor();
  });

  it('leads there after the section was renamed and moved', async () => {
    const id = await open(TEXT);
    await visit.api('POST', `/workspaces/${id}/batches`, {
      operations: [{ op: 'rename_section', section: 'Goals', title: 'Aims' }],
    });
    await openOutline();
    await section('Aims').focus();
    await page().keyboard.press('Alt+Shift+ArrowDown');
    await expect.poll(() => titles(id)).toEqual(['# Plan', '## Parts', '## Aims', '### Cheap', '## Risks']);
    await page().keyboard.press('Escape');
    await prose().getByRole('link', { name: 'goals' }).click();
    await page().waitForFunction(() => window.location.hash === '#aims');
  });
});

describe('Read and Write', () => {
  const seenLine = () =>
    page().evaluate(() => {
      const scroller = document.querySelector('#document .cm-scroller') as HTMLElement;
      const { top, bottom } = scroller.getBoundingClientRect();
      return [...scroller.querySelectorAll('.cm-line')]
        .filter(
          (line) => line.getBoundingClientRect().bottom > top && line.getBoundingClientRect().top < bottom,
        )
        .map((line) => line.textContent);
    });
  const isInSight = (words: string) =>
    page().waitForFunction((words) => {
      const half = document.querySelector('#document .read-half')?.getBoundingClientRect();
      const block = [...document.querySelectorAll('#document .prose > *')].find((one) =>
        one.textContent?.includes(words),
      );
      const box = block?.getBoundingClientRect();
      return half && box && box.top < half.bottom && box.bottom > half.top;
    }, words);

  it('keep their place while the diagram is looked at', async () => {
    await open(`# Plan\n\n${FILLER}## Middle\n\n${FILLER}${FILLER}`, 'split');
    await content().hover();
    await page()
      .locator('#document .cm-scroller')
      .evaluate((scroller) => {
        scroller.scrollTop = 900;
      });
    await page().locator('#document .cm-line', { hasText: 'Middle' }).waitFor();
    await expect.poll(async () => (await seenLine()).includes('# Plan')).toBe(false);
    await page().keyboard.press('Alt+1');
    await content().waitFor({ state: 'detached' });
    await page().keyboard.press('Alt+2');
    await content().waitFor();
    await expect.poll(async () => (await seenLine()).includes('# Plan')).toBe(false);
  });

  it('have what is written in sight, where it takes more room as it reads', async () => {
    const code = `\`\`\`\n${'line\n'.repeat(3)}\`\`\`\n\n`;
    const headings = Array.from({ length: 24 }, (_, at) => `# Heading ${at}\n`).join('');
    await open(`${headings}${code}The end`);
    await content().focus();
    await page().keyboard.press('Control+End');
    await page().keyboard.type(' of it all');
    await isInSight('The end of it all');
  });

  it('do not move whoever reads while another writes above', async () => {
    const id = await open(`# Plan\n\nabove\n\n${FILLER}## Later\n\n${FILLER}`);
    await prose().hover();
    await page().mouse.wheel(0, 900);
    await page().waitForFunction(() => (document.querySelector('.read-half')?.scrollTop ?? 0) >= 900);
    const top = () =>
      prose()
        .locator('h2')
        .evaluate((heading) => Math.round(heading.getBoundingClientRect().top));
    const before = await top();
    await visit.api('POST', `/workspaces/${id}/batches`, {
      operations: [
        { op: 'edit_section', section: 'Plan', find: 'above', replace: 'above\n\nmore\n\nand more' },
      ],
    });
    await prose().getByText('and more').waitFor({ state: 'attached' });
    // Half a pixel may be rounded otherwise.
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
  });

  it('take the caret along to where somebody has read on', async () => {
    const id = await open(`# Plan\n\n${FILLER}${FILLER}## Later\n\n${FILLER}`, 'split');
    await page().keyboard.press('Control+Shift+E');
    await prose().waitFor();
    // At once, before the frame that tells of the scroll.
    await page().evaluate(() => {
      const half = document.querySelector('.read-half') as HTMLElement;
      half.scrollTop = half.scrollHeight;
      document.querySelector<HTMLElement>('[aria-label="Half of the document"] button')?.click();
    });
    await prose().waitFor({ state: 'detached' });
    await content().focus();
    await page().keyboard.type('here');
    await expect.poll(async () => (await stored(id)).document.text.indexOf('here')).toBeGreaterThan(1000);
  });
});

describe.each(['light', 'dark'] as const)('accessibility of the outline in the %s theme', (scheme) => {
  beforeEach(async () => {
    await page().emulateMedia({ colorScheme: scheme });
  });

  it.each([1440, 1024, 390])('has no flaw at %i pixels', async (width) => {
    await open(TEXT, 'document');
    await page().setViewportSize({ width, height: 900 });
    await openOutline();
    await row('Plan').getByTitle(/words/).waitFor();
    await section('Goals').hover();
    await section('Parts').focus();
    expect(await axeViolations(page())).toEqual([]);
    const box = await outline().boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
    await page().keyboard.press('Escape');
    await page().setViewportSize({ width: 1440, height: 900 });
  });
});
