/**
 * Page lifecycle events that matter for the connection: the page is back, may be closed in a moment, or has lost the
 * network.
 */
export interface PageEvents {
  /** The connection should be checked. */
  onResume(): void;
  /** The page may be closed in a moment. */
  onLeave(): void;
  /** The browser has no network. */
  onOffline(): void;
}

export class PageLifecycle {
  private readonly listeners: readonly (readonly [EventTarget, string, () => void])[];

  constructor(private readonly events: PageEvents) {
    // Programs outside a browser have no window.
    const has = typeof window !== 'undefined' && typeof document !== 'undefined';
    const { onResume, onLeave, onOffline } = events;
    this.listeners = !has
      ? []
      : [
          [window, 'online', onResume],
          [window, 'offline', onOffline],
          [window, 'focus', onResume],
          [window, 'pageshow', onResume],
          [window, 'pagehide', onLeave],
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
    document.visibilityState === 'hidden' ? this.events.onLeave() : this.events.onResume();
}
