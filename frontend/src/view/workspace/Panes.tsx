/** Document and diagram: one of them, or both with a movable border. */
import type { ReactNode } from 'react';
import type { ViewMode } from '../../sync/preferences';
import { laterInBackground } from '../ui/loading/later';

/** The movable border is loaded only where there is one. */
const Split = laterInBackground(async () => (await import('./Split')).Split);

interface Props {
  mode: ViewMode;
  document: ReactNode;
  diagram: ReactNode;
}

export function Panes({ mode, document, diagram }: Props) {
  return (
    <main className={`panes ${mode}`}>
      {mode === 'split' ? (
        <Split document={document} diagram={diagram} />
      ) : mode === 'document' ? (
        document
      ) : (
        diagram
      )}
    </main>
  );
}
