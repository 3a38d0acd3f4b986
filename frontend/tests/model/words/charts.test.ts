import { describe, expect, it } from 'vitest';
import { flowchartOf } from '../../../src/model/text/mermaidSource';
import { CHART } from '../../../src/model/words/charts';

describe('a chart', () => {
  it.each([
    'sequenceDiagram\n  A->>B: hi',
    'C4Context\n  Person(a, "A")',
    'architecture-beta\n  group api',
    'classDiagram-v2\n  class A',
    'stateDiagram-v2\n  a --> b',
    'erDiagram\n  A ||--|| B : has',
    '%% drawn by hand\ngraph TD;a-->b',
    '%%{init: {\n  "theme": "base"\n}}%%\n%% by hand\nC4Context\n  Person(a, "A")',
  ])('is known by its first statement: %j', (text) => expect(flowchartOf(text, CHART)).toBe(text));

  it('is taken out of its block', () => {
    expect(flowchartOf('```mermaid\nerDiagram\n  A\n```\n', CHART)).toBe('erDiagram\n  A');
  });

  it.each([
    '',
    'gantt\n  title Plan',
    'pie',
    'Words about a sequenceDiagram',
    'C4ContextOf\n',
    `erDiagram\n${'a\n'.repeat(500_000)}`,
  ])('is none: %#', (text) => expect(flowchartOf(text, CHART)).toBeNull());
});
