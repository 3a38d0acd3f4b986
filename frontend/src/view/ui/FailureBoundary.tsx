/** The last line: when drawing a page fails, say so and offer a way on, instead of a blank screen. */
import { Component, type ReactNode } from 'react';

export class FailureBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="page-centre page">
        <div className="notice" role="alert">
          <h1>Something broke while drawing this page</h1>
          <p>Your work is safe on the server. Reload the page to go on.</p>
          <button type="button" className="button primary" onClick={() => window.location.reload()}>
            Reload
          </button>
        </div>
      </main>
    );
  }
}
