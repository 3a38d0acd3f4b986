/** When drawing the workspace fails: the connection below lives on, so that what was done still reaches the server. */
import type { ReactNode } from 'react';
import { statusWords } from '../../sync/statusWords';
import { useLive } from '../desk/Desk';
import { FailureBoundary } from '../ui/FailureBoundary';

export function WorkspaceBoundary({ children }: { children: ReactNode }) {
  return <FailureBoundary instead={(again) => <Failed onAgain={again} />}>{children}</FailureBoundary>;
}

function Failed({ onAgain }: { onAgain: () => void }) {
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const isKnown = useLive((live) => live.isKnown);
  const { short, detail } = statusWords({ status, revision, isKnown });
  return (
    <main className="page-centre page">
      <div className="notice" role="alert">
        <h1>Something broke while drawing this workspace</h1>
        <p>
          Your work is not touched by that. {short.split(' · ')[0]}: {detail}
        </p>
        <div className="notice-actions">
          <button type="button" className="button primary" onClick={() => window.location.reload()}>
            Reload
          </button>{' '}
          <button type="button" className="button" onClick={onAgain}>
            Show it again
          </button>
        </div>
      </div>
    </main>
  );
}
