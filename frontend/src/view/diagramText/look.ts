/** How a diagram as text looks: arrows, what flows, types and technologies apart from names, in the lines in sight. */
import type { Extension, Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Span, spansOf } from '../../model/diagramText/syntax';

const LOOKS: Readonly<Record<Span['name'], Decoration>> = {
  arrow: Decoration.mark({ class: 'text-arrow' }),
  label: Decoration.mark({ class: 'text-flow' }),
  marks: Decoration.mark({ class: 'text-kind' }),
};

function decorate({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const range of visibleRanges)
    for (let at = range.from; at <= range.to; ) {
      const line = doc.lineAt(at);
      for (const { name, from, to } of spansOf(line.text))
        found.push(LOOKS[name].range(line.from + from, line.from + to));
      at = line.to + 1;
    }
  return Decoration.set(found, true);
}

export const look: Extension = ViewPlugin.define(
  (view) => ({
    decorations: decorate(view),
    update({ docChanged, viewportChanged, view: shown }: ViewUpdate) {
      if (docChanged || viewportChanged) this.decorations = decorate(shown);
    },
  }),
  { decorations: ({ decorations }) => decorations },
);
