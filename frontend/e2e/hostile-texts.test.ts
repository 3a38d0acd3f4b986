/** Texts that are made to stop a page: it opens, answers, says what it leaves out, and runs nothing of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE } from '../tests/hostileTexts';
import { Stage, type Visit } from './stage';

const EXECUTED =
  '[a](javascript:document.title="hit") [b](data:text/html,<script>hit()</script>) <img src=x onerror="document.title=\'hit\'">';
const TEXTS: Readonly<Record<string, { text: string; note?: RegExp }>> = {
  'a line of backticks': { text: `# Plan\n\n${'`'.repeat(30_000)}` },
  'a heading of brackets': { text: `# ${'['.repeat(30_000)}` },
  'marks and links that do not end': {
    text: ['marks of two kinds', 'a link that does not end', 'labels of links that do not begin']
      .map((name) => HOSTILE[name]?.(45_000))
      .join('\n\n'),
  },
  'a paragraph of a megabyte': { text: 'word '.repeat(190_000), note: /too long to draw; shown as text/ },
  'many sections': { text: '## Section\n\n'.repeat(60_000), note: /too long to draw at once: part 1 of/ },
  'deep quotes': { text: `${'>'.repeat(5_000)} deep\n\n${EXECUTED}`, note: /shown as text/ },
  'a wide table': { text: HOSTILE['a wide table']?.(60_000) ?? '', note: /shown as text/ },
  'a huge Mermaid diagram': {
    text: `\`\`\`mermaid\nflowchart LR\n${'  A[Start] --> B[End]\n'.repeat(2_000)}\`\`\``,
    note: /it has more than 20,000 characters/,
  },
};

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

async function open(text: string, look = 'source'): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Hostile',
    document: { text },
    diagram: {
      nodes: [{ id: 'web', type: 'web', label: `${'Ẑ̷'.repeat(30)}\u202e<b>x`, position: { x: 0, y: 0 } }],
    },
  });
  await visit.openWithin(id, { view: 'document', look });
  await page().locator('#document .cm-content').waitFor();
  return id;
}

/** What was typed at the beginning has come to the server. */
const typedIs = (id: string) =>
  expect
    .poll(async () => {
      const { document } = await visit.api<{ document: { text: string } }>('GET', `/workspaces/${id}`);
      return document.text.slice(0, 6);
    })
    .toBe('typed ');

describe('a hostile text', () => {
  it.each(Object.keys(TEXTS))('leaves the page usable: %s', async (name) => {
    const { text, note } = TEXTS[name] as (typeof TEXTS)[string];
    const id = await open(text);
    if (note) await page().locator('#document').getByText(note).first().waitFor();
    // A click opens the outline, and a key closes it.
    const outline = page().locator('#document').getByRole('button', { name: 'Outline', exact: true });
    await outline.click();
    await page().getByRole('group', { name: 'Sections' }).waitFor();
    await page().keyboard.press('Escape');
    // It gives the focus back in its own time, and would take it from the text.
    await expect.poll(() => outline.evaluate((button) => button === document.activeElement)).toBe(true);
    // What is typed arrives at the server.
    await page().locator('#document .cm-content').focus();
    await page().keyboard.press('Control+Home');
    await page().keyboard.type('typed ');
    await typedIs(id);
    expect(await page().title()).not.toContain('hit');
    expect(
      await page()
        .locator('#document .prose')
        .locator('a[href^="javascript:"], a[href^="data:"], img[src="x"]')
        .count(),
    ).toBe(0);
  });

  it('leaves live preview usable: thousands of formulas, and some without end', async () => {
    const many = `${'$a$ '.repeat(240)}\n\n`.repeat(40);
    const id = await open(`# Plan\n\n$\\def\\a{\\a\\a}\\a$, $${'{'.repeat(400)}$\n\n${many}`, 'live');
    const content = page().locator('#document .cm-content').first();
    await expect.poll(() => content.locator('.maths code[title]').count()).toBe(2);
    await content.locator('math').first().waitFor();
    await content.focus();
    await page().keyboard.press('Control+Home');
    await page().keyboard.type('typed ');
    await typedIs(id);
  });

  it('is drawn in parts that the outline and buttons lead to', async () => {
    await open(`${'## Section\n\nword\n\n'.repeat(20_000)}## The last one\n`);
    await page().getByRole('button', { name: 'Next part' }).click();
    await page()
      .getByText(/part 2 of/)
      .waitFor();
    await page().locator('#document').getByRole('button', { name: 'Outline', exact: true }).click();
    await page()
      .getByText(/more sections: filter to find them/)
      .waitFor();
    await page().getByRole('searchbox', { name: 'Filter sections' }).fill('the last');
    await page().keyboard.press('Enter');
    await page().locator('#document .prose').getByText('The last one').waitFor();
  });
});
