/** A name that becomes a field: Enter or blur saves, Escape cancels. */
import { type ReactNode, useRef, useState } from 'react';
import { useFlushOnLeave } from '../useFlushOnLeave';

interface Props {
  name: string;
  /** The accessible name. */
  what: string;
  max?: number;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
  /** Called only with a name that differs and is not empty. */
  onRename: (name: string) => void;
  children: ReactNode;
}

export const NAME_MAX = 200;

export function EditableName({ isEditing, children, ...field }: Props) {
  return isEditing ? <NameField {...field} /> : children;
}

function NameField({ name, what, max = NAME_MAX, onEdit, onRename }: Omit<Props, 'isEditing' | 'children'>) {
  const [draft, setDraft] = useState(name);
  // Somebody else may rename it meanwhile: typed text stays, and without typing nothing is saved.
  const [first] = useState(name);
  // Leaving edit mode removes the field, which makes some browsers fire blur: only the first end counts.
  const isOver = useRef(false);
  const finish = (keep: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const wanted = draft.trim();
    if (keep && draft !== first && wanted && wanted !== name) onRename(wanted);
    onEdit(false);
  };
  useFlushOnLeave(() => {
    if (draft !== first) finish(true);
  });
  return (
    <input
      ref={(field) => {
        if (field && document.activeElement !== field) {
          field.focus();
          field.select();
        }
      }}
      className="name-field"
      aria-label={`Name of ${what}`}
      value={draft}
      maxLength={max}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(true);
        if (event.key === 'Escape') finish(false);
      }}
    />
  );
}
