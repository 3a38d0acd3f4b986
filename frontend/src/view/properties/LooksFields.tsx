/** Colour and style of nodes or connections: a row of swatches, and a choice. */
import { STYLE_NAMES } from '../../model/words/looks';
import type { Color, Style } from '../../protocol/types';
import { ColorField } from '../drawing/ColorField';
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
  return (
    <>
      <ColorField
        color={color}
        isDisabled={isDisabled}
        onChoose={(one) => onChange({ color: (one || null) as Color | null })}
      />
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
