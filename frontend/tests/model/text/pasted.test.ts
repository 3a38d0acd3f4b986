import { describe, expect, it } from 'vitest';
import {
  addressOf,
  fitted,
  inFence,
  isMermaid,
  linkTo,
  placeWithin,
  tableOfTabs,
} from '../../../src/model/text/pasted';

/** The line in which something is pasted at a bar. */
function pastedInto(line: string, markdown: string): string {
  const [before = '', behind = ''] = line.split('|');
  const { text, replaced } = fitted(markdown, { before, behind });
  return before.slice(0, before.length - replaced) + text + behind;
}

describe('addresses', () => {
  it('are those of the web and of mail, and nothing beside them', () => {
    expect(addressOf(' https://example.org/a?b=c#d\n')).toBe('https://example.org/a?b=c#d');
    expect(addressOf('mailto:a@example.org')).toBe('mailto:a@example.org');
    for (const text of ['javascript:alert(1)', 'see https://example.org', 'https://', 'example.org'])
      expect(addressOf(text)).toBeNull();
  });

  it('of this page are places of it', () => {
    const page = 'https://draft.example/w/shop#node/web';
    expect(placeWithin('https://draft.example/w/shop#node/orders', page)).toBe('#node/orders');
    expect(placeWithin('https://draft.example/w/shop', page)).toBeNull();
    expect(placeWithin('https://draft.example/w/other#plan', page)).toBeNull();
    expect(placeWithin('https://example.org/w/shop#plan', page)).toBeNull();
  });

  it('cannot end the link that they are in', () => {
    expect(linkTo('https://example.org/a_(b)', 'x')).toBe('[x](https://example.org/a_%28b%29)');
  });
});

describe('rows with tabs', () => {
  it('are a table where all have as many cells', () => {
    expect(tableOfTabs('Name\tWhy\norders_api\ta|b\n')).toBe(
      '| Name | Why |\n| --- | --- |\n| orders\\_api | a\\|b |',
    );
    expect(tableOfTabs('a\t"two\nlines, ""quoted"""\nb\tc')).toBe(
      '| a | two<br>lines, "quoted" |\n| --- | --- |\n| b | c |',
    );
    expect(tableOfTabs('a\t\nb\tc')).toBe('| a |  |\n| --- | --- |\n| b | c |');
  });

  it.each(['a\tb', 'a\tb\nc', '\ta\tb\n\tc\td', 'a\nb', `${'a\tb\n'.repeat(10_001)}`])(
    'are none: %j',
    (text) => {
      expect(tableOfTabs(text)).toBeNull();
    },
  );
});

describe('Mermaid', () => {
  it.each([
    'flowchart LR\n  a --> b',
    '%% drawn by hand\ngraph TD\n a-->b',
    '---\ntitle: x\n---\nflowchart TB\n a',
    'sequenceDiagram\n  A->>B: x',
    '%%{init: {\n  "theme": "base"\n}}%%\ngantt\n  title Plan',
  ])('is known by its first line: %j', (text) => expect(isMermaid(text)).toBe(true));

  it.each(['flowchart LR', 'graph paper\nis blue', 'The flowchart LR\n', '---\ntitle: x\n---\n# Plan\n'])(
    'is not %j',
    (text) => expect(isMermaid(text)).toBe(false),
  );

  it('gets a fence that its lines cannot end', () => {
    expect(inFence('a\n````\nb\n', 'mermaid')).toBe('`````mermaid\na\n````\nb\n`````');
  });
});

describe('Markdown is inserted', () => {
  it('as words where it is words', () => {
    expect(pastedInto('see | there', '[a](https://example.org)')).toBe('see [a](https://example.org) there');
    expect(pastedInto('see |', 'one\n\ntwo')).toBe('see one\n\ntwo');
  });

  it('with lines of its own where it needs them', () => {
    expect(pastedInto('see |', '# Plan')).toBe('see \n\n# Plan');
    expect(pastedInto('a| b', '| x |\n| --- |')).toBe('a\n\n| x |\n| --- |\n\n b');
    expect(pastedInto('|', '- a\n- b')).toBe('- a\n- b');
    expect(pastedInto('|rest', '- a\n- b')).toBe('- a\n- b\n\nrest');
  });

  it('within the quote or item in which it stands', () => {
    expect(pastedInto('> |', 'one\n\ntwo')).toBe('> one\n>\n> two');
    expect(pastedInto('> said: |', '- a\n- b')).toBe('> said: \n>\n> - a\n> - b');
    expect(pastedInto('- |', 'one\n\ntwo')).toBe('- one\n\n  two');
    expect(pastedInto('- x |', '```\ncode\n```')).toBe('- x \n\n  ```\n  code\n  ```');
    expect(pastedInto('  1. |', 'one\n\ntwo')).toBe('  1. one\n\n     two');
  });

  it('as items in place of an empty one', () => {
    expect(pastedInto('- |', '- a\n- b')).toBe('- a\n- b');
    expect(pastedInto('  - |', '1. a\n2. b')).toBe('  1. a\n  2. b');
    expect(pastedInto('- x|', '- a\n- b')).toBe('- x\n\n  - a\n  - b');
  });
});
