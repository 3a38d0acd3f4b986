/** Undo and redo of the person's own steps; the buttons name what they would take. */
import { Redo2, Undo2 } from 'lucide-react';
import { useDesk, useLive } from '../desk/Desk';
import { useHistoryMove, useUndoState } from '../queries';
import { IconButton } from '../ui/IconButton';
import { useToasts } from '../ui/Toasts';
import { useShortcut } from '../ui/useShortcut';

type Way = 'undo' | 'redo';

export function UndoButtons() {
  const { id } = useDesk();
  const revision = useLive((live) => live.revision);
  const state = useUndoState(id, revision).data;
  const move = useHistoryMove(id);
  const toasts = useToasts();
  const go = (way: Way) => {
    const target = state?.[way];
    if (!target || move.isPending) return;
    move.mutate(
      { way, expect: target.rev },
      {
        onSuccess: (answer) => {
          const leftOut = answer.left_out.map(({ what, why }) => `${what} (${why})`).join('; ');
          toasts.show({
            text: `${way === 'undo' ? 'Undone' : 'Done again'}: ${target.label}`,
            ...(leftOut && { detail: `Left out: ${leftOut}` }),
          });
        },
        onError: toasts.showError,
      },
    );
  };
  useShortcut((event) => {
    const way = wayOf(event);
    if (!way) return false;
    go(way);
    return true;
  });
  return (
    <div className="undo-buttons" role="group" aria-label="Undo and redo">
      <IconButton
        icon={Undo2}
        label={state?.undo ? `Undo: ${state.undo.label}` : 'Nothing of yours to undo'}
        keys="Ctrl+Z"
        aria-keyshortcuts="Control+Z"
        disabled={!state?.undo || move.isPending}
        onClick={() => go('undo')}
      />
      <IconButton
        icon={Redo2}
        label={state?.redo ? `Redo: ${state.redo.label}` : 'Nothing to redo'}
        keys="Ctrl+Shift+Z"
        aria-keyshortcuts="Control+Shift+Z"
        disabled={!state?.redo || move.isPending}
        onClick={() => go('redo')}
      />
    </div>
  );
}

/** Ctrl+Z and Ctrl+Shift+Z (Command on a Mac), and Ctrl+Y. */
function wayOf(event: KeyboardEvent): Way | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : null;
}
