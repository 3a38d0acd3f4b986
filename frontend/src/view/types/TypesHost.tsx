/** The commands for custom types, and their dialog, which is read when it is opened. */
import { Plus, Shapes } from 'lucide-react';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { later } from '../ui/loading/later';

const TypesDialog = later(async () => (await import('./TypesDialog')).TypesDialog);

const WORDS = 'custom own kind shape define stereotype icon colour color palette';

export function TypesHost() {
  const { ui, access } = useEditorContext();
  const dialog = useUiState((state) => (state.dialog?.kind === 'types' ? state.dialog : null));
  useCommands([
    {
      id: 'types.new',
      title: 'New type…',
      group: 'Add',
      icon: Plus,
      words: `node ${WORDS}`,
      isEnabled: () => access.isWritable,
      run: () => ui.set({ dialog: { kind: 'types', isNew: true } }),
    },
    {
      id: 'types.edit',
      title: 'Edit types…',
      group: 'Add',
      icon: Shapes,
      words: `delete rename ${WORDS}`,
      isEnabled: () => access.isWritable,
      run: () => ui.set({ dialog: { kind: 'types' } }),
    },
  ]);
  if (!dialog) return null;
  return <TypesDialog {...dialog} onClose={() => ui.set({ dialog: null })} />;
}
