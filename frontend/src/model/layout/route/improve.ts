/** Reroutes the lines of a diagram one by one; a route that scores worse on any count is rejected. Pure. */
import type { Diagram, Point } from '../../../protocol/types';
import { type Drawing, drawingOf } from '../../drawing/drawing';
import { segmentsOf } from '../../drawing/polyline';
import { scoreOf, scoreOfDrawing } from '../score/judge';
import { isImprovement } from '../score/scores';
import { type Lines, linesOf, newLine, routeFor, withoutLabels, withRoutes } from './reroute';
import type { Effort } from './routeSearch';

/** Each line that is taken judges the whole. */
const TRIES = 200;
/** With more nodes times lines that takes too long. */
const MOST_PAIRS = 30_000;

/** Labels are left out of it: where they go is looked at when all lines are there. */
export function improvedLines(diagram: Diagram, routable: ReadonlySet<string>, effort: Effort): Diagram {
  if (diagram.nodes.length * diagram.edges.length > MOST_PAIRS) return diagram;
  const lines = linesOf(diagram);
  const routes = new Map<string, Point[]>();
  const start = drawingOf(withoutLabels(diagram));
  const before = scoreOfDrawing(start, null);
  let [drawing, score] = [start, before];
  for (const id of worstFirst(lines, routable).slice(0, TRIES)) {
    if (effort.left <= 0) break;
    const points = newLine(lines, id, effort);
    if (!points || badness(lines, id, points) >= badness(lines, id, lines.points.get(id) ?? [])) continue;
    const next = withLine(drawing, id, points);
    const nextScore = scoreOfDrawing(next, null);
    if (!isImprovement(nextScore, score)) continue;
    [drawing, score] = [next, nextScore];
    routes.set(id, routeFor(lines, id, points));
    lines.points.set(id, points);
    lines.segments.set(id, segmentsOf(points));
  }
  if (routes.size === 0) return diagram;
  const better = withRoutes(diagram, routes);
  // Drawn anew, a line may end a little beside where it was searched.
  return isImprovement(scoreOf(withoutLabels(better)), before) ? better : diagram;
}

/** The same drawing with another line for an edge: quicker than drawing all anew. */
const withLine = (drawing: Drawing, id: string, points: Point[]): Drawing => ({
  ...drawing,
  edges: drawing.edges.map((drawn) => (drawn.edge.id === id ? { ...drawn, points } : drawn)),
});

/** What is crossed, what it lies on, and bends. */
function badness({ segments }: Lines, id: string, points: readonly Point[]): number {
  let sum = points.length;
  for (const { from, to } of segmentsOf(points)) {
    const [left, right] = [Math.min(from.x, to.x) - NEAR, Math.max(from.x, to.x) + NEAR];
    const [top, bottom] = [Math.min(from.y, to.y) - NEAR, Math.max(from.y, to.y) + NEAR];
    for (const [other, otherSegments] of segments) {
      if (other === id) continue;
      for (const piece of otherSegments) {
        const isApart =
          Math.max(piece.from.x, piece.to.x) <= left ||
          Math.min(piece.from.x, piece.to.x) >= right ||
          Math.max(piece.from.y, piece.to.y) <= top ||
          Math.min(piece.from.y, piece.to.y) >= bottom;
        if (!isApart) sum += CROSSED;
      }
    }
  }
  return sum;
}

/** Two bends and nothing crossed: there is hardly a better line, and searching takes long. */
const GOOD = 4;
const NEAR = 1;
const CROSSED = 10;

/** Lines that meet others first, then those with many bends. */
const worstFirst = (lines: Lines, routable: ReadonlySet<string>): string[] =>
  [...lines.points]
    .filter(([id, points]) => routable.has(id) && points.length > 2)
    .map(([id, points]) => ({ id, bad: badness(lines, id, points) }))
    .filter(({ bad }) => bad > GOOD)
    .sort((one, other) => other.bad - one.bad)
    .map(({ id }) => id);
