import { describe, expect, it } from 'vitest';
import {
  operationsOf,
  rowsOf,
  tickedAtFirst,
  withoutRow,
  withRow,
} from '../../../src/model/imports/choosing';
import type { ImportRow, OpenImport } from '../../../src/protocol/imports';

const row = (id: string, needs: string[] = [], operations: unknown[] = [{ op: id }]): ImportRow => ({
  id,
  of: 'node',
  element: id,
  title: id,
  by: null,
  differences: [],
  reason: '',
  needs,
  operations: operations as ImportRow['operations'],
});

const found: OpenImport = {
  revision: 3,
  reader: 'drawio',
  title: 'draw.io drawing',
  part: 1,
  parts: ['Shop'],
  new: [row('zone'), row('web', ['zone']), row('edge', ['web'])],
  changed: [row('orders'), row('locked', [], [])],
  missing: [row('old')],
  unchanged: 0,
  unread: [],
  unrecognized: [],
};

describe('rows of an import', () => {
  const first = tickedAtFirst(found);

  it('are ticked where they are new or changed, and never where they are gone or cannot be', () => {
    expect([...first]).toEqual(['zone', 'web', 'edge', 'orders']);
  });

  it('go with what needs them, and come with what they need', () => {
    const rows = rowsOf(found);
    const without = withoutRow(first, rows, rows[0] as ImportRow);
    expect([...without]).toEqual(['orders']);
    expect([...withRow(without, rows, rows[2] as ImportRow)].sort()).toEqual([
      'edge',
      'orders',
      'web',
      'zone',
    ]);
  });

  it('give their operations in the order of the lists', () => {
    const all = withRow(first, rowsOf(found), row('old'));
    expect(operationsOf(found, all)).toEqual(['zone', 'web', 'edge', 'orders', 'old'].map((op) => ({ op })));
    expect(operationsOf(found, new Set())).toEqual([]);
  });
});
