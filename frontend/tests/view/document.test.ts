// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../src/model/text/markdown';
import { linkedNode } from '../../src/model/text/nodeLink';
import { proseFor } from '../../src/view/export/prose';
import { headingFor } from '../../src/view/prose/headings';
import { anchorHeadings } from '../../src/view/prose/proseMarks';
import { sanitised } from '../../src/view/prose/sanitise';

function shown(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitised(markdownToHtml(markdown)));
  return element;
}

/** What gets past the second barrier alone. */
function purified(html: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitised(html));
  return element;
}

describe('the document as shown', () => {
  it('shows raw HTML as text', () => {
    const element = shown('<script>alert(1)</script>\n\nA <b onclick="x()">word</b>');
    expect(element.querySelector('script, b')).toBeNull();
    expect(element.textContent).toContain('<script>alert(1)</script>');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'vbscript:x',
    'data:text/html,<script>1</script>',
    'file:///etc/passwd',
  ])('makes no link of %s', (address) => {
    const links = [...shown(`[x](${address})`).querySelectorAll('a')];
    for (const link of links) expect(link.getAttribute('href')).toMatch(/^(https?:|mailto:|#)/);
  });

  it('loads no image from elsewhere, and says what would stand there', () => {
    const element = shown('![Sequence of a payment](https://example.org/a.png?x=1)');
    expect(element.querySelector('img')).toBeNull();
    const link = element.querySelector('a.image-placeholder');
    expect(link?.textContent).toBe('Sequence of a payment example.org');
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('keeps an image description from becoming markup', () => {
    const element = shown('![<img src=x onerror=alert(1)>](https://example.org/"onload="x)');
    expect(element.querySelector('img, [onerror], [onload]')).toBeNull();
  });

  it('marks links to nodes and opens only other links in a new tab', () => {
    const element = shown('[Orders](#node/orders) and [docs](https://example.org/)');
    const [node, other] = element.querySelectorAll('a');
    expect(node?.dataset.node).toBe('orders');
    expect(node?.hasAttribute('target')).toBe(false);
    expect(other?.target).toBe('_blank');
    expect(other?.rel).toBe('noopener noreferrer');
  });

  it('aligns table columns without style attributes', () => {
    const element = shown('| a | b |\n| --- | ---: |\n| 1 | 2 |');
    expect(element.querySelector('[style]')).toBeNull();
    expect(element.querySelectorAll('td.align-right')).toHaveLength(1);
  });

  it('frames tables and keeps the language of code', () => {
    const element = shown('```py\nx\n```\n\n    y\n\n| a |\n| --- |\n| 1 |');
    expect(element.querySelector('.table-frame > table')).not.toBeNull();
    expect(element.querySelector('pre > code.language-py')?.textContent).toBe('x\n');
  });

  it('keeps a Mermaid block apart, with its source', () => {
    const element = shown('```mermaid\nflowchart LR\n  A["<b>"] --> B\n```');
    expect(element.querySelector('.mermaid-block > pre > code')?.textContent).toContain('A["<b>"]');
    expect(element.querySelector('b')).toBeNull();
  });

  it('shows tasks as boxes that say whether they are done', () => {
    const element = shown('- [x] one\n- [ ] two\n- [link](#node/a)');
    const boxes = [...element.querySelectorAll('.task-box')];
    expect(boxes.map((box) => box.getAttribute('aria-label'))).toEqual(['Done', 'To do']);
    expect(element.querySelector('li')?.textContent?.trim()).toBe('one');
  });
});

describe('the second barrier', () => {
  it.each([
    '<img src=x onerror=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe src="https://example.org"></iframe>',
    '<form action="https://example.org"><input></form>',
    '<a href="javascript:alert(1)">x</a>',
    '<p style="position:fixed">x</p>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<link rel=stylesheet href="https://example.org/x.css">',
  ])('takes the sting out of %s', (html) => {
    const element = purified(html);
    expect(
      element.querySelector('img, script, svg, math, iframe, form, input, link, style, [style]'),
    ).toBeNull();
    expect(element.innerHTML).not.toMatch(/javascript:|onerror|example\.org/i);
  });
});

describe('links to nodes', () => {
  it.each([
    ['#node/orders', 'orders'],
    ['#node/a%20b', 'a b'],
    ['#node/', null],
    ['#node/%E0%A4%A', null],
    ['#goals', null],
    ['https://example.org/#node/x', null],
  ])('reads %s as %s', (href, id) => {
    expect(linkedNode(href)).toBe(id);
  });
});

describe('links within the document', () => {
  it('lead to the heading they name, also to the second of two equal ones', () => {
    const element = shown('# Goals & non-goals\n\n## Größe (neu)\n\n## Risks\n\n## Risks');
    expect(headingFor(element, '#goals--non-goals')?.tagName).toBe('H1');
    expect(headingFor(element, '#gr%C3%B6%C3%9Fe-neu')?.textContent).toBe('Größe (neu)');
    expect(headingFor(element, '#risks-1')).toBe(element.lastElementChild);
    expect(headingFor(element, '#nowhere')).toBeNull();
  });

  it('have the same address in the sign beside the heading, and in exports', () => {
    const text =
      '# Notes\n\n## Notes\n\n## 🎉\n\n[second](#Notes-1) [node](#node/a) [gone](#gone)\n\n> ### Notes\n';
    const element = shown(text);
    anchorHeadings([...element.children]);
    const signs = [...element.querySelectorAll('.heading-anchor')];
    expect(signs.map((sign) => sign.getAttribute('href'))).toEqual(['#notes', '#notes-1']);
    const exported = proseFor(text, new Set(['a']));
    expect([...exported.querySelectorAll('h1, h2, h3')].map(({ id }) => id)).toEqual([
      ...['notes', 'notes-1', '', 'notes-2'],
    ]);
    const links = [...exported.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['#notes-1', '#node/a', '#gone']);
    expect(exported.querySelector('[data-anchor]')).toBeNull();
  });
});
