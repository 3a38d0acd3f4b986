/** What a browser tells a page that bears on its connection: that it is back, or may be gone in a moment. */
export class BrowserSigns {
  private readonly signs: readonly (readonly [EventTarget, string, () => void])[];

  /** `back`: there is reason to look whether the server is there. `leaving`: there may be no later. */
  constructor(
    private readonly back: () => void,
    private readonly leaving: () => void,
  ) {
    // Programs have no window.
    const has = typeof window !== 'undefined' && typeof document !== 'undefined';
    this.signs = !has
      ? []
      : [
          [window, 'online', this.back],
          [window, 'focus', this.back],
          [window, 'pageshow', this.back],
          [window, 'pagehide', this.leaving],
          [document, 'visibilitychange', this.turned],
        ];
  }

  listen(): void {
    for (const [target, name, listener] of this.signs) target.addEventListener(name, listener);
  }

  stop(): void {
    for (const [target, name, listener] of this.signs) target.removeEventListener(name, listener);
  }

  private readonly turned = () => (document.visibilityState === 'hidden' ? this.leaving() : this.back());
}
