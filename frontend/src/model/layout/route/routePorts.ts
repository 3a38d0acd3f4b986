/** Where a line may leave or enter a box. Pure. */
import type { Point } from '../../../protocol/types';
import type { Box } from '../../drawing/boxes';

/** A point on a border, with the direction away from the box: one of `dx` and `dy` is 0, the other 1 or -1. */
export interface RoutePort extends Point {
  dx: number;
  dy: number;
  /** How far from the middle of its side, in pixels. */
  offMiddle: number;
}

const STEP = 16;
const CORNER = 12;
const MOST = 4;

/** @param isInward the other end is inside: lines start within the border */
export function portsOf(box: Box, isInward: boolean): RoutePort[] {
  const ports: RoutePort[] = [];
  const { x, y, width, height } = box;
  const sign = isInward ? -1 : 1;
  // A point on the border itself would belong to no side.
  const inset = isInward ? 1 : 0;
  for (const off of offsets(width)) {
    const at = Math.round(x + width / 2 + off);
    const offMiddle = Math.abs(off);
    ports.push({ x: at, y: y + inset, dx: 0, dy: -sign, offMiddle });
    ports.push({ x: at, y: y + height - inset, dx: 0, dy: sign, offMiddle });
  }
  for (const off of offsets(height)) {
    const at = Math.round(y + height / 2 + off);
    const offMiddle = Math.abs(off);
    ports.push({ x: x + inset, y: at, dx: -sign, dy: 0, offMiddle });
    ports.push({ x: x + width - inset, y: at, dx: sign, dy: 0, offMiddle });
  }
  return ports;
}

function offsets(extent: number): number[] {
  const found = [0];
  for (let step = 1; step <= MOST && step * STEP <= extent / 2 - CORNER; step += 1)
    found.push(step * STEP, -step * STEP);
  return found;
}
