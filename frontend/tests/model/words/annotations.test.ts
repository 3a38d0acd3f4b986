/** What is written on notes, and texts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeNode } from '../../../src/model/drawing/ariaLabels';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { skeletonOf } from '../../../src/model/text/skeleton';
import { splitText, writtenOn } from '../../../src/model/words/annotations';
import { searchNodes } from '../../../src/model/words/search';
import { node } from '../../builders';

interface Case {
  text: string;
  label: string;
  description: string;
}
const CASES = JSON.parse(readFileSync('../tests/fixtures/annotations.json', 'utf8')) as Case[];

describe('what is written on a note', () => {
  it.each(CASES)(
    'is its name and the rest, as the server splits it: $text',
    ({ text, label, description }) => {
      expect(splitText(text)).toEqual({ label, description });
      expect(splitText(writtenOn({ label, description }))).toEqual({ label, description });
    },
  );

  const nodes = [
    node('orders', { label: 'Orders', description: 'Takes the bank into account' }),
    node('ask', { type: 'note', label: 'Open question', description: 'Which bank?' }),
    node('head', { type: 'text', label: 'Planned' }),
  ];

  it('is found by all of its words, and is spoken whole', () => {
    expect(searchNodes(nodes, 'bank').map(({ id }) => id)).toEqual(['ask']);
    const words = drawingOf({ nodes, edges: [] }).nodes.map((drawn) =>
      describeNode(drawn, { at: 1, count: 3 }),
    );
    expect(words).toEqual([
      'Orders, Service, 1 of 3, 0 connections',
      'Open question, Note, Which bank?, 1 of 3, 0 connections',
      'Planned, Text, 1 of 3, 0 connections',
    ]);
  });

  it('is no component of a new document', () => {
    expect(skeletonOf('Shop', nodes)).toContain('#node/orders');
    expect(skeletonOf('Shop', nodes)).not.toMatch(/#node\/(ask|head)/);
  });
});
