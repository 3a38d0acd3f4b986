/** A labelled select; where the selected things differ, it shows “Different”, which cannot be chosen. */

import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';

interface Props {
  label: string;
  /** Null where the selected things differ. */
  value: string | null;
  choices: readonly { value: string; text: string }[];
  isDisabled?: boolean;
  hint?: string | undefined;
  /** Called as soon as an option is chosen. */
  onChoose: (value: string) => void;
}

const MIXED = '\u0000mixed';

export function ChoiceField({ label, value, choices, isDisabled = false, hint, onChoose }: Props) {
  const isKnown = value !== null && choices.some((choice) => choice.value === value);
  // A server newer than this page may use other values.
  const own = value !== null && !isKnown ? [{ value, text: value }] : [];
  const mixed = value === null ? [{ value: MIXED, text: 'Different' }] : [];
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value ?? MIXED}
          choices={[...mixed, ...own, ...choices]}
          disabled={isDisabled}
          onChoose={(next) => {
            if (next !== MIXED) onChoose(next);
          }}
        />
      )}
    </Field>
  );
}
