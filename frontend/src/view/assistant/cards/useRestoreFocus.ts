/** Keeps the focus on a card when the focused button disappears with a change of its state. */
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
    // A button that is disabled while it works loses the focus to the body.
    onBlur: ({ target, relatedTarget }) => {
      const isLost = relatedTarget === null && (!target.isConnected || target.matches(':disabled'));
      isHere.current = isLost || (ref.current?.contains(relatedTarget) ?? false);
    },
  };
}
