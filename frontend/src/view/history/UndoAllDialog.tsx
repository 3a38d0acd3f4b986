/** Asks for confirmation before the newest change is undone, whoever made it, and names its author. */
import { useQuery } from '@tanstack/react-query';
import { readUndo } from '../../protocol/history';
import { explainError } from '../../sync/words/errors';
import { useEditorContext, useLive } from '../context/EditorContext';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { clock } from '../ui/time';
import { useCommit } from './queries';
import { useUndoRequest } from './useUndoRequest';

export function UndoAllDialog({ onClose }: { onClose: () => void }) {
  const { id } = useEditorContext();
  const revision = useLive((live) => live.revision);
  const me = useLive((live) => live.me?.id);
  const stepBack = useUndoRequest();
  const state = useQuery({ queryKey: ['undo', id, revision], queryFn: () => readUndo(id) });
  const top = state.data?.undo_all ?? null;
  const { data: commit } = useCommit(top?.rev ?? null);
  const whose = commit && (commit.actor.id === me ? 'your own' : `${commit.actor.name}’s`);
  return (
    <ConfirmDialog
      title="Undo the newest change of anybody?"
      confirm={whose ? `Undo ${whose} change` : 'Undo'}
      tone="bad"
      isBusy={!top || !commit}
      onClose={onClose}
      onConfirm={() => {
        if (!top) return;
        onClose();
        const options = { scope: 'all' as const, expect: top.rev };
        void stepBack({ kind: 'undo', label: top.label, options });
      }}
    >
      {state.isError && <p role="alert">{explainError(state.error).title}</p>}
      {state.data && !top && <p>There is nothing left that could be undone.</p>}
      {commit && (
        <>
          <p>
            It is {whose}, of {clock(commit.at)}: <strong>{commit.what}</strong>
          </p>
          <p>
            What others have changed since stays as it is. It can be done again, by you and by whom it belongs
            to.
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}
