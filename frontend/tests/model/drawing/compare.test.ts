import { describe, expect, it } from 'vitest';
import { compareDiagrams, countMarks } from '../../../src/model/drawing/compare';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const diagram = (nodes: Diagram['nodes'], edges: Diagram['edges'] = []): Diagram => ({ nodes, edges });
const entries = (marks: ReadonlyMap<string, string>) => Object.fromEntries(marks);

describe('two diagrams as one', () => {
  it('shows what is there with what is gone, each marked', () => {
    const from = diagram([node('a'), node('b'), node('gone')], [edge('a', 'b'), edge('a', 'gone')]);
    const to = diagram(
      [node('a'), { ...node('b'), label: 'Other' }, node('new')],
      [edge('a', 'b'), edge('b', 'new')],
    );
    const { diagram: shown, marks } = compareDiagrams(from, to);
    expect(shown.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'new', 'gone']);
    expect(entries(marks.nodes)).toEqual({ b: 'changed', new: 'added', gone: 'removed' });
    expect(entries(marks.edges)).toEqual({ 'b--new': 'added', 'a--gone': 'removed' });
    expect(countMarks(marks)).toEqual({ added: 2, changed: 1, removed: 2 });
  });

  it('marks nothing between equal states, also where they are other objects', () => {
    const one = diagram([node('a'), node('b')], [edge('a', 'b')]);
    const { marks } = compareDiagrams(one, structuredClone(one));
    expect([...marks.nodes, ...marks.edges]).toEqual([]);
  });

  it('takes another look for a change', () => {
    const from = diagram([node('a'), node('b')], [edge('a', 'b')]);
    const to = diagram([node('a', { style: 'dashed' }), node('b')], [edge('a', 'b', { color: 'red' })]);
    const { marks } = compareDiagrams(from, to);
    expect(entries(marks.nodes)).toEqual({ a: 'changed' });
    expect(entries(marks.edges)).toEqual({ 'a--b': 'changed' });
    const curved = diagram([node('a'), node('b')], [edge('a', 'b', { shape: 'curved' })]);
    expect(entries(compareDiagrams(from, curved).marks.edges)).toEqual({ 'a--b': 'changed' });
  });

  it('takes a move for a change and a dropped route for none', () => {
    const from = diagram([node('a'), node('b')], [{ ...edge('a', 'b'), route: [{ x: 1, y: 2 }] }]);
    const to = diagram([{ ...node('a'), position: { x: 500, y: 0 } }, node('b')], [edge('a', 'b')]);
    const { marks } = compareDiagrams(from, to);
    expect(entries(marks.nodes)).toEqual({ a: 'changed' });
    expect(marks.edges.size).toBe(0);
  });

  it('lets what is gone out of a group that is no group any more', () => {
    const from = diagram([node('g', { type: 'group' }), node('in', { parent: 'g' })]);
    const to = diagram([node('g', { type: 'service' })]);
    const { diagram: shown } = compareDiagrams(from, to);
    expect(shown.nodes.find(({ id }) => id === 'in')?.parent).toBeNull();
  });

  it('keeps what is gone with its group in it', () => {
    const from = diagram([node('g', { type: 'group' }), node('in', { parent: 'g' })]);
    const { diagram: shown, marks } = compareDiagrams(from, diagram([]));
    expect(shown.nodes.find(({ id }) => id === 'in')?.parent).toBe('g');
    expect(marks.nodes.get('g')).toBe('removed');
  });
});
