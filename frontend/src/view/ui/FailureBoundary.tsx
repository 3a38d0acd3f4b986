/** The last line: when drawing a page fails, say so and offer a way on, instead of a blank screen. */
import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown instead; `again` tries to draw once more. Default: that it broke, and to reload. */
  instead?: (again: () => void) => ReactNode;
  children: ReactNode;
}

export class FailureBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { instead, children } = this.props;
    if (!this.state.hasFailed) return children;
    if (instead) return instead(() => this.setState({ hasFailed: false }));
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
