// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { linesOf, markdownToHtml } from '../../src/model/text/markdown';
import { placeOfAddress } from '../../src/model/text/outline';
import { RenderedDocument } from '../../src/model/text/renderedDocument';
import { proseFor } from '../../src/view/export/prose';
import { headingFor, reveal } from '../../src/view/prose/headings';
import { sanitised } from '../../src/view/prose/sanitise';

function shown(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitised(markdownToHtml(markdown)));
  expect(element.children.length, 'elements as they are counted').toBe(linesOf(markdown).length);
  return element;
}

/** The names of an element's children, with what they say. */
const outline = (element: Element): string[] =>
  [...element.children].map(({ tagName, textContent }) => `${tagName} ${textContent?.trim()}`);

describe('the front matter of a document', () => {
  it('is a table of its fields, and no heading', () => {
    const element = shown(
      '---\ntitle: "Example proposal"\nstatus: draft\ntags:\n  - a\n  - b\n---\n\n# Example\n\ntext\n',
    );
    const rows = [...element.querySelectorAll('.front-matter tr')].map((row) => outline(row));
    expect(rows).toEqual([
      ['TH title', 'TD Example proposal'],
      ['TH status', 'TD draft'],
      ['TH tags', 'TD a\nb'],
    ]);
    expect(element.querySelectorAll('th[scope="row"]')).toHaveLength(3);
    expect(outline(element).slice(1)).toEqual(['H1 Example', 'P text']);
    expect(element.querySelector('h2, hr')).toBeNull();
  });

  it('is shown as it is written where it holds more than fields', () => {
    const element = shown('---\n# words\n<script>hit()</script>\n---\n# A\n');
    expect(element.querySelector('.front-matter pre')?.textContent).toContain('<script>hit()</script>');
    expect(outline(element)).toHaveLength(2);
  });

  it('is found behind a byte order mark, and keeps the lines of what follows', () => {
    const text = '\ufeff---\na: b\n---\n# A\n\nwords\n';
    expect(new RenderedDocument().partAt(text, 0).lines).toEqual([0, 3, 5]);
    expect(outline(shown(text)).slice(1)).toEqual(['H1 A', 'P words']);
    expect(outline(shown('\ufeff# A\n'))).toEqual(['H1 A']);
  });
});

describe('comments', () => {
  it('are hidden, with the blank lines and headings in them', () => {
    const text =
      '# A\n\nbefore\n\n<!--\nTemplate: say why.\n\n# Delete this\n-->\n\nafter <!-- not this --> all\n';
    expect(outline(shown(text))).toEqual(['H1 A', 'P before', 'P after  all']);
    expect(shown('- a\n  <!-- b -->\n- c\n').textContent).toMatch(/^\s*a\s*c\s*$/);
    expect(outline(shown('<!-- a --> b\n'))).toEqual(['P b']);
  });

  it('hide the rest where they do not end, as for readers of the outline', () => {
    expect(outline(shown('before\n\n<!-- open\n\n# A\n'))).toEqual(['P before']);
    expect(outline(shown('before <!-- open\n\n# A\n'))).toEqual(['P before <!-- open', 'H1 A']);
  });
});

