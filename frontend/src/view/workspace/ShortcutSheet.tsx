/** The shortcut sheet of a workspace, loaded on first use. */
import { useEditorContext } from '../context/EditorContext';
import { later } from '../ui/loading/later';

const KeysDialog = later(async () => (await import('../commands/KeysDialog')).KeysDialog);

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { commands } = useEditorContext();
  return <KeysDialog commands={commands.withKeys()} hasCanvas onClose={onClose} />;
}
