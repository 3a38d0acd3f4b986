import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorIn, numbered } from '../../../src/model/text/anchors';
import { headingText } from '../../../src/model/text/headingText';
import { anchorsOf } from '../../../src/model/text/markdown';
import { outlineOf, placeOfAddress } from '../../../src/model/text/outline';
import { excessOf } from '../../growth';

interface Case {
  about: string;
  markdown: string;
  anchors: string[];
  sections?: [number, string, number][];
}

const fixture = (name: string) =>
  JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, `../../../../tests/fixtures/${name}.json`), 'utf8'),
  );
const CASES = fixture('headings') as Case[];
const GENERATED = fixture('generated-headings') as {
  markdown: string;
  anchors: string[];
  sections: [number, number][];
}[];

describe('addresses of headings', () => {
  it.each(CASES)('are those of the server: $about', ({ markdown, anchors, sections }) => {
    expect(anchorsOf(markdown)).toEqual(anchors);
    const lines = outlineOf(markdown).map(({ level, line }) => [level, line + 1]);
    if (sections) expect(lines).toEqual(sections.map(([level, , line]) => [level, line]));
  });

  it('are those of the server in generated documents, with HTML, front matter and footnotes', () => {
    const bad = GENERATED.filter(({ markdown, anchors, sections }) => {
      const own = outlineOf(markdown).map(({ level, line }) => [level, line + 1]);
      const found = [JSON.stringify(anchorsOf(markdown)), JSON.stringify(own)];
      return found[0] !== JSON.stringify(anchors) || found[1] !== JSON.stringify(sections);
    });
    expect(bad.slice(0, 3)).toEqual([]);
    expect(GENERATED.length).toBeGreaterThan(300);
  });

  it('are found by any form of a link to them', () => {
    const text = '# Über uns\n\n> ## Notes\n\n## Notes\n\nx\n';
    expect(outlineOf(text).map(({ anchor }) => anchor)).toEqual(['über-uns', 'notes-1']);
    for (const href of ['#über-uns', '#%C3%BCber-uns', '#Über-Uns'])
      expect(placeOfAddress(text, href)).toEqual({ line: 0, from: 0, to: 10 });
    expect(placeOfAddress(text, '#notes')?.line).toBe(2);
    expect(placeOfAddress(text, '#notes-1')?.line).toBe(4);
    for (const href of ['', '#', '#notes-2', '#node/a']) expect(placeOfAddress(text, href)).toBeNull();
    expect(anchorIn('#%E0%A4%A')).toBe('%e0%a4%a');
  });

  it('are numbered in time that grows with their count', () => {
    const names = numbered([...Array(30_000).keys()].map((n) => `a-${n}`).concat(Array(30_000).fill('a')));
    expect(new Set(names).size).toBe(60_000);
  });

  it.each(['[', '![', '[a](', '_a ', '`', '``a`', '<a ', '<a x="', '[a](b "', '&am'])(
    'are made in time that grows with the title, of %j without end',
    (sign) => {
      const title = (size: number) => sign.repeat(size).slice(0, size);
      expect(excessOf((size) => () => headingText(title(size), {}))).toBeNull();
    },
  );
});
