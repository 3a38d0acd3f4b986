/** Removes small faults of lines (`lineEnds.ts`) where no score of the drawing (`score/judge.ts`) gets worse. Pure. */
import type { Diagram, Point } from '../../../protocol/types';
import { type Box, boxesOverlap, inflated } from '../../drawing/boxes';
import { boxesOf, type Drawing, drawingOf, obstaclesOf } from '../../drawing/drawing';
import type { MeasureText } from '../../drawing/labels';
import { type Segment, segmentsOf } from '../../drawing/polyline';
import { type Score, scoreOf } from '../score/judge';
import { isWithin } from '../score/judgeBoxes';
import { worseOn } from '../score/scores';
import { neatLine } from './lineEnds';
import { withRoutes } from './reroute';

/** The judge is asked at most so often; where it takes long, once. */
const TRIES = 12;
const MOST_PAIRS = 30_000;
/** Nearer to other lines or nodes than this nothing is moved, in pixels. */
const APART = 7;

/**
 * @param routable the edges that may have another route
 *
 * @param score of the diagram as it is
 */
export function straightened(
  diagram: Diagram,
  routable: ReadonlySet<string>,
  score: Score,
  measure?: MeasureText,
): Diagram {
  const drawing = drawingOf(diagram, { measure });
  let tries = diagram.nodes.length * diagram.edges.length > MOST_PAIRS ? 1 : TRIES;
  let best = diagram;
  const take = (routes: readonly (readonly [string, Point[]])[]): void => {
    if (routes.length === 0 || tries === 0) return;
    tries -= 1;
    const next = withRoutes(best, new Map(routes));
    if (worseOn(scoreOf(next, null, measure), score).length === 0) {
      best = next;
      return;
    }
    if (routes.length === 1) return;
    const half = routes.length >> 1;
    take(routes.slice(0, half));
    take(routes.slice(half));
  };
  take(neatRoutes(drawing, routable));
  return best;
}

/** What neat lines there is room for, each beside the others as they will be. */
function neatRoutes(drawing: Drawing, routable: ReadonlySet<string>): [string, Point[]][] {
  const boxes = boxesOf(drawing.nodes);
  const parents = new Map(drawing.nodes.map(({ node }) => [node.id, node.parent]));
  const cards = obstaclesOf(drawing.nodes).nodes;
  const segments = new Map(drawing.edges.map(({ edge, points }) => [edge.id, segmentsOf(points)]));
  const routes: [string, Point[]][] = [];
  for (const { edge, points } of drawing.edges) {
    const { id, source, target, route } = edge;
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (!route?.length || !routable.has(id) || !from || !to || source === target) continue;
    if (isWithin(parents, source, target) || isWithin(parents, target, source)) continue;
    const neat = neatLine(points, from, to);
    const moved = newSegments(points, neat);
    if (moved.length === 0) continue;
    const others = [...segments].flatMap(([other, otherSegments]) => (other === id ? [] : otherSegments));
    const near = [...cards].flatMap(([node, box]) => (node === source || node === target ? [] : [box]));
    if (!moved.every((piece) => isFree(piece, others, near))) continue;
    segments.set(id, segmentsOf(neat));
    routes.push([id, bendsOf(neat)]);
  }
  return routes;
}

/** Those that were not there before. */
function newSegments(before: readonly Point[], after: readonly Point[]): Segment[] {
  const known = new Set(segmentsOf(before).map(keyOf));
  return segmentsOf(after).filter((segment) => !known.has(keyOf(segment)));
}

const keyOf = ({ from, to }: Segment): string => [from.x, from.y, to.x, to.y].join(' ');

/** Not beside another line that goes the same way, nor on a node. */
function isFree(piece: Segment, others: readonly Segment[], cards: readonly Box[]): boolean {
  const around = inflated(boxOf(piece), APART);
  if (cards.some((card) => boxesOverlap(card, around))) return false;
  return !others.some((other) => isLevel(other) === isLevel(piece) && boxesOverlap(boxOf(other), around));
}

const isLevel = ({ from, to }: Segment): boolean => from.y === to.y;

/** A line without extent in one direction covers something all the same. */
const boxOf = ({ from, to }: Segment): Box => ({
  x: Math.min(from.x, to.x) - 0.1,
  y: Math.min(from.y, to.y) - 0.1,
  width: Math.abs(from.x - to.x) + 0.2,
  height: Math.abs(from.y - to.y) + 0.2,
});

/** What is stored: the bends; a straight line is kept in place by its middle. */
function bendsOf(points: readonly Point[]): Point[] {
  if (points.length > 2) return points.slice(1, -1);
  const [first, last] = points as [Point, Point];
  return [{ x: Math.round((first.x + last.x) / 2), y: Math.round((first.y + last.y) / 2) }];
}
