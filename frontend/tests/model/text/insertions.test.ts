import { describe, expect, it } from 'vitest';
import { INSERTIONS, insertionsFor } from '../../../src/model/text/insertions';
import { linesOf } from '../../../src/model/text/markdown';

/** The text after an entry was chosen where the bar is, with what is selected between bars. */
async function chosen(title: string, marked: string): Promise<string> {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const found = INSERTIONS.find((one) => one.title === title);
  if (!found) throw new Error(title);
  const { changes, selected } = await found.insert(text, { from: at, to: at });
  const after = [...changes]
    .reverse()
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
  return `${after.slice(0, selected.from)}|${after.slice(selected.from, selected.to)}|${after.slice(selected.to)}`;
}

describe('the menu of /', () => {
  it('finds entries by the beginnings of their words, titles first', () => {
    expect(insertionsFor('')).toHaveLength(INSERTIONS.length);
    expect(insertionsFor('head').map(({ title }) => title)).toEqual([
      'Heading 1',
      'Heading 2',
      'Heading 3',
      'Table of contents',
    ]);
    expect(insertionsFor('tab').map(({ title }) => title)).toEqual(['Table', 'Table of contents']);
    expect(insertionsFor('heading 2').map(({ title }) => title)).toEqual(['Heading 2']);
    expect(insertionsFor('usr')).toEqual([]);
  });

  it('puts a mark at the start of the line, in place of another', async () => {
    expect(await chosen('Heading 2', '|')).toBe('## ||');
    expect(await chosen('Heading 2', 'Plan |\nnext')).toBe('## Plan ||\nnext');
    expect(await chosen('Numbered list', '- a|')).toBe('1. a||');
    expect(await chosen('Bulleted list', '> a|')).toBe('> - a||');
    expect(await chosen('Task list', 'a|')).toBe('- [ ] a||');
  });

  it('puts blocks on lines of their own, with what is to be written selected', async () => {
    expect(await chosen('Code', 'See|\nnext')).toBe('See\n\n```|text|\n\n```\n\nnext');
    expect(await chosen('Callout', '|')).toBe('> [!NOTE]\n> |Worth knowing|\n');
    expect(await chosen('Maths', '|')).toBe('$$\n|E = mc^2|\n$$\n');
    expect(await chosen('Table', '|')).toContain('| |Name| | Purpose |');
  });

  it.each(INSERTIONS.map(({ title }) => title))(
    '%s is what it says, in the middle of a text',
    async (title) => {
      const text = (await chosen(title, '# Plan\n\nBefore.\n\n|\n\nBehind.')).replaceAll(
        /\|(?=[^|\n]*\|)/g,
        '',
      );
      expect(linesOf(text).length).toBeGreaterThanOrEqual(3);
      expect(text.startsWith('# Plan\n\nBefore.\n\n')).toBe(true);
      expect(text.endsWith('\n\nBehind.')).toBe(true);
    },
  );

  it('lists the sections by their addresses, without the title of the document', async () => {
    const text = '# Plan\n\n|\n\n## Über *uns*\n\n### Notes\n\n## Notes\n';
    expect(await chosen('Table of contents', text)).toBe(
      '# Plan\n\n- [Über uns](#über-uns)\n  - [Notes](#notes)\n- [Notes](#notes-1)||\n\n## Über *uns*\n\n### Notes\n\n## Notes\n',
    );
  });
});
