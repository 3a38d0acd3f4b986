/** An error boundary: when rendering fails, it shows a message with actions instead of a blank page. */
import { Component, type ReactNode } from 'react';
import { FailureActions } from './FailureActions';
import { type Failure, isPartMissing, MISSING } from './failure';

interface Props {
  /** The fallback; `again` tries to render once more. Default: a message, and to reload. */
  instead?: (again: () => void, failure: Failure) => ReactNode;
  children: ReactNode;
}

export class FailureBoundary extends Component<Props, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null };

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: { error, parts: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: { componentStack?: string | null }): void {
    this.setState({ failure: { error, parts: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { instead, children } = this.props;
    const { failure } = this.state;
    if (!failure) return children;
    if (instead) return instead(() => this.setState({ failure: null }), failure);
    const { title, advice } = isPartMissing(failure)
      ? MISSING
      : {
          title: 'Something broke while drawing this page',
          advice: 'Your work is safe on the server. Reload the page to go on.',
        };
    return (
      <main className="page-centre page">
        <div className="notice alert" role="alert">
          <h1>{title}</h1>
          <p>{advice}</p>
          <FailureActions failure={failure} />
        </div>
      </main>
    );
  }
}
