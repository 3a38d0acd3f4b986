/** Page lifecycle events that matter for the connection: the page is back, or may be closed in a moment. */
export class PageLifecycle {
  private readonly listeners: readonly (readonly [EventTarget, string, () => void])[];

  /** `onResume` is called when the connection should be checked, `onLeave` when the page may be closed. */
  constructor(
    private readonly onResume: () => void,
    private readonly onLeave: () => void,
  ) {
    // Programs outside a browser have no window.
    const has = typeof window !== 'undefined' && typeof document !== 'undefined';
    this.listeners = !has
      ? []
      : [
          [window, 'online', this.onResume],
          [window, 'focus', this.onResume],
          [window, 'pageshow', this.onResume],
          [window, 'pagehide', this.onLeave],
          [document, 'visibilitychange', this.onVisibilityChange],
        ];
  }

  listen(): void {
    for (const [target, name, listener] of this.listeners) target.addEventListener(name, listener);
  }

  stop(): void {
    for (const [target, name, listener] of this.listeners) target.removeEventListener(name, listener);
  }

  private readonly onVisibilityChange = () =>
    document.visibilityState === 'hidden' ? this.onLeave() : this.onResume();
}
