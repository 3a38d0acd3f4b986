/**
 * The judge: counts what is good and bad in a drawing, as it is shown. Pure.
 *
 * Everything is counted from the routes, sizes, frames and labels of a `Drawing`, never from stored values: what nobody
 * sees does not count. Not here: what the single counts mean exactly (`judgeBoxes.ts`, `judgeLines.ts`), which of two
 * drawings is better (`scores.ts`).
 */
import type { Diagram } from '../../../protocol/types';
import { type Box, boxAround, placeNodes } from '../../drawing/boxes';
import { type Drawing, drawingOf } from '../../drawing/drawing';
import { boxOf, type MeasureText } from '../../drawing/labels';
import { lengthOf } from '../../drawing/polyline';
import { countBoxes, countHits, countLabels } from './judgeBoxes';
import { countAlongFrames } from './judgeFrames';
import { countLines } from './judgeLines';

/** All counts of a drawing; lower is better, but for `shape`. */
export interface Score {
  /** Pairs of nodes over each other. */
  overlaps: number;
  /** Pairs of a node and a frame of a group that it is not in. */
  strangersInFrames: number;
  /** Pairs of frames over each other. */
  framesOverFrames: number;
  /** Pairs of a line and a node between its ends that it runs through. */
  linesThroughNodes: number;
  /** Pairs of a line and the title of a group that it runs through. */
  linesThroughTitles: number;
  /** Pixels over which two lines look like one, or a line like the border of a frame. */
  coincident: number;
  crossings: number;
  bends: number;
  /** Of all lines, in pixels. */
  length: number;
  /** Labels over nodes. */
  labelsHidden: number;
  labelsOnLabels: number;
  /** Of the box around everything, in square pixels. */
  area: number;
  /** Width by height of that box. */
  shape: number;
  /** How far nodes that were there before have moved, in pixels, summed. */
  moved: number;
}

/** The score of a diagram as it is drawn. */
export const scoreOf = (diagram: Diagram, before?: Diagram | null, measure?: MeasureText): Score =>
  scoreOfDrawing(drawingOf(diagram, { measure }), before ?? null);

/** The score of a drawing. */
export function scoreOfDrawing(drawing: Drawing, before: Diagram | null): Score {
  const { crossings, coincident } = countLines(drawing.edges);
  const { throughNodes: _through, ...hits } = countHits(drawing);
  const around = boxAround(boxesIn(drawing)) ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    ...countBoxes(drawing.nodes),
    ...hits,
    crossings,
    coincident: coincident + countAlongFrames(drawing).pixels,
    bends: drawing.edges.reduce((sum, { points }) => sum + Math.max(0, points.length - 2), 0),
    length: Math.round(drawing.edges.reduce((sum, { points }) => sum + lengthOf(points), 0)),
    ...countLabels(drawing),
    area: Math.round(around.width * around.height),
    shape: around.height > 0 ? Number((around.width / around.height).toPrecision(3)) : 0,
    moved: before ? movedSince(drawing, before) : 0,
  };
}

function* boxesIn({ nodes, edges }: Drawing): Generator<Box> {
  for (const { box } of nodes) yield box;
  for (const { points, label } of edges) {
    for (const { x, y } of points) yield { x, y, width: 0, height: 0 };
    if (label) yield boxOf(label);
  }
}

/** By their top left corners, in the diagram's coordinates. */
function movedSince({ nodes }: Drawing, before: Diagram): number {
  const places = placeNodes(before.nodes);
  const distances = nodes.map(({ node, box }) => {
    const was = places.get(node.id)?.box;
    return was ? Math.hypot(box.x - was.x, box.y - was.y) : 0;
  });
  return Math.round(distances.reduce((sum, distance) => sum + distance, 0));
}
