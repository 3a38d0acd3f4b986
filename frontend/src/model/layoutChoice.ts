/**
 * Which of several layouts to take: one in which nothing hinders reading, and of those the one that can be shown largest.
 *
 * No single way is best: many lines between groups want each group laid out by itself, long labels want lines that run
 * down. So a handful is tried and looked at. Pure; the library is called through the function that is given.
 */
import type { Diagram, Size } from '../protocol/types';
import { flawsOf } from './clarity';
import { drawingOf } from './drawing';
import type { MeasureText } from './labels';
import { LAYOUT_DIRECTIONS, type LabelRoom, type LayoutGraph, layoutGraph } from './layoutGraph';
import { LEVEL_SHAPES, layoutByLevels, type RunLayout } from './layoutLevels';
import { layoutOperation, scaleIn, withMoves } from './layoutResult';
import { insideOf, type LayoutPart } from './layoutScope';

/** Beyond this many nodes each try takes seconds, and no one reads labels any more. */
const COMPARE_UP_TO = 250;
const FULL_SIZE = 1;

/** The best layout of a part for a room of this size. */
export async function bestLayout(
  diagram: Diagram,
  part: LayoutPart,
  room: Size,
  run: RunLayout,
  measure?: MeasureText,
): Promise<LayoutGraph> {
  const isLarge = insideOf(part, diagram.nodes).ids.size > COMPARE_UP_TO;
  const tries = isLarge ? quickTries : allTries;
  const found: LayoutGraph[] = [];
  for (const start of tries(diagram, part, room, run, measure)) found.push(await start());
  found.sort((one, other) => shownAt(other, room) - shownAt(one, room));
  if (isLarge) return found[0] as LayoutGraph;
  return leastFlawed(diagram, part, found, measure);
}

/** Nothing is shown larger than it is. */
const shownAt = (graph: LayoutGraph, room: Size): number => Math.min(scaleIn(graph, room), FULL_SIZE);

type Tries = (
  diagram: Diagram,
  part: LayoutPart,
  room: Size,
  run: RunLayout,
  measure?: MeasureText,
) => (() => Promise<LayoutGraph>)[];

const LABEL_ROOMS: readonly LabelRoom[] = ['everywhere', 'sideways'];

const allTries: Tries = (diagram, part, room, run, measure) => [
  ...LAYOUT_DIRECTIONS.map(
    (direction) => () => run(layoutGraph(diagram, part, direction, 'sideways', measure)),
  ),
  ...LEVEL_SHAPES.flatMap((shape) =>
    LABEL_ROOMS.map((labels) => () => layoutByLevels(diagram, part, { room, shape, labels, run, measure })),
  ),
  () => run(layoutGraph(diagram, part, 'DOWN', 'everywhere', measure)),
];

const quickTries: Tries = (diagram, part, room, run, measure) => [
  ...LAYOUT_DIRECTIONS.map(
    (direction) => () => run(layoutGraph(diagram, part, direction, 'sideways', measure)),
  ),
  () => layoutByLevels(diagram, part, { room, shape: 1, labels: 'sideways', run, measure }),
];

/** The first in which nothing hinders reading, else the one in which least does. */
function leastFlawed(
  diagram: Diagram,
  part: LayoutPart,
  found: readonly LayoutGraph[],
  measure: MeasureText | undefined,
): LayoutGraph {
  let best = found[0] as LayoutGraph;
  let least = Number.POSITIVE_INFINITY;
  for (const graph of found) {
    const after = withMoves(diagram, layoutOperation(diagram, [{ part, graph }]));
    const flaws = flawsOf(drawingOf(after, measure)).length;
    if (flaws < least) [least, best] = [flaws, graph];
    if (flaws === 0) break;
  }
  return best;
}
