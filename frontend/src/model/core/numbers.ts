/** Coordinates and lengths as they are stored: two decimals, the same to the last bit as the server makes them. */

/** How far from the origin anything may lie, in CSS pixels. */
export const MAX_COORDINATE = 1_000_000;

/** To two decimals; a tie goes to the even one, as Python rounds. */
export function rounded(value: number): number {
  // Only odd multiples of an eighth lie exactly between two decimals, and times 100 they are still exact.
  const isTie = Number.isInteger(value * 8) && !Number.isInteger(value * 4);
  if (!isTie) return Number(value.toFixed(2)) + 0; // no negative zero
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100 + 0;
}

/** A coordinate that was computed, brought into the range of what is stored. */
export function coordinate(value: number): number {
  return rounded(Math.min(Math.max(value, -MAX_COORDINATE), MAX_COORDINATE));
}
