/** The command palette of a workspace, loaded on first use. */
import { lazy, Suspense } from 'react';

const WorkspaceFinder = lazy(async () => ({ default: (await import('./WorkspaceFinder')).WorkspaceFinder }));

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <WorkspaceFinder onClose={onClose} />
    </Suspense>
  );
}
