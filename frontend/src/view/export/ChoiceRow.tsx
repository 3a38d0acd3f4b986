/** One of a few, side by side: radio buttons that look like the segments of the bar. */
import { useId } from 'react';

interface Props<T extends string> {
  label: string;
  value: T;
  choices: readonly { value: T; text: string; isOff?: boolean }[];
  onChoose: (value: T) => void;
}

export function ChoiceRow<T extends string>({ label, value, choices, onChoose }: Props<T>) {
  const name = useId();
  return (
    <fieldset className="choice-row">
      <legend>{label}</legend>
      <div className="choice-row-items">
        {choices.map((choice) => (
          <label key={choice.value} className={choice.isOff ? 'is-off' : undefined}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.isOff ?? false}
              onChange={() => onChoose(choice.value)}
            />
            {choice.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
