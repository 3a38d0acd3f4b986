/**
 * Bounds on the highlighting of Markdown in the editor. The parser looks back over all open marks of a paragraph at each
 * mark, and over all blanks at each blank, which takes minutes in a paragraph of a hundred thousand marks; it is not
 * interrupted within one. What is past a bound is edited as any other text, without colours.
 */

/** A paragraph, heading or cell with more characters, or with more marks, is not highlighted inside. */
export const MAX_INLINE_CHARS = 10_000;
export const MAX_INLINE_MARKS = 1_000;
/** A longer one counts as several. */
const MAX_PARAGRAPH_CHARS = 100_000;
const MAX_REFERENCE_CHARS = 4_000;
/** Quotes and lists nested deeper are not told apart. */
export const MAX_DEPTH = 50;

interface InlineContext {
  text: string;
  offset: number;
  end: number;
}

interface BlockContext {
  depth: number;
  lineStart: number;
  nextLine(): boolean;
  addElement(element: unknown): void;
  elt(type: string, from: number, to: number): unknown;
}

interface Leaf {
  content: string;
}

/** Decided at the first line: the text of a paragraph is put together anew where it is looked at. */
const limits = new WeakMap<Leaf, number>();

const MARKS = new Set([...'*_~`[]<!\\$'].map((mark) => mark.charCodeAt(0)));

/** Whether a text is too much to look for marks in. */
export function isTooMuch(text: string): boolean {
  if (text.length > MAX_INLINE_CHARS) return true;
  let marks = 0;
  for (let at = 0; at < text.length; at++) if (MARKS.has(text.charCodeAt(at))) marks++;
  return marks > MAX_INLINE_MARKS;
}

export const boundedMarkdown = {
  parseInline: [
    {
      name: 'TooMuch',
      before: 'Escape',
      parse({ text, offset, end }: InlineContext, _next: number, at: number): number {
        return at === offset && isTooMuch(text) ? end : -1;
      },
    },
  ],
  parseBlock: [
    {
      name: 'TooDeep',
      before: 'LinkReference',
      parse(context: BlockContext, line: { text: string; pos: number }): boolean {
        if (context.depth < MAX_DEPTH || line.pos >= line.text.length) return false;
        const { lineStart } = context;
        context.addElement(context.elt('Paragraph', lineStart + line.pos, lineStart + line.text.length));
        context.nextLine();
        return true;
      },
      // A paragraph is parsed in one go, and one that may be a reference is read again with each of its lines.
      endLeaf(_context: unknown, _line: unknown, leaf: Leaf): boolean {
        let most = limits.get(leaf);
        if (most === undefined) {
          most = leaf.content.startsWith('[') ? MAX_REFERENCE_CHARS : MAX_PARAGRAPH_CHARS;
          limits.set(leaf, most);
        }
        return leaf.content.length > most;
      },
    },
  ],
};
