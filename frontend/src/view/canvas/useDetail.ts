/** How much of a node can be read at the zoom of the canvas. */
import { useStore } from '@xyflow/react';

/** Everything; the name alone, enlarged; a plain shape, with the titles of groups above. */
export type Detail = 'all' | 'names' | 'shapes';

/** Below, the text of a card is smaller than nine pixels. */
const ALL_FROM = 0.7;
/** Below, a name of a usual card has no room. */
const NAMES_FROM = 0.34;
/** Text is enlarged in steps, so that a zoom renders seldom. */
const STEP = 1.12;

export interface DetailLevel {
  detail: Detail;
  /** About the zoom of the canvas; 1 where everything is shown. */
  zoom: number;
}

export function useDetail(): DetailLevel {
  const step = useStore(({ transform: [, , zoom] }) =>
    zoom >= ALL_FROM ? 0 : Math.min(-1, Math.round(Math.log(zoom) / Math.log(STEP))),
  );
  const isShapes = useStore(({ transform }) => transform[2] < NAMES_FROM);
  return { detail: step === 0 ? 'all' : isShapes ? 'shapes' : 'names', zoom: step === 0 ? 1 : STEP ** step };
}
