/** Deletes the selection: at once, or after asking about the contents of a group. */
import { isRefusal } from '../../model/gestures/connect';
import { deletionOf, groupsWithContents } from '../../model/gestures/deletion';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';

/** Deletes the selection, or these nodes; asks first where a group has contents. */
export function askAndDelete(context: EditorContext, toasts: Toasts): void {
  const { selection } = context.ui.get();
  const ids = [...selection.nodes];
  if (groupsWithContents(sceneOf(context), ids)) context.ui.set({ dialog: { kind: 'delete', ids } });
  else deleteNow(context, toasts, ids, 'up');
}

/** Deletes nodes and the selected edges. Returns whether it was possible. */
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
  // The focused element may be gone: focus the canvas.
  document.getElementById('diagram')?.focus({ preventScroll: true });
  return true;
}
