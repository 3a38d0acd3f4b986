/**
 * The variants of a layout that are tried: the library's own defaults in both directions, so that the result is never
 * worse than the better of them. Pure. Room for labels is made afterwards (`spread.ts`).
 */
import type { Size } from '../../../protocol/types';

export type LayoutDirection = 'RIGHT' | 'DOWN';

export interface Variant {
  direction: LayoutDirection;
  /** Width by height in which separate parts are packed. */
  shape: number;
  /** Whether what leads back from group to group is turned around (`flow.ts`); the library alone begins anywhere. */
  turns?: boolean;
  /** How long no path of lines may be, in pixels along the direction (`fold.ts`); the library's are as long as they come. */
  fold?: number;
  /** Whether few nodes stand in one row, and whether rows are split in two besides; the library fills rows. */
  narrow?: 'rows' | 'split';
}

/** Shapes of groups in layouts level by level, as multiples of the shape of the room. */
export const LEVEL_SHAPES = [1, 0.6] as const;

/** Beyond so many lines are searched for too long after a layout level by level. */
export const LEVELS_UP_TO = 60;

/** So long a chain of siblings may go on in another row; a shorter one hardly fills one. */
export const WRAPPED_FROM = 5;

/** Where so many lines lead out of their groups, or more, chains are not wrapped: they would be searched for too long. */
export const WRAPPED_UP_TO = 60;

/** Width by height of a room; of a screen where nobody knows. */
export const shapeOf = (room: Size | null): number =>
  room ? Math.round((100 * room.width) / Math.max(room.height, 1)) / 100 : 1.6;

export function variantsOf(room: Size | null): Variant[] {
  const shape = shapeOf(room);
  return [
    { direction: 'RIGHT', shape },
    { direction: 'DOWN', shape },
  ];
}

/** Beyond so many nodes names cannot be read beside a document anyway. */
export const NARROW_UP_TO = 48;

/** Downwards, narrow enough for half a screen, and narrower. */
export const narrowVariants = (room: Size | null): Variant[] =>
  (['rows', 'split'] as const).map((narrow) => ({ direction: 'DOWN', shape: shapeOf(room), narrow }));

/** Beyond so many nodes names cannot be read in a window anyway. */
export const FOLDED_UP_TO = 90;

/** What lines and frames take besides, about: of the width or height of a room so much is left for paths. */
const FOLDED = [
  { direction: 'RIGHT', share: 0.88 },
  { direction: 'DOWN', share: 0.85 },
] as const;

/** @param legible as large as a drawing may be for its names to be read in the room */
export function foldedVariants(room: Size | null, legible: Size): Variant[] {
  return FOLDED.map(({ direction, share }) => ({
    direction,
    shape: shapeOf(room),
    fold: Math.round(share * (direction === 'RIGHT' ? legible.width : legible.height)),
  }));
}
