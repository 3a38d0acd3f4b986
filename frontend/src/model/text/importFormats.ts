/**
 * Examines a file or pasted text before it is sent: its format, a suggested name, and obvious errors. Not here: parsing
 * Markdown and Mermaid, which the server does.
 */
import type { NewWorkspace } from '../../protocol/types';
import { CHART } from '../words/charts';
import { counted } from '../words/kinds';
import { firstStatement } from './mermaidSource';

export type ImportFormat = Exclude<NonNullable<NewWorkspace['import']>['format'], 'files'>;

export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  json: 'Draftsmith export (JSON)',
  markdown: 'Markdown',
  mermaid: 'Mermaid',
  text: 'Diagram as text',
  drawio: 'draw.io drawing',
};

/** A request carries no more than this. */
export const MAX_BYTES = 32_000_000;

/** The format of a text, or why it cannot be imported. */
export type Examined =
  | { isReadable: true; content: unknown; name: string; facts: string }
  | { isReadable: false; title: string; advice: string };

const FORMAT_OF_ENDING: Readonly<Record<string, ImportFormat>> = {
  json: 'json',
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mmd: 'mermaid',
  mermaid: 'mermaid',
  drawio: 'drawio',
  dio: 'drawio',
  xml: 'drawio',
  svg: 'drawio',
  png: 'drawio',
};

/** Any words could be lines of it, so it is told by this alone. */
const OWN_ENDING = /\.diagram\.txt$/i;

const DRAWING = /^<(\?xml|mxfile|mxGraphModel|!DOCTYPE svg|svg)\b/;
const OTHER_CHART =
  /^(gantt|pie|journey|gitGraph|mindmap|timeline|quadrantChart|requirementDiagram|sankey(-beta)?|xychart(-beta)?|block(-beta)?|packet(-beta)?|kanban|radar-beta|treemap-beta|zenuml)\b/;

const endingOf = (fileName: string): string => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';

/** Whether a file may be of one of these formats: by its extension, or for one that says nothing. */
export function hasKnownEnding(fileName: string): boolean {
  const ending = endingOf(fileName);
  return ending === '' || ending === 'txt' || Object.hasOwn(FORMAT_OF_ENDING, ending);
}

