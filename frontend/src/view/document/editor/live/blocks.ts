/**
 * Blocks that live preview shows as a whole, such as tables: each is replaced by a widget, or its lines flow together,
 * except where it is revealed.
 *
 * The blocks of the whole text are known, since heights depend on them; after a change only those around it are looked
 * for anew, and as the parser goes on those that it has come to. Not here: the widgets.
 */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  Facet,
  type Range,
  RangeSet,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { Stretch } from '../partState';
import { isRevealedAnew, revealedIn } from './revealed';
import type { SyntaxNode, Tree } from './syntax';

/** A kind of blocks: a widget replaces its lines, or line breaks in it are shown as blanks. */
export interface BlockKind {
  /** Name of the node in the syntax tree. */
  node: string;
  /** The widget of a block in these lines, null for one that stays as it is; `before` is the one that was there. */
  widgetOf?(source: string, before: WidgetType | null): WidgetType | null;
  /** The breaks that are shown as blanks, each with the indentation behind it. */
  breaksIn?(state: EditorState, node: SyntaxNode): readonly Stretch[];
  /** Whether what touches the block leaves it as it is, as where it is edited in place. */
  isKept?(state: EditorState, from: number, to: number): boolean;
}

export const blockKinds = Facet.define<BlockKind>();

/** Longer than a parse of a change takes; what takes longer is looked for when it is parsed. */
const PARSED_WITHIN_MS = 100;

interface Blocks {
  /** All of them, each with its kind. */
  found: DecorationSet;
  shown: DecorationSet;
}

const blocks = StateField.define<Blocks>({
  create(state) {
    const tree = syntaxTree(state);
    const ranges = blocksBetween(state, syntaxTree(state), RangeSet.empty, 0, () => false).ranges;
    return withRevealed(state, {
      found: Decoration.set(tree.length > 0 ? ranges : []),
      shown: Decoration.none,
    });
  },
  update(before, transaction) {
    const found = searched(before.found, transaction);
    const { startState, state } = transaction;
    if (found === before.found && !isRevealedAnew(startState, state) && !transaction.selection) return before;
    return withRevealed(state, { found, shown: found });
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ shown }) => shown),
    EditorView.atomicRanges.of((view) => view.state.field(field).shown),
  ],
});

/** Without those that are revealed. */
function withRevealed(state: EditorState, { found }: Blocks): Blocks {
  let shown = found;
  for (const stretch of revealedIn(state)) {
    const { from, to } = withParagraphs(state, stretch);
    shown = shown.update({
      filterFrom: from,
      filterTo: to,
      filter: (start, end, { spec }) => (spec.kind as BlockKind).isKept?.(state, start, end) ?? false,
    });
  }
  return { found, shown };
}

/** With the rest of the paragraphs at both ends, whose lines flow together or not at all. */
function withParagraphs(state: EditorState, { from, to }: Stretch): Stretch {
  const { topNode } = syntaxTree(state);
  const [first, last] = [topNode.childAfter(from), topNode.childBefore(to)];
  const isIn = (node: SyntaxNode | null, at: number) =>
    node?.name === 'Paragraph' && node.from <= at && at <= node.to;
  return {
    from: first && isIn(first, from) ? first.from : from,
    to: last && isIn(last, to) ? last.to : to,
  };
}

/** The blocks after a transaction. */
function searched(before: DecorationSet, transaction: Transaction): DecorationSet {
  const { docChanged, changes, startState, state } = transaction;
  const [oldTree, tree] = [syntaxTree(startState), syntaxTree(state)];
  if (startState.facet(blockKinds) !== state.facet(blockKinds))
    return searchedFrom(state, tree, before.map(changes), 0, () => false);
  if (!docChanged && oldTree === tree) return before;
  const known = changes.mapPos(Math.min(oldTree.length, startState.doc.length), -1);
  if (!docChanged) return searchedFrom(state, tree, before, known, () => false);
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    first = Math.min(first, from);
    last = Math.max(last, to);
  });
  // What is changed has to be known at once: the cells of a table are found by it.
  const parsed = ensureSyntaxTree(state, last, PARSED_WITHIN_MS) ?? tree;
  let isKnownAgain = false;
  const around = searchedFrom(state, parsed, before.map(changes), first, (node) => {
    if (node.from > last) isKnownAgain = isAsBefore(node, oldTree, changes);
    return isKnownAgain;
  });
  // The parser may have come further at the same time.
  return isKnownAgain && known < parsed.length
    ? searchedFrom(state, parsed, around, known, () => false)
    : around;
}

/** The blocks, looked for anew from a position to the first node that `isEnd`. */
function searchedFrom(
  state: EditorState,
  tree: Tree,
  before: DecorationSet,
  first: number,
  isEnd: (node: SyntaxNode) => boolean,
): DecorationSet {
  const { ranges, from, to } = blocksBetween(state, tree, before, first, isEnd);
  return before.update({ filterFrom: from, filterTo: to, filter: () => false, add: ranges });
}

/**
 * Whether a block behind all changes was there before: what follows it is as before then, since a block at the outermost
 * level depends on nothing ahead of it.
 */
