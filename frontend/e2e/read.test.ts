/** What Read shows of a document as code hosts do, in both themes and at three widths: seen, legible, and within the page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, settled } from './axe';
import { pageFlaws } from './layout';
import { Stage, type Visit } from './stage';

const LONG = 'a_very_long_name_'.repeat(20);
const TEXT = `---
title: Example proposal
status: draft
owners:
  - one
  - two
---

# Example

before <!-- not this -->

<!--
# Nor this
-->

| Step | Who |
|---|---|
| one<br>two | team |

<details>
<summary>More</summary>

Hidden **text**.

## In the fold

</details>

Press <kbd>Ctrl</kbd>, drink H<sub>2</sub>O, see[^1] ==this== and [there](../other.md), www.example.com, [go](#place).

> [!NOTE]
> A note.

> [!TIP]
> A tip.

> [!IMPORTANT]
> Important.

> [!WARNING]
> A warning.

> [!CAUTION]
> Caution, \`code\` and [a link](https://example.org/).

\`\`\`ts
// A comment
const wide: string = "${LONG}";
export function f(a: number): Promise<void> { return g(a, 1, null, /x/); }
\`\`\`

\`\`\`yaml
key: "value" # comment
\`\`\`

Euler: $e^{i\\pi} + 1 = 0$, from $5 to $6, and wrong: $\\nothing$.

$$\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2} + ${'x + '.repeat(80)} y$$

שלום עולם

<a name="place"></a>The place.

[^1]: The **footnote**.
`;

let stage: Stage;
let visit: Visit;
let id: string;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  await visit.page.goto('/');
  const made = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Proposal',
    document: { text: TEXT },
  });
  id = made.id;
  await visit.openWithin(id, { view: 'document' });
  await prose().locator('.code-keyword').first().waitFor();
  await prose().locator('math').nth(1).waitFor();
});

afterAll(async () => {
  await stage?.close();
});

const prose = () => visit.page.locator('#document .prose');

describe('Read', () => {
  it('shows what code hosts show, and hides what they hide', async () => {
    const words = await prose().innerText();
    expect(words).not.toMatch(/not this|Nor this|<br>|<details>|\[!NOTE\]|\[\^1\]|==|\*\*/);
    expect(words).toContain('from $5 to $6');
    expect(await prose().locator('.front-matter tr').count()).toBe(3);
    expect(await prose().locator('h1, h2').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Example')]),
    );
    expect(await prose().locator('.alert').count()).toBe(5);
    expect(await prose().locator('.leads-nowhere').getAttribute('title')).toContain('../other.md');
    expect(await prose().locator('.maths code[title]').innerText()).toBe('$\\nothing$');
    expect(
      await prose()
        .locator('p[dir="auto"]', { hasText: 'שלום' })
        .evaluate((one) => getComputedStyle(one).direction),
    ).toBe('rtl');
    expect(await visit.api('GET', `/workspaces/${id}`)).toMatchObject({ document: { text: TEXT } });
  });

  it('opens a fold for whoever goes to a heading in it, and leads to places and footnotes', async () => {
    const fold = prose().locator('details').first();
    expect(await fold.getByText('Hidden').isVisible()).toBe(false);
    await fold.locator('summary').focus();
    await visit.page.keyboard.press('Enter');
    await fold.getByText('Hidden').waitFor();
    await prose().getByRole('link', { name: 'Footnote 1' }).click();
    await expect.poll(() => visit.page.evaluate(() => location.hash)).toBe('#fn-1');
    await prose().getByRole('link', { name: 'Back to reference 1' }).click();
    await expect.poll(() => visit.page.evaluate(() => location.hash)).toBe('#fnref-1');
    await prose().getByRole('link', { name: 'go', exact: true }).click();
    await expect.poll(() => visit.page.evaluate(() => location.hash)).toBe('#place');
  });

  it.each(['light', 'dark'] as const)('has no flaw at any width: %s', async (theme) => {
    await visit.page.emulateMedia({ colorScheme: theme });
    const flaws: string[] = [];
    for (const width of [1440, 1024, 390]) {
      await visit.page.setViewportSize({ width, height: 900 });
      // Where there is no room for two, one is chosen.
      const choice = { 1440: null, 1024: 'Read', 390: 'Document' }[width];
      if (choice) await visit.page.getByRole('button', { name: choice, exact: true }).click();
      await prose().locator('math').nth(1).waitFor();
      await settled(visit.page);
      flaws.push(...(await pageFlaws(visit.page)));
      const over = await prose().evaluate((one) => one.scrollWidth - one.clientWidth);
      if (over > 0) flaws.push(`${width}: ${over} px wider than its room`);
      if (process.env.SHOTS)
        await visit.page.screenshot({ path: `${process.env.SHOTS}/read-${theme}-${width}.png` });
      flaws.push(...(await axeViolations(visit.page)));
    }
    expect(flaws).toEqual([]);
    await visit.page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('Write', () => {
  it('colours code as Read does', async () => {
    await visit.openWithin(id, { view: 'document' });
    await visit.page.locator('#document .cm-content').waitFor();
    await visit.page.locator('#document .cm-content').focus();
    await visit.page.keyboard.press('Control+End');
    const colour = (half: string) =>
      visit.page
        .locator(`#document ${half} .code-keyword`, { hasText: 'export' })
        .first()
        .evaluate((one) => getComputedStyle(one).color);
    expect(await colour('.cm-content')).toBe(await colour('.prose'));
  });
});
