/** Asks before an action that cannot be undone. Most actions can, and do not ask. */
import type { ReactNode } from 'react';
import { Dialog } from './Dialog';

interface Props {
  title: string;
  /** What will happen, exactly. */
  children: ReactNode;
  /** The label of the button, a verb: "Restore revision 12". */
  confirm: string;
  tone?: 'plain' | 'bad';
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  title,
  children,
  confirm,
  tone = 'plain',
  isBusy = false,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose} size="small">
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <div className="dialog-text">{children}</div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={`button ${tone === 'bad' ? 'danger' : 'primary'}`}
            disabled={isBusy}
            data-autofocus
          >
            {confirm}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
