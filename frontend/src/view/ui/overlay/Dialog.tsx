/** A modal dialog on <dialog>: traps the focus, Escape closes, the focus is restored. */
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../IconButton';
import { LayerContext } from './layer';

interface Props {
  title: string;
  onClose: () => void;
  size?: 'small' | 'medium' | 'wide';
  /** Hides the title visually, for a dialog whose first field says it all. */
  isTitleHidden?: boolean;
  className?: string;
  children: ReactNode;
}

const FIELD = 'input:not([hidden]), textarea, select';

/** The initial focus: an element with autofocus, else the first field, else the close button. */
const firstIn = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector('[data-autofocus]') ?? dialog.querySelector(FIELD);

export function Dialog({
  title,
  onClose,
  size = 'medium',
  isTitleHidden = false,
  className = '',
  children,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    setLayer(dialog);
    if (dialog) firstIn(dialog)?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${size} ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <LayerContext value={layer}>
        <div className="dialog-body">
          {isTitleHidden ? (
            <h2 id={titleId} className="visually-hidden">
              {title}
            </h2>
          ) : (
            <header className="dialog-head">
              <h2 id={titleId}>{title}</h2>
              <IconButton icon={X} label="Close" onClick={onClose} />
            </header>
          )}
          {children}
        </div>
      </LayerContext>
    </dialog>
  );
}
