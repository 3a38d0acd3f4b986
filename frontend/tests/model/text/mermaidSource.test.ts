import { describe, expect, it } from 'vitest';
import { flowchartOf } from '../../../src/model/text/mermaidSource';

const CHART = 'flowchart LR\n  a --> b';

describe('a flowchart', () => {
  it.each([
    CHART,
    'flowchart LR',
    'graph TD;a-->b',
    'flowchart-elk TB\n  a',
    '%% drawn by hand\n\n%%{init: {}}%%\ngraph TD\n a-->b',
    '---\ntitle: x\n---\nflowchart TB\n a',
    '%%{init: {\n  "theme": "base"\n}}%%\n%% by hand\nflowchart TB\n a',
    'flowchart\n a',
  ])('is known by its first line: %j', (text) => expect(flowchartOf(text)).toBe(text));

  it.each(['```mermaid\n', '~~~mermaid\n', '````  Mermaid\n'])('is taken out of its block: %j', (fence) => {
    const end = fence.slice(0, fence.search(/[^`~]/));
    expect(flowchartOf(`\n${fence}${CHART}\n${end}\n`)).toBe(CHART);
  });

  it('has the line ends of the page', () => {
    expect(flowchartOf('\r\nflowchart LR\r\n  a --> b\r\n')).toBe(CHART);
  });

  it.each([
    '',
    'sequenceDiagram\n  A->>B: hi',
    'The flowchart LR\n  a',
    'flowcharts are nice',
    'graph-paper',
    `# Plan\n\n${CHART}`,
    `\`\`\`mermaid\n${CHART}`,
    `\`\`\`mermaid\n${CHART}\n\`\`\`\n\nand more`,
    `\`\`\`js\n${CHART}\n\`\`\``,
    '```mermaid',
    '%%{init: {\nflowchart LR\n  a --> b',
    `flowchart LR\n${'a\n'.repeat(500_000)}`,
  ])('is none: %#', (text) => expect(flowchartOf(text)).toBeNull());
});
