/** Dialogs: name a checkpoint; restore an old revision, with a preview of the changes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addCheckpoint, restore } from '../../protocol/history';
import { explainError } from '../../sync/words/errors';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { ChangeList } from './CommitDetails';
import { useCheckpointWrite, useComparison } from './queries';
import { revisionErrorText } from './revisionError';
import { useUndoRequest } from './useUndoRequest';

const LONGEST_NAME = 120;

export function CheckpointDialog({ onClose }: { onClose: () => void }) {
  const { id } = useEditorContext();
  const newest = useLive((live) => live.revision);
  const asked = useUiState(({ dialog }) => (dialog?.kind === 'checkpoint' ? dialog.revision : undefined));
  const [revision] = useState(asked ?? newest);
  const [name, setName] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const toasts = useToasts();
  const add = useCheckpointWrite((_: string, checkpointName: string) =>
    addCheckpoint(id, checkpointName, revision),
  );
  const save = () => {
    const checkpointName = name.trim();
    setIsEmpty(checkpointName === '');
    if (checkpointName === '' || add.isPending) return;
    add.mutate(checkpointName, {
      onSuccess: () => {
        onClose();
        toasts.show({ text: `Revision ${revision} is kept as “${checkpointName}”` });
      },
    });
  };
  const error = isEmpty ? 'Give it a name.' : add.error ? explainError(add.error).title : undefined;
  return (
    <Dialog title={`Name revision ${revision}`} onClose={onClose} size="small">
      <form
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label="Name"
          hint="A checkpoint is kept for good, with the diagram and the document as they are in it."
          error={error}
        >
          {(wiring) => (
            <input
              {...wiring}
              value={name}
              maxLength={LONGEST_NAME}
              placeholder="Before the review"
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={add.isPending}>
            Save checkpoint
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export function RestoreDialog({ revision, onClose }: { revision: number; onClose: () => void }) {
  const { id, ui, client } = useEditorContext();
  const [newest] = useState(client.revision);
  const toasts = useToasts();
  const stepBack = useUndoRequest();
  const queries = useQueryClient();
  // From now to then, as restoring does.
  const { data, error } = useComparison(newest, revision);
  const isNothing = data && data.what === 'Nothing changed';
  const run = useMutation({
    mutationFn: () => restore(id, revision),
    onSuccess: (answer) => {
      onClose();
      ui.set({ viewed: null });
      const undo = () =>
        void stepBack({
          kind: 'undo',
          label: `Restored revision ${revision}`,
          options: { expect: answer.revision },
        });
      toasts.show({ text: `Restored revision ${revision}`, action: { label: 'Undo', run: undo } });
      void queries.invalidateQueries({ queryKey: ['undo', id] });
    },
    onError: toasts.showError,
  });
  return (
    <ConfirmDialog
      title={`Restore revision ${revision}?`}
      confirm={`Restore revision ${revision}`}
      isBusy={run.isPending || !data || isNothing}
      onClose={onClose}
      onConfirm={() => run.mutate()}
    >
      {error && <p role="alert">{revisionErrorText(error)}</p>}
      {!error && !data && <p>Looking at what would change…</p>}
      {isNothing && <p>The workspace is already as it was then.</p>}
      {data && !isNothing && (
        <>
          <p>
            Diagram and document become what they were. That is a new change, which can be undone; nothing of
            the history is lost.
          </p>
          <p className="restore-counts">{countWords(data.counts)}</p>
          <div className="restore-changes">
            <ChangeList diff={data.diff} />
          </div>
        </>
      )}
    </ConfirmDialog>
  );
}

function countWords({
  added,
  changed,
  removed,
  text,
}: {
  added: number;
  changed: number;
  removed: number;
  text: number;
}) {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const;
  const diagram = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const sentences = [
    ...(diagram.length > 0 ? [`In the diagram: ${diagram.join(', ')}.`] : []),
    ...(text > 0 ? [`In the document: ${text} ${text === 1 ? 'place' : 'places'}.`] : []),
  ];
  return sentences.join(' ');
}
