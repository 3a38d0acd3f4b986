/** Live preview by hand: what is hidden and shown, that the text is what was typed, tables cell by cell, with others too. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../tests/sync/random';
import { saved } from './atWorkspace';
import { axeViolations } from './axe';
import { holdPart } from './holding';
import { png, putImage, sha256 } from './imageFiles';
import { CONTENT, keptText, loadTableEditing, writer } from './liveTables';
import { Stage, type Visit } from './stage';

const NODES = [
  { id: 'orders', type: 'service', label: 'Orders', technology: 'FastAPI', position: { x: 320, y: 0 } },
  { id: 'odb', type: 'database', label: 'Orders DB', technology: 'PostgreSQL', position: { x: 320, y: 200 } },
];

const TABLE = `| Name | Use | Note |
| --- | :-: | --- |
| [Orders](#node/orders) | takes **orders** | \`a \\| b\` |
|spare|  two   blanks|
| last | row | end |`;

const TEXT = `# Plan

Led by [Orders](#node/orders), stored in [Orders DB](#node/odb), with **bold**, _soft_ and \`code\`.

- [ ] first task
- [x] second task
  - nested

> Said by somebody.

${TABLE}

\`\`\`js
let a = 1
\`\`\`

After it.
`;

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await writer(stage);
});

afterAll(async () => {
  await stage?.close();
});

type Look = 'live' | 'source';

const page = () => visit.page;
const content = (of: Visit = visit) => of.page.locator(CONTENT);
const line = (words: string, of: Visit = visit) =>
  content(of).locator('> .cm-line', { hasText: words }).first();
const cell = (row: number, column: number, of: Visit = visit) =>
  content(of).locator('.live-table tr').nth(row).locator('th, td').nth(column);
const press = async (...keys: string[]) => {
  for (const key of keys) await page().keyboard.press(key);
};

async function make(text: string): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Shop',
    document: { text },
    diagram: { nodes: NODES },
  });
  return id;
}

async function open(text: string, look: Look = 'live', view = 'document'): Promise<string> {
  const id = await make(text);
  await visit.openWithin(id, { view, look });
  await content().waitFor();
  return id;
}

const kept = (id: string) => keptText(visit, id);
const storedText = (id: string) => expect.poll(async () => (await kept(id)).text);

/** The text with one row of its table written anew. */
const withRow = (before: string, after: string) => TEXT.replace(before, () => after);

describe('marks', () => {
  it('are shown in the line of the caret and nowhere else', async () => {
    await open(TEXT);
    await expect.poll(() => line('Plan').textContent()).toBe('Plan');
    expect(await line('Led by').textContent()).toBe(
      'Led by Orders, stored in Orders DB, with bold, soft and code.',
    );
    expect(await content().locator('.live-node-icon svg').count()).toBe(2);
    await line('Plan').click();
    await expect.poll(() => line('Plan').textContent()).toBe('# Plan');
    await press('ArrowDown', 'ArrowDown');
    await expect.poll(() => line('Plan').textContent()).toBe('Plan');
    expect(await line('Led by').textContent()).toContain('[Orders](#node/orders)');
    // What is behind the caret when the keyboard goes elsewhere is read again.
    await page().getByRole('button', { name: 'Outline' }).focus();
    await expect.poll(() => line('Led by').textContent()).toContain('Led by Orders,');
  });

  it('stay where they are while the pointer is pressed', async () => {
    await open(TEXT);
    await line('Led by').hover({ position: { x: 200, y: 12 } });
    await page().mouse.down();
    await page().waitForFunction(() => document.activeElement?.matches('.cm-content'));
    expect(await line('Led by').textContent()).toContain('Led by Orders,');
    await page().mouse.up();
    await expect.poll(() => line('Led by').textContent()).toContain('[Orders](#node/orders)');
  });

  it('are switched off and on, which is remembered', async () => {
    await open(TEXT, 'live', 'split');
    await page().getByRole('button', { name: 'Live preview' }).click();
    await expect.poll(() => line('Plan').textContent()).toBe('# Plan');
    expect(await content().locator('.live-table').count()).toBe(0);
    expect(await page().evaluate(() => localStorage.getItem('draftsmith.look'))).toBe('source');
    await page().getByRole('button', { name: 'Live preview' }).click();
    await content().locator('.live-table').waitFor();
    expect(await page().evaluate(() => localStorage.getItem('draftsmith.look'))).toBe('live');
  });

  it('are found by the search, which shows them', async () => {
    await open(TEXT);
    await content().focus();
    await press('Control+f');
    await page().getByRole('textbox', { name: 'Find', exact: true }).fill('#node/odb');
    await press('Enter');
    await expect.poll(() => line('Led by').textContent()).toContain('(#node/odb)');
    await page().getByRole('textbox', { name: 'Find', exact: true }).fill('two   blanks');
    await press('Enter');
    await line('|spare|').waitFor();
    await press('Escape');
  });
});

