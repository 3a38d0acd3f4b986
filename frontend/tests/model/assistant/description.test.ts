import { describe, expect, it } from 'vitest';
import { hasOnlyHeadings, nameFrom } from '../../../src/model/assistant/description';

describe('the name of what is described', () => {
  it('is its first sentence', () => {
    expect(nameFrom('an online shop. It has carts.')).toBe('An online shop');
    expect(nameFrom('  A blog\nwith Redis 7.4')).toBe('A blog');
    expect(nameFrom('Runs on Redis 7.4 alone')).toBe('Runs on Redis 7.4 alone');
  });

  it('is cut between words where that is long', () => {
    const name = nameFrom('a platform that takes orders of pharmacies, checks them, and sends them on');
    expect(name).toBe('A platform that takes orders of pharmacies, checks them, and…');
    expect(nameFrom('x'.repeat(200))).toHaveLength(61);
  });

  it('is there for nothing, too', () => {
    expect(nameFrom('  ')).toBe('Untitled workspace');
    expect(nameFrom('. and so on')).toBe('Untitled workspace');
  });
});

describe('a document', () => {
  it('says nothing yet while it has headings alone', () => {
    expect(hasOnlyHeadings('')).toBe(true);
    expect(hasOnlyHeadings('# Shop\n\n## Summary\n\n## Risks\n')).toBe(true);
    expect(hasOnlyHeadings('# Shop\n\nSells things.\n')).toBe(false);
    expect(hasOnlyHeadings('#hashtag\n')).toBe(false);
  });
});
