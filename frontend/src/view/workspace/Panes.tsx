/** Document and diagram: one of them, or both with a movable border. */
import { lazy, type ReactNode, Suspense } from 'react';
import type { ViewMode } from '../../sync/preferences';
import { untilLoaded } from '../ui/untilLoaded';

/** The movable border is loaded only where there is one. */
const Split = lazy(async () => ({ default: (await untilLoaded(() => import('./Split'))).Split }));

interface Props {
  mode: ViewMode;
  document: ReactNode;
  diagram: ReactNode;
}

export function Panes({ mode, document, diagram }: Props) {
  return (
    <main className={`panes ${mode}`}>
      {mode === 'split' ? (
        <Suspense>
          <Split document={document} diagram={diagram} />
        </Suspense>
      ) : mode === 'document' ? (
        document
      ) : (
        diagram
      )}
    </main>
  );
}
