/** The bar over the panes while there is a draft, which others do not see, with the button to propose it. */
import '../styles/suggest.css';
import { PencilRuler } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { counted } from '../../model/words/kinds';
import { useEditorContext, useLive } from '../context/EditorContext';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';

/** Giving up more than this asks first. */
const MAX_UNASKED = 1;

export function DraftBar() {
  const { ui, client } = useEditorContext();
  const drafts = useLive((live) => live.drafts);
  const [isAsking, setIsAsking] = useState(false);
  const place = document.querySelector<HTMLElement>('.workspace-body');
  useLayoutEffect(() => {
    // Other notices keep clear of it.
    place?.toggleAttribute('data-draft', true);
    return () => place?.removeAttribute('data-draft');
  }, [place]);
  if (!place) return null;
  const drop = () => {
    setIsAsking(false);
    client.dropDrafts(drafts.map(({ id }) => id));
  };
  return createPortal(
    <section className="draft-bar" aria-label="Your draft">
      <PencilRuler size={15} strokeWidth={2} aria-hidden="true" />
      <span className="draft-bar-what" role="status">
        Draft: {counted(drafts.length, 'change')}, seen by nobody else
      </span>
      <button
        type="button"
        className="button small primary"
        onClick={() => ui.set({ dialog: { kind: 'propose' } })}
      >
        Propose…
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => (drafts.length > MAX_UNASKED ? setIsAsking(true) : drop())}
      >
        Discard
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Discard your draft?"
          confirm={`Discard ${counted(drafts.length, 'change')}`}
          tone="bad"
          onConfirm={drop}
          onClose={() => setIsAsking(false)}
        >
          It was not proposed, and nobody has it but this browser.
        </ConfirmDialog>
      )}
    </section>,
    place,
  );
}
