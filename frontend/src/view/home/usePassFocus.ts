/** Where the focus goes when the row of the list that has it disappears. */
import { type RefObject, useLayoutEffect } from 'react';

/** To the next row, else to the one before, else to the heading; without it the keyboard starts at the top. */
export function usePassFocus(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const gone = row.current;
    return () => {
      // Called while the row is still there. A button of its dialog that waits is disabled, so has no focus.
      const hasFocus = gone?.contains(document.activeElement) || gone?.querySelector('dialog[open]');
      if (!gone || !hasFocus) return;
      const next = gone.nextElementSibling ?? gone.previousElementSibling;
      const heir = next?.querySelector<HTMLElement>('.row-link') ?? document.querySelector<HTMLElement>('h1');
      queueMicrotask(() => {
        if (!gone.isConnected) heir?.focus();
      });
    };
  }, [row]);
}
