// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import {
  type Formatted,
  linked,
  toggledLines,
  toggledMark,
  withMermaid,
  withSection,
  withTable,
} from '../../../src/model/text/formatting';
import { mentionable, nodeLink, nodeLinksIn } from '../../../src/model/text/links';
import { linesOf, markdownToHtml } from '../../../src/model/text/markdown';
import { describeMermaid, mermaidReason, withoutHandlers } from '../../../src/model/text/mermaidSource';
import { depthsOf, headingAt, matchingHeadings, outlineOf } from '../../../src/model/text/outline';
import { skeletonOf } from '../../../src/model/text/skeleton';
import { tasksOf, toggledTask } from '../../../src/model/text/tasks';
import type { DiagramNode } from '../../../src/protocol/types';
import { ALMOST_LINKS } from '../../large';

const node = (id: string, label: string, more: Partial<DiagramNode> = {}): DiagramNode =>
  ({ id, label, type: 'service', technology: '', ...more }) as DiagramNode;

/** A text in which `‹…›` is what is selected. */
function marked(text: string): [string, { from: number; to: number }] {
  const from = text.indexOf('‹');
  return [text.replace(/[‹›]/g, ''), { from, to: text.indexOf('›') - 1 }];
}

function applied(text: string, { changes, selected }: Formatted): string {
  let out = text;
  for (const { from, to, insert } of [...changes].reverse())
    out = out.slice(0, from) + insert + out.slice(to);
  return `${out.slice(0, selected.from)}‹${out.slice(selected.from, selected.to)}›${out.slice(selected.to)}`;
}

describe('the outline', () => {
  const text = '# Plan\n\ntext\n\n### A `b` *c*\n\n```\n# no\n```\n\nSet\n===\n\n> # quoted\n';

  it('lists the headings as they read, with their places', () => {
    expect(outlineOf(text).map(({ level, title }) => [level, title])).toEqual([
      [1, 'Plan'],
      [3, 'A b c'],
      [1, 'Set'],
    ]);
    for (const { from, to, title } of outlineOf(text)) expect(text.slice(from, to)).toContain(title[0]);
  });

  it('indents below what a heading belongs to, without gaps', () => {
    expect(depthsOf(outlineOf(text))).toEqual([0, 1, 0]);
    expect(depthsOf(outlineOf('### a\n\n# b\n\n## c\n\n#### d\n'))).toEqual([0, 0, 1, 2]);
  });

  it('says which heading a place belongs to', () => {
    const headings = outlineOf(text);
    expect(headingAt(headings, text.indexOf('text'))).toBe(0);
    expect(headingAt(headings, text.length)).toBe(2);
    expect(headingAt(outlineOf('words\n\n# A'), 0)).toBe(-1);
  });

  it('finds headings by words', () => {
    expect(matchingHeadings(outlineOf(text), 'SET').map(({ title }) => title)).toEqual(['Set']);
    expect(matchingHeadings(outlineOf(text), ' ')).toHaveLength(3);
  });

  it('has one block for each element that is shown', () => {
    const long = `${text}\n- a\n- b\n\n| a |\n| --- |\n| 1 |\n\n---\n\n\`\`\`mermaid\ngraph\n\`\`\`\n\n    code\n\n[ref]: https://example.org/\n`;
    const host = document.createElement('div');
    host.innerHTML = markdownToHtml(long);
    expect(linesOf(long)).toHaveLength(host.children.length);
  });
});

describe('tasks', () => {
  const text = '- [ ] one\n  1. [x] two\n> - [X] three\n\n- - [ ] four\n\n```\n- [ ] code\n```\n\n[ ] no\n';

  it('are found where they are shown, and nowhere else', () => {
    expect(tasksOf(text).map(({ at, isDone }) => [text.slice(at - 1, at + 6), isDone])).toEqual([
      ['[ ] one', false],
      ['[x] two', true],
      ['[X] thr', true],
      ['[ ] fou', false],
    ]);
    expect(markdownToHtml(text).split('task-box').length - 1).toBe(4);
  });

  it('are ticked and unticked by one sign', () => {
    expect(toggledTask(text, 0)).toEqual({ from: 3, to: 4, insert: 'x' });
    expect(toggledTask(text, 2)?.insert).toBe(' ');
    expect(toggledTask(text, 9)).toBeNull();
    expect(toggledTask('- [ ] b\n- [ ] a\n', 0, '- [ ] a\n- [ ] b\n')).toBeNull();
    expect(toggledTask('- [ ] new\n- [ ] b\n- [ ] a\n', 1, '- [ ] a\n- [ ] b\n')).not.toBeNull();
  });
});

