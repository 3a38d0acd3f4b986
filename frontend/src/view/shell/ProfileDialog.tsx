/** Changes one's name. */
import { useState } from 'react';
import { useRenameMe } from '../queries';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';

export function ProfileDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [draft, setDraft] = useState(name);
  const rename = useRenameMe();
  const toasts = useToasts();
  return (
    <Dialog title="Your name" onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(draft.trim(), { onSuccess: onClose, onError: toasts.showError });
        }}
      >
        <label className="field">
          <span>Shown to others beside your changes</span>
          <input value={draft} maxLength={60} onChange={(event) => setDraft(event.target.value)} />
        </label>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!draft.trim() || rename.isPending}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
