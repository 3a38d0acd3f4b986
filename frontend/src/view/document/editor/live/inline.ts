/**
 * The look of Markdown in live preview within lines: marks are hidden outside of what is revealed, lists, quotes and code
 * are set as they are read. Only what is in sight is decorated. While an input method composes, decorations only move
 * along. Not here: tables and other whole blocks (`blocks.ts`), which marks are shown (`revealed.ts`), colours
 * (`markdownLook.ts`).
 */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Facet, type Line, type Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  type WidgetType,
} from '@codemirror/view';
import { linkedNode } from '../../../../model/text/nodeLink';
import { linkTargets } from '../partState';
import { isBlockShown } from './blocks';
import { isRevealed, isRevealedAnew } from './revealed';
import type { SyntaxNode, SyntaxNodeRef } from './syntax';
import { Bullet, Checkbox, NodeIcon, Rule } from './widgets';

/** Collects the decorations of a range that is in sight. */
export class Painter {
  readonly ranges: Range<Decoration>[] = [];

  constructor(
    readonly state: EditorState,
    readonly from: number,
    readonly to: number,
  ) {}

  /** Nothing where it goes on in another line: a plugin of the view may not replace line breaks. */
  hide(from: number, to: number): void {
    if (from < to && this.isInLine(from, to)) this.ranges.push(hidden.range(from, to));
  }

  /** Nothing where it goes on in another line. */
  replace(from: number, to: number, widget: WidgetType): void {
    if (this.isInLine(from, to)) this.ranges.push(Decoration.replace({ widget }).range(from, to));
  }

  behind(at: number, widget: WidgetType): void {
    this.ranges.push(Decoration.widget({ widget, side: 1 }).range(at));
  }

  mark(from: number, to: number, mark: Decoration): void {
    if (from < to) this.ranges.push(mark.range(from, to));
  }

  line(from: number, line: Decoration): void {
    this.ranges.push(line.range(from));
  }

  text(from: number, to: number): string {
    return this.state.sliceDoc(from, to);
  }

  isRevealed({ from, to }: { from: number; to: number }): boolean {
    return isRevealed(this.state, from, to);
  }

  isInLine(from: number, to: number): boolean {
    return to <= this.state.doc.lineAt(from).to;
  }

  /** The lines of a range that are in sight. */
  linesOf({ from, to }: { from: number; to: number }): Line[] {
    const { doc } = this.state;
    const lines: Line[] = [];
    const last = Math.min(to, this.to);
    for (let at = Math.max(from, this.from); at <= last; ) {
      const line = doc.lineAt(at);
      lines.push(line);
      at = line.to + 1;
    }
    return lines;
  }
}

const hidden = Decoration.replace({});
const classed = (name: string) => Decoration.mark({ class: name });
const lineOf = (name: string) => Decoration.line({ class: name });

type Paint = (painter: Painter, node: SyntaxNodeRef) => void;

/** Paints a node in place of what stands here; false where it is left to that. */
export type LaterPaint = (painter: Painter, node: SyntaxNodeRef) => boolean;

/** Of looks that are loaded later. */
export const laterPaints = Facet.define<LaterPaint>();

const HEADINGS = [1, 2, 3, 4, 5, 6].map((level) => lineOf(`live-heading live-h${level}`));
const UNDERLINE = lineOf('live-underline');
const PREFIX = Array.from({ length: 10 }, (_, depth) =>
  Decoration.mark({ attributes: { style: `--depth: ${depth}` }, class: 'live-prefix' }),
);
const CODE = classed('live-code');
const CODE_LINE = lineOf('live-code-line');
const CODE_FIRST = lineOf('live-code-first');
const CODE_LAST = lineOf('live-code-last');
const LANGUAGE = classed('live-language');
const SOURCE_LINE = lineOf('live-source-line');
const QUOTE_MARK = classed('live-quote-mark');

/** Deeper lists and quotes are not told apart by their place. */
const MAX_STEPS = 9;

const heading: Paint = (painter, node) => {
  const level = Number(node.name.slice(-1));
  const isShown = painter.isRevealed(node);
  for (const line of painter.linesOf(node)) {
    const isMark = node.name.startsWith('Setext') && line.to === painter.state.doc.lineAt(node.to).to;
    painter.line(line.from, isMark ? UNDERLINE : (HEADINGS[level - 1] as Decoration));
  }
  if (isShown) return;
  for (const mark of node.node.getChildren('HeaderMark')) {
    const isOpening = mark.from === node.from && node.name.startsWith('ATX');
    const isClosing = mark.from > node.from && node.name.startsWith('ATX');
    const behind = /^[ \t]*/.exec(painter.text(mark.to, Math.min(node.to, mark.to + 50)))?.[0].length ?? 0;
    const words = painter.text(Math.max(node.from, mark.from - 50), mark.from);
    const ahead = words.length - words.trimEnd().length;
    painter.hide(mark.from - (isClosing ? ahead : 0), mark.to + (isOpening ? behind : 0));
  }
};

