/** Says that an old revision is in sight, and leads back. */
export function LookingBar() {
  return null;
}
