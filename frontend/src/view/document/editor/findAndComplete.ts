/** Find and completion, loaded by `laterTools.ts`. */
import { completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { completesNodes, isMentionAt } from './completion';
import { findPanel } from './findPanel';

const FIND_KEYS = new Set(['Mod-f', 'F3', 'Mod-g', 'Escape']);

export const findAndComplete = (): Extension => [
  search({ top: true, createPanel: findPanel }),
  completesNodes(),
  keymap.of([...completionKeymap, ...searchKeymap.filter(({ key }) => FIND_KEYS.has(key ?? ''))]),
];

/** Opens the search panel, with what was typed for it already. */
export function openFind(view: EditorView, typed: string): void {
  openSearchPanel(view);
  const field = view.dom.querySelector<HTMLInputElement>('.find-panel [main-field]');
  if (!field || !typed) return;
  field.value = typed;
  field.dispatchEvent(new Event('input'));
  field.setSelectionRange(typed.length, typed.length);
}

export function completeMention(view: EditorView): void {
  if (isMentionAt(view.state, view.state.selection.main.head)) startCompletion(view);
}

export { startCompletion };