describe('the text', () => {
  it('is not changed by opening, switching, folding, selecting and closing', async () => {
    const text = `${TEXT}\n*  odd\n1)  list\t\n\n***\n\nSetext\n===\n\n|a|\n|-|\n\\* &amp; <b>x</b>  \nend`;
    const id = await open(text);
    const before = await kept(id);
    for (const words of ['Plan', 'Led by', 'nested', 'Said by', 'After it', 'Setext'])
      await line(words).click();
    await press('Control+a', 'Control+Home', 'Control+Shift+End', 'Escape');
    await cell(1, 1).click();
    await press('Tab', 'ArrowDown', 'Shift+Tab', 'Escape');
    await press('Control+Home', 'Control+Shift+BracketLeft');
    await content().locator('.cm-folded').click();
    await page().getByRole('button', { name: 'Live preview' }).click();
    await line('# Plan').waitFor();
    await page().getByRole('button', { name: 'Live preview' }).click();
    await content().locator('.live-table').first().waitFor();
    await saved(page());
    await page().goto('/');
    expect(await kept(id)).toEqual(before);
    expect(before.text).toBe(text);
    await loadTableEditing(visit);
  });

  it.each(['live', 'source'] as const)('is replaced by what is typed over it, in %s', async (look) => {
    const id = await open('# Plan\n\n**bold** words\n\n_soft_ end\n\n| `a` | b |\n| --- | --- |', look);
    await content().focus();
    await press('Control+Home', 'Shift+End');
    await page().keyboard.type('One');
    await press('ArrowDown', 'ArrowDown', 'Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+End');
    await page().keyboard.type('Two');
    await storedText(id).toBe('One\n\nTwo\n\n| `a` | b |\n| --- | --- |');
    if (look === 'live') {
      await cell(0, 0).click();
      await press('Control+a');
      await page().keyboard.type('c|d');
      await storedText(id).toBe('One\n\nTwo\n\n| c\\|d | b |\n| --- | --- |');
    }
    // The browser itself would copy the look of the words into attributes, which the security policy refuses.
    expect(visit.complaints).toEqual([]);
  });

  it('is copied as Markdown', async () => {
    await open(TEXT);
    await content().focus();
    await page().evaluate(() => {
      window.addEventListener('copy', (event) => {
        document.title = event.clipboardData?.getData('text/plain') ?? '';
      });
    });
    await press('Control+a', 'Control+c');
    await expect.poll(() => page().title()).toContain('**bold**');
    expect(await page().title()).toContain('takes **orders**');
  });

  it('has its boxes ticked by a press', async () => {
    const id = await open(TEXT);
    await content().getByRole('checkbox', { name: 'first task' }).click();
    await storedText(id).toBe(TEXT.replace('- [ ] first', '- [x] first'));
    await content().getByRole('checkbox', { name: 'second task' }).click();
    await storedText(id).toBe(
      TEXT.replace('- [ ] first', '- [x] first').replace('- [x] second', '- [ ] second'),
    );
  });
});

describe.each(['live', 'source'] as const)('lines, in %s', (look) => {
  it('run as their words do, and so does the caret', async () => {
    const id = await open('# שלום עולם\n\nwords\n\n- [ ] משימה\n\n> ציטוט', look);
    const directionOf = (words: string) => line(words).evaluate((one) => getComputedStyle(one).direction);
    await expect.poll(() => directionOf('שלום')).toBe('rtl');
    expect(await directionOf('words')).toBe('ltr');
    expect(await directionOf('ציטוט')).toBe('rtl');
    await content().focus();
    await press('Control+Home', 'ArrowLeft');
    await page().keyboard.type('#');
    await storedText(id).toContain('## שלום עולם\n');
    await press('ArrowLeft', 'ArrowLeft');
    await page().keyboard.type('x');
    await storedText(id).toContain('## שxלום עולם\n');
  });
});

