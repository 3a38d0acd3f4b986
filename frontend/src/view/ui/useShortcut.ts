/** Keys that work anywhere on a page, unless somebody is typing, or a dialog or menu is open. */
import { useEffect, useRef } from 'react';

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Whether a dialog or menu is open, which then has the keys to itself. */
export const isModalOpen = (): boolean => document.querySelector('dialog[open], [data-modal]') !== null;

/** Call `onKey` for keys pressed outside of fields; it says whether it has taken the key. */
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
