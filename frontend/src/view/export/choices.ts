/** What can be exported, in which formats. Not here: making the files (`contents.ts`). */
import type { Theme } from '../../model/export/palette';
import type { ExportFormat } from '../../protocol/api';
import type { Diagram } from '../../protocol/types';
import type { Selection } from '../context/uiState';

export type What = 'diagram' | 'selection' | 'document' | 'both';
export type Format = ExportFormat | 'svg' | 'png' | 'html';

/** The exported or printed state. */
export interface Source {
  /** Its id, by which images are found. */
  workspace: string;
  diagram: Diagram;
  text: string;
  name: string;
  revision: number;
  /** Whether it contains changes that the server does not have yet. */
  isUnsaved: boolean;
  /** Whether it is the newest; only that can be exported by the server. */
  isNewest: boolean;
}

/** What of a state is wanted. */
export interface Chosen {
  what: What;
  selection: Selection;
}

export const WHOLE: Chosen = { what: 'both', selection: { nodes: new Set(), edges: new Set() } };

export interface Look {
  theme: Theme;
  isTransparent: boolean;
}

export const FORMATS: Readonly<Record<What, readonly Format[]>> = {
  diagram: ['svg', 'png', 'mermaid', 'drawio', 'dot', 'structurizr', 'text'],
  selection: ['svg', 'png'],
  document: ['markdown', 'html'],
  both: ['html', 'json', 'zip'],
};

interface FormatFacts {
  name: string;
  /** Its purpose, as the end of a line that begins with its name. */
  use: string;
  ending: string;
  mime: string;
}

export const FORMAT_FACTS: Readonly<Record<Format, FormatFacts>> = {
  svg: { name: 'SVG', use: 'Sharp at every size', ending: 'svg', mime: 'image/svg+xml' },
  png: { name: 'PNG', use: 'A picture for slides and chats', ending: 'png', mime: 'image/png' },
  mermaid: { name: 'Mermaid', use: 'For README files and wikis', ending: 'mmd', mime: 'text/vnd.mermaid' },
  drawio: {
    name: 'draw.io',
    use: 'To be drawn on there, and imported again',
    ending: 'drawio',
    mime: 'application/vnd.jgraph.mxfile',
  },
  dot: {
    name: 'DOT',
    use: 'For Graphviz and what reads its language',
    ending: 'dot',
    mime: 'text/vnd.graphviz',
  },
  structurizr: {
    name: 'Structurizr',
    use: 'A C4 model as text, without places',
    ending: 'dsl',
    mime: 'text/plain',
  },
  text: {
    name: 'Text',
    use: 'A line for each node and connection, to be read, compared and imported again',
    ending: 'diagram.txt',
    mime: 'text/plain',
  },
  markdown: { name: 'Markdown', use: 'The document as it is written', ending: 'md', mime: 'text/markdown' },
  html: { name: 'HTML page', use: 'One file that every browser opens', ending: 'html', mime: 'text/html' },
  zip: {
    name: 'ZIP archive',
    use: 'Everything as files: all formats, a picture, images',
    ending: 'zip',
    mime: 'application/zip',
  },
  json: { name: 'JSON', use: 'Everything, to be imported again', ending: 'json', mime: 'application/json' },
};

/** Made by the server alone, from stored data. */
export type ServerFormat = Exclude<ExportFormat, 'markdown' | 'text' | 'zip'>;

const FROM_SERVER: ReadonlySet<Format> = new Set<ServerFormat>([
  'mermaid',
  'drawio',
  'dot',
  'structurizr',
  'json',
]);

export const isFromServer = (format: Format): format is ServerFormat => FROM_SERVER.has(format);

export const isPicture = (format: Format): format is 'svg' | 'png' => format === 'svg' || format === 'png';
