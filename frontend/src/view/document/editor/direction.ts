/**
 * The direction of lines in Write: one whose words begin in Hebrew, Arabic and their like runs from right to left, as its
 * block does in Read (`model/text/syntax/direction.ts`). Only lines with such letters are decorated.
 */
import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const byWords = Decoration.line({ attributes: { dir: 'auto' } });

function decorated({ state, visibleRanges }: EditorView): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    if (!RIGHT_TO_LEFT.test(state.sliceDoc(from, to))) continue;
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      // Of a very long line what is in sight tells.
      if (RIGHT_TO_LEFT.test(state.sliceDoc(Math.max(from, line.from), Math.min(to, line.to))))
        lines.push(byWords.range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(lines);
}

class Direction {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = decorated(view);
  }

  update({ view, docChanged, viewportChanged }: ViewUpdate): void {
    if (docChanged || viewportChanged) this.decorations = decorated(view);
  }
}

export const direction = (): Extension => [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(Direction, { decorations: (plugin) => plugin.decorations }),
];
