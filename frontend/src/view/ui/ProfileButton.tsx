/** Who the person at this browser is to others, and a way to change the name. */
import '../styles/avatars.css';
import { useState } from 'react';
import { initialsOf, inkOn } from '../../model/people';
import { useMe, useRenameMe } from '../queries';
import { Dialog } from './Dialog';
import { useToasts } from './Toasts';

interface Props {
  /** The colour that others see here; default the one that is preferred. */
  color?: string | undefined;
  /** How many pages of this person are open in what is shown. */
  pages?: number;
}

export function ProfileButton({ color, pages = 1 }: Props) {
  const me = useMe().data;
  const [isOpen, setIsOpen] = useState(false);
  if (!me) return <span className="avatar skeleton" aria-hidden="true" />;
  const tabs = pages > 1 ? `, here in ${pages} tabs` : '';
  const background = color ?? me.color;
  return (
    <>
      <button
        type="button"
        className="avatar tip-left"
        style={{ background, color: inkOn(background) }}
        aria-label={`You are ${me.name}${tabs}. Change your name`}
        data-tip={`You are ${me.name}${tabs}`}
        data-initials={initialsOf(me.name)}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <ProfileDialog name={me.name} onClose={() => setIsOpen(false)} />}
    </>
  );
}

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
