/** Properties of a Mermaid diagram that can be read from its source. Pure. */

const KINDS: Readonly<Record<string, string>> = {
  flowchart: 'Flowchart',
  graph: 'Flowchart',
  sequencediagram: 'Sequence diagram',
  classdiagram: 'Class diagram',
  statediagram: 'State diagram',
  erdiagram: 'Entity relationship diagram',
  gantt: 'Gantt chart',
  pie: 'Pie chart',
  journey: 'User journey',
  gitgraph: 'Git graph',
  mindmap: 'Mind map',
  timeline: 'Timeline',
};

/** A description for screen readers: its own title or description, else its kind. */
export function describeMermaid(source: string): string {
  const own = /^\s*(?:accDescr|accTitle|title)\s*:?\s+(.+)$/im.exec(source)?.[1];
  const lines = source.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n');
  const first = lines.find((line) => line.trim() && !line.trim().startsWith('%%')) ?? '';
  const word = /^\s*([a-z]+)/i.exec(first)?.[1]?.toLowerCase() ?? '';
  const kind = KINDS[word] ?? 'Diagram';
  return own ? `${kind}: ${own.trim()}` : `${kind}; its source follows`;
}

/** The first line of an error message, in a form that fits into a sentence. */
export function mermaidReason(message: string): string {
  const line = /line (\d+)/i.exec(message)?.[1];
  const lines = message
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);
  const expected = lines.find((one) => /^Expecting/i.test(one));
  if (!line) return (lines[0] ?? 'it could not be read').slice(0, 200);
  const got = /got '([^']+)'/.exec(expected ?? '')?.[1];
  return `line ${line} could not be read${got ? ` (unexpected “${got}”)` : ''}`;
}

/**
 * The source with HTML elements that have event handlers turned into text.
 *
 * Mermaid removes them as well, but only after its page has parsed, and its policy refused, the handlers.
 */
export function withoutHandlers(source: string): string {
  return source.replace(/<([a-z][^<>]*[\s/"']on[a-z]+\s*=[^<>]*)>/gi, '#lt;$1#gt;');
}
