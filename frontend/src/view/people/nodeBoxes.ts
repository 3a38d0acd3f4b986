/** The boxes of some nodes as one string, which is equal as long as none of them has moved. */
import type { ReactFlowState } from '@xyflow/react';
import type { Box } from '../../model/drawing/boxes';

export function boxesKey(lookup: ReactFlowState['nodeLookup'], ids: readonly string[]): string {
  const boxes = ids.flatMap((id) => {
    const node = lookup.get(id);
    if (!node || node.hidden) return [];
    const { x, y } = node.internals.positionAbsolute;
    const { width = node.width ?? 0, height = node.height ?? 0 } = node.measured;
    return [[id, x, y, width, height]];
  });
  return JSON.stringify(boxes);
}

export function readBoxes(key: string): ReadonlyMap<string, Box> {
  const boxes = JSON.parse(key) as [string, number, number, number, number][];
  return new Map(boxes.map(([id, x, y, width, height]) => [id, { x, y, width, height }]));
}
