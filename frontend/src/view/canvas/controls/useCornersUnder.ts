/** Whether something over the canvas lies on a corner by which the selected group can be resized: it gives way then. */
import { useStore } from '@xyflow/react';
import type { Box } from '../../../model/drawing/boxes';
import { type Drawing, isFrame } from '../../../model/drawing/drawing';
import { isCornerUnder } from '../../../model/drawing/legend';
import { useUiState } from '../../context/EditorContext';
import { useCanvas } from '../canvasState';

/** @param coverIn its place in a canvas of that size */
export function useCornersUnder(
  { nodes }: Drawing,
  coverIn: (canvas: { width: number; height: number }) => Box,
): boolean {
  const { isWritable } = useCanvas();
  const selection = useUiState((state) => state.selection.nodes);
  const group =
    isWritable && selection.size === 1
      ? nodes.find((drawn) => selection.has(drawn.node.id) && isFrame(drawn) && !drawn.isLocked)
      : undefined;
  return useStore(
    ({ transform: [x, y, zoom], width, height }) =>
      group !== undefined && isCornerUnder(group.box, { x, y, zoom }, coverIn({ width, height })),
  );
}