describe('what is drawn in place', () => {
  it('is an own image, with its source in the line of the caret', async () => {
    const file = png('shop.png', 40, 30);
    const text = `# Plan\n\n![the shop](images/${sha256(file)}.png)\n\nend`;
    const id = await make(text);
    await putImage(page(), id, file);
    await visit.openWithin(id, { view: 'document', look: 'live' });
    const image = content().getByRole('img', { name: 'the shop' });
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(40);
    await image.click();
    await line('![the shop]').waitFor();
    expect(await image.count()).toBe(1);
    await press('Control+Home', 'ArrowDown', 'ArrowDown');
    await page().keyboard.type('a');
    await storedText(id).toBe(text.replace('![', 'a!['));
    await line('end').click();
    await expect.poll(() => content().locator('> .cm-line').nth(2).textContent()).toBe('a');
    expect(await image.count()).toBe(1);
  });

  it('is a front matter, and code in its colours', async () => {
    const text = `---\ntitle: Plan\nowner: Ada\n---\n\n${TEXT}`;
    const id = await open(text);
    const fields = content().locator('.live-front tr');
    await expect.poll(() => fields.allTextContents()).toEqual(['titlePlan', 'ownerAda']);
    await fields.last().click();
    await line('title: Plan').waitFor();
    await line('After it').click();
    await press('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await fields.first().waitFor();
    await press('ArrowUp', 'ArrowUp', 'ArrowUp', 'End');
    await page().keyboard.type(' B');
    await storedText(id).toBe(text.replace(': Plan', ': Plan B'));
    await line('After it').click();
    await expect.poll(() => fields.allTextContents()).toEqual(['titlePlan B', 'ownerAda']);
    const keyword = line('let a').locator('.code-keyword');
    await keyword.waitFor();
    expect(await keyword.evaluate((one) => getComputedStyle(one).fontFamily)).toContain('mono');
  });

  it('is a Mermaid diagram and maths, and their source where the caret is', async () => {
    const text = 'above\n\n```mermaid\nflowchart LR\n  a --> b\n```\n\n```math\nx^2\n```\n\nbelow';
    const id = await open(text);
    const diagram = content().locator('.live-figure .mermaid-image');
    await diagram.waitFor();
    await content().locator('.live-figure math').waitFor();
    const before = await diagram.getAttribute('src');
    await line('above').click();
    await press('ArrowDown', 'ArrowDown');
    await line('```mermaid').waitFor();
    await press('ArrowDown', 'ArrowDown', 'End');
    await page().keyboard.type(' --> c');
    await storedText(id).toBe(text.replace('a --> b', 'a --> b --> c'));
    await line('below').click();
    await expect.poll(() => diagram.getAttribute('src')).not.toBe(before);
    await content().locator('.live-figure math').click();
    await line('x^2').waitFor();
    expect((await kept(id)).text).toContain('```math\nx^2\n```\n\nbelow');
  });

  it('is maths in lines, cells and paragraphs as in Read, and its source where the caret is', async () => {
    const formulas = ['# Sum $n^2$', 'Euler: $e^{i\\pi}$, from $5 to $6, wrong: $\\nothing$.'];
    const text = [...formulas, '$$\n\\frac{a}{b}\n$$', '| a |\n| --- |\n| $x_1 + y_1$ |', 'end'].join('\n\n');
    const id = await open(text);
    const drawn = (within: Locator) =>
      within.locator('math, .maths code').evaluateAll((all) => all.map((one) => one.outerHTML));
    const read = page().locator('#document .prose');
    await expect.poll(() => read.locator('math').count()).toBe(4);
    await expect.poll(() => drawn(content())).toEqual(await drawn(read));
    expect(await content().locator('.maths code').getAttribute('title')).toContain(
      'Undefined control sequence',
    );
    await line('from $5 to $6').click();
    await expect.poll(() => line('Euler').textContent()).toBe(formulas[1]);
    await press('Home');
    await page().keyboard.type('As ');
    await content().locator('.live-figure math').click();
    await line('\\frac{a}{b}').waitFor();
    await cell(1, 0).click();
    expect(await cell(1, 0).textContent()).toBe('$x_1 + y_1$');
    await press('End');
    await page().keyboard.type(' $z$');
    await storedText(id).toBe(text.replace('Euler', 'As Euler').replace('y_1$', () => 'y_1$ $z$'));
    await line('end').click();
    await expect.poll(() => content().locator('math').count()).toBe(5);
    // Read follows what is typed in its own time.
    await expect.poll(() => read.locator('math').count()).toBe(5);
    await expect.poll(() => drawn(content())).toEqual(await drawn(read));
  });
});

describe('a table', () => {
  it('is edited cell by cell, and every other row stays as it was written', async () => {
    const id = await open(TEXT);
    await cell(2, 1).click();
    await press('End');
    await page().keyboard.type(' and more');
    await storedText(id).toBe(withRow('|spare|  two   blanks|', '|spare|  two   blanks and more|'));
    await press('Tab');
    await page().keyboard.type('new | one');
    await storedText(id).toBe(
      withRow('|spare|  two   blanks|', '|spare|  two   blanks and more| new \\| one |'),
    );
    await press('Tab');
    await page().keyboard.type('first');
    await storedText(id).toContain('| lastfirst | row | end |\n');
    await press('ArrowUp', 'ArrowUp', 'End');
    await page().keyboard.type('!');
    await storedText(id).toContain('| [Orders](#node/orders)! | takes **orders** | `a \\| b` |\n');
  });

  it('shows the words of its cells, with a | in code', async () => {
    await open(TEXT);
    expect(await cell(1, 2).locator('code').textContent()).toBe('a | b');
    expect(await cell(1, 1).locator('strong').textContent()).toBe('orders');
    expect(await cell(1, 0).locator('.cm-nodeLink[data-node="orders"] svg').count()).toBe(1);
    expect(await cell(2, 1).evaluate((one) => getComputedStyle(one).textAlign)).toBe('center');
    await cell(1, 2).click();
    expect(await cell(1, 2).textContent()).toBe('`a \\| b`');
  });

  it('is entered and left by arrows, and grows by Tab and Enter', async () => {
    const id = await open('above\n\n| a | b |\n| --- | --- |\n| c | d |\n\nbelow');
    await line('above').click();
    await press('ArrowDown', 'ArrowDown');
    await page().keyboard.type('1');
    await press('ArrowDown', 'End');
    await page().keyboard.type('2');
    await press('Tab', 'Tab');
    await page().keyboard.type('3');
    await press('Enter');
    await page().keyboard.type('4');
    await press('ArrowDown');
    await press('End');
    await page().keyboard.type('5');
    await storedText(id).toBe('above\n\n| 1a | b |\n| --- | --- |\n| c2 | d |\n| 3 |  |\n| 4 |  |\n\nbelow5');
    await press('Home', 'ArrowUp', 'ArrowUp');
    await page().keyboard.type('6');
    await press('Escape');
    await page().keyboard.type('7');
    await storedText(id).toContain('| 46 |  |\n\n7below5');
  });

  it('has tools for columns, rows, alignment and its source', async () => {
    const id = await open('| a | b |\n| --- | --- |\n| c | d |\n\nbelow');
    const tool = (name: string) => content().getByRole('button', { name, exact: true }).click();
    await cell(1, 0).click();
    await tool('Align right');
    await storedText(id).toContain('| --: | --- |\n');
    await tool('Add a column to the right');
    await page().keyboard.type('new');
    await storedText(id).toBe('| a |  | b |\n| --: | --- | --- |\n| c | new | d |\n\nbelow');
    await tool('Add a row below');
    await page().keyboard.type('row');
    await storedText(id).toContain('| c | new | d |\n|  | row |  |\n');
    await tool('Delete the row');
    await tool('Delete the column');
    await storedText(id).toBe('| a | b |\n| --: | --- |\n| c | d |\n\nbelow');
    await press('Alt+F10', 'ArrowRight', 'Enter');
    await storedText(id).toContain('| --: | :-: |');
    await tool('Show the source of the table');
    await line('| c | d |').waitFor();
    await line('below').click();
    await content().locator('.live-table').waitFor();
  });

  it('has cells that run as their words do, as in Read, and so does the caret', async () => {
    const id = await open('| שם | Use |\n| --- | --- |\n| שלום עולם | words |\n| 12 | מים |\n\nbelow');
    const looks = (cells: Locator) =>
      cells.evaluateAll((all) =>
        all.map((one) => {
          const { direction, textAlign } = getComputedStyle(one);
          return `${one.textContent}: ${direction}, ${textAlign}`;
        }),
      );
    const read = page().locator('#document .prose :is(th, td)');
    await expect.poll(() => looks(read)).toContain('שלום עולם: rtl, start');
    expect(await looks(content().locator('.live-table :is(th, td)'))).toEqual(await looks(read));
    await cell(1, 0).click();
    await press('Home', 'ArrowLeft');
    await page().keyboard.type('x');
    await storedText(id).toContain('| שxלום עולם | words |\n');
    // At its left end is the end of its words.
    await press('End', 'ArrowLeft');
    await page().keyboard.type('1');
    await press('ArrowRight');
    await page().keyboard.type('2');
    await storedText(id).toContain('| שם | Use1 |\n| --- | --- |\n| שxלום עולם2 | words |\n');
  });

  it('keeps the keyboard in a cell where its words are pressed again', async () => {
    const id = await open('| a | b |\n| --- | --- |\n| one two three | d |\n\nbelow');
    await cell(1, 0).click({ position: { x: 60, y: 10 } });
    await cell(1, 0)
      .locator('.cm-line')
      .click({ position: { x: 1, y: 8 } });
    expect(await page().evaluate(() => document.activeElement?.closest('td') !== null)).toBe(true);
    await page().keyboard.type('x');
    await storedText(id).toContain('| xone two three | d |\n');
  });

  it('shows its source where it is pressed before its editing is loaded', async () => {
    const id = await make(TEXT);
    const tab = await visit.tab();
    const release = await holdPart(tab.page, 'tablesAndImages');
    await tab.openWithin(id, { view: 'document', look: 'live' });
    await cell(2, 1, tab).click();
    await line('|spare|', tab).waitFor();
    await tab.page.keyboard.type('!');
    await storedText(id).toBe(withRow('two   blanks|', 'two   blanks!|'));
    release();
    await loadTableEditing(tab);
    await tab.page.close();
  });

  it('takes what is pasted as words of one cell, and gives back what was typed', async () => {
    const id = await open('| a | b |\n| --- | --- |\n| c | d |\n\nbelow');
    await cell(1, 1).click();
    await press('End');
    await page().evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ' one\ntwo | three');
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true }),
      );
    });
    await storedText(id).toContain('| c | d one two \\| three |\n');
    await press('Control+z');
    await storedText(id).toContain('| c | d |\n');
    await page().keyboard.type('!');
    await storedText(id).toContain('| c | d! |\n');
  });

  it('is what was typed into its cells, whichever way through them', async () => {
    const grid = [
      ['a', 'b', 'c'],
      ['d', '', 'f'],
      ['g', 'h', 'i'],
    ];
    const source = () =>
      grid
        .map((row) => `| ${row.join(' | ')} |`.replace(/\| {2}(?=\|)/g, '|  '))
        .toSpliced(1, 0, '| --- | --- | --- |')
        .join('\n');
    const id = await open(`${source()}\n\nbelow`);
    const random = seeded(7);
    let [row, column] = [1, 0];
    await cell(1, 0).click();
    await press('End');
    for (let step = 0; step < 150; step++) {
      const way = random.below(4);
      const at = row * 3 + column;
      if (way === 0 && at < 8) {
        await press('Tab');
        [row, column] = [Math.floor((at + 1) / 3), (at + 1) % 3];
      } else if (way === 1 && at > 0) {
        await press('Shift+Tab');
        [row, column] = [Math.floor((at - 1) / 3), (at - 1) % 3];
      } else if (way === 2 && row < 2) {
        await press('Enter');
        row += 1;
      } else {
        const typed = random.pick(['x', 'yz', '|', '`q`', '**w**']);
        await page().keyboard.type(typed);
        const line = grid[row] as string[];
        line[column] += typed.replaceAll('|', '\\|');
      }
    }
    await storedText(id).toBe(`${source()}\n\nbelow`);
  });
});

