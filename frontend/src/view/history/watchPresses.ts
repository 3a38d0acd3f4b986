/**
 * Whether something in the history is pressed. A button that moves away between press and release gets no click, so what
 * comes meanwhile waits for the release.
 */

/** Follows the pointer until `signal` aborts, and returns what waits until nothing in the history is pressed. */
export function watchPresses(signal: AbortSignal): () => Promise<void> {
  let released = Promise.resolve();
  let release = () => {};
  const down = ({ target }: PointerEvent) => {
    if (!(target instanceof Element && target.closest('.history'))) return;
    release();
    released = new Promise((resolve) => {
      release = resolve;
    });
  };
  window.addEventListener('pointerdown', down, { capture: true, signal });
  // Where the browser opens a menu of its own, no release follows.
  for (const end of ['pointerup', 'pointercancel', 'contextmenu'])
    window.addEventListener(end, () => release(), { capture: true, signal });
  return () => released;
}
