import { describe, expect, it } from 'vitest';
import { nameFinder } from '../../../src/model/text/nodeNames';

const node = (id: string, label: string) => ({ id, label });
const named = (nodes: { id: string; label: string }[], text: string) =>
  (nameFinder(nodes)?.(text) ?? []).filter(({ id }) => id !== null).map(({ text: words, id }) => [words, id]);

describe('names of nodes in a text', () => {
  it('are found whole, the longest first', () => {
    const nodes = [node('o', 'Orders'), node('db', 'Orders database')];
    expect(named(nodes, "'Orders database' serves Orders, not Ordersome.")).toEqual([
      ['Orders database', 'db'],
      ['Orders', 'o'],
    ]);
  });

  it('leave every other letter as it is', () => {
    const find = nameFinder([node('o', 'Orders')]);
    expect(find?.('a Orders b').map(({ text }) => text)).toEqual(['a ', 'Orders', ' b']);
  });

  it('are none where two nodes have them, or where they are too short to be told from words', () => {
    expect(named([node('a', 'Cache'), node('b', 'Cache'), node('c', 'it')], 'Cache it')).toEqual([]);
  });

  it('may hold any sign', () => {
    expect(named([node('c', 'C++ (core) [x]')], 'See C++ (core) [x]!')).toEqual([['C++ (core) [x]', 'c']]);
  });
});
