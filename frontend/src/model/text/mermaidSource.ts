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
  const word = /^([a-z]+)/i.exec(firstStatement(all))?.[1]?.toLowerCase() ?? '';
  const kind = KINDS[word] ?? 'Diagram';
  return own ? `${kind}: ${own.trim()}` : `${kind}; its source follows`;
}

/** The first line behind front matter, comments and directives, without the blanks around it; empty where there is none. */
export function firstStatement(all: readonly string[]): string {
  const lines = all.map((line) => line.trim());
  const front = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let isDirective = false;
  const isStatement = (line: string): boolean => {
    isDirective ||= line.startsWith('%%{');
    const isLeftOut = isDirective || !line || line.startsWith('%%');
    isDirective &&= !line.includes('}%%');
    return !isLeftOut;
  };
  return lines.slice(front + 1).find(isStatement) ?? '';
}

/** As many characters as the server reads. */
const MAX_FLOWCHART = 1_000_000;
const FLOWCHART = /^(?:flowchart|graph)(?:-elk|-v2)?(?:[\s;]|$)/;
const FENCE = /^(`{3,}|~{3,}) *mermaid$/i;

/**
 * The source of a flowchart, where a text is one and nothing else: bare, or in a block of Markdown. Null for other texts. How
 * much of it can be read the server says. `first`: what the first statement begins with, of other charts (`words/charts`).
 */
export function flowchartOf(text: string, first = FLOWCHART): string | null {
  if (text.length > MAX_FLOWCHART) return null;
  const lines = withoutFence(text.replace(/\r\n?/g, '\n').trim().split('\n'));
  return first.test(firstStatement(lines)) ? lines.join('\n') : null;
}

function withoutFence(lines: string[]): string[] {
  const fence = FENCE.exec(lines[0]?.trim() ?? '')?.[1];
  return fence !== undefined && lines.at(-1)?.trim() === fence ? lines.slice(1, -1) : lines;
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
