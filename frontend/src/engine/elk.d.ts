/** The worker half of the layout library, without a thread of its own. */
declare module 'elkjs/lib/elk-worker.min.js' {
  export { Worker };

  const Worker: new (url?: string) => globalThis.Worker;
}
