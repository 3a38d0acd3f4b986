/** Creates a folder in the one that is open. */
import { useContext, useState } from 'react';
import { pathText } from '../../model/words/folders';
import { explainError } from '../../sync/words/errors';
import { Field } from '../ui/field/Field';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { FOLDER_NAME_MAX } from './folderName';
import { OpenFolder, useCreateFolder, useFolders } from './folders';

export function NewFolderDialog({ onClose }: { onClose: () => void }) {
  const parent = useContext(OpenFolder);
  const folders = useFolders().data ?? [];
  const create = useCreateFolder();
  const toasts = useToasts();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const send = () =>
    create.mutate(
      { name: wanted, parent },
      {
        onSuccess: (made) => {
          onClose();
          toasts.show({ text: `The folder “${made.name}” was made` });
        },
      },
    );
  return (
    <Dialog title="New folder" onClose={onClose} size="small">
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted && !create.isPending) send();
        }}
      >
        <Field
          label="Name"
          hint={parent === null ? undefined : `In ${pathText(folders, parent)}`}
          error={create.error ? explainError(create.error).title : undefined}
        >
          {(wiring) => (
            <input
              {...wiring}
              value={name}
              maxLength={FOLDER_NAME_MAX}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!wanted || create.isPending}>
            {create.isPending ? 'Creating…' : 'Create folder'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
