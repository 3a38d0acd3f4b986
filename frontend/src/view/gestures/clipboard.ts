/**
 * Copies of the selection, as text on the system clipboard, so that they work between workspaces and windows; and in
 * memory, for browsers that do not allow reading the clipboard. What pastes is loaded when it is needed (`pasting.ts`).
 */
import { clipOf, textOf } from '../../model/gestures/clip';
import { isRefusal } from '../../model/gestures/connect';
import { deletionOf } from '../../model/gestures/deletion';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';
import { lastCopy } from './lastCopy';

/** The selection as text; null where no node is selected, which a toast says. */
export function copySelection(context: EditorContext, toasts: Toasts): string | null {
  const clip = clipOf(sceneOf(context), context.ui.get().selection.nodes);
  if (!clip) {
    toasts.show({
      text: 'Nothing was copied',
      detail: 'Select nodes; connections between them are copied along.',
    });
    return null;
  }
  lastCopy.text = textOf(clip, context.id);
  lastCopy.times = 0;
  return lastCopy.text;
}

/** Copies, then deletes, contents of groups included. */
export function cutSelection(context: EditorContext, toasts: Toasts): string | null {
  const { nodes, edges } = context.ui.get().selection;
  const operations = deletionOf(sceneOf(context), nodes, edges, 'delete');
  if (!context.access.isWritable || isRefusal(operations)) {
    if (isRefusal(operations)) toasts.show({ text: operations.refusal, detail: operations.advice });
    return null;
  }
  const text = copySelection(context, toasts);
  if (text !== null) void context.edit(operations);
  return text;
}

/** Writes to the system clipboard without a clipboard event. */
export function writeClipboard(text: string | null): void {
  // Without a secure context there is no clipboard; the copy in memory still works here.
  if (text !== null) void navigator.clipboard?.writeText(text).catch(() => undefined);
}

/** The system clipboard, or the copy in memory where it may not be read. */
export async function readClipboard(): Promise<string> {
  try {
    return (await navigator.clipboard.readText()) || lastCopy.text;
  } catch {
    return lastCopy.text;
  }
}

/** Pastes a text, with its centre at a point, or else beside its origin. */
export async function pasteText(
  context: EditorContext,
  toasts: Toasts,
  text: string,
  at: Point | null,
): Promise<void> {
  await (await import('./pasting')).pasteText(context, toasts, text, at);
}

export async function duplicateSelection(context: EditorContext, toasts: Toasts): Promise<void> {
  (await import('./pasting')).duplicateSelection(context, toasts);
}
