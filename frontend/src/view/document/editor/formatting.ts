/**
 * Formatting commands and their keys, as transactions of the editor. The changes are made by `model/text/formatting`.
 */
import { deleteMarkupBackward, insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import { ChangeSet, type StateCommand, type Transaction } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';
import {
  type Formatted,
  linked,
  type Stretch,
  toggledLines,
  toggledMark,
  withMermaid,
  withSection,
  withTable,
} from '../../../model/text/formatting';
import type { Format } from '../editorHandle';
import { take } from './take';

export function format(view: EditorView, kind: Format): void {
  take(view, formatted(view.state.doc.toString(), view.state.selection.main, kind));
}

function formatted(text: string, selection: Stretch, kind: Format): Formatted {
  switch (kind) {
    case 'bold':
    case 'italic':
    case 'code':
      return toggledMark(text, selection, kind);
    case 'heading':
    case 'list':
    case 'tasks':
      return toggledLines(text, selection, kind);
    case 'link':
      return linked(text, selection);
    case 'table':
      return withTable(text, selection);
    case 'mermaid':
      return withMermaid(text, selection);
    case 'section':
      return withSection(text);
  }
}

const formatsTo = (kind: Format) => (view: EditorView) => {
  format(view, kind);
  return true;
};

const continueMarkup = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/** Enter goes on with the list or quote; in an empty item it ends the list, or its level. */
export const newline: StateCommand = ({ state, dispatch }) =>
  continueMarkup({ state, dispatch: (transaction) => dispatch(outOfList(transaction)) });

const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?\s*$/;

/** Where a list has ended, an empty line as well: a line just below would still belong to its last item. */
function outOfList(transaction: Transaction): Transaction {
  const { startState, state, changes } = transaction;
  const before = startState.doc.lineAt(startState.selection.main.head);
  const line = state.doc.lineAt(state.selection.main.head);
  const isOut = before.number === line.number && ITEM.test(before.text) && /^[\s>]*$/.test(line.text);
  if (!isOut || line.number === 1 || state.selection.ranges.length > 1) return transaction;
  if (/^[\s>]*$/.test(state.doc.line(line.number - 1).text)) return transaction;
  const insert = `${line.text.trimEnd()}\n`;
  const apart = ChangeSet.of({ from: line.from, insert }, state.doc.length);
  return startState.update({
    changes: changes.compose(apart),
    selection: { anchor: state.selection.main.head + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  });
}

export const formattingKeys: readonly KeyBinding[] = [
  { key: 'Mod-b', run: formatsTo('bold') },
  { key: 'Mod-i', run: formatsTo('italic') },
  { key: 'Mod-e', run: formatsTo('code') },
  {
    key: 'Mod-k',
    // Without a selection the same keys open the command palette.
    run: (view) => !view.state.selection.main.empty && formatsTo('link')(view),
  },
  { key: 'Mod-Shift-7', run: formatsTo('heading') },
  { key: 'Mod-Shift-8', run: formatsTo('list') },
  { key: 'Mod-Shift-9', run: formatsTo('tasks') },
  { key: 'Enter', run: newline },
  { key: 'Backspace', run: deleteMarkupBackward },
];
