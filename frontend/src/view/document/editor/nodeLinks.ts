/** Links to nodes in the editor: they are styled by their target, and Ctrl+click follows them. */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type NodeLink, nodeLinksIn } from '../../../model/text/links';
import { linkTargets, opensNode, pillOf } from './partState';

/** The node link at a position; null for none. */
export function linkAt(state: EditorState, at: number): NodeLink | null {
  return (
    linksBetween(state, ...linesAround(state, at, at)).find(({ from, to }) => from <= at && at <= to) ?? null
  );
}

/** The lines of a range, but of a very long line no more than lies around the range. */
function linesAround(state: EditorState, from: number, to: number): [number, number] {
  return [
    Math.max(state.doc.lineAt(from).from, from - MAX_AROUND),
    Math.min(state.doc.lineAt(to).to, to + MAX_AROUND),
  ];
}

const MAX_AROUND = 2_000;

function linksBetween(state: EditorState, from: number, to: number): NodeLink[] {
  return nodeLinksIn(state.sliceDoc(from, to)).flatMap((link) => {
    const moved = {
      id: link.id,
      from: link.from + from,
      to: link.to + from,
      labelFrom: link.labelFrom + from,
      labelTo: link.labelTo + from,
    };
    return isInCode(state, moved.labelFrom) ? [] : [moved];
  });
}

/** A code block may begin before the searched range. */
function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); node.parent; node = node.parent)
    if (/Code/.test(node.name)) return true;
  return false;
}

const dim = Decoration.mark({ class: 'cm-nodeAddress' });

function decorated({ state, visibleRanges }: EditorView): DecorationSet {
  const { nodes, selected } = state.field(linkTargets);
  const marks = visibleRanges.flatMap((range) => {
    return linksBetween(state, ...linesAround(state, range.from, range.to)).flatMap((link) => [
      ...(link.labelFrom > link.from ? [dim.range(link.from, link.labelFrom)] : []),
      ...(link.labelTo > link.labelFrom
        ? [Decoration.mark(pillOf(link.id, { nodes, selected })).range(link.labelFrom, link.labelTo)]
        : []),
      dim.range(link.labelTo, link.to),
    ]);
  });
  return Decoration.set(marks, true);
}

/** Styles links, and follows them on click. */
export function nodeLinks(onOpenNode: (id: string) => void): Extension {
  return [
    linkTargets,
    opensNode.of(onOpenNode),
    // Outermost, so that other decorations do not split a link.
    Prec.lowest(
      ViewPlugin.define((view) => ({ decorations: decorated(view), update: redecorate }), {
        decorations: (plugin) => plugin.decorations,
      }),
    ),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        const link = at === null ? null : linkAt(view.state, at);
        if (!link) return false;
        onOpenNode(link.id);
        return true;
      },
    }),
  ];
}

function redecorate(this: { decorations: DecorationSet }, update: ViewUpdate): void {
  const isNew =
    update.docChanged ||
    update.viewportChanged ||
    syntaxTree(update.startState) !== syntaxTree(update.state) ||
    update.startState.field(linkTargets) !== update.state.field(linkTargets);
  if (isNew) this.decorations = decorated(update.view);
}
