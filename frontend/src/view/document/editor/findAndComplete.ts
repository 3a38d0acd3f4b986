/** Find, completion, and levels of lists: loaded by `laterTools.ts`. */
import { completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { indentedItems } from '../../../model/text/listItems';
import { completes, isAskedAt } from './completion';
import { findPanel } from './findPanel';
import { take } from './take';

const FIND_KEYS = new Set(['Mod-f', 'F3', 'Mod-g', 'Escape']);

export const findAndComplete = (): Extension => [
  search({ top: true, createPanel: findPanel }),
  completes(),
  keymap.of([
    { key: 'Tab', run: (view) => indentItems(view, 'in') },
    { key: 'Shift-Tab', run: (view) => indentItems(view, 'out') },
  ]),
  keymap.of([...completionKeymap, ...searchKeymap.filter(({ key }) => FIND_KEYS.has(key ?? ''))]),
];

/** Moves items a level; anywhere else Tab leaves the editor, as in any field. */
export function indentItems(view: EditorView, way: 'in' | 'out'): boolean {
  const result = indentedItems(view.state.doc.toString(), view.state.selection.main, way);
  if (result) take(view, result);
  return result !== null;
}

/** Opens the search panel, with what was typed for it already. */
export function openFind(view: EditorView, typed: string): void {
  openSearchPanel(view);
  const field = view.dom.querySelector<HTMLInputElement>('.find-panel [main-field]');
  if (!field || !typed) return;
  field.value = typed;
  field.dispatchEvent(new Event('input'));
  field.setSelectionRange(typed.length, typed.length);
}

/** Opens the list for the sign at the caret. */
export function completeSign(view: EditorView): void {
  if (isAskedAt(view.state, view.state.selection.main.head)) startCompletion(view);
}

export { startCompletion };