/** Hides these marks of an element, unless a line of it is revealed. */
const hides =
  (mark: string, look?: Decoration): Paint =>
  (painter, node) => {
    if (look) painter.mark(node.from, node.to, look);
    if (painter.isRevealed(node)) return;
    for (const child of node.node.getChildren(mark)) painter.hide(child.from, child.to);
  };

const link: Paint = (painter, node) => {
  const [open, close] = node.node.getChildren('LinkMark');
  if (!open || !close || !painter.isInLine(close.from, node.to) || painter.isRevealed(node)) return;
  const url = node.node.getChild('URL');
  const address = url ? painter.text(url.from, url.to) : '';
  const id = linkedNode(address);
  // A link without words would be nothing to see.
  if (open.to === close.from) return;
  if (id === null) {
    painter.hide(open.from, open.to);
    if (address)
      painter.mark(
        open.to,
        close.from,
        Decoration.mark({ class: 'live-link', attributes: { title: address } }),
      );
  } else {
    const type = painter.state.field(linkTargets).nodes.get(id)?.type;
    painter.replace(
      open.from,
      open.to,
      new NodeIcon(type ?? null, painter.state.field(linkTargets).selected.has(id)),
    );
  }
  painter.hide(close.from, node.to);
};

const image: Paint = (painter, node) => {
  const [open, close] = node.node.getChildren('LinkMark');
  if (!open || !close || open.to === close.from || !painter.isInLine(close.from, node.to)) return;
  if (painter.isRevealed(node)) return;
  painter.hide(open.from, open.to);
  painter.mark(open.to, close.from, classed('live-image-words'));
  painter.hide(close.from, node.to);
};

const escaped: Paint = (painter, node) => {
  if (!painter.isRevealed(node)) painter.hide(node.from, node.from + 1);
};

const rule: Paint = (painter, node) => {
  if (!painter.isRevealed(node)) painter.replace(node.from, node.to, new Rule());
};

const quote: Paint = (painter, node) => {
  if (node.node.parent?.name === 'Blockquote') return;
  for (const line of painter.linesOf(node)) {
    const depth = Math.min(MAX_STEPS, Math.max(1, quoteDepth(line.text)));
    painter.line(
      line.from,
      Decoration.line({ class: 'live-quote', attributes: { style: `--quotes: ${depth}` } }),
    );
  }
};

const quoteDepth = (line: string): number =>
  (/^(?:[ \t]*>)*/.exec(line.slice(0, 200))?.[0].match(/>/g) ?? []).length;

const quoteMark: Paint = (painter, node) => {
  const end = painter.text(node.to, node.to + 1) === ' ' ? node.to + 1 : node.to;
  if (painter.isRevealed(node)) painter.mark(node.from, end, QUOTE_MARK);
  else painter.hide(node.from, end);
};

/** An item: its lines begin where its words do, its mark stands before them. */
const item: Paint = (painter, node) => {
  const { state } = painter;
  const depth = Math.min(MAX_STEPS, depthOf(node.node));
  const mark = node.node.getChild('ListMark');
  if (!mark) return;
  const first = state.doc.lineAt(node.from);
  const isInQuote = first.text.slice(0, mark.from - first.from).includes('>');
  const indent = mark.to + 1 - first.from;
  for (const line of painter.linesOf(node)) {
    // A nested item decorates its own lines.
    if (line.from !== first.from && isOfNested(node.node, line)) continue;
    painter.line(
      line.from,
      Decoration.line({ class: 'live-item', attributes: { style: `--depth: ${depth}` } }),
    );
    if (line.from === first.from || isInQuote) continue;
    const blanks = Math.min(/^[ \t]*/.exec(line.text.slice(0, 200))?.[0].length ?? 0, indent);
    if (blanks === 0) continue;
    if (painter.isRevealed(line)) painter.mark(line.from, line.from + blanks, PREFIX[depth] as Decoration);
    else painter.hide(line.from, line.from + blanks);
  }
  if (mark.from < painter.from || mark.from > painter.to) return;
  const start = isInQuote ? mark.from : first.from;
  if (painter.text(mark.to, mark.to + 1) !== ' ') {
    painter.mark(start, mark.to, PREFIX[depth] as Decoration);
    return;
  }
  const task = node.node.getChild('Task')?.getChild('TaskMarker');
  if (painter.isRevealed(first)) painter.mark(start, mark.to + 1, PREFIX[depth] as Decoration);
  else if (task) {
    const isDone = painter.text(task.from + 1, task.from + 2) !== ' ';
    const end = painter.text(task.to, task.to + 1) === ' ' ? task.to + 1 : task.to;
    const words = painter.text(end, Math.min(first.to, end + 200));
    painter.replace(start, end, new Checkbox(isDone, depth, words));
    if (isDone) painter.mark(end, first.to, classed('live-done'));
  } else if (node.node.parent?.name === 'BulletList') painter.replace(start, mark.to + 1, new Bullet(depth));
  else painter.mark(start, mark.to + 1, PREFIX[depth] as Decoration);
};

