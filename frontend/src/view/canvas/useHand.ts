/** What gestures on this canvas work with, put together. */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { Drawing } from '../../model/drawing';
import { useDesk } from '../desk/Desk';
import { useGestures } from '../gestures/useGestures';
import type { CanvasStore } from './canvasState';
import type { Hand } from './hand/hand';

export function useHand(store: CanvasStore, drawing: Drawing): Hand {
  const desk = useDesk();
  const gestures = useGestures();
  const flow = useReactFlow();
  const library = useStoreApi();
  const newest = useRef(drawing);
  newest.current = drawing;
  return useMemo<Hand>(() => {
    const room = () => (library.getState().domNode as HTMLElement).getBoundingClientRect();
    return {
      desk,
      gestures,
      store,
      drawing: () => newest.current,
      // Every pixel counts where something is held: no grid is put between.
      toDiagram: (screen) => flow.screenToFlowPosition(screen, { snapToGrid: false }),
      zoom: () => flow.getZoom(),
      room,
      scrollBy: (delta) => void library.getState().panBy(delta),
      say: (spoken) => store.setState({ spoken }),
    };
  }, [desk, gestures, flow, library, store]);
}
