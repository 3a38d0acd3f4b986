import { describe, expect, it } from 'vitest';
import {
  allToDraw,
  inNamespaces,
  namespacesIn,
  operationsOf,
  withoutRow,
  withRow,
} from '../../src/model/workloads/choosing';
import type { WorkloadRow } from '../../src/protocol/types';

const row = (
  id: string,
  kind: WorkloadRow['kind'],
  namespace: string | null,
  more: Partial<WorkloadRow> = {},
) => ({ id, kind, namespace, title: id, needs: [], choices: [], ...more }) as unknown as WorkloadRow;
const does = (id: string, ...operations: object[]) => ({ id, title: id, operations }) as never;

const GROUP = { op: 'add_node', id: 'shop', type: 'group' };
const ROWS: WorkloadRow[] = [
  row('a', 'not_drawn', 'shop', { choices: [does('draw', GROUP, { op: 'add_node', id: 'a' })] }),
  row('b', 'not_drawn', 'pay', { choices: [does('draw', GROUP, { op: 'add_node', id: 'b' })] }),
  row('a→b', 'line_not_drawn', 'shop', {
    needs: ['a', 'b'],
    choices: [does('draw', { op: 'add_edge', source: 'a', target: 'b' })],
  }),
  row('a→c', 'line_not_drawn', 'shop', {
    needs: ['a'],
    choices: [does('draw', { op: 'add_edge', source: 'a', target: 'c' })],
  }),
  row('gone', 'not_running', null, {
    choices: [
      does('mark', { op: 'update_node', id: 'gone' }),
      does('delete', { op: 'delete_node', id: 'gone' }),
    ],
  }),
  row('locked', 'differs', 'shop'),
];
const of = (id: string) => ROWS.find((one) => one.id === id) as WorkloadRow;
const ids = (chosen: ReadonlyMap<string, string>) => [...chosen.keys()].sort();

describe('rows of what runs', () => {
  it('bring along what they need and the lines that they make possible, and go with them', () => {
    const one = withRow(new Map(), ROWS, of('a'));
    expect(ids(one)).toEqual(['a', 'a→c']);
    expect(ids(withRow(one, ROWS, of('b')))).toEqual(['a', 'a→b', 'a→c', 'b']);
    expect(ids(withRow(new Map(), ROWS, of('a→b')))).toEqual(['a', 'a→b', 'a→c', 'b']);
    expect(ids(withoutRow(allToDraw(ROWS), ROWS, of('a')))).toEqual(['b']);
    expect(ids(withRow(new Map(), ROWS, of('locked')))).toEqual([]);
  });

  it('become operations in their order, each once, without what needs a row that is not shown', () => {
    const chosen = withRow(allToDraw(ROWS), ROWS, of('gone'), of('gone').choices[1]);
    expect(operationsOf(ROWS, chosen).map((one) => Object.values(one).join(' '))).toEqual([
      'add_node shop group',
      'add_node a',
      'add_node b',
      'add_edge a b',
      'add_edge a c',
      'delete_node gone',
    ]);
    const shown = inNamespaces(ROWS, new Set(['pay']));
    expect(operationsOf(shown, chosen).map(({ op }) => op)).toEqual([
      'add_node',
      'add_node',
      'add_edge',
      'delete_node',
    ]);
  });

  it('are of namespaces that are written one after the other', () => {
    expect(namespacesIn(' Shop, pay;shop\nops ')).toEqual(['shop', 'pay', 'ops']);
    expect(namespacesIn('  ')).toEqual([]);
  });
});
