/** The draft of somebody who may propose and not change, and the dialogs that send what is proposed; read later. */
import '../styles/suggest.css';
import { MessageSquareDiff, PencilRuler } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { counted } from '../../model/words/kinds';
import { useCommands, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useCanPropose } from '../context/useCanChange';
import { later } from '../ui/loading/later';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';

const ProposeDialog = later(async () => (await import('./ProposeDialog')).ProposeDialog);
const SectionDialog = later(async () => (await import('./SectionDialog')).SectionDialog);

export function SuggestHost() {
  const { ui } = useEditorContext();
  const dialog = useUiState((state) => state.dialog);
  const hasDraft = useLive((live) => live.drafts.length > 0);
  const canPropose = useCanPropose();
  const close = () => ui.set({ dialog: null });
  useCommands([
    {
      id: 'document.suggest',
      title: 'Suggest another text for a section…',
      group: 'Document',
      icon: MessageSquareDiff,
      words: 'propose comment review change wording',
      isEnabled: () => canPropose,
      run: () => ui.set({ dialog: { kind: 'suggest-section', at: 0 } }),
    },
  ]);
  return (
    <>
      {hasDraft && <DraftBar />}
      {dialog?.kind === 'propose' && <ProposeDialog onClose={close} />}
      {dialog?.kind === 'suggest-section' && <SectionDialog at={dialog.at} onClose={close} />}
    </>
  );
}

/** Giving up more than this asks first. */
const MAX_UNASKED = 1;

/** The bar over the panes while there is a draft, which others do not see, with the button to propose it. */
function DraftBar() {
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
