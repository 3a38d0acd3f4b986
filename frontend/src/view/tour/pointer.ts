/** The position of a callout: beside its element, fully visible, with an arrow at the element. Pure. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Side = 'right' | 'left' | 'below' | 'above';

export interface Place {
  /** Top left of the callout. */
  x: number;
  y: number;
  /** On which side of the element it is. */
  side: Side;
  /** The position of the arrow along the edge next to the element, from the edge's left or top end. */
  arrow: number;
}

type Extent = Pick<Box, 'width' | 'height'>;

const GAP = 12;
const MARGIN = 8;
/** An arrow at a rounded corner would be detached. */
const CORNER = 20;

/**
 * On the first of the sides with enough space; where none has, on the first, overlapping the element as far as
 * necessary.
 */
export function pointAt(thing: Box, size: Extent, room: Extent, sides: readonly [Side, ...Side[]]): Place {
  const side = sides.find((one) => hasRoom(one, thing, size, room)) ?? sides[0];
  const isBeside = side === 'right' || side === 'left';
  const middle = isBeside ? thing.top + thing.height / 2 : thing.left + thing.width / 2;
  const along = isBeside ? size.height : size.width;
  const most = (isBeside ? room.height : room.width) - along - MARGIN;
  const start = clamp(middle - along / 2, MARGIN, most);
  const across = acrossAt(side, thing, size);
  const mostAcross = (isBeside ? room.width - size.width : room.height - size.height) - MARGIN;
  const held = clamp(across, MARGIN, mostAcross);
  const [x, y] = isBeside ? [held, start] : [start, held];
  return {
    x: Math.round(x),
    y: Math.round(y),
    side,
    arrow: Math.round(clamp(middle - start, CORNER, along - CORNER)),
  };
}

function acrossAt(side: Side, thing: Box, size: Extent): number {
  switch (side) {
    case 'right':
      return thing.left + thing.width + GAP;
    case 'left':
      return thing.left - GAP - size.width;
    case 'below':
      return thing.top + thing.height + GAP;
    case 'above':
      return thing.top - GAP - size.height;
  }
}

function hasRoom(side: Side, thing: Box, size: Extent, room: Extent): boolean {
  const at = acrossAt(side, thing, size);
  const isBeside = side === 'right' || side === 'left';
  return at >= MARGIN && at + (isBeside ? size.width - room.width : size.height - room.height) + MARGIN <= 0;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
