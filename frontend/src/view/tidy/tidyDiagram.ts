/** Lay a scope out both ways and keep, for each part, the one that can be shown larger. */
import { LAYOUT_DIRECTIONS, type LayoutGraph, layoutGraph } from '../../model/layoutGraph';
import { type LaidOutPart, scaleIn } from '../../model/layoutResult';
import type { LayoutPart } from '../../model/layoutScope';
import type { Diagram, Size } from '../../protocol/types';
import { textWidth } from '../canvas/textWidth';
import type { LayoutWorker } from './layoutWorker';

export async function laidOut(
  diagram: Diagram,
  parts: readonly LayoutPart[],
  room: Size,
  worker: LayoutWorker,
): Promise<LaidOutPart[]> {
  const found: LaidOutPart[] = [];
  for (const part of parts) {
    let best: LayoutGraph | null = null;
    for (const direction of LAYOUT_DIRECTIONS) {
      const graph = await worker.layout(layoutGraph(diagram, part, direction, textWidth));
      if (!best || scaleIn(graph, room) > scaleIn(best, room)) best = graph;
    }
    if (best) found.push({ part, graph: best });
  }
  return found;
}
