/** Makes the pointer context of this canvas. */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { Drawing } from '../../model/drawing/drawing';
import { useEditorContext } from '../context/EditorContext';
import { useGestures } from '../gestures/useGestures';
import type { CanvasStore } from './canvasState';
import type { PointerContext } from './pointer/pointerContext';

/** Cached, because reading it forces a layout of the page. */
const KNOWN_MS = 400;

export function usePointerContext(store: CanvasStore, drawing: Drawing): PointerContext {
  const context = useEditorContext();
  const gestures = useGestures();
  const flow = useReactFlow();
  const library = useStoreApi();
  const newest = useRef(drawing);
  newest.current = drawing;
  return useMemo<PointerContext>(() => {
    let known: { rect: DOMRect; at: number } | null = null;
    const room = () => {
      const now = performance.now();
      if (!known || now - known.at > KNOWN_MS) {
        known = { rect: (library.getState().domNode as HTMLElement).getBoundingClientRect(), at: now };
      }
      return known.rect;
    };
    return {
      context,
      gestures,
      store,
      drawing: () => newest.current,
      toDiagram: ({ x, y }) => {
        const { left, top } = room();
        const [dx, dy, zoom] = library.getState().transform;
        return { x: (x - left - dx) / zoom, y: (y - top - dy) / zoom };
      },
      zoom: () => flow.getZoom(),
      room,
      scrollBy: (delta) => void library.getState().panBy(delta),
      say: (spoken) => store.setState({ spoken }),
    };
  }, [context, gestures, flow, library, store]);
}
