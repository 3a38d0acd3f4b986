/** Who the person at this browser is to others, and a way to change the name. */
import { useState } from 'react';
import { useMe, useRenameMe } from '../queries';
import { Dialog } from './Dialog';
import { useToasts } from './Toasts';

export function ProfileButton() {
  const me = useMe().data;
  const [isOpen, setIsOpen] = useState(false);
  if (!me) return <span className="avatar skeleton" aria-hidden="true" />;
  return (
    <>
      <button
        type="button"
        className="avatar tip-left"
        style={{ background: me.color }}
        aria-label={`You are ${me.name}. Change your name`}
        data-tip={`You are ${me.name}`}
        onClick={() => setIsOpen(true)}
      >
        {initialOf(me.name)}
      </button>
      {isOpen && <ProfileDialog name={me.name} onClose={() => setIsOpen(false)} />}
    </>
  );
}

export const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?';

function ProfileDialog({ name, onClose }: { name: string; onClose: () => void }) {
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