/** The format, from the file extension where it is a known one, else from the content. */
export function guessFormat(fileName: string, content: string): ImportFormat {
  if (OWN_ENDING.test(fileName)) return 'text';
  const format = FORMAT_OF_ENDING[endingOf(fileName)];
  if (format) return format;
  const head = content.replace(/^\uFEFF/, '').trimStart();
  if (/^[{[]/.test(head) && !/^\[[^\]\n]*\]\(/.test(head)) return 'json';
  if (DRAWING.test(head)) return 'drawio';
  const first = firstLine(content);
  return CHART.test(first) || OTHER_CHART.test(first) ? 'mermaid' : 'markdown';
}

/** Whether a file that ends as files of a format do is plainly of another tool, whose format the server may know. */
export function isOfAnotherTool(format: ImportFormat, content: string): boolean {
  if (format === 'drawio') return isOtherDrawing(content);
  if (format !== 'json') return false;
  try {
    const value: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !('format' in value);
  } catch {
    return false; // what is no JSON is told with its place
  }
}

const PNG = /^iVBORw0KGgo/;
/** What Excalidraw calls the scene that it puts into a picture. */
const SCENE = 'application/vnd.excalidraw+json';

function isOtherDrawing(content: string): boolean {
  if (!PNG.test(content)) return content.includes('<') && !/mxfile|mxGraphModel/.test(content);
  try {
    return atob(content).includes(SCENE);
  } catch {
    return false; // what is no base 64 is told when it is read
  }
}

export function examine(format: ImportFormat, content: string, fileName = ''): Examined {
  if (content.trim() === '')
    return bad('There is nothing in it', 'Choose another file, or paste the text you want to import.');
  if (content.includes('\u0000'))
    return bad(
      'This is not a text file',
      'Export it as JSON, Markdown, Mermaid or draw.io and choose that file.',
    );
  const bytes = new TextEncoder().encode(content).length;
  if (bytes > MAX_BYTES) return tooBig(bytes);
  if (format === 'json') return examineJson(content, fileName);
  if (format === 'mermaid') return examineMermaid(content, fileName);
  if (format === 'drawio') return examineDrawing(content, fileName);
  if (format === 'text') return examineText(content, fileName);
  const heading = firstHeading(content);
  return {
    isReadable: true,
    content,
    name: heading ?? baseOf(fileName),
    facts: `${counted(linesOf(content), 'line')} of Markdown. They become the document; the first Mermaid flowchart in them becomes the diagram, too.`,
  };
}

/** The title of the first top heading, without the marks that may close it. */
function firstHeading(content: string): string | undefined {
  const found = /^#[ \t]+(\S[^\n\r]*)$/m.exec(content)?.[1]?.slice(0, 1_000).trimEnd();
  return found?.replace(/(?<!#)#+$/, '').trimEnd() || found;
}

export function tooBig(bytes: number): Examined & { isReadable: false } {
  const size = `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  return bad(`It is too big: ${size}`, 'At most 32 MB can be imported at once.');
}

function examineJson(content: string, fileName: string): Examined {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    return bad('This is not valid JSON', `${placeOf(error, content)}Choose the file again or correct it.`);
  }
  const { format, name, diagram } = (typeof value === 'object' && value !== null ? value : {}) as Export;
  if (format !== 'draftsmith/1') {
    const found = typeof format === 'string' ? `Its “format” is “${format}”` : 'It has no “format”';
    return bad(
      'This JSON is not an export of Draftsmith',
      `${found}; an export has “draftsmith/1” there. In Draftsmith, choose Export, then JSON.`,
    );
  }
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  return {
    isReadable: true,
    content: value,
    name: typeof name === 'string' && name.trim() ? name.trim() : baseOf(fileName),
    facts: `${counted(count(diagram?.nodes), 'node')}, ${counted(count(diagram?.edges), 'connection')} and the document, just as they were.`,
  };
}

interface Export {
  format?: unknown;
  name?: unknown;
  diagram?: { nodes?: unknown; edges?: unknown };
}

function examineMermaid(content: string, fileName: string): Examined {
  const other = OTHER_CHART.exec(firstLine(content))?.[1];
  if (other)
    return bad(
      `This is a Mermaid ${other}`,
      'Flowcharts, C4, architecture, class, state, entity relationship and sequence diagrams can be read.',
    );
  return {
    isReadable: true,
    content,
    name: baseOf(fileName),
    facts: `${counted(linesOf(content), 'line')} of Mermaid. Nodes, groups, connections and their labels are taken over; what is not is listed.`,
  };
}

function examineDrawing(content: string, fileName: string): Examined {
  const pages = content.match(/(?:<|&lt;)diagram[\s/>]/g)?.length ?? 1;
  const kept = 'Shapes, groups, connections, colours and places are taken over; what is not is listed.';
  return {
    isReadable: true,
    content,
    name: baseOf(fileName).replace(/\.drawio$/i, ''),
    facts:
      pages > 1
        ? `${pages} pages: the first one now, and then a workspace for each of the others. ${kept}`
        : kept,
  };
}

function examineText(content: string, fileName: string): Examined {
  return {
    isReadable: true,
    content,
    name: baseOf(fileName).replace(/\.diagram$/i, ''),
    facts: `${counted(linesOf(content), 'line')}. Each is a node or a connection; those that are neither are listed.`,
  };
}

const bad = (title: string, advice: string) => ({ isReadable: false as const, title, advice });

const linesOf = (content: string): number => content.trimEnd().split(/\r\n|\r|\n/).length;

/** The first line of content: front matter, comments and directives of Mermaid are skipped. */
const firstLine = (content: string): string =>
  firstStatement(
    content
      .replaceAll('\uFEFF', '')
      .trimStart()
      .split(/\r\n|\r|\n/),
  );

const baseOf = (fileName: string): string =>
  fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .replace(/\.\w{1,8}$/, '');

/** The position of a parse error, if the message has one: browsers word it differently. */
function placeOf(error: unknown, content: string): string {
  const message = error instanceof Error ? error.message : '';
  const match = /line (\d+) column (\d+)/.exec(message);
  if (match) return `It breaks off at line ${match[1]}, column ${match[2]}. `;
  const position = /position (\d+)/.exec(message)?.[1];
  if (!position) return '';
  const before = content.slice(0, Number(position)).split('\n');
  return `It breaks off at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}. `;
}

/** `/import/content/diagram/nodes/3/type` with 1-based numbers: "node 4, type". */
export function placeInWords(path: string): string {
  const parts = path.split('/').filter((part) => part && part !== 'import' && part !== 'content');
  const words: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as string;
    const next = parts[at + 1] ?? '';
    if (part === 'diagram' && parts.length > at + 1) continue;
    if ((part === 'nodes' || part === 'edges') && /^\d+$/.test(next)) {
      words.push(`${part === 'nodes' ? 'node' : 'connection'} ${Number(next) + 1}`);
      at += 1;
    } else words.push(part.replaceAll('_', ' '));
  }
  return words.join(', ');
}

/** A line or a shape that was not imported: its number or id, the reason, and its text. */
export function unreadOf(message: string): { place: string; reason: string; text: string } {
  const place = /^(Line \d+|Shape [^\n]{1,64}?) was not taken over: /.exec(message);
  const rest = message.slice(place?.[0].length ?? 0);
  const quoteAt = rest.endsWith('”') ? rest.indexOf('. “') : -1;
  if (!place || (quoteAt < 0 && !rest.endsWith('.'))) return { place: '', reason: message, text: '' };
  const reason = quoteAt < 0 ? rest.slice(0, -1) : rest.slice(0, quoteAt);
  return { place: place[1] ?? '', reason, text: quoteAt < 0 ? '' : rest.slice(quoteAt + 3, -1) };
}

/** A name for a file that is valid on any system. */
export function fileNameOf(name: string, ending: string): string {
  const clean = name
    .normalize('NFC')
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
    .slice(0, 100);
  return `${clean || 'workspace'}.${ending}`;
}
