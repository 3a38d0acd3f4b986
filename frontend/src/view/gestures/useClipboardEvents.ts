/** Handles clipboard events on the canvas; in fields and in the document they stay text. */
import { useEffect } from 'react';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { copySelection, cutSelection, pasteText } from './clipboard';
import { overlayOf } from './overlay';

export function useClipboardEvents(context: EditorContext, toasts: Toasts): void {
  useEffect(() => {
    const take = (event: ClipboardEvent, text: string | null) => {
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    const copy = (event: ClipboardEvent) => {
      if (isForCanvas() && !hasMarkedText() && context.ui.get().selection.nodes.size > 0)
        take(event, copySelection(context, toasts));
    };
    const cut = (event: ClipboardEvent) => {
      if (isForCanvas() && !hasMarkedText() && context.ui.get().selection.nodes.size > 0)
        take(event, cutSelection(context, toasts));
    };
    const put = (event: ClipboardEvent) => {
      if (!isForCanvas() || !context.access.isWritable) return;
      event.preventDefault();
      void pasteText(
        context,
        toasts,
        event.clipboardData?.getData('text/plain') ?? '',
        overlayOf(context.ui).pointer?.() ?? null,
      );
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', cut);
    document.addEventListener('paste', put);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', cut);
      document.removeEventListener('paste', put);
    };
  }, [context, toasts]);
}

/** Whether the focus is on the canvas or nowhere. */
function isForCanvas(): boolean {
  const focused = document.activeElement;
  if (isTyping(focused) || isModalOpen()) return false;
  return focused === null || focused === document.body || focused.closest('.diagram-pane, .palette') !== null;
}

const hasMarkedText = (): boolean => document.getSelection()?.isCollapsed === false;
