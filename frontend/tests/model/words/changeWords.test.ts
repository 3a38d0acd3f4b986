import { describe, expect, it } from 'vitest';
import { leftOutTargets, leftOutWords } from '../../../src/model/history/leftOut';
import { changeLines, textChanges, titleOf } from '../../../src/model/words/changeWords';
import type { Diff } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const NOTHING: Diff = {
  nodes: { added: [], changed: [], removed: [] },
  edges: { added: [], changed: [], removed: [] },
  document: [],
  workspace: {},
};
const LABELS: Record<string, string> = { orders: 'Orders', shop: 'Shop', data: 'Data' };
const NAMES = {
  node: (id: string) => LABELS[id] ?? null,
  ends: (id: string) => (id === 'e' ? (['shop', 'orders'] as const) : null),
  type: () => null,
};
const said = (diff: Partial<Diff>) =>
  changeLines({ ...NOTHING, ...diff }, NAMES).map(({ sign, what, how }) =>
    [sign, what, how].filter(Boolean).join(' '),
  );
const changed = (fields: Record<string, [unknown, unknown]>) => ({
  nodes: { added: [], changed: [{ id: 'orders', fields }], removed: [] },
});

describe('what a commit changed', () => {
  it('names what came, changed and went', () => {
    const diff = {
      nodes: {
        added: [node('new', { label: 'Cache', type: 'cache' })],
        changed: [],
        removed: ['orders', 'unknown'],
      },
      edges: {
        added: [edge('shop', 'orders', { label: 'places' })],
        changed: [{ id: 'e', fields: { kind: ['sync', 'async'] } }],
        removed: ['e'],
      },
      workspace: { name: ['A', 'B'] },
    };
    expect(said(diff as Partial<Diff>)).toEqual([
      '+ Cache Cache',
      '+ Shop → Orders “places”',
      'Δ Shop → Orders kind: “sync” → “async”',
      '− Orders',
      '− unknown',
      '− Shop → Orders',
      'Δ Name of the workspace “A” → “B”',
    ]);
  });

  it('says what became of each field', () => {
    expect(said(changed({ label: ['Orders', 'Shop'], technology: ['', 'Go'] }))).toEqual([
      'Δ Orders name: “Orders” → “Shop”, technology: none → “Go”',
    ]);
    const [one, other] = ['a', 'b'].map((letter) => `images/${letter.repeat(64)}.png`);
    expect(said(changed({ image: ['', one] }))).toEqual(['Δ Orders image added']);
    expect(said(changed({ image: [one, other] }))).toEqual(['Δ Orders image replaced']);
    expect(said(changed({ image: [other, ''] }))).toEqual(['Δ Orders image removed']);
    expect(said(changed({ position: [{}, {}] }))).toEqual(['Δ Orders moved']);
    expect(said(changed({ parent: [null, 'data'], position: [{}, {}] }))).toEqual(['Δ Orders into “Data”']);
    expect(said(changed({ parent: ['data', null] }))).toEqual(['Δ Orders out of “Data”']);
    expect(said(changed({ locked: [false, true], 'properties.team': ['x', null] }))).toEqual([
      'Δ Orders locked, property team: “x” → none',
    ]);
  });

  it('shows where in the document', () => {
    const document = [{ section: '# Plan ## Risks', from_line: 4, to_line: 4, old: 'No', new: 'Few' }];
    expect(textChanges({ ...NOTHING, document })).toEqual([
      { section: 'Risks', line: 4, old: 'No', now: 'Few' },
    ]);
    expect([titleOf('# Plan'), titleOf('# C # and F ## Goals'), titleOf('')]).toEqual(['Plan', 'Goals', '']);
  });
});

describe('what was left out', () => {
  const left = [
    { what: 'label of “Orders”', why: 'it has been changed since', ids: ['orders'] },
    { what: 'label of ‘e’', why: 'it has been changed since', ids: ['e', 'gone'] },
    { what: 'a change of the document', why: 'that text has been changed since' },
  ];
  it('is said with its reasons, and counted where it is much', () => {
    expect(leftOutWords(left.slice(0, 1))).toBe('label of “Orders” (it has been changed since)');
    expect(leftOutWords([...left, ...left])).toMatch(/; 2 more$/);
  });

  it('is found, as far as it is there', () => {
    const edges = new Map([['e', { source: 'shop', target: 'orders' }]]);
    expect(leftOutTargets(left, { nodes: new Set(['orders', 'shop']), edges })).toEqual({
      nodes: ['orders'],
      edges: ['e'],
      sight: ['orders', 'shop'],
    });
  });
});
