/** Swaps the axes of a drawing, so that code for one axis serves both. Pure. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import type { Drawing } from '../../drawing/drawing';
import type { Axis } from './spreadItems';

/** The same drawing for x. */
export function swapAxes(drawing: Drawing, axis: Axis): Drawing {
  if (axis === 'x') return drawing;
  return {
    ...drawing,
    nodes: drawing.nodes.map((drawn) => ({ ...drawn, box: swapBox(drawn.box, axis) })),
    edges: drawing.edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map((point) => swapPoint(point, axis)),
      label: label && {
        ...swapPoint(label, axis),
        shape: { ...label.shape, width: label.shape.height, height: label.shape.width },
      },
    })),
  };
}

export const swapPoint = ({ x, y }: Point, axis: Axis): Point => (axis === 'x' ? { x, y } : { x: y, y: x });

export const swapBox = ({ x, y, width, height }: Box, axis: Axis): Box =>
  axis === 'x' ? { x, y, width, height } : { x: y, y: x, width: height, height: width };
