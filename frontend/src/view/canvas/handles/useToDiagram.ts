/** From pixels of the window to the diagram, inside the canvas. */
import { useStoreApi } from '@xyflow/react';
import { useCallback } from 'react';
import type { Point } from '../../../protocol/types';

export function useToDiagram(): (screen: Point) => Point {
  const library = useStoreApi();
  return useCallback(
    ({ x, y }) => {
      const { domNode, transform } = library.getState();
      const { left, top } = (domNode as HTMLElement).getBoundingClientRect();
      const [dx, dy, zoom] = transform;
      return { x: (x - left - dx) / zoom, y: (y - top - dy) / zoom };
    },
    [library],
  );
}
