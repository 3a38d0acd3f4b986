/** Finds and runs any command, and leads to any node or section. Its parts are read once it is opened. */
import { lazy, Suspense } from 'react';

const WorkspaceFinder = lazy(async () => ({ default: (await import('./WorkspaceFinder')).WorkspaceFinder }));

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <WorkspaceFinder onClose={onClose} />
    </Suspense>
  );
}