function isAsBefore(node: SyntaxNode, oldTree: Tree, changes: ChangeDesc): boolean {
  const at = changes.invertedDesc.mapPos(node.from, 1);
  if (at >= oldTree.length) return false;
  const old = oldTree.topNode.childAfter(at);
  return old?.from === at && old.name === node.name && old.to - old.from === node.to - node.from;
}

/** The blocks from a little ahead of a position to the first one that `isEnd`, or to the end of what is parsed. */
function blocksBetween(
  state: EditorState,
  tree: Tree,
  known: DecorationSet,
  first: number,
  isEnd: (node: SyntaxNode) => boolean,
): { ranges: Range<Decoration>[]; from: number; to: number } {
  const kinds = state.facet(blockKinds);
  const ranges: Range<Decoration>[] = [];
  // A change may join the block ahead of it.
  const here = tree.topNode.childBefore(Math.min(first, tree.length));
  const start = here?.prevSibling ?? here ?? tree.topNode.firstChild;
  const from = Math.min(first, start?.from ?? 0);
  let to = tree.length;
  for (let node = start; node; node = node.nextSibling) {
    if (isEnd(node)) {
      to = Math.max(from, state.doc.lineAt(node.from).from - 1);
      break;
    }
    for (const kind of kinds) if (kind.node === node.name) ranges.push(...rangesOf(state, kind, node, known));
  }
  return { ranges, from, to };
}

const BLANK = new (class extends WidgetType {
  override toDOM(): HTMLElement {
    const blank = document.createElement('span');
    blank.textContent = ' ';
    return blank;
  }
})();

function rangesOf(
  state: EditorState,
  kind: BlockKind,
  node: SyntaxNode,
  known: DecorationSet,
): Range<Decoration>[] {
  const breaks = kind.breaksIn?.(state, node) ?? [];
  const block = widgetOf(state, kind, node, known);
  return [
    ...breaks.map(({ from, to }) => Decoration.replace({ widget: BLANK, kind }).range(from, to)),
    ...(block ? [block] : []),
  ];
}

function widgetOf(
  state: EditorState,
  kind: BlockKind,
  node: SyntaxNode,
  known: DecorationSet,
): Range<Decoration> | null {
  if (!kind.widgetOf) return null;
  const { from } = state.doc.lineAt(node.from);
  const { to } = state.doc.lineAt(node.to);
  let before: WidgetType | null = null;
  known.between(from, to, (_from, _to, { spec }) => {
    if (spec.kind === kind) before = spec.widget;
    return false;
  });
  const widget = kind.widgetOf(state.sliceDoc(from, to), before);
  return widget && Decoration.replace({ widget, block: true, kind }).range(from, to);
}

/** Whether a widget stands in place of the block whose first line begins here. */
export function isBlockShown(state: EditorState, at: number): boolean {
  let isShown = false;
  state.field(blocks, false)?.shown.between(at, at, (from, _to, { spec }) => {
    isShown ||= spec.block && from === at;
  });
  return isShown;
}

/** A block that is shown, in its lines. */
export interface ShownBlock {
  from: number;
  to: number;
  widget: WidgetType;
}

/** The block that is shown at a position; null for none. */
export function blockAt(state: EditorState, at: number): ShownBlock | null {
  let found: ShownBlock | null = null;
  state.field(blocks, false)?.shown.between(at, at, (from, to, { spec }) => {
    if (!spec.block) return;
    found = { from, to, widget: spec.widget };
    return false;
  });
  return found;
}

/** The first block that is shown between two positions; null for none. */
export function blockBetween(state: EditorState, from: number, to: number): ShownBlock | null {
  let found: ShownBlock | null = null;
  state.field(blocks, false)?.shown.between(from, to, (start, end, { spec }) => {
    if (!spec.block) return;
    found = { from: start, to: end, widget: spec.widget };
    return false;
  });
  return found;
}

/** Blocks of these kinds. */
export const blockLook = (...kinds: readonly BlockKind[]): Extension => [
  kinds.map((kind) => blockKinds.of(kind)),
  blocks,
];

/** A longer paragraph stays as it is: its lines would be gone through at each key. */
const MAX_PARAGRAPH = 20_000;

/** Paragraphs: lines that are broken by hand flow together, as in Read, except where the caret is. */
export const paragraphs: BlockKind = {
  node: 'Paragraph',
  breaksIn(state: EditorState, { from, to }: SyntaxNode): Stretch[] {
    const { doc } = state;
    const breaks: Stretch[] = [];
    if (to - from > MAX_PARAGRAPH || state.sliceDoc(from, from + 2) === '$$') return breaks;
    for (let line = doc.lineAt(from); line.to < to; ) {
      const next = doc.lineAt(line.to + 1);
      const indentation = next.text.length - next.text.trimStart().length;
      // Two blanks or a backslash end a line for good, and footnotes stand below each other.
      const isBreak = /(?: {2}|\\)$/.test(line.text) || next.text.startsWith('[^');
      if (!isBreak) breaks.push({ from: line.to, to: next.from + indentation });
      line = next;
    }
    return breaks;
  },
};
