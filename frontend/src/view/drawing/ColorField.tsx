/** A row of swatches to choose a colour from. */
import '../styles/properties.css';
import { useId } from 'react';
import { COLOR_NAMES } from '../../model/words/looks';
import { tintOf } from './TypeTile';

interface Props {
  /** Empty for none; null where several things have different ones. */
  color: string | null;
  isDisabled?: boolean;
  onChoose: (color: string) => void;
}

export function ColorField({ color, isDisabled = false, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="field color-field" disabled={isDisabled}>
      <legend>Colour</legend>
      <div className="swatches">
        {Object.entries(COLOR_NAMES).map(([one, text]) => (
          <label key={one} className="swatch" style={one ? tintOf(one) : undefined} data-tip={text}>
            <input
              type="radio"
              name={name}
              aria-label={text}
              checked={color === one}
              onChange={() => onChoose(one)}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
