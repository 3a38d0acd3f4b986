// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { linesOf, markdownToHtml } from '../../../src/model/text/markdown';
import { RenderedDocument } from '../../../src/model/text/renderedDocument';
import { DrawnBlocks } from '../../../src/view/document/drawnBlocks';
import { sanitised } from '../../../src/view/prose/sanitise';
import { type Random, seeds } from '../../sync/random';

/** Lines that begin, continue, end or change blocks, alone and beside each other. */
const LINES = [
  ...['', '', '', '', 'words', 'more **words**', '  indented words', '    four blanks', '\ttab'],
  ...['# Title', '## Title', '## Title', '### Other `code`', 'Under', '===', '---', '***', '# [Link][ref]'],
  ...[
    '- item',
    '- [ ] task',
    '  - nested',
    '1. one',
    '7) seven',
    '* star',
    '+',
    '- ',
    '  continued',
    '    - deep',
  ],
  ...['> quote', '> > twice', '> # Title', '> - item', '>', 'lazy'],
  ...['```', '~~~', '```js', '    ```', '```mermaid', '  A --> B'],
  ...['| a | b |', '| --- | :-: |', '| 1 | 2 |', 'a | b', '--|--'],
  ...[
    '[ref]: https://example.org/',
    '[ref]: /other "title',
    'title"',
    '[ref]',
    '[a][ref]',
    '> [ref]: #title',
    '[b]:',
  ],
  ...[
    '<div>',
    '</div>',
    '<!-- a',
    '-->',
    '![alt](a.png)',
    '[x](#title-1)',
    '\\',
    'a\\',
    '&amp;',
    '$$',
    'x^2',
    '[^1]',
    '[^1]: note',
  ],
];

/** Near what may have to do with other blocks the whole text is parsed: a third has nothing of that, a third has HTML alone. */
const PLAIN = LINES.filter((line) => !/\]:|<|\[\^/.test(line));
const KINDS = [
  LINES,
  PLAIN,
  [...PLAIN, '<details>', '<summary>More</summary>', '</details>', '<!-- a', '-->'],
];

const some = (random: Random, count: number): string => {
  const lines = KINDS[random.seed % KINDS.length] ?? LINES;
  return Array.from({ length: random.below(count) }, () => random.pick(lines)).join('\n');
};

/** A change as people make them: typing, a line break, lines put in, taken out, or moved. */
function changed(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + random.below(random.below(4) === 0 ? 60 : 3));
  const insert = random.pick([
    () => random.pick([...'ab #-`>|[]:*=~ \n', '\n\n', '```', '    ']),
    () => `\n${some(random, 6)}\n`,
    () => '',
    () => text.slice(random.below(text.length + 1)).slice(0, random.below(80)),
  ])();
  return text.slice(0, from) + insert + text.slice(to);
}

const whole = (rendered: RenderedDocument, text: string) => {
  const parts = [rendered.partAt(text, 0)];
  for (let next = parts[0]?.next ?? null; next !== null; next = parts.at(-1)?.next ?? null)
    parts.push(rendered.partAt(text, next));
  return {
    html: parts.flatMap(({ blocks }) => blocks).join(''),
    lines: parts.flatMap(({ lines }) => lines),
  };
};

const afresh = (text: string) => ({
  html: markdownToHtml(text),
  lines: linesOf(text),
});

