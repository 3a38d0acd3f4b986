// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { linesOf, markdownToHtml } from '../../src/model/text/markdown';
import { placeOfAddress } from '../../src/model/text/outline';
import { RenderedDocument } from '../../src/model/text/renderedDocument';
import { proseFor } from '../../src/view/export/prose';
import { headingFor } from '../../src/view/prose/headings';
import { sanitised } from '../../src/view/prose/sanitise';

function shown(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.append(sanitised(markdownToHtml(markdown)));
  expect(element.children.length, 'elements as they are counted').toBe(linesOf(markdown).length);
  return element;
}

const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim();

describe('footnotes', () => {
  const text =
    'One[^a] and two[^2], one again[^A].\n\n[^2]: Second, see [^c].\n\n    More.\n[^a]: First **note**.\n\n# End\n\n[^c]: Third.\n[^unused]: Not shown.\n';

  it('are numbered by their references and listed at the end', () => {
    const element = shown(text);
    const numbers = [...element.querySelectorAll('p > .footnote-ref')].map(textOf);
    expect(numbers).toEqual(['1', '2', '1', '3']);
    expect(element.lastElementChild?.className).toBe('footnotes');
    const notes = [...element.querySelectorAll('.footnotes li')].map(textOf);
    expect(notes).toEqual(['First note. ↩', 'Second, see 3. More. ↩', 'Third. ↩']);
    expect(element.textContent).not.toContain('Not shown');
  });

  it('are led to and back, here and in exports', () => {
    const element = shown(text);
    const [first] = element.querySelectorAll('.footnote-ref a');
    const note = headingFor(element, first?.getAttribute('href') ?? '');
    expect(textOf(note)).toBe('First note. ↩');
    const back = note?.querySelector('.footnote-back')?.getAttribute('href') ?? '';
    expect(headingFor(element, back)?.contains(first as Element)).toBe(true);
    expect(placeOfAddress(text, back)?.line).toBe(0);
    const exported = proseFor(text, new Set());
    for (const link of exported.querySelectorAll('a[href^="#"]'))
      expect(exported.querySelector(`[id="${link.getAttribute('href')?.slice(1)}"]`)).not.toBeNull();
  });

  it('are text in code, without a definition, and behind a backslash', () => {
    expect(shown('`[^a]` [^none] \\[^a]\n\n[^a]: x\n').querySelector('.footnote-ref, .footnotes')).toBeNull();
  });

  it('are all reached where they are very many', () => {
    const many = Array.from({ length: 9_000 }, (_, at) => `x[^${at}]\n\n[^${at}]: note ${at}\n`).join('\n');
    const seen: string[] = [];
    const rendered = new RenderedDocument();
    for (let next: number | null = 0, at = 0; next !== null; at++) {
      const part = rendered.partAt(many, next);
      expect(part.at).toBe(at);
      seen.push(...(part.blocks.join('').match(/<p>note \d+/g) ?? []));
      next = part.next;
    }
    expect(seen).toHaveLength(9_000);
    const last = rendered.partAt(many, placeOfAddress(many, '#fn-8999')?.line ?? 0);
    expect(last.blocks.join('')).toContain('<p>note 8999');
  });

  it('keep what is too long to themselves', () => {
    const element = shown(`a[^1] b[^2]\n\n[^1]: ${'word '.repeat(15_000)}\n[^2]: short\n`);
    expect(element.querySelectorAll('.footnotes li')).toHaveLength(2);
    expect(element.querySelectorAll('.footnotes .left-out')).toHaveLength(1);
  });
});

describe('alerts', () => {
  it.each(['note', 'tip', 'important', 'warning', 'caution'])('say what they are: %s', (kind) => {
    const element = shown(`> [!${kind.toUpperCase()}]\n> Mind **this**.\n`);
    const alert = element.querySelector(`.alert.alert-${kind}`);
    expect(textOf(alert)?.toLowerCase()).toBe(`${kind} mind this.`);
    expect(alert?.getAttribute('role')).toBe('note');
    expect(element.querySelector('blockquote')).toBeNull();
  });

  it('hold other blocks, and quotes stay quotes', () => {
    expect(shown('> [!TIP]\n>\n> - a\n> > b\n').querySelector('.alert > ul + blockquote')).not.toBeNull();
    const text = '> [!NOPE]\n> x\n\n> [!NOTE] x\n\n> [!NOTE]\n\n> > [!NOTE]\n> > x\n\n- > [!NOTE]\n  > x\n';
    expect(shown(text).querySelector('.alert')).toBeNull();
    expect(shown(text).querySelectorAll('blockquote')).toHaveLength(6);
  });
});

describe('words and addresses', () => {
  it('are marked between equal signs', () => {
    const element = shown('==one *two*== a == b `==c==`');
    expect([...element.querySelectorAll('mark')].map(textOf)).toEqual(['one two']);
  });

  it('are linked from www. on, and file names are not', () => {
    const element = shown('www.example.com, (www.example.org/a(b)?c=d). README.md example.com wwww.a.b');
    expect([...element.querySelectorAll('a')].map(({ href, textContent }) => [href, textContent])).toEqual([
      ['http://www.example.com/', 'www.example.com'],
      ['http://www.example.org/a(b)?c=d', 'www.example.org/a(b)?c=d'],
    ]);
  });

  it('say where a relative address leads nowhere', () => {
    const element = shown('[**other**](../b.md) [x](#x) [m](mailto:a@b.c) [n](#node/a) [e](https://e.org)');
    const [dead, ...more] = element.querySelectorAll<HTMLElement>('.leads-nowhere');
    expect([dead?.tagName, dead?.title, dead?.innerHTML, more.length]).toEqual([
      ...['SPAN', 'A relative address, which leads nowhere from here: ../b.md', '<strong>other</strong>', 0],
    ]);
    expect(element.querySelectorAll('a[href]')).toHaveLength(4);
  });

  it('run as their first letters do, where a text has any from right to left', () => {
    const element = shown('# שלום\n\nمرحبا Hello\n\n- א\n\n| א |\n|--:|\n| b |\n');
    for (const name of ['h1', 'p', 'li', 'th', 'td'])
      expect(element.querySelector(name)?.getAttribute('dir'), name).toBe('auto');
    expect(element.querySelector('td')?.className).toBe('align-right');
    expect(shown('# Hello\n\nwords\n').querySelector('[dir]')).toBeNull();
  });
});
