/** Which cell of a table is being edited, as a range of the text that moves along with changes. */
import { Annotation, type EditorState, StateEffect, StateField, Transaction } from '@codemirror/state';
import { asCell } from '../../../../../model/text/syntax/tables';
import { editorClosing, type Stretch } from '../../partState';

/** Begins to edit a cell, in positions after the transaction; null ends it. */
export const editsCell = StateEffect.define<Stretch | null>();

/** Annotates transactions that come from the editor of a cell. */
export const fromCell = Annotation.define<boolean>();

/** The edited cell: the words between its blanks. */
export const editedCell = StateField.define<Stretch | null>({
  create: () => null,
  update(before, transaction) {
    const { effects, changes, state } = transaction;
    if (effects.some((effect) => effect.is(editorClosing))) return null;
    const told = effects.findLast((effect) => effect.is(editsCell));
    if (told) return told.value as Stretch | null;
    if (!before) return null;
    const cell = transaction.docChanged
      ? { from: changes.mapPos(before.from, -1), to: changes.mapPos(before.to, 1) }
      : before;
    return isLeft(transaction, cell) || !isCellIn(state, cell) ? null : cell;
  },
});

/** Whether the caret has gone elsewhere, other than by a change of somebody else. */
function isLeft(transaction: Transaction, { from, to }: Stretch): boolean {
  if (!transaction.selection || transaction.annotation(Transaction.remote)) return false;
  const { main } = transaction.state.selection;
  return main.from < from || main.to > to;
}

const isCellIn = (state: EditorState, { from, to }: Stretch): boolean => {
  const words = state.sliceDoc(from, to);
  return asCell(words) === words;
};