describe('together', () => {
  let other: Visit;

  beforeAll(async () => {
    other = await writer(stage);
  });

  const both = async (text: string): Promise<string> => {
    const id = await open(text);
    await other.openWithin(id, { view: 'document', look: 'live' });
    await content(other).waitFor();
    return id;
  };

  it('two write in one cell, and each sees the other there', async () => {
    const id = await both('| a | b |\n| --- | --- |\n| one | d |\n\nbelow');
    await cell(1, 0).click();
    await press('End');
    await cell(1, 0, other).click();
    await other.page.keyboard.press('Home');
    const caret = content().locator('xpath=..').locator('.cm-otherCaret');
    await caret.waitFor();
    const [place, there] = [await caret.boundingBox(), await cell(1, 0).boundingBox()];
    expect(place && there && place.x >= there.x && place.x <= there.x + there.width).toBe(true);
    await page().keyboard.type(' mine');
    await other.page.keyboard.type('yours ');
    await storedText(id).toBe('| a | b |\n| --- | --- |\n| yours one mine | d |\n\nbelow');
    await expect.poll(() => cell(1, 0).textContent()).toBe('yours one mine');
    await expect.poll(() => cell(1, 0, other).textContent()).toBe('yours one mine');
  });

  it('a row that somebody adds above moves the cell that is edited', async () => {
    const id = await both('| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n\nbelow');
    await cell(2, 1).click();
    await press('End');
    await cell(1, 0, other).click();
    await content(other).getByRole('button', { name: 'Add a row below' }).click();
    await other.page.keyboard.type('new');
    await expect.poll(() => cell(2, 0).textContent()).toBe('new');
    await page().keyboard.type(' here');
    await storedText(id).toContain('| new |  |\n| e | f here |\n');
  });

  it('a row that somebody deletes ends its editing, and the keyboard stays in the text', async () => {
    const id = await both('| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n\nbelow');
    await cell(2, 1).click();
    await cell(2, 0, other).click();
    await content(other).getByRole('button', { name: 'Delete the row' }).click();
    await storedText(id).toBe('| a | b |\n| --- | --- |\n| c | d |\n\nbelow');
    await page().waitForFunction(() => document.activeElement?.matches('.cm-content'));
  });

  it('an input method composes in a line and in a cell, whatever others write there', async () => {
    const id = await both('# Plan\n\nwords **bold** end\n\n| a | b |\n| --- | --- |\n| c | d |\n\nbelow');
    const keyboard = await visit.context.newCDPSession(page());
    const compose = (text: string) =>
      keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await line('words').click();
    await press('End');
    await compose('に');
    await line('words', other).click();
    await other.page.keyboard.press('Home');
    await other.page.keyboard.type('Before ');
    await storedText(id).toContain('Before words');
    await compose('にほ');
    await keyboard.send('Input.insertText', { text: '日本' });
    await storedText(id).toContain('Before words **bold** end日本\n');

    await cell(1, 1).click();
    await press('End');
    await compose('に');
    await cell(1, 1, other).click();
    await other.page.keyboard.press('Home');
    await other.page.keyboard.type('Before ');
    await storedText(id).toContain('Before d');
    await compose('にほ');
    expect(await cell(1, 1).textContent()).toBe('dにほ');
    await keyboard.send('Input.insertText', { text: '日本' });
    await storedText(id).toContain('| c | Before d日本 |\n');
    await expect.poll(() => cell(1, 1).textContent()).toBe('Before d日本');
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it.each([1440, 1024, 760])('has no flaw at %i pixels', async (width) => {
    await page().emulateMedia({ colorScheme });
    await page().setViewportSize({ width, height: 900 });
    await open(TEXT, 'live', width === 760 ? 'document' : 'split');
    await cell(1, 1).click();
    expect(await axeViolations(page())).toEqual([]);
    const isWithin = await content().evaluate((one) => one.scrollWidth <= one.clientWidth);
    expect(isWithin).toBe(true);
    await shot(`live-preview-${colorScheme}-${width}`);
    await page().setViewportSize({ width: 1440, height: 900 });
    await page().emulateMedia({ colorScheme: 'light' });
  });

  async function shot(name: string): Promise<void> {
    const folder = process.env.SHOTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await page().screenshot({ path: path.join(folder, `${name}.png`) });
  }
});

it('asked no other origin for anything and left no error on the console', () => {
  expect(visit.strayRequests).toEqual([]);
  expect(visit.complaints).toEqual([]);
});
