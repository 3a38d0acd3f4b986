/** A search field that `/` focuses and Escape clears. */
import { Search } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { isAtPlaceOfSign } from '../pressed';
import { useShortcut } from '../useShortcut';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** For a field with a list: the list's id and the id of the active option. */
  list?: { id: string; isOpen: boolean; active: string | undefined };
}

export function SearchField({ label, value, onChange, onKeyDown, list }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key !== '/' && !isAtPlaceOfSign('/', event)) return false;
    field.current?.focus();
    return true;
  });
  const combobox = list && {
    role: 'combobox',
    'aria-expanded': list.isOpen,
    'aria-controls': list.id,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': list.active,
  };
  return (
    <div className="search">
      <Search size={16} strokeWidth={1.9} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            if (value) onChange('');
            else field.current?.blur();
          }
          onKeyDown?.(event);
        }}
        {...combobox}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </div>
  );
}
