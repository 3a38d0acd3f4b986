/**
 * Which of several layouts to take: one in which nothing hinders reading, and of those the one that can be shown largest.
 *
 * No single way is best: many lines between groups want each group laid out by itself, long labels want lines that run
 * down. So a handful is tried and looked at. Pure; the library is called through the function that is given.
 */
import type { Diagram, Size } from '../../protocol/types';
import { flawsOf } from '../drawing/clarity';
import { drawingOf } from '../drawing/drawing';
import type { MeasureText } from '../drawing/labels';
import { LAYOUT_DIRECTIONS, type LayoutGraph, layoutGraph } from './graph';
import { LEVEL_SHAPES, layoutByLevels, type RunLayout } from './levels';
import { layoutOperation, scaleIn, withMoves } from './result';
import { insideOf, type LayoutPart } from './scope';

/** Beyond this many nodes each try takes seconds, and no one reads labels any more. */
const COMPARE_UP_TO = 250;
const FULL_SIZE = 1;

/** What a layout is for, and with what it is made. */
export interface LayoutSettings {
  room: Size;
  run: RunLayout;
  measure?: MeasureText | undefined;
}

/** The best layout of a part for a room of this size. */
export async function bestLayout(
  diagram: Diagram,
  part: LayoutPart,
  settings: LayoutSettings,
): Promise<LayoutGraph> {
  const isLarge = insideOf(part, diagram.nodes).ids.size > COMPARE_UP_TO;
  const found: Found[] = [];
  // Room for every label makes a layout larger, so that is only wanted where they are in the way without.
  for (const labels of ['sideways', 'everywhere'] as const) {
    for (const shape of isLarge ? [1] : LEVEL_SHAPES)
      found.push(judged(await layoutByLevels(diagram, part, { ...settings, shape, labels }), settings));
    for (const direction of LAYOUT_DIRECTIONS)
      found.push(
        judged(await settings.run(layoutGraph(diagram, part, direction, labels, settings.measure)), settings),
      );
    found.sort((one, other) => other.scale - one.scale);
    if (isLarge || findFlaws(diagram, part, found, settings.measure)) break;
  }
  found.sort((one, other) => (isLarge ? 0 : one.flaws - other.flaws) || other.scale - one.scale);
  return (found[0] as Found).graph;
}

interface Found {
  graph: LayoutGraph;
  /** Nothing is shown larger than it is. */
  scale: number;
  /** Infinite where nobody has looked yet. */
  flaws: number;
}

const judged = (graph: LayoutGraph, { room }: LayoutSettings): Found => ({
  graph,
  scale: Math.min(scaleIn(graph, room), FULL_SIZE),
  flaws: Number.POSITIVE_INFINITY,
});

/** Look at layouts, largest first, until one has no flaw; whether one has none. */
function findFlaws(
  diagram: Diagram,
  part: LayoutPart,
  found: readonly Found[],
  measure: MeasureText | undefined,
): boolean {
  for (const one of found) {
    if (one.flaws === Number.POSITIVE_INFINITY) {
      const after = withMoves(diagram, layoutOperation(diagram, [{ part, graph: one.graph }]));
      one.flaws = flawsOf(drawingOf(after, measure && { measure })).length;
    }
    if (one.flaws === 0) return true;
  }
  return false;
}
