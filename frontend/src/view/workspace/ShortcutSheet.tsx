/** The shortcut sheet of a workspace, loaded on first use. */
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
