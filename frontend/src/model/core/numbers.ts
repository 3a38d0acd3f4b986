/** Coordinates and lengths as they are stored: two decimals, bit for bit as the server rounds them. */

/** The largest distance from the origin, in CSS pixels. */
export const MAX_COORDINATE = 1_000_000;

/** To two decimals; a tie goes to the even one, as Python rounds. */
export function rounded(value: number): number {
  // Only odd multiples of an eighth lie exactly between two decimals, and times 100 they are still exact.
  const isTie = Number.isInteger(value * 8) && !Number.isInteger(value * 4);
  if (!isTie) return Number(value.toFixed(2)) + 0; // no negative zero
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100 + 0;
}

/** Clamps and rounds a computed coordinate to what can be stored. */
export function coordinate(value: number): number {
  return rounded(Math.min(Math.max(value, -MAX_COORDINATE), MAX_COORDINATE));
}
