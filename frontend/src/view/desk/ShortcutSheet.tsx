/** All commands that have keys, and what the mouse can do. Its parts are read once it is opened. */
import { lazy, Suspense } from 'react';
import { useDesk } from './Desk';

const KeysDialog = lazy(async () => ({ default: (await import('./KeysDialog')).KeysDialog }));

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { commands } = useDesk();
  return (
    <Suspense>
      <KeysDialog commands={commands.withKeys()} hasCanvas onClose={onClose} />
    </Suspense>
  );
}
