/** Keys that work anywhere on a page, except while typing and in dialogs or menus. */
import { useEffect, useRef } from 'react';

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Whether a dialog or menu is open, which then handles the keys. */
export const isModalOpen = (): boolean => document.querySelector('dialog[open], [data-modal]') !== null;

/** Calls `onKey` for keys outside of fields; it returns whether it has handled the key. */
export function useShortcut(onKey: (event: KeyboardEvent) => boolean): void {
  const newest = useRef(onKey);
  newest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isModalOpen()) return;
      if (newest.current(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
