/** Lines that run along the border of a frame, where they look like part of it. Pure. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';
import { type Drawing, isFrame } from '../../drawing/drawing';
import { segmentsOf } from '../../drawing/polyline';

/** A line nearer than this to a border looks like it, in pixels. */
const NEAR = 4;
/** Shorter pieces are seen to be another line's. */
const LEAST_STRETCH = 16;

export interface AlongFrames {
  /** Pixels over which lines run along borders, summed over pairs. */
  pixels: number;
  /** The edges that do, by id. */
  onFrames: Set<string>;
}

export function countAlongFrames({ nodes, edges }: Drawing): AlongFrames {
  const frames = nodes.filter(isFrame).map(({ box }) => box);
  const onFrames = new Set<string>();
  let pixels = 0;
  for (const { edge, points } of frames.length > 0 ? edges : [])
    for (const { from, to } of segmentsOf(points))
      for (const frame of frames) {
        const stretch = stretchAlong(from, to, frame);
        if (stretch <= LEAST_STRETCH) continue;
        pixels += stretch;
        onFrames.add(edge.id);
      }
  return { pixels: Math.round(pixels), onFrames };
}

/** How far a level or upright piece runs along one of the four sides. */
function stretchAlong(from: Point, to: Point, { x, y, width, height }: Box): number {
  if (from.y === to.y) return isNear(from.y, y, y + height) ? shared(from.x, to.x, x, x + width) : 0;
  if (from.x === to.x) return isNear(from.x, x, x + width) ? shared(from.y, to.y, y, y + height) : 0;
  return 0;
}

const isNear = (at: number, one: number, other: number): boolean =>
  Math.abs(at - one) <= NEAR || Math.abs(at - other) <= NEAR;

const shared = (from: number, to: number, low: number, high: number): number =>
  Math.min(Math.max(from, to), high) - Math.max(Math.min(from, to), low);