describe('HTML in a document', () => {
  it('breaks lines in cells', () => {
    const cell = shown('| Step | Who |\n|---|---|\n| one<br>two | team |\n').querySelector('td');
    expect(cell?.querySelectorAll('br')).toHaveLength(1);
    expect(cell?.textContent?.trim()).toBe('one\ntwo');
  });

  it('folds what stands in details, Markdown included', () => {
    const text =
      '# A\n\n<details>\n<summary>More</summary>\n\nHidden **text**.\n\n## B\n\n</details>\n\nafter\n';
    const element = shown(text);
    expect(outline(element).at(-1)).toBe('P after');
    const fold = element.querySelector('details');
    expect(outline(fold as Element)).toEqual(['SUMMARY More', 'P Hidden text.', 'H2 B']);
    expect(fold?.querySelector('strong')?.textContent).toBe('text');
    expect(fold?.open).toBe(false);
    reveal(headingFor(element, '#b') as Element);
    expect(fold?.open).toBe(true);
    expect(linesOf(text)).toEqual([0, 2, 11]);
  });

  it('folds within lists, quotes and other folds', () => {
    const inner = '<details open>\n<summary>In <kbd>K</kbd></summary>\nwords\n</details>';
    const element = shown(
      `<details>\n\n${inner}\n\n</details>\n\n- a\n\n  <details>\n\n  b\n\n  </details>\n`,
    );
    const folds = [...element.querySelectorAll('details')];
    expect(folds.map((fold) => fold.parentElement?.tagName)).toEqual(['DIV', 'DETAILS', 'LI']);
    expect(folds.map((fold) => fold.open)).toEqual([false, true, false]);
    expect(folds[1]?.querySelector('summary kbd')?.textContent).toBe('K');
  });

  it('is text where a tag has no partner, so that no fold takes the rest of a document', () => {
    expect(outline(shown('<details>\n\nwords\n\n# A\n'))).toEqual(['P <details>', 'P words', 'H1 A']);
    expect(outline(shown('> <details>\n\n</details>\n'))).toEqual(['BLOCKQUOTE <details>', 'P </details>']);
    expect(shown('a <kbd>b and *c <sub>d* e</sub>').querySelector('kbd, sub')).toBeNull();
  });

  it('unfolds what would be too much for one block', () => {
    const html = markdownToHtml(`<details>\n\n${'words\n\n'.repeat(10_000)}</details>\n`);
    expect(html).not.toMatch(/<details>|left-out/);
    expect(html.match(/<p>words/g)).toHaveLength(10_000);
  });

  it('marks keys and raises and lowers letters', () => {
    const element = shown('<kbd>Ctrl</kbd> H<sub>2</sub>O x<SUP>*2*</SUP>');
    expect(element.querySelector('kbd')?.textContent).toBe('Ctrl');
    expect(element.querySelector('sub')?.textContent).toBe('2');
    expect(element.querySelector('sup > em')?.textContent).toBe('2');
  });

  it('gives places names that links lead to, here and in exports', () => {
    const text = 'words <a name="Deep-Place"></a>here, <a id="two">named</a>\n\n[go](#deep-place)\n';
    const element = shown(text);
    expect(headingFor(element, '#Deep-Place')?.parentElement?.textContent).toContain('here, named');
    expect(element.textContent).not.toContain('<');
    expect(placeOfAddress(text, '#two')?.line).toBe(0);
    const exported = proseFor(`${text}\n# Two\n`, new Set());
    expect([...exported.querySelectorAll('[id]')].map(({ id }) => id)).toEqual(['deep-place', 'two']);
    expect(exported.querySelector('a')?.getAttribute('href')).toBe('#deep-place');
  });

  it('shows an image as Markdown does', () => {
    const html = '<img src="https://example.org/a.png" alt="A *plan*" width="320" onerror="hit()">';
    const [own, other] = [shown(html), shown('![A \\*plan\\*](https://example.org/a.png)')];
    expect(own.querySelector('.image-placeholder')?.outerHTML).toBe(
      other.querySelector('.image-placeholder')?.outerHTML,
    );
    expect(own.innerHTML).not.toContain('hit()');
  });

  it.each([
    '<div onclick="hit()">words</div>',
    '<b>words</b>',
    'a <b onclick="hit()">word</b>',
    '<a href="javascript:hit()">words</a>',
    '<details ontoggle="hit()" open><summary><script>hit()</script></summary></details>',
    '<details>\n<summary onclick="hit()"><img src=x onerror=hit()></summary>\n<style>*{}</style>\n</details>',
    '<kbd onclick="hit()"><script>hit()</script></kbd>',
    '<a name=\'x" onclick="hit()\'></a>',
    '<img src="javascript:hit()" alt="<script>hit()</script>">',
    '<br onclick="hit()">',
    '<svg><script>hit()</script></svg>',
    '<!--><script>hit()</script>-->',
  ])('lets nothing of %s act', (html) => {
    const whole = document.createElement('div');
    whole.innerHTML = markdownToHtml(html); // The first barrier alone.
    for (const element of [whole, ...whole.querySelectorAll('*')])
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on/);
    expect(whole.querySelector('script, style, svg, img, b, [href^="javascript"], div[class=""]')).toBeNull();
  });

  it('stays text in code', () => {
    expect(shown('`<br>`\n\n    <details>\n').querySelector('br, details')).toBeNull();
  });
});
