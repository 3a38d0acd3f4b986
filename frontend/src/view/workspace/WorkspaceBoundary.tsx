/** The error boundary of a workspace: the connection stays open, so that pending changes still reach the server. */
import type { ReactNode } from 'react';
import { statusWords } from '../../sync/words/status';
import { useLive } from '../context/EditorContext';
import { FailureActions } from '../ui/failure/FailureActions';
import { FailureBoundary } from '../ui/failure/FailureBoundary';
import { type Failure, isPartMissing, MISSING } from '../ui/failure/failure';

export function WorkspaceBoundary({ children }: { children: ReactNode }) {
  return (
    <FailureBoundary instead={(again, failure) => <Failed onRetry={again} failure={failure} />}>
      {children}
    </FailureBoundary>
  );
}

function Failed({ onRetry, failure }: { onRetry: () => void; failure: Failure }) {
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const isKnown = useLive((live) => live.isKnown);
  const { short, detail } = statusWords({ status, revision, isKnown });
  const isMissing = isPartMissing(failure);
  return (
    <main className="page-centre page">
      <div className="notice alert" role="alert">
        <h1>{isMissing ? MISSING.title : 'Something broke while drawing this workspace'}</h1>
        <p>
          {isMissing ? `${MISSING.advice} ` : ''}Your work is not touched by that. {short.split(' · ')[0]}:{' '}
          {detail}
        </p>
        <FailureActions failure={failure}>
          <button type="button" className="button" onClick={onRetry}>
            Show it again
          </button>
        </FailureActions>
      </div>
    </main>
  );
}
