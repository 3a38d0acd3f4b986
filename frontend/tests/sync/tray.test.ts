/** Changes that did not fit, in words; and back into the text. */
import { describe, expect, it } from 'vitest';
import { applyTo } from '../../src/model/core/changes';
import type { Operation } from '../../src/protocol/live';
import { wordsForOperations } from '../../src/sync/session/operationWords';
import { overlapping, putBack, refusedText } from '../../src/sync/session/tray';

describe('operations in words', () => {
  it.each([
    [{ op: 'add_node', type: 'service', label: 'Orders' }, 'Add “Orders”'],
    [{ op: 'update_node', id: 'orders', label: 'Sales' }, 'Rename “orders” to “Sales”'],
    [{ op: 'update_node', id: 'orders', notes: 'x' }, 'Change “orders”'],
    [{ op: 'delete_nodes', ids: ['a', 'b'] }, 'Delete 2 nodes'],
    [{ op: 'move_nodes', positions: { a: { x: 0, y: 0 } } }, 'Move “a”'],
    [{ op: 'add_edge', source: 'a', target: 'b' }, 'Connect “a” to “b”'],
    [{ op: 'rewire_edge', id: 'a--b', new_target: 'c' }, 'Reconnect the connection “a--b”'],
    [{ op: 'delete_edge', source: 'a', target: 'b' }, 'Delete the connection from “a” to “b”'],
    [{ op: 'move_to_group', ids: ['a'], group: null }, 'Take “a” out of the group'],
    [{ op: 'edit_section', section: '## Cost', find: 'x', replace: 'y' }, 'Edit section “## Cost”'],
    [{ op: 'layout_diagram', scope: 'all' }, 'Layout diagram'],
    [{ op: 'juggle' }, 'Juggle'],
  ])('%j', (operation, words) => {
    expect(wordsForOperations([operation as Operation])).toBe(words);
  });

  it('name three and count the rest', () => {
    const five = Array.from({ length: 5 }, (_, n) => ({ op: 'delete_node', id: `n${n}` }) as Operation);
    expect(wordsForOperations(five)).toBe('Delete “n0”; Delete “n1”; Delete “n2”; 2 more changes');
  });
});

describe('text in the tray', () => {
  it('is shown in short, never with half a character', () => {
    const aside = { inserted: ['😀'.repeat(80)], deleted: [], near: '' };
    expect(refusedText('id', aside, 'code', 'why').what).toBe(`Typed: “${'😀'.repeat(60)}…”`);
  });

  it('goes back behind what stood before it, else to the end', () => {
    const item = { inserted: ['blue'], near: 'the' };
    const again = (text: string) => applyTo(text, putBack(text, item) ?? []);
    expect(again('see the green house')).toBe('see the blue green house');
    expect(again('a green house')).toBe('a green house\nblue');
    expect(again('')).toBe('blue');
  });

  it('that was to be deleted is deleted where it stands once, and stays in the tray otherwise', () => {
    const { text } = overlapping('id', { inserted: '', deleted: 'old ', near: 'the' });
    expect(text).toEqual({ inserted: [], near: 'the', deleted: ['old '] });
    const item = text as NonNullable<typeof text>;
    expect(applyTo('the old house', putBack('the old house', item) ?? [])).toBe('the house');
    expect(putBack('the old old house', item)).toBe(null);
    expect(putBack('the house', item)).toBe(null);
  });
});
