/** The document by hand: writing, reading, links to nodes, Mermaid, find, folding, the outline, and what must not work. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { holdPart } from './holding';
import { passTime, withTimeHeld } from './pageTime';
import { Stage, type Visit } from './stage';

const NODES = [
  { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
  { id: 'orders', type: 'service', label: 'Orders', technology: 'FastAPI', position: { x: 320, y: 0 } },
  { id: 'odb', type: 'database', label: 'Orders DB', technology: 'PostgreSQL', position: { x: 320, y: 200 } },
];

const TEXT = `# Plan

Led by [Orders](#node/orders), stored in [Orders DB](#node/odb), once in [Nowhere](#node/gone).

## Tasks

- [ ] first task
- [x] second task

${'Filler line.\n\n'.repeat(40)}
## Later

[Orders](#node/orders) again.
`;

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  await visit.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

const page = () => visit.page;
const content = () => page().locator('#document .cm-content');
const prose = () => page().locator('#document .prose');
const button = (name: string) => page().locator('#document').getByRole('button', { name, exact: true });
const selected = (id: string) => page().locator(`.react-flow__node[data-id="${id}"] .selected`);

/** A new workspace with this document, open in this view. */
async function open(text: string, view: 'split' | 'document' = 'document'): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Shop',
    document: { text },
    diagram: { nodes: NODES },
  });
  await visit.openWithin(id, { view });
  if (text) await content().waitFor();
  return id;
}

/** Hold a part from a page that has read none yet. */
async function holding(part: string): Promise<() => void> {
  await page().goto('/');
  return holdPart(page(), part);
}

async function stored(id: string): Promise<string> {
  const { document } = await visit.api<{ document: { text: string } }>('GET', `/workspaces/${id}`);
  return document.text;
}

/** Put the caret at the end of the text, by keyboard. */
async function toEnd(): Promise<void> {
  await content().focus();
  await page().keyboard.press('Control+End');
}

/** Wait until what stands on the server fulfils something. */
const storedText = (id: string) => expect.poll(() => stored(id));