function depthOf(item: SyntaxNode): number {
  let depth = 0;
  for (let node: SyntaxNode | null = item; node; node = node.parent) if (node.name === 'ListItem') depth++;
  return depth;
}

/** Whether a line belongs to an item inside of this one. */
function isOfNested(item: SyntaxNode, line: Line): boolean {
  const at = line.from + (/^[ \t]*/.exec(line.text.slice(0, 200))?.[0].length ?? 0);
  for (let node: SyntaxNode | null = item.childAfter(at); node && node.from <= at; node = node.childAfter(at))
    if (node.name === 'ListItem') return true;
  return false;
}

const code: Paint = (painter, node) => {
  const { doc } = painter.state;
  const first = doc.lineAt(node.from).from;
  const last = doc.lineAt(node.to).from;
  for (const { from } of painter.linesOf(node)) {
    painter.line(from, CODE_LINE);
    if (from === first) painter.line(from, CODE_FIRST);
    if (from === last) painter.line(from, CODE_LAST);
  }
  if (node.name !== 'FencedCode' || painter.isRevealed(node)) return;
  for (const fence of node.node.getChildren('CodeMark')) painter.hide(fence.from, fence.to);
  const language = node.node.getChild('CodeInfo');
  if (language) painter.mark(language.from, language.to, LANGUAGE);
};

/** What has no look of its own is set as source: in letters of one width. */
const source: Paint = (painter, node) => {
  for (const { from } of painter.linesOf(node)) painter.line(from, SOURCE_LINE);
};

const PAINTS: Readonly<Record<string, Paint>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`ATXHeading${level}`, heading])),
  SetextHeading1: heading,
  SetextHeading2: heading,
  Emphasis: hides('EmphasisMark'),
  StrongEmphasis: hides('EmphasisMark'),
  Strikethrough: hides('StrikethroughMark'),
  InlineCode: hides('CodeMark', CODE),
  Autolink: hides('LinkMark'),
  Link: link,
  Image: image,
  Escape: escaped,
  HorizontalRule: rule,
  Blockquote: quote,
  QuoteMark: quoteMark,
  ListItem: item,
  FencedCode: code,
  CodeBlock: code,
  HTMLBlock: source,
  CommentBlock: source,
  ProcessingInstructionBlock: source,
  Table: source,
};

function painted(view: EditorView): DecorationSet {
  const { state } = view;
  const later = state.facet(laterPaints);
  const ranges = view.visibleRanges.flatMap(({ from, to }) => {
    const painter = new Painter(state, state.doc.lineAt(from).from, state.doc.lineAt(to).to);
    syntaxTree(state).iterate({
      from,
      to,
      enter(node) {
        if (later.some((paint) => paint(painter, node))) return false;
        const isWhole = node.name === 'Table' && isBlockShown(state, state.doc.lineAt(node.from).from);
        if (!isWhole) PAINTS[node.name]?.(painter, node);
        return !isWhole && node.name !== 'Image';
      },
    });
    return painter.ranges;
  });
  return Decoration.set(ranges, true);
}

class Look {
  decorations: DecorationSet;
  private isOld = false;

  constructor(view: EditorView) {
    this.decorations = painted(view);
  }

  update(update: ViewUpdate): void {
    const { view, startState, state } = update;
    this.isOld ||=
      update.docChanged ||
      update.viewportChanged ||
      // What the parser comes to behind what is in sight changes nothing here.
      (syntaxTree(startState) !== syntaxTree(state) && syntaxTree(startState).length < view.viewport.to) ||
      startState.field(linkTargets) !== state.field(linkTargets) ||
      startState.facet(laterPaints) !== state.facet(laterPaints) ||
      isRevealedAnew(startState, state);
    if (view.composing) {
      this.decorations = this.decorations.map(update.changes);
    } else if (this.isOld) {
      this.isOld = false;
      this.decorations = painted(view);
    }
  }
}

export const inlineLook = (): Extension => [
  ViewPlugin.fromClass(Look, { decorations: (look) => look.decorations }),
  EditorView.domEventHandlers({
    // The box is pressed, not the text.
    mousedown: (event) => event.target instanceof Element && event.target.closest('.live-checkbox') !== null,
    click(event, view) {
      const box = event.target instanceof Element ? event.target.closest('.live-checkbox') : null;
      if (!box) return false;
      return toggled(view, view.posAtDOM(box));
    },
  }),
];

/** Ticks or unticks the task whose mark begins at a position. */
function toggled(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  const box = /\[[ xX]\]/.exec(view.state.sliceDoc(at, line.to));
  if (!box) return false;
  const from = at + box.index + 1;
  const isDone = view.state.sliceDoc(from, from + 1) !== ' ';
  view.dispatch({ changes: { from, to: from + 1, insert: isDone ? ' ' : 'x' }, userEvent: 'input' });
  return true;
}
