/** The position of a small box beside another, fully visible. Pure. */

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Extent {
  width: number;
  height: number;
}

const GAP = 6;
const MARGIN = 6;

/**
 * The top left of a box of that size, centred below or above the other one; on the other side where there is no space.
 */
export function placeBeside(
  owner: Box,
  size: Extent,
  room: Extent,
  side: 'above' | 'below' = 'below',
): { x: number; y: number } {
  const below = owner.top + owner.height + GAP;
  const above = owner.top - GAP - size.height;
  const fitsBelow = below + size.height + MARGIN <= room.height;
  const fitsAbove = above >= MARGIN;
  const isBelow = side === 'below' ? fitsBelow || !fitsAbove : !fitsAbove;
  const centred = owner.left + owner.width / 2 - size.width / 2;
  const x = Math.max(MARGIN, Math.min(centred, room.width - size.width - MARGIN));
  return { x: Math.round(x), y: Math.round(isBelow ? below : above) };
}
