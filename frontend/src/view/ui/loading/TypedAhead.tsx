/** Keeps what is typed for a part that is still being loaded: it is neither a shortcut nor part of a text. */
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { later, type Part } from './later';

interface Typed {
  /** What was typed before it was there. */
  typed: string;
  onClose: () => void;
}

/** A part that has the keyboard, such as a palette; `label` is what it is for. */
export function typedAhead<P extends Typed>(
  label: string,
  read: () => Promise<Part<P>>,
): Part<Omit<P, 'typed'>> {
  const Read = later<P & { onType: (typed: string) => void }>(read, (props) => (
    <HeldField label={label} typed={props.typed} onType={props.onType} onClose={props.onClose} />
  ));
  return function TypedAhead(props: Omit<P, 'typed'>) {
    const [typed, setTyped] = useState('');
    return <Read {...(props as P)} typed={typed} onType={setTyped} />;
  };
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
