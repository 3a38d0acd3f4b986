/** Colour and style of nodes or connections: a row of swatches, and a choice. */
import { useId } from 'react';
import { COLOR_NAMES, STYLE_NAMES } from '../../model/words/looks';
import type { Color, Style } from '../../protocol/types';
import { tintOf } from '../drawing/TypeTile';
import { ChoiceField } from './ChoiceField';
import { listed } from './choices';

interface Props {
  /** Null where several things have different ones. */
  color: string | null;
  style: string | null;
  isDisabled: boolean;
  onChange: (change: { color: Color | null } | { style: Style | null }) => void;
}

const STYLE_CHOICES = listed(STYLE_NAMES);

export function LooksFields({ color, style, isDisabled, onChange }: Props) {
  const name = useId();
  return (
    <>
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
                onChange={() => onChange({ color: (one || null) as Color | null })}
              />
            </label>
          ))}
        </div>
      </fieldset>
      <ChoiceField
        label="Style"
        value={style}
        choices={STYLE_CHOICES}
        isDisabled={isDisabled}
        onChoose={(one) => onChange({ style: (one || null) as Style | null })}
      />
    </>
  );
}