describe('a document that is rendered while it changes', () => {
  it('reads after each change as if it were rendered afresh', () => {
    for (const random of seeds(60)) {
      const rendered = new RenderedDocument();
      let text = some(random, 120);
      for (let step = 0; step < 25; step += 1) {
        expect(whole(rendered, text), `seed ${random.seed}, step ${step}: ${JSON.stringify(text)}`).toEqual(
          afresh(text),
        );
        text = changed(random, text);
      }
    }
  });

  it('is in the page after each change what it would be if it were drawn afresh', () => {
    for (const random of seeds(6, 1000)) {
      const rendered = new RenderedDocument();
      const target = document.createElement('article');
      const drawn = new DrawnBlocks(target);
      let text = some(random, 60);
      for (let step = 0; step < 12; step += 1) {
        drawn.draw(rendered.partAt(text, 0).blocks);
        const expected = document.createElement('article');
        expected.append(...sanitised(markdownToHtml(text)).children);
        expect(target.innerHTML, `seed ${random.seed}, step ${step}`).toBe(expected.innerHTML);
        text = changed(random, text);
      }
    }
  });

  it('keeps the blocks that a change does not reach', () => {
    const rendered = new RenderedDocument();
    const text = Array.from({ length: 500 }, (_, at) => `## Section ${at}\n\nwords ${at}\n\n`).join('');
    const before = rendered.partAt(text, 0).blocks;
    const after = rendered.partAt(text.replace('words 250', 'words 250!'), 0).blocks;
    expect(after.filter((block, at) => block !== before[at])).toEqual(['<p>words 250!</p>\n']);
  });

  it('gives headings other addresses where one before them is another', () => {
    const rendered = new RenderedDocument();
    const text = `## Notes\n\n${'words\n\n'.repeat(50)}## Notes\n`;
    rendered.partAt(text, 0);
    const after = text.replace('## Notes', '## Remarks');
    expect(rendered.partAt(after, 0).blocks.at(-1)).toContain('data-anchor="notes"');
  });

  it('follows a definition in every block that refers to it', () => {
    const rendered = new RenderedDocument();
    const text = `[a][b]\n\n${'words\n\n'.repeat(50)}[b]: https://example.org/\n`;
    rendered.partAt(text, 0);
    expect(rendered.partAt(text.replace('org', 'com'), 0).blocks[0]).toContain('https://example.com/');
  });
});

describe('what may have to do with blocks far away', () => {
  const far = 'words\n\n'.repeat(40);
  it.each([
    ['HTML that is opened', `<details>\n\n${far}end\n`, 'end', 'end\n\n</details>'],
    ['a footnote that is referred to', `${far}[^1]: note\n\n${far}end\n`, 'end', 'end[^1]'],
    ['front matter', `---\na: b\n${far}end\n`, 'end', 'end\n\n---'],
    ['a definition', `[a]\n\n${far}end\n`, 'end', 'end\n\n[a]: #b'],
  ])('is drawn anew: %s', (_name, text, from, to) => {
    const rendered = new RenderedDocument();
    rendered.partAt(text, 0);
    const after = text.replace(from, to);
    expect(whole(rendered, after)).toEqual(afresh(after));
    expect(whole(rendered, text)).toEqual(afresh(text));
  });
});

describe('blocks in the page', () => {
  const drawnIn = (markdown: string) => {
    const target = document.createElement('article');
    const drawn = new DrawnBlocks(target);
    const draw = (text: string) => drawn.draw(new RenderedDocument().partAt(text, 0).blocks);
    draw(markdown);
    return { target, draw };
  };

  it('stay where they do not differ', () => {
    const { target, draw } = drawnIn('# Title\n\nfirst\n\nsecond\n\nlast');
    const [title] = target.children;
    const last = target.lastElementChild;
    const added = draw('# Title\n\nfirst\n\nnew\n\nalso new\n\nlast');
    expect(target.children[0]).toBe(title);
    expect(target.lastElementChild).toBe(last);
    expect(added.map((element) => element.textContent)).toEqual(['new', 'also new']);
    expect([...target.children].map((element) => element.textContent)).toEqual([
      ...['Title', 'first', 'new', 'also new', 'last'],
    ]);
  });

  it('stay with what the page did to them', () => {
    const { target, draw } = drawnIn('# Title\n\n[a](#node/a)');
    target.querySelector('a')?.classList.add('is-mention');
    const [, block] = target.children;
    expect(draw('# Other\n\n[a](#node/a)')).toHaveLength(1);
    expect(target.children[1]).toBe(block);
    expect(target.querySelector('a')?.className).toContain('is-mention');
  });

  it('are not touched when nothing differs, and gone when all is gone', () => {
    const { target, draw } = drawnIn('one\n\ntwo');
    expect(draw('one\n\ntwo')).toEqual([]);
    draw('');
    expect(target.textContent).toBe('');
  });
});
