/** Keeps the keyboard at a card when the button that was pressed goes with the card's state. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface Kept {
  ref: RefObject<HTMLElement | null>;
  onFocus: () => void;
  onBlur: (event: FocusEvent) => void;
}

export function useRestoreFocus(state: string): Kept {
  const ref = useRef<HTMLElement>(null);
  const isHere = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked after whenever the state changes
  useLayoutEffect(() => {
    if (isHere.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, [state]);
  return {
    ref,
    onFocus: () => {
      isHere.current = true;
    },
    // A button that is switched off while it works loses the keyboard to nobody.
    onBlur: ({ target, relatedTarget }) => {
      const isLost = relatedTarget === null && (!target.isConnected || target.matches(':disabled'));
      isHere.current = isLost || (ref.current?.contains(relatedTarget) ?? false);
    },
  };
}