describe('writing', () => {
  it('begins an empty document with a skeleton that names the nodes, or with nothing', async () => {
    const id = await open('', 'split');
    await page().getByRole('heading', { name: 'Write what the diagram does not say' }).waitFor();
    await button('Start with a skeleton').click();
    await content().getByText('Decisions').waitFor();
    expect(await stored(id)).toContain('| [Orders](#node/orders) | FastAPI |');

    const other = await open('', 'split');
    await button('Just write').click();
    await page().waitForFunction(() => document.activeElement?.classList.contains('cm-content'));
    await page().keyboard.type('Hello');
    await storedText(other).toBe('Hello');
  });

  it('saves what is typed and shows at once how it reads', async () => {
    const id = await open('# Plan\n');
    await toEnd();
    await page().keyboard.type('\nIt is **bold**.');
    await prose().locator('strong', { hasText: 'bold' }).waitFor();
    await page().locator('[data-testid="status"][data-condition="saved"]').waitFor();
    await storedText(id).toBe('# Plan\n\nIt is **bold**.');
  });

  it('continues lists, moves items with Tab, and puts marks by keys', async () => {
    const id = await open('# Plan\n\n');
    await toEnd();
    await page().keyboard.type('- one');
    await page().keyboard.press('Enter');
    await page().keyboard.press('Tab');
    await page().keyboard.type('two');
    await page().keyboard.press('Control+Shift+ArrowLeft');
    await page().keyboard.press('Control+b');
    await storedText(id).toBe('# Plan\n\n- one\n  - **two**');
    await page().keyboard.press('Control+b');
    await storedText(id).toBe('# Plan\n\n- one\n  - two');
    await page().keyboard.press('Control+Shift+9');
    await storedText(id).toBe('# Plan\n\n- one\n  - [ ] two');
  });

  it('takes back one’s own typing, also after another view was in sight', async () => {
    const id = await open('# Plan\n');
    await toEnd();
    await withTimeHeld(page(), () => page().keyboard.type('typed'));
    await storedText(id).toContain('typed');
    await page().keyboard.press('Alt+1');
    await content().waitFor({ state: 'detached' });
    await page().keyboard.press('Alt+3');
    await content().focus();
    await page().keyboard.press('Control+z');
    await storedText(id).toBe('# Plan\n');
  });

  it('puts a table where the caret is, from the bar', async () => {
    await open('# Plan\n');
    await toEnd();
    await button('Table').click();
    await prose().getByRole('columnheader', { name: 'Purpose' }).waitFor();
    await page().keyboard.type('Service');
    await prose().getByRole('columnheader', { name: 'Service' }).waitFor();
  });

  it('finds and replaces by keyboard', async () => {
    const id = await open('one two one\n');
    await content().focus();
    await page().keyboard.press('Control+f');
    const field = page().getByRole('textbox', { name: 'Find', exact: true });
    await field.fill('one');
    await page().getByRole('search').getByText('2', { exact: true }).waitFor();
    await page().keyboard.press('Enter');
    await page().getByRole('search').getByText('1 of 2').waitFor();
    await page().getByRole('textbox', { name: 'Replace with' }).fill('six');
    await page().getByRole('button', { name: 'Replace all' }).press('Enter');
    await storedText(id).toBe('six two six\n');
    await page().keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('folds a section and unfolds it', async () => {
    await open('# Plan\n\nhidden words\n\n# Next\n');
    await content().focus();
    await page().keyboard.press('Control+Home');
    await page().keyboard.press('Control+Shift+BracketLeft');
    await content().getByText('hidden words').waitFor({ state: 'detached' });
    await content().getByRole('img', { name: 'folded text' }).click();
    await content().getByText('hidden words').waitFor();
  });
});

describe('links to nodes', () => {
  it('are offered after @ and inserted by Enter', async () => {
    const id = await open('# Plan\n');
    await toEnd();
    await page().keyboard.type('See @postg');
    await page()
      .getByRole('option', { name: /Orders DB/ })
      .waitFor();
    await passTime(page(), 150); // a list that has only just opened takes no key
    await page().keyboard.press('Enter');
    await page().keyboard.type(' now');
    await storedText(id).toBe('# Plan\nSee [Orders DB](#node/odb) now');
    await content().locator('.cm-nodeLink[data-node="odb"]').waitFor();
  });

  it('say where the selected node is mentioned, without taking the keyboard or the place', async () => {
    await open(TEXT);
    await content().focus();
    await page().evaluate(() => {
      window.location.hash = '#node/orders';
    });
    await page().locator('.mentions', { hasText: '2 mentions' }).waitFor();
    await content().locator('.cm-nodeLink.is-mention', { hasText: 'Orders' }).waitFor();
    // Read later than the editor.
    await expect.poll(() => prose().locator('a.is-mention').count()).toBe(2);
    expect(await page().evaluate(() => document.activeElement?.className)).toContain('cm-content');
    expect(await content().getByText('Later').count()).toBe(0);
    await page().getByRole('button', { name: 'Next mention' }).press('Enter');
    await page().getByRole('button', { name: 'Next mention' }).press('Enter');
    await content().getByText('Later').waitFor();
  });

  it('select their node in Write by Ctrl and a click, and in Read by a click', async () => {
    await open(TEXT, 'split');
    await content()
      .locator('.cm-nodeLink[data-node="orders"]')
      .first()
      .click({ modifiers: ['Control'] });
    await selected('orders').waitFor();
    await button('Read').click();
    await prose().locator('a[data-node="odb"]').click();
    await selected('odb').waitFor();
  });
});

describe('reading', () => {
  it('ticks tasks in the text, by pointer and by keyboard', async () => {
    const id = await open(TEXT, 'split');
    await page().keyboard.press('Control+Shift+E');
    await prose().getByRole('checkbox', { name: 'first task' }).check();
    await storedText(id).toContain('- [x] first task');
    const second = prose().getByRole('checkbox', { name: 'second task' });
    await second.focus();
    await page().keyboard.press('Space');
    await storedText(id).toContain('- [ ] second task');
    await page().waitForFunction(() => document.activeElement?.matches('.prose .task-box:not(:checked)'));
    // The editor has it too, as typing that can be taken back.
    await button('Write').click();
    await content().getByText('[ ] second task').waitFor();
  });

  it('draws Mermaid, and says why where it cannot', async () => {
    const broken = '```mermaid\nflowchart LR\n  A --> [\n```\n';
    await open(
      `# Plan\n\n\`\`\`mermaid\nflowchart LR\n  accTitle: How orders go\n  A[Web] --> B[Orders]\n\`\`\`\n\n${broken}`,
    );
    const image = prose().getByRole('img', { name: 'Flowchart: How orders go' });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100);
    await prose().getByText('This Mermaid diagram cannot be drawn: line 2').waitFor();
    await prose().locator('.mermaid-block code', { hasText: 'A --> [' }).waitFor();
  });

  it('goes to a section from the outline, by keyboard alone', async () => {
    await open(TEXT, 'split');
    await content().focus();
    await page().keyboard.press('Control+Shift+O');
    const outline = page().getByRole('dialog', { name: 'Outline' });
    await outline.getByRole('button', { name: 'Tasks', exact: true }).waitFor();
    expect(await outline.locator('[aria-current]').textContent()).toBe('Plan');
    // The field gets the keyboard after it is in sight.
    await page().waitForFunction(() => document.activeElement?.matches('.outline-filter'));
    await page().keyboard.type('late');
    await outline.getByRole('button', { name: 'Tasks', exact: true }).waitFor({ state: 'detached' });
    await page().keyboard.press('Enter');
    await outline.waitFor({ state: 'detached' });
    await content().getByText('Later').waitFor();
    await page().waitForFunction(() => document.activeElement?.classList.contains('cm-content'));
    await page().keyboard.press('End');
    await page().keyboard.type('!');
    await content().getByText('Later!').waitFor();
  });

  it('keeps both halves in step', async () => {
    await open(TEXT);
    await prose().getByRole('heading', { name: 'Later' }).waitFor();
    await content().hover();
    await page().mouse.wheel(0, 600);
    await page().waitForFunction(() => (document.querySelector('.read-half')?.scrollTop ?? 0) > 100);
  });

  it('shows and no more on a small screen', async () => {
    const id = await open(TEXT);
    await page().setViewportSize({ width: 420, height: 800 });
    await page().goto(`/w/${id}`);
    await page().getByRole('button', { name: 'Document', exact: true }).click();
    await prose().locator('h1').waitFor();
    expect(await page().locator('.cm-content, .format-bar').count()).toBe(0);
    expect(await prose().getByRole('checkbox', { name: 'first task' }).isDisabled()).toBe(true);
    await page().setViewportSize({ width: 1440, height: 900 });
  });
});

describe('before it is loaded', () => {
  // To wait for what a failed test still holds would hide why it failed.
  afterEach(() => page().unrouteAll({ behavior: 'ignoreErrors' }));

  it('find keeps what is typed for it', async () => {
    const release = await holding('findAndComplete');
    const id = await open('one two one\n', 'split');
    await content().focus();
    // It is kept for seconds only.
    await withTimeHeld(page(), async () => {
      await page().keyboard.press('Control+f');
      await page().keyboard.type('onx');
      await page().keyboard.press('Backspace');
    });
    release();
    const field = page().getByRole('textbox', { name: 'Find', exact: true });
    await page().getByRole('search').getByText('2', { exact: true }).waitFor();
    await page().keyboard.type('e');
    expect(await field.inputValue()).toBe('one');
    expect(await stored(id)).toBe('one two one\n');
  });

  it('find keeps it for three seconds, and what is typed later goes into the text', async () => {
    const release = await holding('findAndComplete');
    await open('text\n', 'split');
    await toEnd();
    await withTimeHeld(page(), async (pass) => {
      await page().keyboard.press('Control+f');
      await page().keyboard.type('o');
      await pass(3000);
      await page().keyboard.type('n');
      await pass(1);
      await page().keyboard.type('late');
    });
    await content().getByText('late').waitFor();
    expect(await content().getByText(/o|n/).count()).toBe(0);
    release();
    const field = page().getByRole('textbox', { name: 'Find', exact: true });
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe('on');
  });

  it('find can be given up', async () => {
    const release = await holding('findAndComplete');
    await open('one\n', 'split');
    await toEnd();
    await withTimeHeld(page(), async () => {
      await page().keyboard.press('Control+f');
      await page().keyboard.type('gone');
      await page().keyboard.press('Escape');
    });
    await page().keyboard.type('two');
    await content().getByText('two').waitFor();
    release();
    await page().keyboard.type(' @orders');
    await page().getByRole('option', { name: 'Orders' }).first().waitFor();
    expect(await page().getByRole('search').count()).toBe(0);
    expect(await content().getByText('gone').count()).toBe(0);
  });

  it('the palette keeps what is typed for it, and gives the keyboard back', async () => {
    const release = await holding('WorkspaceFinder');
    const id = await open('one\n', 'split');
    await toEnd();
    await page().keyboard.press('Control+k');
    await page().keyboard.type('undp');
    await page().keyboard.press('Backspace');
    release();
    const field = page().getByPlaceholder('Search commands, nodes and sections');
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page().keyboard.type('o');
    expect(await field.inputValue()).toBe('undo');
    await page().getByRole('option', { name: /^Undo/ }).first().waitFor();
    await page().keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page().keyboard.type('two');
    await storedText(id).toBe('one\ntwo');
  });

  it('the palette can be given up', async () => {
    const release = await holding('WorkspaceFinder');
    const id = await open('one\n', 'split');
    await toEnd();
    await page().keyboard.press('Control+k');
    await page().keyboard.type('gone');
    await page().keyboard.press('Escape');
    await page().keyboard.type('two');
    const read = page().waitForResponse('**/assets/WorkspaceFinder-*.js');
    release();
    await (await read).finished();
    await storedText(id).toBe('one\ntwo');
    expect(await page().getByRole('dialog').count()).toBe(0);
  });

  it('the outline keeps what is typed for its filter', async () => {
    const release = await holding('OutlineHeadings');
    const id = await open(TEXT);
    await content().focus();
    await page().keyboard.press('Control+Shift+o');
    await page().keyboard.type('late');
    release();
    const field = page().getByRole('searchbox', { name: 'Filter sections' });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page().keyboard.type('r');
    expect(await field.inputValue()).toBe('later');
    await page().keyboard.press('Enter');
    await page().waitForFunction(() => document.activeElement?.classList.contains('cm-content'));
    expect(await stored(id)).toBe(TEXT);
  });

  it('completion is asked for by @', async () => {
    const release = await holding('findAndComplete');
    const id = await open('# Plan\n', 'split');
    await toEnd();
    await page().keyboard.type('See @postg');
    release();
    await page()
      .getByRole('option', { name: /Orders DB/ })
      .waitFor();
    await passTime(page(), 150);
    await page().keyboard.press('Enter');
    await storedText(id).toBe('# Plan\nSee [Orders DB](#node/odb)');
  });

  it('the preview has a placeholder, and is where the text was', async () => {
    const release = await holding('markdown');
    await open(TEXT, 'split');
    await content().hover();
    await page().mouse.wheel(0, 3000);
    await content().getByText('Later').waitFor();
    await page().keyboard.press('Control+Shift+E');
    await page().locator('.read-half[aria-busy] .skeleton').first().waitFor();
    release();
    await prose().getByRole('heading', { name: 'Later' }).waitFor();
    await page().waitForFunction(() => (document.querySelector('.read-half')?.scrollTop ?? 0) > 100);
  });

  it('the outline is opened by its key', async () => {
    const release = await holding('markdown');
    await open(TEXT, 'split');
    await content().focus();
    await page().keyboard.press('Control+Shift+O');
    release();
    await page()
      .getByRole('dialog', { name: 'Outline' })
      .getByRole('button', { name: 'Tasks', exact: true })
      .waitFor();
    await page().waitForFunction(() => document.activeElement?.matches('.outline-filter'));
  });
});

describe('nothing in a text', () => {
  it('runs, loads or leaves the page', async () => {
    const nasty = [
      '<img src=x onerror="window.hit=1"><script>window.hit=1</script>',
      '[x](javascript:window.hit=1) ![Remote](https://example.org/a.png) <https://example.org/"onclick="window.hit=1>',
      '```mermaid\nflowchart LR\n  A["<img src=x onerror=parent.hit=1>"] --> B\n  click A href "javascript:parent.hit=1"\n```',
      '```mermaid\n%%{init: {"securityLevel": "loose", "themeCSS": "@import url(https://example.org/x.css)"}}%%\nflowchart LR\n  C --> D\n```',
    ].join('\n\n');
    await open(nasty);
    await prose().locator('.image-placeholder', { hasText: 'example.org' }).waitFor();
    await expect.poll(() => prose().locator('.mermaid-image, .mermaid-error').count()).toBe(2);
    expect(await page().evaluate(() => 'hit' in window)).toBe(false);
    expect(await prose().locator('script, [onerror], [onclick], a[href^="javascript"]').count()).toBe(0);
    expect(await prose().locator('img:not(.mermaid-image)').count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('accessibility in the %s theme', (scheme) => {
  beforeEach(async () => {
    await page().emulateMedia({ colorScheme: scheme });
  });

  it('has no flaw while writing, finding, completing, reading', async () => {
    await open(`${TEXT}\n\`code\` > quote\n\n\`\`\`mermaid\nflowchart LR\n  A --> B\n\`\`\`\n`);
    await prose().locator('.mermaid-image').waitFor({ state: 'attached' });
    await page().evaluate(() => {
      window.location.hash = '#node/orders';
    });
    await page().locator('.mentions').waitFor();
    await content().focus();
    await page().keyboard.press('Control+f');
    await page().keyboard.type('Orders');
    expect(await axeViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await toEnd();
    await page().keyboard.type('\n@');
    await page().locator('.cm-tooltip-autocomplete').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await page().keyboard.press('Control+Shift+O');
    await page().getByRole('dialog', { name: 'Outline' }).waitFor();
    expect(await axeViolations(page())).toEqual([]);
  });
});

describe('the address of a heading', () => {
  const filler = 'Filler line.\n\n'.repeat(60);
  const text = `# Plan\n\n[second](#notes-1)\n\n${filler}## Notes\n\none\n\n${filler}## Notes\n\ntwo\n\n${filler}`;
  const visible = (words: string) => page().locator('#document .cm-line', { hasText: words }).last();

  it('opens the workspace there, from the diagram alone too, and stays in the address', async () => {
    const id = await open(text);
    await page().evaluate(() => localStorage.setItem('draftsmith.view', 'diagram'));
    await page().goto('about:blank');
    await page().goto(`/w/${id}#notes-1`);
    await visible('two').waitFor();
    expect(new URL(page().url()).hash).toBe('#notes-1');
    expect(await page().evaluate(() => localStorage.getItem('draftsmith.view'))).toBe('diagram');
    await page().evaluate(() => {
      window.location.hash = '#notes';
    });
    await visible('one').waitFor();
  });

  it('is that of the sign beside it and of links in the text', async () => {
    await open(text);
    const signs = prose().locator('h2 > .heading-anchor');
    await signs.last().waitFor({ state: 'attached' });
    expect(await signs.evaluateAll((all) => all.map((sign) => sign.getAttribute('href')))).toEqual([
      ...['#notes', '#notes-1'],
    ]);
    await prose().getByRole('link', { name: 'second' }).click();
    await page().waitForFunction(() => window.location.hash === '#notes-1');
    const top = () =>
      prose()
        .locator('h2')
        .last()
        .evaluate((heading) => heading.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(400);
  });
});

it('asked no other origin for anything and left no error on the console', () => {
  expect(visit.strayRequests).toEqual([]);
  expect(visit.complaints).toEqual([]);
});
