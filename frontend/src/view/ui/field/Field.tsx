/** A labelled field, with a hint or an error message below it. */
import { type ReactNode, useId } from 'react';

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface Props {
  label: string;
  hint?: string | undefined;
  /** The error message. */
  error?: string | undefined;
  /** The field; it takes the given attributes. */
  children: (wiring: Wiring) => ReactNode;
}

export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': note ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && (
        <p id={noteId} className={error ? 'field-error' : 'field-hint'} role={error ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  );
}
