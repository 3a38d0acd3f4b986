/**
 * Lines in other shapes than right angles. How they are drawn is a part that is loaded where a diagram has some (`lineShapes.ts`):
 * until then they are right-angled.
 */
import type { DiagramEdge, Point } from '../../../protocol/types';
import type { Box } from '../boxes';

export interface LineShapes {
  /** The lines that lead straight from one node to the other. */
  straightLines: (
    edges: readonly DiagramEdge[],
    boxes: ReadonlyMap<string, Box>,
  ) => ReadonlyMap<string, Point[]>;
  /** Lines by edge, each in the shape of its edge. */
  inTheirShapes: (edges: readonly DiagramEdge[], lines: Map<string, Point[]>) => Map<string, Point[]>;
  /** The SVG path of a line. */
  pathAlong: (edge: DiagramEdge, points: readonly Point[]) => string;
}

/** The part, once it is loaded. */
export const otherShapes: { part?: LineShapes } = {};
