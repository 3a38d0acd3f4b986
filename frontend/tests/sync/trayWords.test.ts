/** What lies in the tray can be taken elsewhere, and what became of it is said. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/sync/session/outcome';
import { contentOf, resultOf } from '../../src/sync/words/tray';

const ITEM = { id: 'x', at: 0, what: 'Rename “a” to “B”', why: 'There is no node “a”.', code: 'not_found' };
const done: Outcome = { kind: 'committed', rev: 7, changed: true, results: [], warnings: [], leftOut: [] };

describe('the tray in words', () => {
  it('gives text as it was typed and operations as JSON', () => {
    const operations = [{ op: 'delete_node', id: 'a' }] as never;
    expect(JSON.parse(contentOf({ ...ITEM, operations }))).toEqual(operations);
    expect(contentOf({ ...ITEM, text: { inserted: ['one', 'two'], near: '' } })).toBe('one\ntwo');
    expect(contentOf({ ...ITEM, text: { inserted: [], near: '', deleted: ['gone'] } })).toBe('gone');
  });

  it('says what came of applying again', () => {
    expect(resultOf(ITEM.what, done)).toEqual({
      isGood: true,
      words: 'Applied: Rename “a” to “B”. Saved as revision 7.',
    });
    expect(resultOf(ITEM.what, { ...done, changed: false }).words).toMatch(/^Nothing to do any more/);
    expect(resultOf(ITEM.what, 'typed')).toMatchObject({ isGood: true });
    expect(resultOf(ITEM.what, 'misplaced')).toMatchObject({ isGood: false });
    const refused: Outcome = { kind: 'rejected', code: 'x', detail: 'No node “a”.', problems: [] };
    expect(resultOf(ITEM.what, refused)).toEqual({
      isGood: false,
      words: 'Did not fit again: Rename “a” to “B”. No node “a”.',
    });
  });
});
