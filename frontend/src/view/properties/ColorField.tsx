/** The colour of nodes, as a row of swatches. */
import { useId } from 'react';
import { COLOR_NAMES } from '../../model/words/colors';
import { tintOf } from '../drawing/TypeTile';

interface Props {
  /** Null where several nodes have different ones. */
  value: string | null;
  isDisabled: boolean;
  onChoose: (color: string) => void;
}

export function ColorField({ value, isDisabled, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="field color-field" disabled={isDisabled}>
      <legend>Colour</legend>
      <div className="swatches">
        {Object.entries(COLOR_NAMES).map(([color, text]) => (
          <label key={color} className="swatch" style={color ? tintOf(color) : undefined} data-tip={text}>
            <input
              type="radio"
              name={name}
              aria-label={text}
              checked={value === color}
              onChange={() => onChoose(color)}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
