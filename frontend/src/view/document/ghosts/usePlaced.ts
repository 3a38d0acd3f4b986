/** The positions of proposed changes in the current text: placed once, then mapped through edits. */
import { useMemo, useRef } from 'react';
import { carried, type PlacedChanges, placeChanges } from '../../../model/text/ghostText';
import type { Ghosts } from '../../context/uiState';
import { useThrottledValue } from '../../ui/useThrottledValue';

interface Placed {
  text: string;
  placed: PlacedChanges;
}

export function usePlaced({ steps, document }: Ghosts, newest: string): Placed {
  const text = useThrottledValue(newest);
  const last = useRef<(Placed & { steps: unknown; document: unknown }) | null>(null);
  return useMemo(() => {
    const known = last.current;
    const isSame = known !== null && known.steps === steps && known.document === document;
    const placed = isSame ? carried(known.placed, known.text, text) : placeChanges(text, steps, document);
    last.current = { steps, document, text, placed };
    return { text, placed };
  }, [steps, document, text]);
}
