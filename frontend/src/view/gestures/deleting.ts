/** Deleting what is selected: at once, or after asking what becomes of the contents of a group. */
import { isRefusal } from '../../model/gestures/connect';
import { deletionOf, groupsWithContents } from '../../model/gestures/deletion';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/Toasts';
import { sceneOf } from './actions';

/** Delete the selection, or these nodes; ask first where a group holds something. */
export function askAndDelete(context: EditorContext, toasts: Toasts): void {
  const { selection } = context.ui.get();
  const ids = [...selection.nodes];
  if (groupsWithContents(sceneOf(context), ids)) context.ui.set({ dialog: { kind: 'delete', ids } });
  else deleteNow(context, toasts, ids, 'up');
}

/** Delete nodes and the connections that are selected besides; whether it could be. */
export function deleteNow(
  context: EditorContext,
  toasts: Toasts,
  ids: readonly string[],
  contents: 'delete' | 'up',
): boolean {
  const operations = deletionOf(sceneOf(context), ids, context.ui.get().selection.edges, contents);
  if (isRefusal(operations)) {
    toasts.show({ text: operations.refusal, detail: operations.advice });
    return false;
  }
  void context.edit(operations);
  // What had the keyboard may be gone: it stays on the canvas.
  document.getElementById('diagram')?.focus({ preventScroll: true });
  return true;
}