describe('links to nodes', () => {
  it('are found with their words, but not in code or images', () => {
    const text =
      'a [Orders](#node/orders) `[x](#node/x)` ![i](#node/i) [a\\]b](#node/c%20d "T")\n\n```\n[y](#node/y)\n```\n[z](#node/z)';
    expect(
      nodeLinksIn(text).map(({ id, labelFrom, labelTo }) => [id, text.slice(labelFrom, labelTo)]),
    ).toEqual([
      ['orders', 'Orders'],
      ['c d', 'a\\]b'],
      ['z', 'z'],
    ]);
    const [first] = nodeLinksIn(text);
    expect(text.slice(first?.from, first?.to)).toBe('[Orders](#node/orders)');
  });

  it('take nothing after a fence that is never closed', () => {
    expect(nodeLinksIn('[a](#node/a)\n\n```\n[b](#node/b)\n')).toHaveLength(1);
  });

  it('are written so that they read back', () => {
    const text = nodeLink(node('a', 'Or[d]ers *1*'));
    expect(nodeLinksIn(text).map(({ id, to }) => [id, to])).toEqual([['a', text.length]]);
    expect(markdownToHtml(text)).toContain('>Or[d]ers *1*</a>');
  });

  it('are not taken from text that looks like many of them', () => {
    expect(nodeLinksIn(ALMOST_LINKS)).toEqual([]);
  });

  it('are offered for what was written after @, best first', () => {
    const nodes = [
      node('db', 'Orders DB', { type: 'database' }),
      node('o', 'Orders'),
      node('r', 'Cache', { technology: 'Redis' }),
    ];
    const labels = (query: string) => mentionable(nodes, query).map(({ label }) => label);
    expect(labels('')).toEqual(['Cache', 'Orders', 'Orders DB']);
    expect(labels('redis')).toEqual(['Cache']);
    expect(labels('ordb')).toEqual(['Orders DB']);
    expect(labels('zzz')).toEqual([]);
  });
});

describe('the buttons over the text', () => {
  it.each([
    ['a ‹word› b', 'a **‹word›** b'],
    ['a **‹word›** b', 'a ‹word› b'],
    ['a ‹**word**› b', 'a ‹word› b'],
    ['a ‹› b', 'a **‹bold›** b'],
  ])('bold: %s', (before, after) => {
    const [text, selection] = marked(before);
    expect(applied(text, toggledMark(text, selection, 'bold'))).toBe(after);
  });

  it('do not take half of a longer mark', () => {
    const [text, selection] = marked('**‹x›**');
    expect(applied(text, toggledMark(text, selection, 'italic'))).toBe('**_‹x›_**');
  });

  it.each([
    ['list', '‹one\n\ntwo›', '- ‹one\n\n- two›'],
    ['list', '- ‹one\n- two›', '‹one\ntwo›'],
    ['tasks', '  - o‹›ne', '  - [ ] o‹›ne'],
    ['tasks', '- [x] o‹›ne', 'o‹›ne'],
    ['heading', 'o‹›ne', '## o‹›ne'],
    ['heading', '## o‹›ne', '### o‹›ne'],
    ['heading', '#### o‹›ne', 'o‹›ne'],
    ['heading', '‹›', '## ‹›'],
  ] as const)('%s: %s', (style, before, after) => {
    const [text, selection] = marked(before);
    expect(applied(text, toggledLines(text, selection, style))).toBe(after);
  });

  it.each([
    ['see ‹docs›', 'see [docs](‹https://›)'],
    ['see ‹›', 'see [‹link›](https://)'],
    ['‹https://a.example/›', '[‹link›](https://a.example/)'],
  ])('link: %s', (before, after) => {
    const [text, selection] = marked(before);
    expect(applied(text, linked(text, selection))).toBe(after);
  });

  it.each(['', 'one', 'one\ntwo', 'one\n\ntwo', 'one\n'])(
    'put blocks on lines of their own after %j',
    (text) => {
      for (const made of [withTable(text, { from: 0, to: 0 }), withMermaid(text, { from: 0, to: 0 })]) {
        const html = markdownToHtml(applied(text, made).replace(/[‹›]/g, ''));
        expect(html).toMatch(/<table>|mermaid-block/);
        if (text) expect(html).toContain('<p>one');
      }
    },
  );

  it('add a section at the end with its title selected', () => {
    expect(applied('a', withSection('a'))).toBe('a\n\n## ‹New section›\n\n');
    expect(applied('', withSection(''))).toBe('## ‹New section›\n\n');
  });
});

describe('a first document', () => {
  it('has its sections and a row for each node', () => {
    const text = skeletonOf('Shop', [node('o', 'Ord|ers'), node('g', 'VPC', { type: 'group' })]);
    expect(outlineOf(text).map(({ title }) => title)).toEqual(['Shop', 'Goals', 'Components', 'Decisions']);
    expect(markdownToHtml(text).match(/<tr>/g)).toHaveLength(2);
    expect(markdownToHtml(text)).toContain('href="#node/o"');
  });
});

describe('Mermaid', () => {
  it('is described by its own title or its kind', () => {
    expect(describeMermaid('flowchart LR\n  accTitle: How orders go\n  A --> B')).toBe(
      'Flowchart: How orders go',
    );
    expect(describeMermaid('%% c\nsequenceDiagram\n  A->>B: hi')).toBe(
      'Sequence diagram; its source follows',
    );
  });

  it('shows elements with handlers as text and leaves everything else', () => {
    expect(withoutHandlers('A["<img src=x onerror=hit()>"] --> B')).toBe(
      'A["#lt;img src=x onerror=hit()#gt;"] --> B',
    );
    const plain = 'class A { <<interface>> }\nA <|-- B\nA["once<br/>on = 1"] --> C';
    expect(withoutHandlers(plain)).toBe(plain);
  });

  it('says in a sentence what could not be read', () => {
    expect(mermaidReason("Parse error on line 2:\n...x\n---^\nExpecting 'A', 'B', got 'EOF'")).toBe(
      'line 2 could not be read (unexpected “EOF”)',
    );
    expect(mermaidReason('No diagram type detected')).toBe('No diagram type detected');
  });
});
