/**
 * Formatting commands and their keys, as transactions of the editor. The changes are made by `model/text/formatting`.
 */
import { EditorSelection } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';
import {
  type Formatted,
  indentedItems,
  linked,
  type Stretch,
  toggledLines,
  toggledMark,
  withMermaid,
  withSection,
  withTable,
} from '../../../model/text/formatting';
import type { Format } from '../editorHandle';

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

function take(view: EditorView, { changes, selected }: Formatted): void {
  view.dispatch({
    changes,
    selection: EditorSelection.single(selected.from, selected.to),
    scrollIntoView: true,
    userEvent: 'input.format',
  });
}

const formatsTo = (kind: Format) => (view: EditorView) => {
  format(view, kind);
  return true;
};

/** Tab indents lists; anywhere else it leaves the editor, as in any field. */
const indents = (way: 'in' | 'out') => (view: EditorView) => {
  const result = indentedItems(view.state.doc.toString(), view.state.selection.main, way);
  if (result) take(view, result);
  return result !== null;
};

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
  { key: 'Tab', run: indents('in') },
  { key: 'Shift-Tab', run: indents('out') },
];
