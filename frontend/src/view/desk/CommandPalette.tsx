/** Finds and runs any command, and leads to any node or section. Its parts are read once it is opened. */
import { lazy, Suspense } from 'react';

const DeskFinder = lazy(async () => ({ default: (await import('./DeskFinder')).DeskFinder }));

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <DeskFinder onClose={onClose} />
    </Suspense>
  );
}
