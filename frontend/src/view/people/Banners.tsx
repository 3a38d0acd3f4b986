/** What everybody should know: offline, not saving, changes that did not fit. */
export function Banners() {
  return null;
}
