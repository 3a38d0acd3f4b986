/** The form of a suggestion: what it is about, why, and what the server has refused of it. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../ui/field/Field';

const MAX_REASON = 2_000;

interface Props {
  /** What is proposed. */
  children: ReactNode;
  error: Error | null;
  /** What the button says. */
  words: string;
  canSend: boolean;
  /** Whether writing begins with the reason. */
  isReasonFirst?: boolean;
  onSend: (why: string) => void;
  onClose: () => void;
}

export function SuggestionForm({ children, error, words, canSend, isReasonFirst, onSend, onClose }: Props) {
  const [why, setWhy] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(why.trim());
  };
  return (
    <form className="dialog-form" onSubmit={submit}>
      {children}
      <Field label="Why" hint="Whoever decides reads this first.">
        {(wiring) => (
          <textarea
            {...wiring}
            {...(isReasonFirst && { 'data-autofocus': true })}
            rows={3}
            maxLength={MAX_REASON}
            value={why}
            onChange={(event) => setWhy(event.target.value)}
          />
        )}
      </Field>
      {error && (
        <p className="banner" role="alert">
          It was not proposed: {error.message}
        </p>
      )}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={!canSend}>
          {words}
        </button>
      </div>
    </form>
  );
}
