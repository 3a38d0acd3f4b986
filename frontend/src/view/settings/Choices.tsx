/** One of a few, all in sight: a row of radio buttons that takes effect as soon as another is chosen. */
import { type ReactNode, useId } from 'react';

interface Props<T extends string> {
  label: string;
  hint?: ReactNode;
  value: T;
  choices: readonly { value: T; text: string }[];
  onChoose: (value: T) => void;
}

export function Choices<T extends string>({ label, hint, value, choices, onChoose }: Props<T>) {
  const id = useId();
  return (
    <fieldset className="setting" aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      <div className="setting-choices">
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
            />
            <span>{choice.text}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
