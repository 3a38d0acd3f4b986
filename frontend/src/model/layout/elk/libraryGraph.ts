/** The shapes of the layout library's (ELK's) input and output, as far as they are used. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';

export type Options = Record<string, string>;

/** The input of the library and, with positions, its output. */
export interface LayoutGraph extends Partial<Box> {
  id: string;
  layoutOptions?: Options;
  children?: LayoutGraph[];
  edges?: LayoutEdge[];
}

export interface LayoutEdge {
  id: string;
  sources: string[];
  targets: string[];
  layoutOptions?: Options;
  sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
}

/** An edge with its points moved. */
export function shifted(edge: LayoutEdge, by: Point): LayoutEdge {
  const move = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y });
  const sections = edge.sections?.map(({ startPoint, endPoint, bendPoints }) => ({
    startPoint: move(startPoint),
    endPoint: move(endPoint),
    ...(bendPoints && { bendPoints: bendPoints.map(move) }),
  }));
  return { ...edge, ...(sections && { sections }) };
}
