// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { differingRanges } from '../../../src/model/core/myers';
import { boundedStretches, compareTexts, foldSame } from '../../../src/model/text/compareText';
import { linesOf, markdownToHtml } from '../../../src/model/text/markdown';
import { RenderedDocument } from '../../../src/model/text/renderedDocument';
import { tasksOf } from '../../../src/model/text/tasks';
import { sanitised } from '../../../src/view/prose/sanitise';

const partAt = (text: string, line: number) => new RenderedDocument().partAt(text, line);
const elementsOf = (html: string) => [...sanitised(html).children];

describe('a part of a document', () => {
  it('is the whole of one of usual length', () => {
    const text = '# Plan\n\nwords [a][b]\n\n- [x] done\n\n[b]: https://example.org/\n';
    const { blocks, ...part } = partAt(text, 3);
    expect(blocks.join('')).toBe(markdownToHtml(text));
    expect(part).toEqual({
      lines: [0, 2, 4],
      at: 0,
      of: 1,
      next: null,
    });
  });

  it('is the one with a line, and all together hold every block once', () => {
    const text = '## Section\n\nwords\n\n'.repeat(9_000);
    const parts = [partAt(text, 0)];
    for (let next = parts[0]?.next ?? null; next !== null; next = parts.at(-1)?.next ?? null)
      parts.push(partAt(text, next));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ at, of }) => [at, of])).toEqual(parts.map((_, at) => [at, parts.length]));
    expect(parts.flatMap(({ lines }) => lines)).toEqual(linesOf(text));
    for (const { blocks, lines } of parts) expect(blocks).toHaveLength(lines.length);
    expect(partAt(text, (parts[1]?.lines[0] ?? 0) - 1).at).toBe(0);
    expect(partAt(text, 1e9).at).toBe(parts.length - 1);
  });

  it('knows references that stand in another part', () => {
    const text = `[a][b]\n\n${'words '.repeat(20_000)}\n\n${'## Section\n\n'.repeat(15_000)}[b]: https://example.org/\n`;
    expect(partAt(text, 0).of).toBeGreaterThan(1);
    expect(partAt(text, 0).blocks.join('')).toContain('href="https://example.org/"');
  });
});

describe('a block that is too large', () => {
  const LARGE = {
    'a long paragraph': `${'word '.repeat(15_000)}<img src=x onerror=hit()>`,
    'a wide table': `${'|a'.repeat(7_000)}|\n${'|-'.repeat(7_000)}|\n${'|b'.repeat(7_000)}|`,
    'deep quotes': `${'>'.repeat(3_000)} [a](javascript:hit())`,
    'deep lists': `${'- '.repeat(3_000)}a`,
    'long code': `\`\`\`\n${'a\n'.repeat(30_000)}\`\`\``,
  };
  it.each(Object.entries(LARGE))('is shown as text, with a note: %s', (_name, text) => {
    const [before, shown, after, ...more] = elementsOf(markdownToHtml(`before\n\n${text}\n\nafter\n`));
    expect([before?.textContent, after?.textContent, more]).toEqual(['before', 'after', []]);
    expect(shown?.querySelector('.left-out-note')?.textContent).toContain('too long to draw; shown as text');
    const pre = shown?.querySelector('pre')?.textContent ?? '';
    expect(text.startsWith(pre)).toBe(true);
    expect(pre).toHaveLength(Math.min(text.length, 20_000));
    expect(shown?.querySelectorAll('a, img, table, blockquote, ul')).toHaveLength(0);
    expect(linesOf(`before\n\n${text}\n\nafter\n`)).toHaveLength(3);
  });

  it('says how much of it is missing', () => {
    expect(markdownToHtml('a'.repeat(60_000))).toContain('without its last 40,000 characters');
    expect(markdownToHtml('a'.repeat(50_000))).not.toContain('left-out');
  });

  it('keeps its tasks to itself', () => {
    const text = `- [ ] one\n\n${'>'.repeat(200)} - [ ] two\n\n- [x] three\n`;
    expect(tasksOf(text).map(({ words }) => words)).toEqual(['] one', '] three']);
  });
});

describe('a comparison of texts that differ too much', () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');

  it('replaces what lies between their common ends, and says so', () => {
    const found = compareTexts(`a\n${lines('old', 3_000)}\nz`, `a\n${lines('new', 3_000)}\nz`);
    expect([found.isWhole, found.removed, found.added]).toEqual([true, 3_000, 3_000]);
    expect(compareTexts('a\nb', 'a\nc').isWhole).toBe(false);
  });

  it('gives up where few differences would take too long to find', () => {
    const [old, now] = [lines('same', 500).split('\n'), lines('same', 499).split('\n')];
    expect(differingRanges(old, now, 10)).toHaveLength(1);
    expect(differingRanges(old, now, 10, 400)).toBeNull();
  });

  it('shows a bounded number of lines and counts the others', () => {
    const found = compareTexts(lines('old', 50_000), lines('new', 50_000));
    const { stretches, leftOut } = boundedStretches(foldSame(found.lines));
    const shown = stretches.flatMap((one) => one.lines).map(({ kind }) => kind);
    expect(shown.filter((kind) => kind === 'removed')).toHaveLength(500);
    expect(shown.filter((kind) => kind === 'added')).toHaveLength(500);
    expect(leftOut).toBe(99_000);
  });

  it('cuts long lines', () => {
    const { stretches, cut } = boundedStretches(foldSame(compareTexts('a', 'b'.repeat(9_000)).lines));
    const [, added] = stretches.flatMap((one) => one.lines);
    expect(added?.spans.map(({ text }) => text.length)).toEqual([5_000, 1]);
    expect(cut).toBe(1);
  });
});
