/** Custom properties as names and values: add, change and remove, each in one step. */
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { IconButton } from '../ui/IconButton';
import { CommitField } from './CommitField';

/** Null removes a property. */
export type PropertyPatch = Record<string, string | null>;

interface Props {
  properties: Readonly<Record<string, string>>;
  isDisabled: boolean;
  onPatch: (patch: PropertyPatch) => void;
}

const MAX = 50;
const KEY_MOST = 64;
const VALUE_MOST = 1000;

export function PropertyRows({ properties, isDisabled, onPatch }: Props) {
  const rows = Object.entries(properties).sort(([one], [other]) => one.localeCompare(other));
  return (
    <section className="prop-section" aria-label="Further facts">
      <h3>Properties</h3>
      {rows.length === 0 && <p className="prop-none">None.</p>}
      {rows.map(([key, value]) => (
        <div key={key} className="prop-row">
          <CommitField
            label={`Name of property ${key}`}
            isLabelHidden
            value={key}
            most={KEY_MOST}
            isDisabled={isDisabled}
            check={(name) => checkName(name, properties)}
            onCommit={(name) => onPatch({ [key]: null, [name]: value })}
          />
          <CommitField
            label={`Value of ${key}`}
            isLabelHidden
            value={value}
            most={VALUE_MOST}
            isDisabled={isDisabled}
            onCommit={(text) => onPatch({ [key]: text })}
          />
          <IconButton
            icon={X}
            label={`Remove ${key}`}
            className="small"
            disabled={isDisabled}
            onClick={() => onPatch({ [key]: null })}
          />
        </div>
      ))}
      {!isDisabled && rows.length < MAX && <NewRow properties={properties} onPatch={onPatch} />}
    </section>
  );
}

function checkName(name: string, properties: Readonly<Record<string, string>>): string | null {
  if (!name) return 'A property needs a name.';
  return Object.hasOwn(properties, name) ? `There is already a property “${name}”.` : null;
}

function NewRow({ properties, onPatch }: Omit<Props, 'isDisabled'>) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = checkName(name.trim(), properties);
    setError(wrong);
    if (wrong) return;
    onPatch({ [name.trim()]: value });
    setName('');
    setValue('');
    event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <form className="prop-row" onSubmit={submit}>
      <div className="field">
        <input
          aria-label="Name of a new property"
          placeholder="Name"
          value={name}
          maxLength={KEY_MOST}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            setError(null);
            setName(event.target.value);
          }}
        />
      </div>
      <div className="field">
        <input
          aria-label="Value of a new property"
          placeholder="Value"
          value={value}
          maxLength={VALUE_MOST}
          autoComplete="off"
          onChange={(event) => setValue(event.target.value)}
        />
      </div>
      <IconButton icon={Plus} label="Add property" type="submit" className="small" />
      <p className="field-error" role="status" hidden={!error}>
        {error}
      </p>
    </form>
  );
}
