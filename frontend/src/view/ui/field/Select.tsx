/** The browser's own select, which works by touch and with screen readers. */
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

interface Props<T extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  value: T;
  choices: readonly { value: T; text: string }[];
  onChoose: (value: T) => void;
}

export function Select<T extends string>({ value, choices, onChoose, className = '', ...rest }: Props<T>) {
  return (
    <span className={`select ${className}`}>
      <select {...rest} value={value} onChange={(event) => onChoose(event.target.value as T)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
      <ChevronDown size={15} strokeWidth={2} aria-hidden="true" />
    </span>
  );
}
