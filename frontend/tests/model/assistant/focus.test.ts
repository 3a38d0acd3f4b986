/** What is selected becomes chips and a hint; the open diagram becomes sentences to begin with. */
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../../src/model/assistant/examples';
import { focusChips, focusOf } from '../../../src/model/assistant/focus';
import type { Diagram } from '../../../src/protocol/types';

const node = (id: string, label: string, type = 'service') => ({ id, label, type });
const edge = (id: string, source: string, target: string) => ({ id, source, target });
const diagram = {
  nodes: [
    node('o', 'Orders'),
    node('c', 'Cart'),
    node('p', 'Prices and taxes'),
    node('d', 'Orders DB', 'database'),
  ],
  edges: [edge('e', 'o', 'd'), edge('f', 'c', 'o'), edge('g', 'p', 'o')],
} as unknown as Diagram;
const TEXT = '# Checkout\n\nIntro.\n\n## Decisions\n\nWe take cards.\n';
const selected = (
  nodes: string[] = [],
  edges: string[] = [],
  passage: [number, number, string] | null = null,
) =>
  focusChips({
    diagram,
    document: TEXT,
    nodes: new Set(nodes),
    edges: new Set(edges),
    passage: passage && { from: passage[0], to: passage[1], text: passage[2] },
  });

describe('what is selected while one asks', () => {
  it('is named: one by its name, several with their number', () => {
    expect(selected(['o'])[0]?.words).toBe('Orders');
    expect(selected(['o', 'c', 'd'])[0]?.words).toBe('3 nodes: Orders, Cart, …');
    expect(selected([], ['e'])[0]?.words).toBe('Orders → Orders DB');
  });

  it('passes over what is no longer there', () => {
    expect(selected(['gone'])).toEqual([]);
  });

  it('is the selected text where it stands now, also if it has moved', () => {
    const at = TEXT.indexOf('We take');
    const [chip] = selected([], [], [at - 5, at + 2, 'We take']);
    expect(chip).toMatchObject({ words: 'Text: “We take”', focus: { range: { from: at, to: at + 7 } } });
    expect(selected([], [], [0, 4, 'gone'])).toEqual([]);
  });

  it('is the section of the caret where no text is selected', () => {
    const [chip] = selected([], [], [TEXT.length - 2, TEXT.length - 2, '']);
    expect(chip).toMatchObject({
      kind: 'section',
      words: 'Section: Decisions',
      focus: { section: 'Decisions' },
    });
  });

  it('is told as one hint, and not at all where everything was taken away', () => {
    expect(focusOf(selected(['o'], ['e']))).toEqual({ nodes: ['o'], edges: ['e'] });
    expect(focusOf([])).toBeNull();
  });
});

describe('sentences to begin with', () => {
  it('are about what is in the diagram', () => {
    const { edit, ask } = examplesOf(diagram);
    expect(edit).toContain('put a cache between Orders and Orders DB');
    expect(ask).toContain('what breaks if Orders fails');
  });

  it('put names into quotes that a command would read as its own words', () => {
    const { edit } = examplesOf({ ...diagram, edges: diagram.edges.filter(({ id }) => id === 'g') });
    expect(edit).toContain('put a cache between "Prices and taxes" and Orders');
  });

  it('add the first nodes where there are none', () => {
    const { edit, ask } = examplesOf({ nodes: [], edges: [] });
    expect(edit[0]).toMatch(/^add /);
    expect(ask).toEqual([]);
  });
});
