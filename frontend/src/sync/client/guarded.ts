/** Calls of what a page passes in: an error in it stops nothing here, and is reported as one that nobody has caught. */

/** Calls a listener with what has happened. */
export function guarded<What>(listener: (what: What) => void, what: What): void {
  try {
    listener(what);
  } catch (error) {
    report(error);
  }
}

/** Has an error end up where uncaught ones do. */
export function report(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
