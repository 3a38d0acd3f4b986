/** Keeps what is typed for a part that is still being loaded: it is neither a shortcut nor part of a text. */
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

interface Props {
  /** What the part is for, as its field says it. */
  label: string;
  onClose: () => void;
  /** The part, which begins with what was typed. */
  children: (typed: string) => ReactNode;
}

/** Loads a part that has the keyboard, such as a palette. */
export function TypedAhead({ label, onClose, children }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <Suspense fallback={<HeldField label={label} typed={typed} onType={setTyped} onClose={onClose} />}>
      {children(typed)}
    </Suspense>
  );
}

interface FieldProps {
  label: string;
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
}

/** A field that nobody sees has the focus until the part is there, and gives it back first. */
export function HeldField({ label, typed, onType, onClose }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const held = field.current;
    const before = document.activeElement;
    held?.focus({ preventScroll: true });
    return () => {
      // Not where somebody has gone elsewhere meanwhile.
      if (document.activeElement === held && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
  // Outside of canvas and document: what can be done depends on which of them had the focus last.
  return createPortal(
    <input
      ref={field}
      className="visually-hidden"
      data-modal
      aria-label={`${label}: loading`}
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key !== 'Tab' && event.key !== 'Enter') return;
        event.preventDefault();
      }}
    />,
    document.body,
  );
}
