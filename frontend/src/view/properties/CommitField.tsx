/**
 * A field that saves on blur or Enter, once; Escape restores the value. A change by somebody else does not replace what
 * is being typed: it is shown, and the last save wins.
 */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useLive } from '../context/EditorContext';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';

interface Props {
  label: string;
  value: string;
  /** Called only with a changed value. */
  onCommit: (value: string) => void;
  /** Validates; null where nothing is wrong. */
  check?: (value: string) => string | null;
  lines?: number;
  most?: number;
  placeholder?: string;
  isNumber?: boolean;
  isDisabled?: boolean;
  /** The id of a list of what it completes. */
  list?: string;
  /** The label is only for screen readers: beside other fields of the same row. */
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
    list,
    isLabelHidden,
  } = props;
  const [draft, showDraft] = useState<string | null>(null);
  // Saving may unmount the field: it must not save again then.
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
  // A new selection unmounts the field, in some cases without blur.
  useFlushOnLeave(finish);
  const onKeyDown = (event: KeyboardEvent) => {
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
        <input type={isNumber ? 'number' : 'text'} autoComplete="off" list={list} {...wiring} />
      )}
      <p id={noteId} className={error ? 'field-error' : 'field-hint'} role="status" hidden={!note}>
        {note}
      </p>
    </div>
  );
}

/** A message about a change by somebody else during typing; null for none. */
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
