import { describe, expect, it } from 'vitest';
import { indentedItems } from '../../../src/model/text/listItems';

/** Moves what is between the bars, or at the bar; null where Tab is left to the browser. */
function moved(marked: string, way: 'in' | 'out'): string | null {
  const [before = '', inside = '', behind] = marked.split('|');
  const text = before + inside + (behind ?? '');
  const to = before.length + (behind === undefined ? 0 : inside.length);
  const result = indentedItems(text, { from: before.length, to }, way);
  if (!result) return null;
  return [...result.changes]
    .reverse()
    .reduce((now, { from, to: end, insert }) => now.slice(0, from) + insert + now.slice(end), text);
}

describe('Tab in a list', () => {
  it('nests an item in the one above it, whatever its mark', () => {
    expect(moved('- a\n- b|', 'in')).toBe('- a\n  - b');
    expect(moved('10. a\n11. b|', 'in')).toBe('10. a\n    1. b');
    expect(moved('- [ ] a\n- [ ] b|', 'in')).toBe('- [ ] a\n  - [ ] b');
    expect(moved('> - a\n> - b|', 'in')).toBe('> - a\n>   - b');
    expect(moved('-   a\n-   b|', 'in')).toBe('-   a\n    -   b');
  });

  it('changes nothing where there is no item to be nested in, and belongs to the page outside of lists', () => {
    expect(moved('- a|\n- b', 'in')).toBe('- a\n- b');
    expect(moved('- a\n  - b|', 'in')).toBe('- a\n  - b');
    expect(moved('para\n\n- a|', 'in')).toBe('para\n\n- a');
    expect(moved('para|', 'in')).toBeNull();
    expect(moved('- a\n\npara|', 'in')).toBeNull();
  });

  it('takes along what is nested in the item', () => {
    expect(moved('- a\n- b|\n  - c\n\n  more\n- d', 'in')).toBe('- a\n  - b\n    - c\n\n    more\n- d');
    expect(moved('- a\n  - b|\n    - c\n- d', 'out')).toBe('- a\n- b\n  - c\n- d');
  });

  it('moves all selected items', () => {
    expect(moved('- a\n|- b\n- c|\n- d', 'in')).toBe('- a\n  - b\n  - c\n- d');
  });

  it('goes out level by level, and no further', () => {
    expect(moved('- a\n  - b\n    - c|', 'out')).toBe('- a\n  - b\n  - c');
    expect(moved('- a|', 'out')).toBe('- a');
    expect(moved('> - a|', 'out')).toBe('> - a');
    expect(moved('1. a\n   - b|', 'out')).toBe('1. a\n- b');
  });

  it('goes on counting', () => {
    expect(moved('1. a\n2. b|\n3. c', 'in')).toBe('1. a\n   1. b\n2. c');
    expect(moved('1. a\n   1. b\n   2. c|\n2. d', 'out')).toBe('1. a\n   1. b\n2. c\n3. d');
    expect(moved('1. a\n   1. b|\n   2. c\n2. d', 'out')).toBe('1. a\n2. b\n   1. c\n3. d');
    expect(moved('9. a\n10. b\n11. c|', 'in')).toBe('9. a\n10. b\n    1. c');
  });

  it('leaves lists alone that do not count', () => {
    expect(moved('1. a\n1. b|\n1. c', 'in')).toBe('1. a\n   1. b\n1. c');
    expect(moved('1. a\n- b|\n5. c', 'in')).toBe('1. a\n   - b\n5. c');
  });

  it('says where the selection is afterwards', () => {
    expect(indentedItems('- a\n- b', { from: 7, to: 7 }, 'in')?.selected).toEqual({ from: 9, to: 9 });
  });
});
