/** A drawing with its axes swapped, so that what works sideways works downwards. Pure. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import type { Drawing } from '../../drawing/drawing';
import type { Axis } from './spreadItems';

/** The same drawing for x. */
export function turned(drawing: Drawing, axis: Axis): Drawing {
  if (axis === 'x') return drawing;
  return {
    ...drawing,
    nodes: drawing.nodes.map((drawn) => ({ ...drawn, box: turnedBox(drawn.box, axis) })),
    edges: drawing.edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map((point) => turnedPoint(point, axis)),
      label: label && {
        ...turnedPoint(label, axis),
        shape: { ...label.shape, width: label.shape.height, height: label.shape.width },
      },
    })),
  };
}

export const turnedPoint = ({ x, y }: Point, axis: Axis): Point => (axis === 'x' ? { x, y } : { x: y, y: x });

export const turnedBox = ({ x, y, width, height }: Box, axis: Axis): Box =>
  axis === 'x' ? { x, y, width, height } : { x: y, y: x, width: height, height: width };
