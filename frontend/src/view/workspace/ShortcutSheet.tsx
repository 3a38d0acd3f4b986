/** All commands that have keys, and what the mouse can do. Its parts are read once it is opened. */
import { lazy, Suspense } from 'react';
import { useEditorContext } from '../context/EditorContext';

const KeysDialog = lazy(async () => ({ default: (await import('../commands/KeysDialog')).KeysDialog }));

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { commands } = useEditorContext();
  return (
    <Suspense>
      <KeysDialog commands={commands.withKeys()} hasCanvas onClose={onClose} />
    </Suspense>
  );
}
