/** Runs something when the browser is idle, soon at the latest. Returns a function that cancels it. */
const LATEST_MS = 2000;

export function whenIdle(run: () => void): () => void {
  // Not known in every browser.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
