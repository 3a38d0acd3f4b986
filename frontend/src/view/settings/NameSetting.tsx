/** What somebody is called: saved when the field is left or Enter is pressed; Escape brings back what holds. */
import { useState } from 'react';
import { explainError } from '../../sync/words/errors';
import { useMe, useRenameMe } from '../queries';
import { Field } from '../ui/field/Field';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';

export function NameSetting() {
  const me = useMe().data;
  const rename = useRenameMe();
  const [draft, setDraft] = useState<string | null>(null);
  const held = me?.name ?? '';
  const save = () => {
    const wanted = draft?.trim();
    setDraft(null);
    if (wanted && wanted !== held) rename.mutate(wanted);
  };
  useFlushOnLeave(save);
  const hint = rename.isPending
    ? 'Saving…'
    : rename.isSuccess
      ? 'Saved'
      : 'Shown to others beside your changes';
  return (
    <Field
      label="Your name"
      hint={hint}
      error={
        rename.error ? `${explainError(rename.error).title}. ${explainError(rename.error).advice}` : undefined
      }
    >
      {(wiring) => (
        <input
          {...wiring}
          value={draft ?? held}
          maxLength={60}
          autoComplete="name"
          disabled={!me}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save();
            if (event.key === 'Escape' && draft !== null && draft !== held) {
              event.preventDefault();
              event.stopPropagation();
              setDraft(null);
            }
          }}
        />
      )}
    </Field>
  );
}
