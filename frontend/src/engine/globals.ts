/** What the layout library takes for granted and a bare engine lacks: timers. Imported before the library. */

type Timers = { setTimeout?: unknown; clearTimeout?: unknown };
const timers = globalThis as unknown as Timers;

if (typeof timers.setTimeout !== 'function') {
  // It only puts off what comes next; nothing here waits for a time.
  timers.setTimeout = (run: () => void) => {
    Promise.resolve().then(run);
    return 0;
  };
  timers.clearTimeout = () => {};
}
