/**
 * Chooses among several layouts: one without flaws, and of those the one that can be shown largest.
 *
 * No single layout is best: many edges between groups want each group laid out by itself, long labels want vertical
 * lines. So a handful is tried and compared. Pure; the layout library is passed in as a function.
 */
import type { Diagram, Size } from '../../protocol/types';
import { flawsOf } from '../drawing/clarity';
import { drawingOf } from '../drawing/drawing';
import type { MeasureText } from '../drawing/labels';
import { LAYOUT_DIRECTIONS, type LayoutGraph, layoutGraph } from './graph';
import { LEVEL_SHAPES, layoutByLevels, type RunLayout } from './levels';
import { layoutOperation, scaleIn, withMoves } from './result';
import { insideOf, type LayoutPart } from './scope';

/** Beyond this many nodes each attempt takes seconds, and labels cannot be read anyway. */
const COMPARE_UP_TO = 250;
const FULL_SIZE = 1;

/** The constraints of a layout, and the function that runs the library. */
export interface LayoutSettings {
  room: Size;
  run: RunLayout;
  measure?: MeasureText | undefined;
}

/** The best layout of a part for an area of this size. */
export async function bestLayout(
  diagram: Diagram,
  part: LayoutPart,
  settings: LayoutSettings,
): Promise<LayoutGraph> {
  const isLarge = insideOf(part, diagram.nodes).ids.size > COMPARE_UP_TO;
  const found: Found[] = [];
  // Space for every label makes a layout larger, so that is tried only where labels overlap without it.
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
  /** Infinity where it was not checked yet. */
  flaws: number;
}

const judged = (graph: LayoutGraph, { room }: LayoutSettings): Found => ({
  graph,
  scale: Math.min(scaleIn(graph, room), FULL_SIZE),
  flaws: Number.POSITIVE_INFINITY,
});

/** Checks layouts, largest first, until one has no flaw; returns whether one has none. */
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
