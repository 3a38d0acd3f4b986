import { describe, expect, it } from 'vitest';
import { byDay, withNewest, withOlder } from '../../../src/model/history/rows';
import type { CommitItem } from '../../../src/protocol/types';

const row = (...revisions: number[]) => ({ revision: revisions[0], revisions }) as CommitItem;
const page = (next_cursor: string | null, ...items: CommitItem[]) => ({ items, next_cursor });
const numbers = ({ items }: { items: readonly CommitItem[] }) => items.map(({ revision }) => revision);

describe('the rows of the history', () => {
  it('go on with older pages', () => {
    const rows = withOlder({ items: [row(9), row(8)], next: 'a' }, page(null, row(7)));
    expect([numbers(rows), rows.next]).toEqual([[9, 8, 7], null]);
  });

  it('keep what is older than a newer first page, and where to go on from there', () => {
    const rows = withNewest(
      { items: [row(5), row(4), row(3), row(2)], next: 'old' },
      page('new', row(6), row(5), row(4)),
    );
    expect([numbers(rows), rows.next]).toEqual([[6, 5, 4, 3, 2], 'old']);
  });

  it('show a row that has grown once', () => {
    const rows = withNewest(
      { items: [row(5, 3), row(4), row(2)], next: null },
      page('new', row(6, 5, 3), row(4)),
    );
    expect(rows.items).toEqual([row(6, 5, 3), row(4), row(2)]);
  });

  it('are the new page alone where it does not reach down to them, or holds all there is', () => {
    expect(withNewest({ items: [row(5)], next: 'old' }, page('new', row(90), row(89)))).toEqual({
      items: [row(90), row(89)],
      next: 'new',
    });
    expect(withNewest({ items: [row(2), row(1)], next: null }, page(null, row(2)))).toEqual({
      items: [row(2)],
      next: null,
    });
  });

  it('go on from the new page where nothing older is known', () => {
    expect(withNewest({ items: [row(5), row(4)], next: 'old' }, page('new', row(5), row(4))).next).toBe(
      'new',
    );
  });

  it('stand under their days', () => {
    const items = [{ at: 'b2' }, { at: 'b1' }, { at: 'a1' }];
    expect(byDay(items, (at) => at.slice(0, 1))).toEqual([
      { day: 'b', entries: [{ at: 'b2' }, { at: 'b1' }] },
      { day: 'a', entries: [{ at: 'a1' }] },
    ]);
  });
});
