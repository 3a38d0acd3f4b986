/** The step of the zoom: what a diagram shows of itself changes from one to the next, and between two it grows as a whole. */
import { useStore } from '@xyflow/react';
import { useLayoutEffect } from 'react';
import { zoomStep } from '../../model/drawing/legible';
import type { CanvasStore } from './canvasState';

/** The step, which is also put into the store: what is drawn anew for it is up to each part. */
export function useZoomStep(store: CanvasStore): number {
  const step = useStore(({ transform }) => zoomStep(transform[2]));
  useLayoutEffect(() => {
    store.setState({ step });
  }, [store, step]);
  return step;
}
