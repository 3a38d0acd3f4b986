/** What runs beside what is drawn: its commands, its button in the palette, and its dialog; read later. */
import '../styles/workloads.css';
import { GitCompareArrows, ServerCog } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { useVisibleMode } from '../context/useVisibleMode';
import { later } from '../ui/loading/later';

const WorkloadsDialog = later(async () => (await import('./WorkloadsDialog')).WorkloadsDialog);

interface Props {
  /** The plugins that can say what runs; without one there is nothing here. */
  plugins: readonly string[];
  onProposed: (proposal: string) => void;
}

export function WorkloadsHost({ plugins, onProposed }: Props) {
  const { ui, access } = useEditorContext();
  const dialog = useUiState((state) => state.dialog);
  const canPropose = plugins.length > 0 && access.isWritable;
  const open = (isToDraw: boolean) => ui.set({ dialog: { kind: 'workloads', isToDraw } });
  const command = {
    isEnabled: () => canPropose,
    words: 'cluster kubernetes workloads running import plugin',
  };
  useCommands(
    plugins.length === 0
      ? []
      : [
          {
            ...command,
            id: 'add.workloads',
            title: 'Draw what runs…',
            group: 'Add',
            icon: ServerCog,
            run: () => open(true),
          },
          {
            ...command,
            id: 'go.workloads',
            title: 'Compare with what runs…',
            group: 'Go',
            icon: GitCompareArrows,
            run: () => open(false),
          },
        ],
  );
  return (
    <>
      {canPropose && <PaletteButton onOpen={() => open(true)} />}
      {dialog?.kind === 'workloads' && plugins.length > 0 && (
        <WorkloadsDialog
          plugins={plugins}
          isToDraw={dialog.isToDraw}
          onProposed={onProposed}
          onClose={() => ui.set({ dialog: null })}
        />
      )}
    </>
  );
}

/** At the end of the palette, which comes and goes with the diagram. */
function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const mode = useVisibleMode();
  const isOpen = useUiState((state) => state.isPaletteOpen);
  const [place, setPlace] = useState<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mode has another palette, or none
  useEffect(() => setPlace(document.querySelector('nav.palette')), [mode]);
  if (!place) return null;
  return createPortal(
    <button
      type="button"
      className="palette-foot"
      aria-haspopup="dialog"
      {...(!isOpen && { 'aria-label': 'What runs', 'data-tip': 'What runs' })}
      onClick={onOpen}
    >
      <ServerCog size={18} strokeWidth={1.9} aria-hidden="true" />
      {isOpen && 'What runs'}
    </button>,
    place,
  );
}
