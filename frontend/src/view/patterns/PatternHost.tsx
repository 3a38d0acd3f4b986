/** The command that inserts a pattern, there from the start as other keys are, and its dialog, which is read later. */
import { Blocks } from 'lucide-react';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { later } from '../ui/loading/later';

const PatternDialog = later(async () => (await import('./PatternDialog')).PatternDialog);

export function PatternHost() {
  const { ui, access } = useEditorContext();
  const isOpen = useUiState(({ dialog }) => dialog?.kind === 'pattern');
  useCommands([
    {
      id: 'add.pattern',
      title: 'Insert a pattern…',
      group: 'Add',
      icon: Blocks,
      keys: ['Shift+P'],
      words:
        'architecture anti-pattern gateway cache queue circuit breaker saga replica rate limit insert template',
      isEnabled: () => access.isWritable,
      run: () => ui.set({ dialog: { kind: 'pattern' } }),
    },
  ]);
  if (!isOpen) return null;
  return <PatternDialog onClose={() => ui.set({ dialog: null })} />;
}
