/** Markdown as code hosts write it, with maths and folding of sections. Not here: its theme, and its bounds (`parserBounds.ts`). */
import { markdownLanguage } from '@codemirror/lang-markdown';
import { foldNodeProp, foldService, Language, syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { styleTags, tags } from '@lezer/highlight';
import { mathsAt } from '../../../model/text/syntax/mathsInLine';
import { nestedCode } from '../../code/nestedCode';
import { boundedMarkdown } from './parserBounds';

interface InlineContext {
  text: string;
  offset: number;
  elt(type: string, from: number, to: number): unknown;
  addElement(element: unknown): number;
}

/** Maths in the syntax tree, where Read finds it: what stands in it is no Markdown. */
export const mathsSyntax = {
  defineNodes: ['Maths'],
  parseInline: [
    {
      name: 'Maths',
      before: 'Escape',
      parse(context: InlineContext, _next: number, at: number): number {
        const found = mathsAt(context.text, at - context.offset, context);
        return found ? context.addElement(context.elt('Maths', at, context.offset + found.to)) : -1;
      },
    },
  ],
};

interface Configurable {
  configure(spec: unknown): typeof markdownLanguage.parser & Configurable;
}

const noFold = () => null;

// Only what the preview renders is highlighted; sections, code and quotes fold, paragraphs do not.
const parser = (markdownLanguage.parser as unknown as Configurable).configure([
  boundedMarkdown,
  mathsSyntax,
  {
    remove: ['Subscript', 'Superscript', 'Emoji'],
    props: [
      styleTags({ 'FencedCode/CodeText CodeBlock/CodeText': tags.literal }),
      foldNodeProp.add({ Paragraph: noFold, Table: noFold, HTMLBlock: noFold, LinkReference: noFold }),
    ],
  },
  nestedCode,
]);

/** Elements within lines, as in a cell of a table. */
export const inlineParser = parser.configure({
  remove: [
    ...[
      'LinkReference',
      'IndentedCode',
      'FencedCode',
      'Blockquote',
      'HorizontalRule',
      'BulletList',
      'OrderedList',
    ],
    ...['ATXHeading', 'HTMLBlock', 'SetextHeading', 'Table', 'TaskList'],
  ],
}) as unknown as typeof markdownLanguage.parser & InlineParser;

export interface InlineParser {
  nodeSet: { types: readonly { name: string }[] };
  parseInline(text: string, offset: number): InlineElement[];
}

/** An element of the parser within a line. */
export interface InlineElement {
  /** The id of its node type. */
  type: number;
  from: number;
  to: number;
  children: readonly InlineElement[];
}

/** The language of a cell of a table. */
export const cellLanguage = (): Extension =>
  new Language(markdownLanguage.data, inlineParser, [], 'markdown').extension;

export const documentLanguage = (): Extension => [
  new Language(markdownLanguage.data, parser, [], 'markdown').extension,
  foldService.of(sectionAt),
];

/** The folded range of a heading: up to the next one of its level or above. */
function sectionAt(state: EditorState, start: number, end: number): { from: number; to: number } | null {
  let node = syntaxTree(state).resolveInner(end, -1);
  while (node.parent && levelOf(node.name) === 0) node = node.parent;
  const level = levelOf(node.name);
  if (level === 0 || node.from < start) return null;
  let last = node;
  for (let next = node.nextSibling; next; next = next.nextSibling) {
    const other = levelOf(next.name);
    if (other > 0 && other <= level) break;
    last = next;
  }
  return last.to > end ? { from: end, to: last.to } : null;
}

const levelOf = (name: string): number => Number(/^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1] ?? 0);
