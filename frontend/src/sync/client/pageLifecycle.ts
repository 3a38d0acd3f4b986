/** What a browser tells a page that bears on its connection: that it is back, or may be gone in a moment. */
export class PageLifecycle {
  private readonly listeners: readonly (readonly [EventTarget, string, () => void])[];

  /** `back`: there is reason to look whether the server is there. `leaving`: there may be no later. */
  constructor(
    private readonly onResume: () => void,
    private readonly onLeave: () => void,
  ) {
    // Programs have no window.
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
