/** Highlights a range of the text for a moment. */
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

export const flash = StateEffect.define<{ from: number; to: number }>();
const over = StateEffect.define<null>();

const SHOWN_MS = 2000;

const flashField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(over)) now = Decoration.none;
      if (effect.is(flash)) now = linesOf(transaction.state.doc, effect.value);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const line = Decoration.line({ class: 'cm-flash' });

function linesOf(
  doc: { lineAt(at: number): { from: number; to: number } },
  { from, to }: { from: number; to: number },
) {
  const starts: number[] = [];
  for (let at = doc.lineAt(from); ; at = doc.lineAt(at.to + 1)) {
    starts.push(at.from);
    if (at.to >= to) break;
  }
  return Decoration.set(starts.map((start) => line.range(start)));
}

const ends = EditorView.updateListener.of(({ transactions, view }) => {
  if (!transactions.some(({ effects }) => effects.some((effect) => effect.is(flash)))) return;
  setTimeout(() => {
    if (view.dom.isConnected) view.dispatch({ effects: over.of(null) });
  }, SHOWN_MS);
});

export const flashes = [flashField, ends];
