/**
 * A field that saves when it is left or Enter is pressed, once; Escape brings back what holds. A change by somebody else
 * meanwhile does not take away what is being written: it is told, and what counts is what is saved last.
 */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useLive } from '../context/EditorContext';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';

interface Props {
  label: string;
  value: string;
  /** Called only with something that differs. */
  onCommit: (value: string) => void;
  /** What is wrong with a value, and what to do; null where nothing is. */
  check?: (value: string) => string | null;
  lines?: number;
  most?: number;
  placeholder?: string;
  isNumber?: boolean;
  isDisabled?: boolean;
  /** The label is only spoken: beside other fields of the same row. */
  isLabelHidden?: boolean;
}

export function CommitField(props: Props) {
  const {
    label,
    value,
    onCommit,
    check,
    lines = 1,
    most,
    placeholder,
    isNumber,
    isDisabled,
    isLabelHidden,
  } = props;
  const [draft, showDraft] = useState<string | null>(null);
  // What is saved may take the field away before it is drawn once more: what was saved is not saved again then.
  const written = useRef<string | null>(null);
  const setDraft = (text: string | null) => {
    written.current = text;
    showDraft(text);
  };
  const [error, setError] = useState<string | null>(null);
  const { theirs, begin } = useTheirs(value, draft !== null);
  const id = useId();
  const noteId = `${id}-note`;
  const finish = () => {
    const text = written.current;
    if (text === null) return true;
    const wanted = lines > 1 ? text : text.trim();
    const wrong = wanted === value ? null : (check?.(wanted) ?? null);
    setError(wrong);
    if (wrong) return false;
    setDraft(null);
    if (wanted !== value) onCommit(wanted);
    return true;
  };
  const cancel = () => {
    setDraft(null);
    setError(null);
  };
  // Selecting something else takes the field away, in some cases without leaving it first.
  useFlushOnLeave(finish);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && draft !== null) {
      event.stopPropagation();
      cancel();
    }
    if (event.key !== 'Enter' || (lines > 1 && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    finish();
  };
  const note = error ?? theirs;
  const wiring = {
    id,
    value: draft ?? value,
    disabled: isDisabled,
    placeholder,
    maxLength: most,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': note ? noteId : undefined,
    onBlur: () => void finish(),
    onKeyDown,
    onChange: (event: { target: { value: string } }) => {
      if (draft === null) begin();
      setError(null);
      setDraft(event.target.value);
    },
  };
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {lines > 1 ? (
        <textarea rows={lines} {...wiring} />
      ) : (
        <input type={isNumber ? 'number' : 'text'} autoComplete="off" {...wiring} />
      )}
      <p id={noteId} className={error ? 'field-error' : 'field-hint'} role="status" hidden={!note}>
        {note}
      </p>
    </div>
  );
}

/** In words, what somebody else has put into the field since it is being written in; null for nothing. */
function useTheirs(value: string, isEditing: boolean): { theirs: string | null; begin: () => void } {
  const latest = useLive((live) => live.latest);
  const base = useRef(value);
  const who = useRef('Somebody');
  const seen = useRef(value);
  if (seen.current !== value) {
    seen.current = value;
    who.current = latest?.by.name || 'Somebody';
  }
  const begin = () => {
    base.current = value;
  };
  if (!isEditing || value === base.current) return { theirs: null, begin };
  const text = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  const what = value ? `changed this to “${text}”` : 'emptied this';
  return {
    theirs: `${who.current} ${what}. Yours is saved when you leave the field; Escape takes theirs.`,
    begin,
  };
}
