/**
 * Copies of the selection, as text on the system clipboard, so that they work between workspaces and windows; and in
 * memory, for browsers that do not allow reading the clipboard. What pastes is loaded when it is needed (`pasting.ts`).
 */

import { useEffect } from 'react';
import { clipOf, textOf } from '../../model/gestures/clip';
import { isRefusal } from '../../model/gestures/connect';
import { deletionOf } from '../../model/gestures/deletion';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { sceneOf } from './actions';
import { lastCopy } from './lastCopy';
import { overlayOf } from './overlay';

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

/** Takes clipboard events that are for the canvas; in fields and in the document they stay text. */
export function useClipboardEvents(context: EditorContext, toasts: Toasts): void {
  useEffect(() => {
    const write = (textOf: typeof copySelection) => (event: ClipboardEvent) => {
      if (!isForCanvas() || hasMarkedText() || context.ui.get().selection.nodes.size === 0) return;
      const text = textOf(context, toasts);
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    const paste = (event: ClipboardEvent) => {
      if (!isForCanvas() || !context.access.isWritable) return;
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      void pasteText(context, toasts, text, overlayOf(context.ui).pointer?.() ?? null);
    };
    const ends = new AbortController();
    const { signal } = ends;
    document.addEventListener('copy', write(copySelection), { signal });
    document.addEventListener('cut', write(cutSelection), { signal });
    document.addEventListener('paste', paste, { signal });
    return () => ends.abort();
  }, [context, toasts]);
}

/** Whether the focus is on the canvas or nowhere. */
function isForCanvas(): boolean {
  const focused = document.activeElement;
  if (isTyping(focused) || isModalOpen()) return false;
  return focused === null || focused === document.body || focused.closest('.diagram-pane, .palette') !== null;
}

const hasMarkedText = (): boolean => document.getSelection()?.isCollapsed === false;
