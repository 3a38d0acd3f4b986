/** Which charts of Mermaid the server reads. Flowcharts are drawn where they are pasted; all of them are imported. Pure. */
import { firstStatement, withoutFence } from './mermaidSource';

/** What their first statement begins with. */
export const CHART =
  /^(?:(?:flowchart|graph)(?:-elk|-v2)?|C4(?:Context|Container|Component|Dynamic|Deployment)|architecture(?:-beta)?|(?:class|state)Diagram(?:-v2)?|erDiagram|sequenceDiagram)(?:[\s;:]|$)/;
const MAX_CHARS = 1_000_000;

/** The source of a chart, where a text is one and nothing else: bare, or in a block of Markdown. Null for other texts. */
export function chartOf(text: string): string | null {
  if (text.length > MAX_CHARS) return null;
  const lines = withoutFence(text.replace(/\r\n?/g, '\n').trim().split('\n'));
  return CHART.test(firstStatement(lines).trimStart()) ? lines.join('\n') : null;
}
