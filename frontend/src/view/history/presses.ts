/**
 * Whether something in the history is pressed. A button that moves away between press and release gets no click, so what
 * moves rows waits for the release.
 */

let released = Promise.resolve();
let release = () => {};

window.addEventListener(
  'pointerdown',
  ({ target }) => {
    if (!(target instanceof Element && target.closest('.history'))) return;
    release();
    released = new Promise((resolve) => {
      release = resolve;
    });
  },
  { capture: true },
);
// Where the browser opens a menu of its own, no release follows.
for (const end of ['pointerup', 'pointercancel', 'contextmenu'])
  window.addEventListener(end, () => release(), { capture: true });

/** Waits until nothing in the history is pressed. */
export const untilReleased = (): Promise<void> => released;
