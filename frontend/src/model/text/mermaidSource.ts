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

const MAX_TITLE = 1_000;
const TITLE = /^(?:accDescr|accTitle|title)(?:\s*:)?\s+(\S.*)$/i;

/** A description for screen readers: its own title or description, else its kind. */
export function describeMermaid(source: string): string {
  const all = source.split('\n');
  const own = all.map((line) => TITLE.exec(line.trim().slice(0, MAX_TITLE))?.[1]).find(Boolean);
  const front = all[0] === '---' ? all.indexOf('---', 1) : -1;
  const lines = front < 0 ? all : all.slice(front + 1);
  const first = lines.find((line) => line.trim() && !line.trim().startsWith('%%')) ?? '';
  const word = /^([a-z]+)/i.exec(first.trimStart())?.[1]?.toLowerCase() ?? '';
  const kind = KINDS[word] ?? 'Diagram';
  return own ? `${kind}: ${own.trim()}` : `${kind}; its source follows`;
}

/** The longest source that is drawn, and the most lines between boxes; drawing holds the page meanwhile. */
export const MAX_SOURCE = 20_000;
export const MAX_EDGES = 300;

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
  return source.replace(/<[a-z][^<>]*>/gi, (element) =>
    HANDLER.test(element) ? `#lt;${element.slice(1, -1)}#gt;` : element,
  );
}

const HANDLER = /[\s/"']on[a-z]+\s*=/i;
