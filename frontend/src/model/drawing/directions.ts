/** The next node in a direction, for navigation by arrow keys. Pure. */
import { type Box, centreOf } from './boxes';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The nearest box in a direction; sideways distance counts more. Null where there is none. */
export function nearestTowards(
  from: Box,
  direction: Direction,
  others: Iterable<readonly [id: string, box: Box]>,
): string | null {
  const start = centreOf(from);
  const isLevel = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, box] of others) {
    const centre = centreOf(box);
    const ahead = sign * (isLevel ? centre.x - start.x : centre.y - start.y);
    const offset = Math.abs(isLevel ? centre.y - start.y : centre.x - start.x);
    if (ahead < 1 || offset > 2 * ahead) continue;
    const cost = ahead + 2 * offset;
    if (cost < least) [least, nearest] = [cost, id];
  }
  return nearest;
}
