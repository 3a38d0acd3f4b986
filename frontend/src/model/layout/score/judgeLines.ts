/**
 * What is wrong among the lines of a drawing: crossings, and stretches where two lines lie on each other. Pure.
 *
 * Segments are swept from left to right, so that only those that share a piece of the x axis are compared.
 */
import type { Point } from '../../../protocol/types';
import type { DrawnEdge } from '../../drawing/drawing';
import { segmentsOf } from '../../drawing/polyline';

/** Two lines nearer than this look like one, in pixels. */
const NEAR = 2;
/** Shorter touches cannot be seen. */
const LEAST_STRETCH = 1;
/** The sine of the largest angle between segments that count as parallel. */
const PARALLEL = 0.02;

interface Piece {
  edge: number;
  from: Point;
  to: Point;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface LineCounts {
  /** Points at which lines of two edges cross properly; a common end or a touch is none. */
  crossings: number;
  /** Pixels over which lines of two edges run within 2 pixels of each other, summed over pairs. */
  coincident: number;
  /** The edges that lie on others, by id. */
  onOthers: Set<string>;
}

export function countLines(edges: readonly DrawnEdge[]): LineCounts {
  const stretches = edges
    .flatMap(({ points }, edge) => segmentsOf(points).map(({ from, to }) => pieceOf(edge, from, to)))
    .sort((one, other) => one.left - other.left);
  let crossings = 0;
  let coincident = 0;
  const onOthers = new Set<string>();
  stretches.forEach((one, at) => {
    for (let next = at + 1; next < stretches.length; next += 1) {
      const other = stretches[next] as Piece;
      if (other.left > one.right + NEAR) break;
      if (other.edge === one.edge) continue;
      if (other.top > one.bottom + NEAR || other.bottom < one.top - NEAR) continue;
      const stretch = stretchOf(one, other);
      if (stretch === null) crossings += crosses(one, other) ? 1 : 0;
      else if (stretch > LEAST_STRETCH) {
        coincident += stretch;
        for (const { edge } of [one, other]) onOthers.add((edges[edge] as DrawnEdge).edge.id);
      }
    }
  });
  return { crossings, coincident: Math.round(coincident), onOthers };
}

const pieceOf = (edge: number, from: Point, to: Point): Piece => ({
  edge,
  from,
  to,
  left: Math.min(from.x, to.x),
  right: Math.max(from.x, to.x),
  top: Math.min(from.y, to.y),
  bottom: Math.max(from.y, to.y),
});

/** The length over which two segments lie on each other; null for two that are not parallel. */
function stretchOf(one: Piece, other: Piece): number | null {
  const [ax, ay] = [one.to.x - one.from.x, one.to.y - one.from.y];
  const [bx, by] = [other.to.x - other.from.x, other.to.y - other.from.y];
  const lengths = [Math.hypot(ax, ay), Math.hypot(bx, by)] as const;
  if (lengths[0] === 0 || lengths[1] === 0) return 0;
  if (Math.abs(ax * by - ay * bx) > PARALLEL * lengths[0] * lengths[1]) return null;
  const along = ({ x, y }: Point) => ((x - one.from.x) * ax + (y - one.from.y) * ay) / lengths[0];
  const beside = ({ x, y }: Point) => ((x - one.from.x) * ay - (y - one.from.y) * ax) / lengths[0];
  const [start, end] = [along(other.from), along(other.to)];
  const low = Math.max(0, Math.min(start, end));
  const high = Math.min(lengths[0], Math.max(start, end));
  const apart = Math.min(Math.abs(beside(other.from)), Math.abs(beside(other.to)));
  return apart <= NEAR ? Math.max(0, high - low) : 0;
}

/** Whether each of two segments has the ends of the other on both sides of it. */
function crosses(one: Piece, other: Piece): boolean {
  return (
    sideOf(one, other.from) * sideOf(one, other.to) < 0 && sideOf(other, one.from) * sideOf(other, one.to) < 0
  );
}

const sideOf = ({ from, to }: Piece, { x, y }: Point): number =>
  Math.sign((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x));
